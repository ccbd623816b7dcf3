import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { TopologError } from '../../src/common/errors.ts';
import type { CheckForm } from '../../src/common/forms/check.ts';
import { validate } from '../../src/http/server/validate.ts';
import { nameOf } from '../../src/projections/check-names.ts';
import { nodeMachine } from '../../src/projections/states.ts';
import { everything, sentences, titles } from '../src/words/german.ts';
import { sentencesIn } from '../src/words/sentences.ts';
import { Refusals } from './refusals-of.ts';

/** What no page shows: files and folders, by the reason. */
const NEVER_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'said by the command line': [
    'cli/',
    'common/forms/suggestions.ts',
    'events/copy-log.ts',
    'http/access/passwords.ts',
    'http/access/users.ts',
  ],
  'asked for by the command line and programs: replays, sessions, texts of labs, waiting': [
    'replay/',
    'session/format.ts',
    'session/repair.ts',
    'session/export.ts',
    'files/lab/',
    'actors/lab-text/',
    'http/v2/nodes/wait.ts',
  ],
  'said when a server starts': [
    'server/config.ts',
    'cluster/cell-config.ts',
    'server/found-server.ts',
    'server/data-directory.ts',
    'server/lab-context.ts',
    'cluster/handoff.ts',
    'cluster/failover.ts',
    'server/users.ts',
    'files/pages.ts',
    'files/project/data-directory.ts',
    'http/access/client-address.ts',
    'http/access/tickets.ts',
    'fabric/client/supervise.ts',
    'events/open-cell.ts',
    'events/log/startup.ts',
    'events/store/level',
    'events/store/seal-log.ts',
    'events/store/postgres/database.ts',
    'events/store/postgres/cell.ts',
    'events/store/postgres/schema.ts',
    'events/store/postgres/secrets.ts',
  ],
  'said between servers, of what people do not write': [
    'http/routing/controller.ts',
    'http/v2/compute/batch.ts',
    'http/v2/compute/claim.ts',
    'http/v2/compute/ports.ts',
    'fabric/client/plumbing.ts',
  ],
  'said between the processes of a server': ['fabric/process/fabric.ts', 'fabric/process/server.ts'],
  'of HTTP that no browser and no page sends': [
    'http/access/framing.ts',
    'http/server/errors.ts',
    'http/routing/execute.ts',
    'http/routing/web-sockets.ts',
    'http/v2/server/server.ts',
  ],
};
const isShown = (file: string): boolean =>
  !Object.values(NEVER_SHOWN)
    .flat()
    .some((place) => file.startsWith(place));

/** The same in every language. */
const COMMAND = /^(?:apt-get|docker|sudo|mkdir|ip link) /;
/** One word is a name: of a field, a program, a device. */
const hasWords = (text: string): boolean => /\p{L}{2} \p{L}{2}/u.test(text) && !COMMAND.test(text);

/** Of a sentence only its values: what is left of a refusal is what its German does not say. */
const valuesOnly = Object.fromEntries(
  Object.keys(sentences).map((key) => [key, (key.match(/\{\w+\}/g) ?? []).join(' · ')]),
);
const untold = (text: string): string => (Object.hasOwn(everything, text) ? '' : (find(text) ?? text));
const find = sentencesIn(valuesOnly, untold);

describe('refusals of the server', () => {
  const root = `${process.cwd()}/src`;

  it('that no page shows are in files that there are', () => {
    const files = readdirSync(root, { recursive: true }).map(String);
    const gone = Object.values(NEVER_SHOWN)
      .flat()
      .filter((place) => !files.some((file) => file.startsWith(place)));
    assert.deepEqual(gone, []);
  });

  it('are there in German', () => {
    const refusals = new Refusals(root).of(isShown);
    assert.ok(refusals.length > 500, `${refusals.length} are found`);
    const bare = refusals.filter(({ text }) => hasWords(text) && hasWords(untold(text)));
    assert.deepEqual(bare, []);
    assert.ok(hasWords(untold('the drawing is shut')));
  });
});

const tell = (text: string): string => everything[text] ?? say(text) ?? text;
const say = sentencesIn(sentences, tell);

/** One of each sort that has a name of its own. */
const CHECKS: readonly CheckForm[] = [
  { reach: { from: 'A', to: 'B' } },
  { reach: { from: 'A', to: 'B', not: true, size: 9 } },
  { loss: { from: 'A', to: 'B', under: 5 } },
  { console: { node: 'A', shows: 'up' } },
  { console: { node: 'A', matches: 'up', not: true } },
  { capture: { link: 'L', filter: 'arp', is: 'never' } },
  { capture: { link: ['A', 'B'], filter: 'arp', is: 'seen' } },
  { exec: { node: 'A', run: 'ls' } },
  { ospf: { node: 'A', neighbors: 2 } },
  { ospf: { node: 'A' } },
  { bgp: { node: 'A', neighbors: 2 } },
  { bgp: { node: 'A' } },
  { vlan: { node: 'A', interface: 'eth1', vlan: 10 } },
  { vrrp: { node: 'A', group: 5, is: 'Master' } },
  ...(['started', 'stopped', 'suspended'] as const).map((is) => ({ state: { node: 'A', is } })),
  ...(['frames', 'octets', 'dropped'] as const).map((of) => ({ counter: { link: 'L', of, over: 1 } })),
];

describe('what the server finds when it looks at checks', () => {
  const found = new Refusals(`${process.cwd()}/src`, ['text', 'problem', 'why']).of((file) =>
    /^(?:actors\/check\/|fabric\/(?:process\/probing|models\/host\/probe-once|console\/asking)\.ts)/.test(file),
  );

  /** Values that are words themselves. */
  const COUNTED = ['frames', 'octets', 'dropped'];
  const STATES = Object.keys(nodeMachine.states).filter((state) => state !== 'deleted');

  it('is there in German', () => {
    assert.ok(found.length > 40, `${found.length} are found`);
    const said = [
      ...found.map(({ text }) => text).filter((text) => !text.includes('§ § at ')),
      ...COUNTED.map((what) => `§ ${what} at §`),
      ...STATES.map((state) => `§ is ${state}`),
    ];
    assert.deepEqual(
      said.filter((text) => hasWords(text.replaceAll('§', 'of')) && hasWords(untold(text).replaceAll('§', ''))),
      [],
    );
  });

  it('is said of its parts as well, and the names of checks are', () => {
    assert.equal(tell('A does not reach B: B is stopping'), 'A erreicht B nicht: B stoppt gerade');
    assert.equal(
      tell('A does not reach 10.0.9.1: 10.0.0.254 says that it is unreachable (code 0)'),
      'A erreicht 10.0.9.1 nicht: 10.0.0.254 sagt, das sei nicht erreichbar (Code 0)',
    );
    const title = sentencesIn(titles, String);
    const bare = CHECKS.map((check) => nameOf({ get: () => undefined }, check));
    assert.equal(title('A does not reach 10.0.9.1'), 'A erreicht 10.0.9.1 nicht');
    assert.deepEqual(
      bare.filter((text) => title(text) === undefined),
      [],
    );
  });
});

describe('what the server says of a body', () => {
  const refusalOf = (schema: z.ZodType, given: unknown): string => {
    try {
      validate(schema, given, ['body']);
    } catch (error) {
      if (error instanceof TopologError) return error.message;
    }
    return 'it is taken';
  };
  it('is there in German, whatever does not fit', () => {
    const said = (
      [
        [z.string(), 1],
        [z.string(), undefined],
        [z.string().min(2), ''],
        [z.string().max(1), 'long'],
        [z.string().regex(/^x$/), 'y'],
        [z.int(), 1.5],
        [z.number().gt(3), 1],
        [z.number().max(3), 4],
        [z.number().multipleOf(5), 4],
        [z.boolean(), 'yes'],
        [z.null(), 1],
        [z.array(z.int()).min(1), []],
        [z.array(z.int()).max(0), [1]],
        [z.array(z.int()), {}],
        [z.tuple([z.int()]), 'x'],
        [z.record(z.string(), z.int()), 1],
        [z.strictObject({}), { more: 1 }],
        [z.strictObject({ a: z.int() }), {}],
        [z.enum(['a', 'b']), 'c'],
        [z.literal(1), 2],
        [z.union([z.string().min(3), z.int(), z.boolean()]), null],
        [z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })]), { c: 1 }],
        [z.uuid(), 'x'],
        [z.ipv4(), 'x'],
        [z.iso.datetime(), 'x'],
      ] as const
    ).map(([schema, given]) => refusalOf(schema, given));
    assert.deepEqual(
      said.filter((text) => hasWords(untold(text)) || text === 'it is taken'),
      [],
    );
    // As zod itself says it, of the settings of a node.
    const plain = [z.string(), z.int().max(3), z.int().min(9), z.enum(['a', 'b'])].map(
      (schema) => schema.safeParse(4).error?.issues[0]?.message ?? '',
    );
    assert.deepEqual(
      plain.map((text) => tell(`properties.ram: ${text}`)).filter((text) => /expected/.test(text)),
      [],
    );
  });

  it('names the field, and what would be right', () => {
    const answers = [
      [z.strictObject({ ram: z.int() }), {}, 'Das geht so nicht: body.ram fehlt: muss eine Zahl sein'],
      [z.strictObject({ ram: z.int() }), { ram: 0.5 }, 'Das geht so nicht: body.ram muss eine ganze Zahl sein'],
      [z.strictObject({ ram: z.int().max(9) }), { ram: 10 }, 'Das geht so nicht: body.ram muss höchstens 9 sein'],
      [z.strictObject({}), { rom: 1 }, 'Das geht so nicht: body.rom ist hier nicht bekannt'],
      [z.union([z.string(), z.int()]), null, 'Das geht so nicht: body muss ein Text sein, oder eine Zahl sein'],
    ] as const;
    for (const [schema, given, german] of answers) assert.equal(tell(refusalOf(schema, given)), german);
  });
});

describe('the names of the templates that are built in', () => {
  it('are there in German', () => {
    const root = `${process.cwd()}/src/emulators`;
    const names = readdirSync(root, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('kind.ts'))
      .flatMap((file) => [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/\bbuiltin: '([^']+)'/g)])
      .map(([, name = '']) => name);
    assert.ok(names.length > 5, `${names.length} are found`);
    assert.deepEqual(
      names.filter((name) => !Object.hasOwn(sentences, name)),
      [],
    );
  });
});
