/** Says of a UTF-16 code unit whether it is the one, or one of those, that a pattern has there. */
export type Atom = (code: number) => boolean;

/** A regular expression without what only a search that goes back could find. */
export type Tree =
  | { takes: Atom }
  | { asserts: string }
  | { all: Tree[] }
  | { either: Tree[] }
  | { repeats: Tree; least: number; most: number };

/** A group's beginning, a class, an escape, or one character. */
const TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>|[^])?)?|\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|(?=c)|[0-7]{1,3}|[^])|[^]/giy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y;
const ASSERTIONS: readonly string[] = ['^', '$', String.raw`\b`, String.raw`\B`];
const GROUP = /^\((?:\?(?::|<[^=!]))?/;
const REFERENCE = /^\\[1-9k]/;

/** Reads what JavaScript takes for a regular expression; null: it has something that looks ahead or behind, refers to a group or has flags. */
export const readPattern = (pattern: string): Tree | null => {
  const open: Tree[][][] = [[[]]];
  const atoms = new Map<string, Atom>();
  for (let at = 0; at < pattern.length;) {
    TOKEN.lastIndex = at;
    const [token = ''] = TOKEN.exec(pattern) ?? [];
    at += token.length;
    const branches = open.at(-1) ?? [];
    const branch = branches.at(-1) ?? [];
    if (token.startsWith('(')) {
      if (GROUP.exec(token)?.[0].length === 1 && token !== '(') return null;
      open.push([[]]);
      continue;
    }
    if (token === '|') {
      branches.push([]);
      continue;
    }
    if (REFERENCE.test(token)) return null;
    let part: Tree;
    if (token === ')') {
      open.pop();
      part = joined(branches);
    } else if (ASSERTIONS.includes(token)) part = { asserts: token };
    else part = { takes: atomOf(token, atoms) };
    QUANTIFIER.lastIndex = at;
    const [quantifier = '', least, range, most] = QUANTIFIER.exec(pattern) ?? [];
    at += quantifier.length;
    (token === ')' ? (open.at(-1)?.at(-1) ?? []) : branch).push(
      quantifier === '' ? part : { repeats: part, ...timesOf(quantifier, least, range, most) },
    );
  }
  return joined(open[0] ?? []);
};

const joined = (branches: readonly Tree[][]): Tree => {
  const either = branches.map((all): Tree => (all.length === 1 && all[0] !== undefined ? all[0] : { all }));
  return either.length === 1 && either[0] !== undefined ? either[0] : { either };
};

const timesOf = (
  quantifier: string,
  least: string | undefined,
  range: string | undefined,
  most: string | undefined,
): { least: number; most: number } => {
  if (least === undefined)
    return { least: quantifier.startsWith('+') ? 1 : 0, most: quantifier.startsWith('?') ? 1 : Infinity };
  return { least: Number(least), most: range === undefined ? Number(least) : most === '' ? Infinity : Number(most) };
};

/** Code units of ASCII. */
const COMMON = 128;

const atomOf = (token: string, atoms: Map<string, Atom>): Atom => {
  const known = atoms.get(token);
  if (known !== undefined) return known;
  const made = token.length === 1 && token !== '.' ? plain(token.charCodeAt(0)) : oneOf(token);
  atoms.set(token, made);
  return made;
};

const plain =
  (wanted: number): Atom =>
  (code) =>
    code === wanted;

/** JavaScript itself says which characters a class has: of one character it cannot say slowly. */
const oneOf = (token: string): Atom => {
  const expression = new RegExp(`^${token}$`);
  const said = new Int8Array(COMMON);
  return (code) => {
    if (code >= COMMON) return expression.test(String.fromCharCode(code));
    if (said[code] === 0) said[code] = expression.test(String.fromCharCode(code)) ? 1 : -1;
    return said[code] === 1;
  };
};
