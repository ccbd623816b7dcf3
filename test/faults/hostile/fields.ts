import { fit } from '../../fuzz/fit.ts';
import type { Operation, Schema, Schemas } from '../../fuzz/document.ts';
import { fittingFor, harmless } from '../../fuzz/guess.ts';
import { World } from '../../fuzz/world.ts';
import { type Attack, count, type Figures, send } from './attack.ts';

/** A text in a body: the keys that lead to it, and how long it may be. */
interface Place {
  path: (string | number)[];
  most: number | null;
}

const CONTROL = Array.from({ length: 33 }, (_, n) => String.fromCharCode(n < 32 ? n : 127));
const TEXTS: readonly string[] = [
  ...CONTROL.map((one) => `a${one}b`),
  ...['\u202e\u2066evil', '\ud800', 'a\udfff', '\u0085', '\u2028', '\ufeff', '\u200b', 'e\u0301'.repeat(50), '\ufdfd'],
  ...[
    '..',
    '../../../../etc/passwd',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'CON',
    'nul.txt',
    'a.',
    'a ',
    '~root',
    'file:///etc/passwd',
  ],
  ...[
    '%s%s%n',
    '%00',
    '${7*7}',
    '{0}',
    '{port0}{segment0}{adapter}',
    '{0'.repeat(80),
    '{id}',
    '$(id)',
    '`id`',
    '!id',
    '; id',
    '| id',
  ],
  ...[
    '-rf',
    '--help',
    "' OR 1=1--",
    '<img src=x onerror=1>',
    '\u001b[31m',
    '\u001b]0;x\u0007',
    'a\r\nX-Y: z',
    '__proto__',
    'constructor',
  ],
];

/** Requests at once. */
const WORKERS = 6;
/** Of the compute group, only nodes that the lab has; what others take is in the bodies that make them. */
const IS_ABSENT = /^\/v2\/compute\/projects\/\{project_id\}\/(?!simple_pc\/)\w+\/nodes\/\{node_id\}/;

interface Target {
  operation: Operation;
  place: Place;
}

/** Every class of text in every text of every body of the document. */
export const fields = async (attack: Attack): Promise<Figures> => {
  const { random, operations, schemas } = attack;
  const targets = operations
    .filter(({ path }) => path !== '/v2/shutdown' && !IS_ABSENT.test(path))
    .flatMap((operation) =>
      operation.body === null ? [] : placesIn(schemas, operation.body, 0).map((place) => ({ operation, place })),
    );
  const figures: Figures = { 'texts of the document': targets.length, requests: 0 };
  const work = async (): Promise<void> => {
    for (let target = random.pick(targets); target !== undefined && !attack.isOver(); target = random.pick(targets))
      await fill(attack, target, figures);
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return figures;
};

const fill = async (attack: Attack, { operation, place }: Target, figures: Figures): Promise<void> => {
  const { random, schemas, lab, server } = attack;
  const nodes = lab.nodes.map((node_id) => ({ node_id, kind: 'simple_pc' }));
  const known = { project_id: lab.project_id, links: [], drawings: [], nodes };
  const body = fit(fittingFor(random, schemas, new World(), known, server), operation.body ?? {});
  const text = textFor(attack, place.most);
  const filled = harmless(put(body, place.path, text), server);
  const bytes = Buffer.from(JSON.stringify(filled));
  const reply = await send(attack, operation.method, urlOf(attack, operation), bytes);
  figures['requests'] = (figures['requests'] ?? 0) + 1;
  count(figures, reply);
  // What would lead to other machines was replaced on the way.
  const isTooLong = place.most !== null && text.length > place.most && bytes.length > text.length;
  if (isTooLong && typeof reply !== 'string' && reply.status < 300)
    attack.blame(`${operation.method} ${operation.path} took ${text.length} characters at ${place.path.join('.')}`);
};

const urlOf = ({ lab, random }: Attack, { path }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'project_id') return lab.project_id;
    if (name === 'node_id') return random.pick(lab.nodes) ?? '';
    return name.endsWith('number') ? '0' : (lab.ids[name] ?? random.uuid());
  });

const textFor = ({ random }: Attack, most: number | null): string => {
  if (random.below(3) > 0) return random.pick(TEXTS) ?? '';
  const length = random.pick([0, 1, most ?? 255, (most ?? 255) + 1, 64 * 1024, 1 << 20]) ?? 0;
  // Bodies end at a megabyte, but for the few that may be larger.
  return (random.pick(['x', '\u00e9', '{0}', '\0']) ?? 'x').repeat(Math.min(length, 1 << 20)).slice(0, length);
};

/** As deep as bodies go; what refers to itself ends there. */
const DEEPEST = 6;

const placesIn = (schemas: Schemas, given: Schema, depth: number): Place[] => {
  const schema = schemas.resolve(given);
  if (depth > DEEPEST) return [];
  const below = (key: string | number, sub: unknown): Place[] =>
    placesIn(schemas, sub as Schema, depth + 1).map(({ path, most }) => ({ path: [key, ...path], most }));
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[];
  if (choices.length > 0) return choices.flatMap((choice) => placesIn(schemas, choice, depth + 1));
  if (schema['type'] === 'string' && !('enum' in schema) && !('const' in schema))
    return [{ path: [], most: typeof schema['maxLength'] === 'number' ? schema['maxLength'] : null }];
  const more = schema['additionalProperties'];
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([key, sub]) => below(key, sub)),
    ...(typeof more === 'object' && more !== null ? below('more', more) : []),
    ...(schema['items'] === undefined ? [] : below(0, schema['items'])),
  ];
};

/** The same value with something else at a place, made where there is none. */
const put = (value: unknown, [key, ...rest]: (string | number)[], text: string): unknown => {
  if (key === undefined) return text;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    return [put(list[0], rest, text), ...list.slice(1)];
  }
  const bag = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...bag, [key]: put(bag[key], rest, text) };
};
