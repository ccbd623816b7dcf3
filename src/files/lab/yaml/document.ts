import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';
import type { z } from 'zod';
import { invalid, type TopologError } from '../../../common/errors.ts';
import { knownKeysIn, suggestionText, tellKnownKeys } from '../../../common/forms/suggestions.ts';
import type { LabPath, LabPlace, PlaceOf, ProblemAt } from '../model.ts';
import { errorAt, fieldOf, MOST_PROBLEMS, problemAmong, Problems } from '../problems.ts';

/** A parsed YAML text. */
export interface ReadDocument {
  document: Document;
  value: unknown;
  /** Place of the value at a path. */
  placeOf: PlaceOf;
  /** Place of a part of the document. */
  placeOfNode: (node: unknown) => LabPlace;
  problemAt: ProblemAt;
  /** Problems with its keys. */
  problems: Problems;
}

/** Maximum of characters: a lab of thousands of nodes, with some start-up texts. */
const MOST_CHARACTERS = 8 << 20;
/** Maximum of tokens: a lab of 8,000 nodes and 10,000 links. Bounds the time of parsing. */
const MOST_LEXEMES = 500_000;
/** Maximum depth of nesting. */
export const MOST_DEPTH = 32;
/** A collection takes up to two entries of the parser's stack. */
const MOST_STACK = 2 * MOST_DEPTH;
/** Far more than a lab needs: resolving an alias searches everything before it. */
const MOST_ALIASES = 1_000;

/**
 * Parses a text of YAML 1.2. Refuses, with line and column: invalid YAML, several documents, duplicate keys, and
 * texts that would expand too far. `textsOnly`: scalars stay texts, null is empty, and `<<` merges maps, as in YAML 1.1. `gathers`:
 * problems with keys are left to the caller, or added to `problems`. `file`: the one that the text is in, where it is not the text itself.
 */
export const readDocument = (
  text: string,
  { textsOnly = false, gathers = false, file, problems: gathered }: ReadOptions = {},
): ReadDocument => {
  if (text.length > MOST_CHARACTERS) throw tooMuch(`has more than ${MOST_CHARACTERS} characters`);
  const lines = new Lines(file);
  const document = composed(text, lines, textsOnly);
  const problems = gathered ?? new Problems();
  // A text may have as many errors as characters.
  for (const { pos, message } of document.errors.slice(0, MOST_PROBLEMS))
    problems.add(problem(lines, pos[0], [], `is not valid YAML: ${plain(message)}`));
  if (document.errors.length > 0) problems.refuse();
  const placeOf: PlaceOf = (path) => placeAt(lines, offsetOf(document, path), path);
  const placeOfNode = (node: unknown): LabPlace => placeAt(lines, startOf(node), []);
  const problemAt = problemAmong(placeOf);
  refuseKeys(document, lines, problems);
  if (!gathers && gathered === undefined) problems.refuse();
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return { document, value, placeOf, placeOfNode, problemAt, problems };
  } catch (thrown) {
    if (thrown instanceof ReferenceError) throw tooMuch('has aliases that stand for too much');
    throw thrown;
  }
};

interface ReadOptions {
  textsOnly?: boolean;
  gathers?: boolean;
  problems?: Problems;
  file?: string;
}

/** Lines of a text, and the file that it is in. */
class Lines extends LineCounter {
  readonly file: string | undefined;

  constructor(file: string | undefined) {
    super();
    this.file = file;
  }
}

const tooMuch = (what: string): TopologError => invalid(`the text ${what}`, { field: 'text' });

/** Checks the depth beforehand, as the package composes recursively. */
const composed = (text: string, lines: Lines, textsOnly: boolean): Document.Parsed => {
  lines.addNewLine(0);
  const parser = new Parser((offset) => lines.addNewLine(offset));
  const values = textsOnly ? ({ schema: 'failsafe', merge: true } as const) : {};
  const composer = new Composer({ prettyErrors: false, stringKeys: true, uniqueKeys: false, ...values });
  const tokens = [...bounded(parser, text)];
  const [document, another] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) throw tooMuch('is empty');
  if (another !== undefined) throw problem(lines, another.range[0], [], 'has another document: a lab is one');
  if (textsOnly) emptyNulls(document);
  return document;
};

/** Where scalars stay texts, null is the empty one, as for a decoder that puts nothing in its place. */
const emptyNulls = (document: Document.Parsed): void =>
  visit(document, {
    Scalar(key, scalar) {
      const isNull = scalar.type === 'PLAIN' && scalar.tag === undefined && NULL.test(scalar.source ?? '');
      if (key !== 'key' && isNull) scalar.value = '';
    },
  });
/** Spellings of YAML 1.2. */
const NULL = /^(?:~|null|Null|NULL)$/;

function* bounded(parser: Parser, text: string): Generator<CST.Token> {
  let count = 0;
  let aliases = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MOST_LEXEMES) throw tooMuch(`has more than ${MOST_LEXEMES} words and signs`);
    if (lexeme.startsWith('*') && ++aliases > MOST_ALIASES) throw tooMuch(`has more than ${MOST_ALIASES} aliases`);
    if (parser.stack.length > MOST_STACK) throw tooMuch(`is nested deeper than ${MOST_DEPTH} levels`);
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Refuses duplicate keys, and keys with a special meaning in JavaScript objects. */
const refuseKeys = (document: Document.Parsed, lines: Lines, problems: Problems): void => {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (problems.isFull) return visit.BREAK;
        const name = isScalar(key) ? key.value : key;
        if (name === '__proto__') problems.add(problem(lines, startOf(key), ['__proto__'], 'is an unknown key'));
        if (seen.has(name)) problems.add(problem(lines, startOf(key), [String(name)], 'is there twice'));
        seen.add(name);
      }
      return undefined;
    },
  });
};

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
/** Pairs by their keys, the first of each. */
const pairsOf = (map: YAMLMap): ReadonlyMap<string, Pair> => {
  const known = pairs.get(map);
  if (known !== undefined) return known;
  const made = new Map<string, Pair>();
  for (const pair of map.items.toReversed()) if (isScalar(pair.key)) made.set(String(pair.key.value), pair);
  pairs.set(map, made);
  return made;
};

/** Offset of the value at a path, or of its nearest existing parent. */
const offsetOf = (document: Document, path: readonly PropertyKey[]): number => {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = pairsOf(node).get(String(key));
      if (pair === undefined) break;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number') {
      node = node.items[key];
      offset = isNode(node) ? startOf(node) : offset;
    } else break;
  }
  return offset;
};

const placeAt = (lines: Lines, offset: number, path: LabPath): LabPlace => {
  const { line, col: column } = lines.linePos(offset);
  const place = { line, column, field: fieldOf(path) };
  return lines.file === undefined ? place : { ...place, file: lines.file };
};
const problem = (lines: Lines, offset: number, path: LabPath, what: string): TopologError =>
  errorAt(placeAt(lines, offset, path), what);

/** A message of the package as part of a sentence, without its place. */
const plain = (message: string): string =>
  (message.split(/\n| at line \d/, 1)[0] ?? '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Parses with a schema; null: there are problems, which were collected with their places. */
export const checkedDocument = <S extends z.ZodType>(
  { value, problemAt, problems }: ReadDocument,
  schema: S,
): z.output<S> | null => {
  const result = schema.safeParse(value, { reportInput: true, error: tellKnownKeys });
  if (result.success) return result.data;
  const found = result.error.issues.slice(0, MOST_PROBLEMS).flatMap((issue) => problemsOf(issue));
  for (const { path, what } of found.slice(0, MOST_PROBLEMS)) problems.add(problemAt(path, what));
  return null;
};

interface Problem {
  path: readonly PropertyKey[];
  what: string;
}

/**
 * Problems of the best matching alternative of a union: the one whose problems lie deepest, or the only one of the
 * right type.
 */
const problemsOf = (issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Problem[] => {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MOST_PROBLEMS)
      .map((key) => ({ path: [...path, key], what: unknownKey(key, knownKeysIn(issue.message)) }));
  if (issue.code === 'invalid_union') {
    const deepest = issue.errors
      .map((issues) => issues.flatMap((one) => problemsOf(one, path)))
      .filter((problems) => problems.every((one) => one.path.length > path.length))
      .toSorted((a, b) => a.length - b.length)[0];
    if (deepest !== undefined && deepest.length > 0) return deepest;
    const ofType = issue.errors.filter((issues) => !issues.some((one) => one.code === 'invalid_type' && isHere(one)));
    const [only] = ofType;
    if (only !== undefined && ofType.length === 1 && issue.message === NO_SENTENCE)
      return only.flatMap((one) => problemsOf(one, path));
  }
  return [{ path, what: sentenceOf(issue) }];
};

const isHere = ({ path }: z.core.$ZodIssue): boolean => path.length === 0;
/** Message of zod for unions without one of their own. */
const NO_SENTENCE = 'Invalid input';

/** Suggests `properties` for keys that only some kinds have. */
const unknownKey = (key: string, known: readonly string[]): string => {
  const meant = suggestionText(key, known);
  if (meant !== '' || known.length === 0) return `is an unknown key${meant}`;
  const more = known.includes('properties') ? '; what only this kind has goes under properties' : '';
  return `is an unknown key; known are ${known.join(', ')}${more}`;
};

const sentenceOf = (issue: z.core.$ZodIssue): string => {
  if (issue.input === undefined && issue.code !== 'custom') return 'is missing';
  if (/^must |^is /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_key' && issue.issues[0] !== undefined) return sentenceOf(issue.issues[0]);
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'custom') return issue.message;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
};

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
};
const article = (expected: string): string => NAMES[expected] ?? expected;
