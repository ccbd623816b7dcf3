import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TopologError } from '../../../src/common/errors.ts';
import type { GivenFiles } from '../../../src/files/lab/given-files.ts';
import type { Lab } from '../../../src/files/lab/model.ts';
import { updateLabText } from '../../../src/files/lab/yaml/edit.ts';
import { filesNamedIn, readLabText } from '../../../src/files/lab/yaml/read.ts';

interface Told {
  file?: string;
  line?: number;
  field: string;
  problem: string;
}

const HEAD = 'lab: L\nversion: 1\n';
const reading = (body: string, files: GivenFiles = {}) => readLabText({ text: HEAD + body, files });
const read = (body: string, files: GivenFiles = {}): Lab => reading(body, files).lab;
const refusal = (body: string, files: GivenFiles = {}): string[] => {
  try {
    reading(body, files);
  } catch (error) {
    assert.ok(error instanceof TopologError, String(error));
    const errors = (error.details['errors'] ?? [error.details]) as Told[];
    return errors.map(({ file, line, field, problem }) =>
      line === undefined ? error.message : `${file === undefined ? '' : `${file} `}${line} ${field} ${problem}`,
    );
  }
  return [];
};
const addresses = ({ nodes }: Lab): unknown =>
  Object.fromEntries(nodes.map(({ name, addresses: of = [] }) => [name, of.join()]));
const ends = ({ links }: Lab): string[] =>
  links.map(({ ends: of }) => of.map(({ node, port }) => `${node}:${port ?? ''}`).join(' '));

describe('variables of a text', () => {
  it('stand within texts, names and alone, where they keep what they are', () => {
    const body = `vars: { net: 10.10, count: 7, site: { name: Ulm, at: [1, 2] }, up: "\${net}.9", on: true }
nodes:
  "PC-\${site.name}":
    kind: simple_pc
    address: \${net}.0.1/24
    at: \${site.at}
    locked: \${on}
    z: 1\${count}
    startup: "set pcname \${site.name}\\necho \${HOME} $\${count} \${up}\\n"
`;
    const [node] = read(body).nodes;
    assert.deepEqual(node, {
      ...{ kind: 'simple_pc', name: 'PC-Ulm', x: 1, y: 2, z: 17, locked: true, properties: {} },
      ...{ addresses: ['10.10.0.1/24'], startup: 'set pcname Ulm\necho ${HOME} ${count} 10.10.9\n' },
    });
  });

  it('leave a text alone that has none', () => {
    const body =
      'nodes:\n  A: { kind: a, startup: "echo ${HOME} $${x}" }\nchecks:\n  - { reach: { from: A, to: A }, for: 5s }\n';
    const { nodes, checks } = read(body);
    assert.equal(nodes[0]?.startup, 'echo ${HOME} $${x}');
    assert.equal(checks?.[0]?.for, '5s');
  });

  it('are refused or told at their place', () => {
    assert.deepEqual(refusal('vars: [1]\n'), ['3 vars must be a map of values by their names']);
    assert.deepEqual(refusal('vars: { a b: 1 }\n'), ['3 vars.a b must be a name of letters, digits, - and _']);
    assert.deepEqual(refusal('vars: { a: [1] }\nnodes:\n  A: { kind: "x${a}" }\n'), [
      '5 text the text has ${a}, which is a list and no text',
    ]);
    assert.deepEqual(reading('vars: { site: 1 }\nnodes:\n  A: { kind: a, symbol: "${sites} ${HOME}" }\n').notes, [
      'line 5, column 25: the text has ${sites}, which is no variable; did you mean site?',
    ]);
  });
});

describe('loops of a text', () => {
  it('make nodes and links of lists and ranges, each with each', () => {
    const body = `vars: { n: 3 }
nodes:
  "PC\${i}": { for: { i: "1..\${n}" }, kind: simple_pc, address: "10.0.0.\${i}/24" }
  "S\${s.name}-\${i}":
    for: { s: [{ name: a, net: 10.1 }, { name: b, net: 10.2 }], i: 1..2 }
    do: { kind: simple_pc, address: "\${s.net}.0.\${i}/24" }
  none\${i}: { for: { i: 1..0 }, kind: a }
  SW: { kind: ethernet_switch }
links:
  - { for: { i: 1..3 }, ends: ["PC\${i}:0", "SW:\${i}"], filters: { delay: "\${i}" } }
  - for: { i: [a, b] }
    do: ["S\${i}-1:0", "S\${i}-2:0"]
  - [PC1:0, SW:0]
checks:
  - for: { i: 1..3 }
    do: PC\${i} reaches PC1 within 10s
  - { for: { i: [1s] }, do: { reach: { from: PC1, to: PC2 }, for: "\${i}" } }
`;
    const lab = read(body);
    assert.deepEqual(addresses(lab), {
      ...{ PC1: '10.0.0.1/24', PC2: '10.0.0.2/24', PC3: '10.0.0.3/24' },
      ...{ 'Sa-1': '10.1.0.1/24', 'Sa-2': '10.1.0.2/24', 'Sb-1': '10.2.0.1/24', 'Sb-2': '10.2.0.2/24', SW: '' },
    });
    assert.deepEqual(ends(lab), [
      'PC1:0 SW:1',
      'PC2:0 SW:2',
      'PC3:0 SW:3',
      'Sa-1:0 Sa-2:0',
      'Sb-1:0 Sb-2:0',
      'PC1:0 SW:0',
    ]);
    assert.deepEqual(lab.links[1]?.filters, { delay: [2] });
    assert.deepEqual(
      lab.checks?.map(({ reach, for: lasts }) => [reach?.from, lasts]),
      [
        ['PC1', undefined],
        ['PC2', undefined],
        ['PC3', undefined],
        ['PC1', '1s'],
      ],
    );
  });

  it('are everywhere: in properties too', () => {
    const body = `nodes:
  S:
    kind: ethernet_switch
    properties:
      ports_mapping:
        - { for: { n: 0..2 }, name: "e\${n}", port_number: "\${n}", type: access, vlan: 1 }
`;
    const ports = read(body).nodes[0]?.properties['ports_mapping'] as { name: string; port_number: number }[];
    assert.deepEqual(
      ports.map(({ name, port_number }) => [name, port_number]),
      [
        ['e0', 0],
        ['e1', 1],
        ['e2', 2],
      ],
    );
  });

  it('are refused at their place, and problems within them by the name and the line', () => {
    for (const [body, problems] of [
      [
        'nodes:\n  A: { for: { i: 3 }, kind: a }\n',
        ['4 for must have a list or a range such as 1..20 for each variable'],
      ],
      ['nodes:\n  A: { for: { "1": [1] }, kind: a }\n', ['4 for has 1, which is no name of a variable']],
      ['nodes:\n  A: { for: { i: 1..2 }, kind: a }\n', ['4 A is there twice; a loop needs its variable in the name']],
      [
        'links:\n  - { for: { i: [1] }, do: [A, B], suspend: true }\n',
        ['4 do is all that a loop can have beside its variables'],
      ],
      [
        'nodes:\n  "A${i}":\n    for: { i: 1..2 }\n    kind: a\n    adress: x\n',
        [
          '7 nodes.A1.adress is an unknown key; did you mean address?',
          '7 nodes.A2.adress is an unknown key; did you mean address?',
        ],
      ],
      [
        'nodes:\n  A: { kind: a }\nlinks:\n  - { for: { i: 1..1 }, ends: ["A", "B${i}"] }\n',
        ['6 links[0] names B1, which is no node of this lab'],
      ],
    ] as const)
      assert.deepEqual(refusal(body), problems);
  });
});

describe('includes of a text', () => {
  const files = {
    'parts/pcs.yaml': `vars: { count: 9, net: 10.0.0 }
include: more/switch.yaml
nodes:
  "PC\${i}": { for: { i: "1..\${count}" }, kind: simple_pc, address: "\${net}.\${i}/24", startup: { file: pc.vpc } }
links:
  - { for: { i: "1..\${count}" }, ends: ["PC\${i}", "SW:\${i}"] }
settings: { grid_size: 10, auto_close: true }
`,
    'parts/more/switch.yaml': 'nodes:\n  SW: { kind: ethernet_switch }\n',
    'parts/pc.vpc': 'echo hello\n',
  };
  const body =
    'vars: { count: 2 }\ninclude: [parts/pcs.yaml]\nnodes:\n  R: { kind: simple_router }\nlinks:\n  - [R:0, SW:0]\nsettings: { grid_size: 20 }\n';

  it('are joined with it; its own variables and settings go before theirs', () => {
    const lab = read(body, files);
    assert.deepEqual(addresses(lab), { SW: '', PC1: '10.0.0.1/24', PC2: '10.0.0.2/24', R: '' });
    assert.deepEqual(ends(lab), ['PC1: SW:1', 'PC2: SW:2', 'R:0 SW:0']);
    assert.equal(lab.nodes[1]?.startup, 'echo hello\n');
    assert.deepEqual(lab.settings, { grid_size: 20, auto_close: true });
  });

  it('are files that it names, with those that they name', () => {
    const named = (given: GivenFiles): string[] => filesNamedIn(HEAD + body, given).toSorted();
    assert.deepEqual(named({}), ['parts/pcs.yaml']);
    assert.deepEqual(named(files), ['parts/more/switch.yaml', 'parts/pc.vpc', 'parts/pcs.yaml']);
    assert.deepEqual(named({ 'parts/pcs.yaml': 'nodes: [' }), ['parts/pcs.yaml']);
    const loop = 'nodes:\n  "A${i}": { for: { i: [x, y] }, kind: a, startup: { file: "${i}.cfg" } }\n';
    assert.deepEqual(filesNamedIn(HEAD + loop), ['x.cfg', 'y.cfg']);
  });

  it('are refused by their file and line', () => {
    const at = (pcs: string): string[] => refusal(body, { ...files, 'parts/pcs.yaml': pcs });
    const sw = 'nodes:\n  SW: { kind: ethernet_switch }\n';
    for (const [pcs, problems] of [
      [`${sw}  R: { kind: a }\n`, ['6 nodes.R is there twice: an included text has it too']],
      [
        `${sw}  P: { kind: a, adress: x }\n`,
        ['parts/pcs.yaml 3 nodes.P.adress is an unknown key; did you mean address?'],
      ],
      [`${sw}links:\n  - [SW, X]\n`, ['parts/pcs.yaml 4 links[0] names X, which is no node of this lab']],
      [
        `${sw}links:\n  - [SW, X]\n  - [SW, SW]\n`,
        [
          'parts/pcs.yaml 4 links[0] names X, which is no node of this lab',
          'parts/pcs.yaml 5 links[1] must join two nodes, not SW to itself',
        ],
      ],
      [`${sw}  SW: {}\n`, ['parts/pcs.yaml 3 SW is there twice']],
      [
        'nodes: [',
        [
          'parts/pcs.yaml 1 text the text is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
        ],
      ],
      ['', ['8 links[0] names SW, which is no node of this lab']],
      [
        '['.repeat(99),
        [
          '4 include names parts/pcs.yaml, which cannot be taken: the text is nested deeper than 32 levels',
          '8 links[0] names SW, which is no node of this lab',
        ],
      ],
      [
        `${sw}include: ../parts/pcs.yaml\n`,
        ['parts/pcs.yaml 3 include names parts/pcs.yaml, which includes this file'],
      ],
      [`${sw}include: x.yaml\n`, ['parts/pcs.yaml 3 include names parts/x.yaml, which was not given with the text']],
      [`${sw}include: [{}]\n`, ['parts/pcs.yaml 3 include must be the name of a file, or a list of such']],
    ] as const)
      assert.deepEqual(at(pcs), problems);
  });
});

describe('a text that stands for much', () => {
  const doubled = (n: number): string =>
    `vars:\n  v0: [x, x]\n${Array.from({ length: n }, (_, i) => `  v${i + 1}: ["\${v${i}}", "\${v${i}}"]\n`).join('')}`;
  for (const [what, body, sentence] of [
    ['numbers', 'nodes:\n  "A${i}": { for: { i: 1..99999 }, kind: a }\n', 'has a range of more than 10000 numbers'],
    [
      'rounds',
      'nodes:\n  "A${i}${j}": { for: { i: 1..9999, j: 1..9999 }, kind: a }\n',
      'stands for more than 500000 values',
    ],
    [
      'values',
      `${doubled(24)}nodes: { A: { kind: a, properties: { x: "\${v24}" } } }\n`,
      'stands for more than 500000 values',
    ],
    ['levels', doubled(40).replaceAll(/, "[^"]*"\]/g, ']'), 'is nested deeper than 32 levels'],
    [
      'characters',
      `vars: { x: ${'x'.repeat(10_000)} }\nnodes:\n  A: { kind: a, properties: { l: [{ for: { i: 1..2000 }, do: "\${x}\${i}" }] } }\n`,
      'stands for more than 8388608 characters',
    ],
  ] as const)
    it(`is refused for its ${what}`, () => assert.match(refusal(body).join(), new RegExp(`the text ${sentence}`)));

  it('is refused for more includes than there may be', () => {
    const files = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`f${i}`, `include: f${i + 1}\n`]));
    assert.match(refusal('include: f0\n', files).join(), /the text includes more than 64 files/);
  });
});

describe('a text with loops', () => {
  it('is not rewritten', () => {
    const text = `${HEAD}nodes:\n  "A\${i}": { for: { i: 1..2 }, kind: a }\n`;
    assert.throws(
      () => updateLabText(text, []),
      /variables, loops or includes: it is not rewritten; change it by hand/,
    );
  });
});

describe('a text in a file', () => {
  it('can stand wherever a text does', () => {
    const files = { 'run.sh': 'true', 'name.txt': 'x', 'a.svg': '<svg/>', 'a.cfg': 'hostname a\n' };
    const body = `nodes:
  A: { kind: a, startup: { file: a.cfg }, properties: { deep: [{ text: { file: a.cfg } }] } }
drawings:
  - { svg: { file: a.svg } }
checks:
  - { exec: { run: { file: run.sh } }, name: { file: name.txt } }
stages:
  - { name: { file: name.txt }, checks: [x] }
settings: { variables: [{ name: a, value: { file: name.txt } }] }
`;
    const lab = read(body, files);
    assert.deepEqual(lab.nodes[0]?.properties, { deep: [{ text: 'hostname a\n' }] });
    assert.deepEqual(
      [lab.drawings?.[0]?.svg, lab.checks?.[0]?.exec?.run, lab.checks?.[0]?.name],
      ['<svg/>', 'true', 'x'],
    );
    assert.deepEqual([lab.stages?.[0]?.name, lab.settings.variables], ['x', [{ name: 'a', value: 'x' }]]);
    assert.deepEqual(filesNamedIn(HEAD + body).toSorted(), Object.keys(files).toSorted());
    assert.deepEqual(refusal('checks:\n  - { exec: { run: { file: none } } }\n'), [
      '4 checks[0].exec.run.file names none, which was not given with the text',
    ]);
  });
});
