import type { Random } from '../faults/prng.ts';

/** Values that nobody meant to be sent. */

const STRINGS: readonly string[] = [
  ...['', ' ', 'a', '0', '-1', '1e309', 'NaN', 'null', 'true', '[]', '{}', '%', '%00', '%2e%2e', '.', '..', '...'],
  ...['../../../x', '/nowhere/x', 'C:\\x', '\\\\host\\x', 'a/../../b', 'con', 'x'.repeat(255), 'x'.repeat(256)],
  ...[
    '\0',
    'a\0b',
    '\r\nX-A: b',
    '\u001b[2J',
    '\ud800',
    '\udc00a',
    '\ud83d\ude00',
    'e\u0301',
    '\u00e9',
    '\u202e\u200b',
  ],
  ...['\ufeff', '\uffff', '\u2028', '\u0130', '\ufdfd', 'ﬃ', '𝒳'.repeat(40), '__proto__', 'constructor', 'toString'],
  ...["' OR 1=1 --", '<script>', '${x}', '{0}', '%s%n', '$(x)', '`x`', ';', '|', '&', '*', '?', '~', '-x', '--help'],
  ...['project.gns3', 'startup.vpc', 'PC{0}', '{name}{id}', 'Ethernet{segment0}/{port0}', '1'.repeat(400)],
];
const NUMBERS = [
  0,
  -0,
  -1,
  1,
  1.5,
  255,
  256,
  65_535,
  65_536,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
];
const MORE_NUMBERS = [1e21, 1e308, -1e308, 5e-324, 0.1 + 0.2, 1e-7];
const KEYS = [
  '',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'then',
  'toJSON',
  'a.b',
  'a\0',
  '\ud800',
  'x'.repeat(300),
];

/** Written as `1e999`, which JSON readers take for infinity. */
export const INFINITE = '\u0001infinite\u0001';

export const junkString = (random: Random): string => {
  const one = random.pick(STRINGS) ?? '';
  switch (random.below(12)) {
    case 0:
      return one + (random.pick(STRINGS) ?? '');
    case 1:
      return one.repeat(random.below(50));
    case 2:
      return 'long '.repeat(random.below(random.below(8) === 0 ? 8_000 : 200));
    case 3:
      return String.fromCharCode(...Array.from({ length: random.below(20) }, () => random.below(0x10000)));
    default:
      return one;
  }
};

export const junkNumber = (random: Random): number =>
  random.pick([...NUMBERS, ...MORE_NUMBERS, random.below(100), -random.below(1e9), random.next()]) ?? 0;

const junkKey = (random: Random): string => random.pick(KEYS) ?? '';

const nested = (random: Random): unknown => {
  let value: unknown = 1;
  const isArray = random.below(2) === 0;
  for (let depth = random.pick([3, 40, 70, 500]) ?? 3; depth > 0; depth--) value = isArray ? [value] : { a: value };
  return value;
};

export const junk = (random: Random): unknown => {
  switch (random.below(11)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
    case 3:
      return junkNumber(random);
    case 4:
      return INFINITE;
    case 5:
      return [];
    case 6:
      return {};
    case 7:
      return Array.from({ length: random.below(6) }, () => junk(random));
    case 8:
      return { [junkKey(random)]: junk(random), [junkString(random).slice(0, 40)]: junk(random) };
    case 9:
      return random.below(4) === 0 ? nested(random) : junkString(random);
    default:
      return junkString(random);
  }
};

/** Any JSON value with a few of its parts made junk, left out, doubled or added to. */
export const spoiled = (random: Random, value: unknown): unknown => {
  if (random.below(8) === 0 || value === null || typeof value !== 'object') return junk(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(5) === 0)
      return [...(value as unknown[]), ...(value as unknown[]), junk(random)];
    const at = random.below(value.length);
    return (value as unknown[]).map((item, i) => (i === at ? spoiled(random, item) : item));
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length);
  switch (random.below(5)) {
    case 0:
      return Object.fromEntries(entries.filter((_, i) => i !== at));
    case 1:
      return Object.fromEntries([...entries, [junkKey(random), junk(random)]]);
    default:
      return Object.fromEntries(entries.map(([key, item], i) => [key, i === at ? spoiled(random, item) : item]));
  }
};

/** Bytes of a body that no client means to send. */
export const spoiledBytes = (random: Random, text: string): Buffer => {
  const bytes = Buffer.from(text);
  switch (random.below(8)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 1:
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return Buffer.concat([bytes, Buffer.from([0xff, 0xfe])]);
    case 4:
      return Buffer.concat([bytes, Buffer.alloc(random.pick([1_000, 1_100_000]) ?? 0, 0x20)]);
    case 5: {
      const depth = random.pick([30, 200, 100_000]) ?? 0;
      return Buffer.from(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    }
    case 6:
      return Buffer.from(`{"name":"a",${text.slice(1)}`);
    default: {
      const at = random.below(bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at)]);
    }
  }
};
