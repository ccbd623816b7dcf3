import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { PACKAGE } from '../../src/common/package.ts';
import { TopologError } from '../../src/common/errors.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import type { GivenFiles } from '../../src/files/lab/given-files.ts';
import { filesNamedIn, readLabText } from '../../src/files/lab/yaml/read.ts';
import { filtersSchema } from '../../src/fabric/filters/parse.ts';
import { labSchema } from '../../src/files/lab/yaml/schema.ts';
import { writeLabText } from '../../src/files/lab/yaml/write.ts';
import { atOnce } from '../../src/common/slices.ts';
import { tidyPlaces } from '../../src/files/lab/layout.ts';
import { saidOf, startUpText } from '../../src/files/lab/start-up.ts';

const HEAD = 'lab: A\nversion: 1\n';
const COLOUR =
  'colour is an unknown key; known are lab, version, settings, nodes, links, drawings, checks, weather, stages';
const read = (text: string, files: GivenFiles = {}) => readLabText({ text, files });

const refusal = (text: string, files: GivenFiles = {}): { message: string; details: TopologError['details'] } => {
  try {
    read(text, files);
  } catch (error) {
    assert.ok(error instanceof TopologError, String(error));
    return { message: error.message.replace('The request is not valid: ', ''), details: error.details };
  }
  throw new assert.AssertionError({ message: 'it was read' });
};

describe("a lab's text", () => {
  it('takes files in texts of lists of properties, as they are', () => {
    const text = `${HEAD}nodes:\n  R:\n    kind: container\n    properties: { image: i, files: [{ path: /a, content: { file: a } }, { path: /b, mode: '600', content: { file: b } }] }\n`;
    const b = { content: '/w==', encoding: 'base64', mode: '755' } as const;
    assert.deepEqual(readLabText({ text, files: { a: 'A', b } }).lab.nodes[0]?.properties['files'], [
      { path: '/a', content: 'A' },
      { path: '/b', ...b, mode: '600' },
    ]);
    assert.match(refusal(text, { b }).message, /files\[0\]\.content\.file names a, which was not given with the text/);
    assert.match(
      refusal(`${HEAD}nodes:\n  A: { kind: a, startup: { file: b } }\n`, { b }).message,
      /startup\.file names b, which is no text/,
    );
  });

  it('says nodes, links in short and in long, texts by file, and drawings', () => {
    const text = `${HEAD}nodes:
  PC1: { kind: simple_pc, at: [1, 2], address: [10.0.0.1/24, 2001:db8::1/64], gateway: 10.0.0.254, startup: { file: pc1.txt } }
  R: { template: Core router, properties: { startup_config_content: { file: r.cfg }, ram: 512 } }
links:
  - [PC1, R:f0/0]
  - { ends: ['PC1:0', 'R:1/0'], filters: { delay: 5, packet_loss>: [2] }, suspend: true }
drawings:
  - { svg: { file: a.svg }, at: [3, 4] }
`;
    const { lab } = read(text, { 'pc1.txt': 'echo 1\n', 'r.cfg': 'hostname R\n', 'a.svg': '<svg/>' });
    assert.deepEqual(lab.nodes, [
      {
        ...{ name: 'PC1', kind: 'simple_pc', x: 1, y: 2, startup: 'echo 1\n', properties: {} },
        addresses: ['10.0.0.1/24 10.0.0.254', '2001:db8::1/64'],
      },
      { name: 'R', template: 'Core router', properties: { startup_config_content: 'hostname R\n', ram: 512 } },
    ]);
    assert.deepEqual(lab.links[1], {
      ends: [
        { node: 'PC1', port: '0' },
        { node: 'R', port: '1/0' },
      ],
      ...{ filters: { delay: [5], 'packet_loss>': [2] }, suspend: true },
    });
    assert.deepEqual(lab.drawings, [{ svg: '<svg/>', x: 3, y: 4, z: 2, rotation: 0 }]);
    assert.deepEqual(filesNamedIn(text).toSorted(), ['a.svg', 'pc1.txt', 'r.cfg']);
  });

  for (const [what, text, expected] of [
    [
      'a mistyped key, with the right one',
      `${HEAD}nodes:\n  PC1:\n    kind: a\n    adress: 1\n`,
      'line 6, column 5: nodes.PC1.adress is an unknown key; did you mean address?',
    ],
    [
      'a node without a sort',
      `${HEAD}nodes:\n  PC1: {}\n`,
      'line 4, column 3: nodes.PC1 must have either kind or template',
    ],
    [
      'a link to nobody',
      `${HEAD}nodes:\n  A: { kind: a }\nlinks:\n  - [A, B:1]\n`,
      'line 6, column 5: links[0] names B, which is no node of this lab',
    ],
    [
      'a link to itself',
      `${HEAD}nodes:\n  A: { kind: a }\nlinks:\n  - [A:0, A:1]\n`,
      'line 6, column 5: links[0] must join two nodes, not A to itself',
    ],
    [
      'one end',
      `${HEAD}links:\n  - [A]\n`,
      'line 4, column 5: links[0] must be [NODE:PORT, NODE:PORT], or {ends: [NODE:PORT, NODE:PORT], filters: {...}}',
    ],
    ['a key that is there twice', `${HEAD}lab: B\n`, 'line 3, column 1: lab is there twice'],
    ['two documents', `${HEAD}---\n${HEAD}`, 'line 3, column 1: the text has another document: a lab is one'],
    ['no version', 'lab: A\n', 'line 1, column 1: version is missing'],
    ['another version', 'lab: A\nversion: 2\n', 'line 2, column 1: version must be 1'],
    [
      'an address without a prefix',
      `${HEAD}nodes:\n  A:\n    kind: a\n    address: 10.0.0.1\n`,
      'line 6, column 5: nodes.A.address must be an address with its prefix, such as 10.0.0.1/24, or a list of such',
    ],
    [
      'two gateways of one family',
      `${HEAD}nodes:\n  A:\n    kind: a\n    address: 10.0.0.1/24\n    gateway: [10.0.0.2, 10.0.0.3]\n`,
      'line 7, column 5: nodes.A.gateway must be one address of each family at most',
    ],
    [
      'a gateway of a family that no address is of',
      `${HEAD}nodes:\n  A:\n    kind: a\n    address: 10.0.0.1/24\n    gateway: 2001:db8::1\n`,
      'line 7, column 5: nodes.A.gateway needs an address of the family of 2001:db8::1',
    ],
    [
      'a file that was not sent',
      `${HEAD}nodes:\n  A: { kind: a, startup: { file: b } }\n`,
      'line 4, column 28: nodes.A.startup.file names b, which was not given with the text',
    ],
    ['a list in the place of a map', `${HEAD}nodes: []\n`, 'line 3, column 1: nodes must be a map'],
    ['a text that is no YAML', 'lab: [A\n', /^line 2, column 1: the text is not valid YAML: flow /],
    [
      'a node that was itself',
      `${HEAD}nodes:\n  A: { kind: a, was: A }\n`,
      'line 4, column 17: nodes.A.was A is its name already',
    ],
    [
      'a sentence that is no check',
      `${HEAD}checks:\n  - PC1 reach PC2 within 15s\n`,
      'line 4, column 5: checks[0] must say something like: PC1 reaches PC2 within 10s, or: PC1 does not reach 10.0.9.1',
    ],
    [
      'a check with two times',
      `${HEAD}nodes:\n  A: { kind: a }\nchecks:\n  - { state: { node: A, is: started }, within: 1s, before: 2s }\n`,
      'line 6, column 5: checks[0] must not have both within and before',
    ],
    [
      'a key of every object',
      `${HEAD}nodes:\n  __proto__: { kind: a }\n`,
      'line 4, column 3: __proto__ is an unknown key',
    ],
  ] as const)
    it(`is refused for ${what}, with its place`, () => {
      const { message, details } = refusal(text);
      if (typeof expected === 'string') assert.equal(message, expected);
      else assert.match(message, expected);
      assert.equal(typeof details['line'], 'number');
    });

  it('names every problem of the form at once', () => {
    const { details } = refusal(`${HEAD}nodes:\n  A: { kind: 1 }\n  B: { kind: b, z: x }\n`);
    assert.deepEqual(details['errors'], [
      { field: 'nodes.A.kind', problem: 'must be a text', line: 4, column: 8 },
      { field: 'nodes.B.z', problem: 'must be a number', line: 5, column: 17 },
    ]);
  });

  it('names with them what is there twice, and what names nothing that is there', () => {
    const { message, details } = refusal(`${HEAD}colour: red
nodes:
  A: { kind: a, was: A, startup: { file: s } }
  B: { kind: 1 }
  A: { kind: a, was: A, startup: { file: s } }
links:
  - [A:0, B:0]
  - [A:1]
  - [A:2, C:0]
  - [D:0, E:0]
`);
    assert.equal(message, `line 3, column 1: ${COLOUR}`);
    const errors = details['errors'] as { field: string; problem: string; line: number }[];
    assert.deepEqual(
      errors.map(({ field, problem, line }) => `${line} ${field} ${problem}`),
      [
        `3 ${COLOUR}`,
        '5 nodes.A.was A is its name already',
        '5 nodes.A.startup.file names s, which was not given with the text',
        '6 nodes.B.kind must be a text',
        '7 A is there twice',
        '10 links[1] must be [NODE:PORT, NODE:PORT], or {ends: [NODE:PORT, NODE:PORT], filters: {...}}',
        '11 links[2] names C, which is no node of this lab',
        '12 links[3] names D, which is no node of this lab',
        '12 links[3] names E, which is no node of this lab',
      ],
    );
  });

  it('names with them what checks and weather name that is not there', () => {
    const { details } = refusal(`${HEAD}colour: red
nodes:
  A: { kind: a }
  B: { kind: 1 }
checks:
  - A reaches B
  - A reaches C
  - A reaches 10.0.0.1
  - { capture: { link: [A:0, D:0], filter: ip, is: seen } }
weather:
  - { suspend: true, for: 1s, links: [[A:0, E:0]] }
  - { crash: [F], for: 1s }
`);
    const errors = details['errors'] as { field: string; problem: string; line: number }[];
    assert.deepEqual(
      errors.map(({ field, problem, line }) => `${line} ${field} ${problem}`),
      [
        `3 ${COLOUR}`,
        '6 nodes.B.kind must be a text',
        '9 checks[1] names C, which is no node of this lab',
        '11 checks[3] names D, which is no node of this lab',
        '13 weather[0].links names E, which is no node of this lab',
        '14 weather[1].crash names F, which is no node of this lab',
      ],
    );
  });

  it('names every place that is no YAML', () => {
    const { details } = refusal(`${HEAD}a: [1\nb: "x\n`);
    assert.ok((details['errors'] as unknown[]).length > 1);
  });

  for (const [what, text] of [
    ['deep lists', `a: ${'['.repeat(100_000)}`],
    ['deep lists over lines', '[\n'.repeat(100_000)],
    ['deep blocks', `${'- '.repeat(50_000)}a`],
    ['deep indentation', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    [
      'aliases of aliases',
      `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
        .split('')
        .map(
          (c, i) =>
            `${c}: &${c} [${Array(9)
              .fill(`*${'abcdefghi'[i] ?? ''}`)
              .join(', ')}]`,
        )
        .join('\n')}`,
    ],
    ['thousands of aliases', `a: &a 1\nb: [${Array(5_000).fill('*a').join(', ')}]`],
    ['an alias of itself', 'a: &a [*a]'],
    ['too many characters', 'a'.repeat(9 << 20)],
    ['nothing', ''],
  ] as const)
    it(`of ${what} is refused by a sentence`, () => {
      assert.match(refusal(text).message, /^(the text|line \d)/);
    });

  it('takes thousands of nodes', () => {
    const nodes = Array.from({ length: 2_000 }, (_, i) => `  N${i}: { kind: a, at: [${i}, 0] }\n`).join('');
    assert.equal(read(`${HEAD}nodes:\n${nodes}`).lab.nodes.length, 2_000);
  });

  it('is the same once it was read and written', () => {
    const text = readFileSync(path.join(PACKAGE, 'examples/wan.yaml'), 'utf8');
    const { lab } = read(text);
    const written = writeLabText(lab).text;
    assert.deepEqual(read(written).lab, lab);
    assert.equal(writeLabText(read(written).lab).text, written);
  });

  it('has a gateway of each family', () => {
    const address = 'address: [ 10.0.0.1/24, 10.0.1.1/24, "2001:db8::1/64" ]';
    const { lab } = read(`${HEAD}nodes:\n  A: { kind: a, ${address}, gateway: ["2001:db8::f", 10.0.0.254] }\n`);
    const addresses = ['10.0.0.1/24 10.0.0.254', '10.0.1.1/24', '2001:db8::1/64 2001:db8::f'];
    assert.deepEqual(lab.nodes[0]?.addresses, addresses);
    const written = writeLabText(lab).text;
    assert.match(written, /gateway: \[10\.0\.0\.254, 2001:db8::f\]|gateway:\n +- 10\.0\.0\.254\n +- 2001:db8::f\n/);
    assert.deepEqual(read(written).lab, lab);
  });

  it('has a published schema that is up to date', () => {
    const file = path.join(PACKAGE, 'docs/reference/generated/lab.schema.json');
    const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      published,
      JSON.parse(JSON.stringify(labSchema(createKinds().all(), filtersSchema()))),
      'npm run docs:lab',
    );
  });
});

describe('a start-up text', () => {
  const lines = { property: 'p', addressLine: 'ip {address}/{prefix}', gateway: ' {gateway}' };
  it('is taken apart into addresses and the rest, and put together', () => {
    for (const text of [
      'ip 10.0.0.1/24 10.0.0.254\nip 2001:db8::1/64\nset echo\n',
      'ip 10.0.0.1/24 10.0.0.254\nip 2001:db8::1/64 2001:db8::f\n',
      'ip dhcp\n',
      'set echo\nip 10.0.0.1/24\n',
    ])
      assert.equal(startUpText(saidOf(text, lines), lines), text);
    assert.deepEqual(saidOf('ip 10.0.0.1/24 10.0.0.254\nx\n', lines), {
      addresses: ['10.0.0.1/24 10.0.0.254'],
      startup: 'x\n',
    });
    assert.deepEqual(saidOf(' \n', lines), {});
  });

  it('keeps lines whose gateway could not be said beside the addresses', () => {
    for (const rest of ['ip 10.0.0.2/24 10.0.0.253\n', 'ip 2001:db8::1/64 10.0.0.254\nip 10.0.0.3/24\n'])
      assert.deepEqual(saidOf(`ip 10.0.0.1/24 10.0.0.254\n${rest}`, lines), {
        addresses: ['10.0.0.1/24 10.0.0.254'],
        startup: rest,
      });
  });
});

describe('tidy places', () => {
  it('are apart, the same each time, and move nothing', () => {
    const names = Array.from({ length: 20 }, (_, i) => ({ name: `N${i}` }));
    const links = names.slice(1).map(({ name }, i): [string, string] => [name, `N${Math.floor(i / 3)}`]);
    const places = atOnce(tidyPlaces(names, links));
    assert.equal(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size, 20);
    assert.deepEqual(atOnce(tidyPlaces(names, links)), places);
    const more = atOnce(tidyPlaces([{ name: 'A', x: 5, y: 7 }, { name: 'B' }], [['A', 'B']]));
    assert.deepEqual([...more], [['B', { x: 5, y: 157 }]]);
  });
});
