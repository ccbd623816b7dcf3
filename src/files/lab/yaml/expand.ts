import path from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, type Scalar, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import { invalid, TopologError } from '../../../common/errors.ts';
import { suggestionsFor } from '../../../common/forms/suggestions.ts';
import { givenFile, textOfFile } from '../given-files.ts';
import type { LabInput, LabPath, LabPlace } from '../model.ts';
import { errorAt, fieldOf, problemAmong, sentenceAt } from '../problems.ts';
import { MOST_DEPTH, readDocument, type ReadDocument } from './document.ts';

/**
 * Variables, loops and includes of a text, replaced by what they stand for before its form is looked at. Each value keeps its place in the text that
 * it comes from. A text without them stays as it is.
 */

/** Values at most after it: a lab of 8,000 nodes and 10,000 links. */
const MOST_VALUES = 500_000;
const MOST_CHARACTERS = 8 << 20;
const MOST_ITEMS = 10_000;
const MOST_INCLUDES = 64;

/** Keys at the beginning of a text that only this step knows. */
const VARS = 'vars';
const INCLUDE = 'include';
const FOR = 'for';
/** Value of an entry of a loop that is not the rest of the map. */
const DO = 'do';

/** The `for` of a loop is a map; others are durations. */
const MAY_EXPAND = /(?:^|[\s{,'"])(?:(?:vars|include)['"]?\s*:|for['"]?\s*:\s*(?:[{&*#!]|$))/m;
/** Whether a text may have any of it, which makes it larger. */
export const mayExpand = (text: string): boolean => MAY_EXPAND.test(text);

const NAME = /^[A-Za-z_][\w-]*$/;
const REFERENCE = /\$\$\{|\$\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}/g;
const WHOLE = /^\$\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}$/;
const RANGE = /^(-?\d{1,9})\.\.(-?\d{1,9})$/;

export const isExpandable = (document: Document): boolean => {
  const root = document.contents;
  if (isMap(root) && (root.has(VARS) || root.has(INCLUDE))) return true;
  let found = false;
  visit(document, {
    Map(_, map) {
      found ||= loopOf(map) !== null;
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
};

/** The variables of a loop, which tells it from the duration of a check or of weather. */
const loopOf = (node: unknown): YAMLMap | null => {
  const loop: unknown = isMap(node) ? node.get(FOR, true) : undefined;
  return isMap(loop) ? loop : null;
};

/** A text that values come from. `folder`: of its file, relative to the text that is applied. */
interface Source {
  read: ReadDocument;
  folder: string;
}

/** Where a value is said. */
interface Origin {
  source: Source;
  node: unknown;
  parts?: Map<PropertyKey, Origin>;
}

/** Variables by their names; those of a loop are laid over others. */
interface Scope {
  get(name: string): unknown;
  keys(): Iterable<string>;
}
const over = (below: Scope, name: string, value: unknown): Scope => ({
  get: (wanted) => (wanted === name ? value : below.get(wanted)),
  keys: () => [...below.keys(), name],
});

/** Where the work is: a text, the variables there are, the depth of nesting. */
interface At {
  source: Source;
  scope: Scope;
  depth: number;
}
interface Made {
  value: unknown;
  origin: Origin;
}

/** A number of a variable, with its spelling: within a text `10.10` is not 10.1. */
class Spelled {
  readonly value: unknown;
  readonly text: string;

  constructor(value: unknown, text: string) {
    this.value = value;
    this.text = text;
  }
}

const tooMuch = (what: string): TopologError => invalid(`the text ${what}`, { field: 'text' });

export interface Expanded {
  read: ReadDocument;
  notes: string[];
  /** Files that it includes. */
  includes: string[];
}

/** `isLenient`: files that were not given are left out. */
export const expanded = (read: ReadDocument, files: LabInput['files'], isLenient = false): Expanded =>
  isExpandable(read.document) ? new Expansion(read, files, isLenient).run() : { read, notes: [], includes: [] };

class Expansion {
  readonly #main: Source;
  readonly #files: LabInput['files'];
  readonly #isLenient: boolean;
  /** Variables of the whole text; those of loops are laid over them. */
  readonly #vars = new Map<string, unknown>();
  readonly #sources: Source[] = [];
  readonly #includes: string[] = [];
  readonly #notes = new Set<string>();
  #values = 0;
  #characters = 0;
  /** True while variables are read, whose numbers keep their spelling. */
  #isSpelling = false;

  constructor(read: ReadDocument, files: LabInput['files'], isLenient: boolean) {
    this.#main = { read, folder: '' };
    this.#files = files;
    this.#isLenient = isLenient;
  }

  run(): Expanded {
    this.#load(this.#main, []);
    const scope: Scope = this.#vars;
    const made = this.#sources.map((source) => this.#value({ source, scope, depth: 0 }, source.read.document.contents));
    const { value, origin } = this.#merged(made);
    const placeOf = (at: LabPath): LabPlace => placeIn(origin, at);
    const read = { ...this.#main.read, value, placeOf, problemAt: problemAmong(placeOf) };
    return { read, notes: [...this.#notes], includes: this.#includes };
  }

  /** Included texts come before the one that includes them; its variables go before theirs. */
  #load(source: Source, above: readonly string[]): void {
    const root = source.read.document.contents;
    if (isMap(root)) {
      this.#isSpelling = true;
      this.#takeVars(source, root.get(VARS, true));
      this.#isSpelling = false;
      const given = root.get(INCLUDE, true);
      const named = isSeq(given) ? given.items : given === undefined ? [] : [given];
      for (const node of named) this.#include(source, node, above);
    }
    this.#sources.push(source);
  }

  #takeVars(source: Source, vars: unknown): void {
    if (vars === undefined) return;
    if (!isMap(vars)) return this.#refuse(source, vars, [VARS], 'must be a map of values by their names');
    for (const { key, value } of vars.items) {
      const name = textOf(key);
      if (!NAME.test(name)) this.#refuse(source, key, [VARS, name], 'must be a name of letters, digits, - and _');
      else if (!this.#vars.has(name))
        this.#vars.set(name, this.#value({ source, scope: this.#vars, depth: 1 }, value).value);
    }
  }

  #include(source: Source, node: unknown, above: readonly string[]): void {
    const isText = isScalar(node) && typeof node.value === 'string' && node.value !== '';
    if (!isText) return this.#refuse(source, node, [INCLUDE], 'must be the name of a file, or a list of such');
    const name = beside(source, this.#text({ source, scope: this.#vars, depth: 1 }, node));
    this.#includes.push(name);
    if (above.includes(name)) return this.#refuse(source, node, [INCLUDE], `names ${name}, which includes this file`);
    if (this.#includes.length > MOST_INCLUDES) throw tooMuch(`includes more than ${MOST_INCLUDES} files`);
    const file = givenFile(this.#files, name);
    const text = file === undefined ? null : textOfFile(file);
    if (text === null && this.#isLenient) return;
    if (text === null) {
      const why = file === undefined ? 'which was not given with the text' : 'which is no text';
      return this.#refuse(source, node, [INCLUDE], `names ${name}, ${why}`);
    }
    try {
      const read = readDocument(text, { file: name, problems: source.read.problems });
      this.#load({ read, folder: path.posix.dirname(name) }, [...above, name]);
    } catch (error) {
      if (this.#isLenient) return;
      if (!(error instanceof TopologError) || typeof error.details['line'] === 'number') throw error;
      const why = error.message.replace(/^.*?: /, '');
      this.#refuse(source, node, [INCLUDE], `names ${name}, which cannot be taken: ${why}`);
    }
  }

  #value(at: At, given: unknown): Made {
    const { source, depth } = at;
    if (depth > MOST_DEPTH) throw tooMuch(`is nested deeper than ${MOST_DEPTH} levels`);
    this.#count();
    const node = resolved(at, given);
    if (isMap(node)) return this.#map(at, node);
    if (isSeq(node)) return this.#list(at, node);
    return { value: isScalar(node) ? this.#scalar(at, node) : null, origin: { source, node } };
  }

  #map(at: At, map: YAMLMap, without: readonly string[] = at.depth === 0 ? [VARS, INCLUDE] : []): Made {
    const { source } = at;
    const parts = new Map<PropertyKey, Origin>();
    const said = new Set<string>();
    const values: [string, unknown][] = [];
    for (const { key, value } of map.items) {
      const written = textOf(key);
      if (without.includes(written)) continue;
      for (const [inner, one, rest] of this.#times(at, value)) {
        const name = isScalar(key) ? this.#text(inner, key) : written;
        const made = this.#entry(inner, one, rest);
        const isOnce = inner.scope === at.scope;
        if (parts.has(name) || name === '__proto__') {
          // Keys that are written alike are told already.
          const isTold = isOnce && name === written && said.has(name);
          const what = parts.has(name) ? 'is there twice; a loop needs its variable in the name' : 'is an unknown key';
          if (!isTold) this.#refuse(source, key, [name], what);
          continue;
        }
        if (isOnce) said.add(name);
        parts.set(name, { ...made.origin, source, node: key });
        values.push([name, made.value]);
      }
    }
    const value = Object.fromEntries(values);
    const { file } = value;
    // Files that an included text names are beside it.
    if (values.length === 1 && typeof file === 'string' && source.folder !== '') value['file'] = beside(source, file);
    return { value, origin: { source, node: map, parts } };
  }

  #list(at: At, list: YAMLSeq): Made {
    const { source } = at;
    const parts = new Map<PropertyKey, Origin>();
    const value: unknown[] = [];
    for (const item of list.items)
      for (const [inner, one, rest] of this.#times(at, item)) {
        const made = this.#entry(inner, one, rest);
        parts.set(value.length, { ...made.origin, source, node: item });
        value.push(made.value);
      }
    return { value, origin: { source, node: list, parts } };
  }

  #entry(at: At, one: unknown, rest: YAMLMap | null): Made {
    const inside = { ...at, depth: at.depth + 1 };
    return rest === null ? this.#value(inside, one) : this.#map(inside, rest, [FOR]);
  }

  /** An entry as often as its loop says: with its variables, and what it is, or null and the map whose other keys it is. */
  *#times(at: At, given: unknown): Generator<[At, unknown, YAMLMap | null], void> {
    const node = resolved(at, given);
    const loop = loopOf(node);
    if (loop === null || !isMap(node)) {
      yield [at, given, null];
      return;
    }
    const body = node.get(DO, true);
    const [other] = node.items.filter(({ key }) => ![FOR, DO].includes(textOf(key)));
    if (body !== undefined && other !== undefined)
      return this.#refuse(at.source, other.key, [DO], 'is all that a loop can have beside its variables');
    for (const scope of this.#rounds(at, loop)) yield [{ ...at, scope }, body, body === undefined ? node : null];
  }

  /** Each value of the first variable with each of the next. */
  *#rounds(at: At, loop: YAMLMap, index = 0): Generator<Scope, void> {
    const pair = loop.items[index];
    if (pair === undefined) {
      yield at.scope;
      return;
    }
    if (index === MOST_DEPTH) throw tooMuch(`has a loop of more than ${MOST_DEPTH} variables`);
    const name = textOf(pair.key);
    if (!NAME.test(name))
      return this.#refuse(at.source, pair.key, [FOR], `has ${name}, which is no name of a variable`);
    for (const one of this.#items(at, pair.value)) {
      this.#count();
      yield* this.#rounds({ ...at, scope: over(at.scope, name, one) }, loop, index + 1);
    }
  }

  /** A list, or the numbers of a range. */
  #items(at: At, given: unknown): readonly unknown[] {
    const wasSpelling = this.#isSpelling;
    this.#isSpelling = true;
    const { value } = this.#value({ ...at, depth: 1 }, given);
    this.#isSpelling = wasSpelling;
    if (Array.isArray(value)) return value as unknown[];
    const [, from, to] = RANGE.exec(String(value)) ?? [];
    if (from === undefined || to === undefined) {
      this.#refuse(at.source, given, [FOR], 'must have a list or a range such as 1..20 for each variable');
      return [];
    }
    const length = Math.max(0, Number(to) - Number(from) + 1);
    if (length > MOST_ITEMS) throw tooMuch(`has a range of more than ${MOST_ITEMS} numbers`);
    return Array.from({ length }, (_, i) => Number(from) + i);
  }

  #scalar(at: At, scalar: Scalar): unknown {
    const { value, source: written } = scalar;
    if (typeof value === 'string') {
      const [, name] = WHOLE.exec(value) ?? [];
      const found = name === undefined ? undefined : lookUp(at.scope, name);
      if (found !== undefined) return this.#inserted(found, at.depth);
      const text = this.#text(at, scalar);
      // Where it was written without quotes, as YAML reads a whole number.
      return scalar.type === 'PLAIN' && text !== value && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    }
    return this.#isSpelling && typeof value === 'number' && written !== undefined ? new Spelled(value, written) : value;
  }

  /** A value of a variable, with all that is in it. */
  #inserted(value: unknown, depth: number): unknown {
    if (depth > MOST_DEPTH) throw tooMuch(`is nested deeper than ${MOST_DEPTH} levels`);
    this.#count();
    if (value instanceof Spelled) return this.#isSpelling ? value : value.value;
    if (typeof value === 'string') this.#addCharacters(value.length);
    if (Array.isArray(value)) return value.map((one) => this.#inserted(one, depth + 1));
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#inserted(one, depth + 1)]));
  }

  /** A text with its variables; what is none of them stays, as shells and variables of the project are written so as well. */
  #text({ source, scope }: At, scalar: Scalar): string {
    const given = String(scalar.value);
    if (!given.includes('${')) return given;
    const text = given.replace(REFERENCE, (whole, name: string | undefined) => {
      if (name === undefined) return '${';
      const found = lookUp(scope, name);
      if (found === undefined) this.#tell(source, scalar, name, scope);
      if (found instanceof Spelled) return found.text;
      if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean') return String(found);
      if (found === null) return '';
      const what = Array.isArray(found) ? 'a list' : 'a map';
      if (found !== undefined) this.#refuse(source, scalar, [], `has ${whole}, which is ${what} and no text`);
      return whole;
    });
    this.#addCharacters(text.length);
    return text;
  }

  #addCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > MOST_CHARACTERS) throw tooMuch(`stands for more than ${MOST_CHARACTERS} characters`);
  }

  #tell(source: Source, node: Scalar, name: string, scope: Scope): void {
    const [meant] = suggestionsFor(name, [...scope.keys()]);
    if (meant === undefined) return;
    const what = `has \${${name}}, which is no variable; did you mean ${meant}?`;
    this.#notes.add(sentenceAt(placeOfNode(source, node, []), what));
  }

  #merged([first, ...others]: readonly Made[]): Made {
    if (first === undefined) throw new Error('there is no text');
    return others.reduce((below, above) => this.#over(below, above), first);
  }

  /** Maps of nodes and lists are joined; of settings and all else those of the later text go before. */
  #over(below: Made, above: Made): Made {
    if (!isPlain(below.value) || !isPlain(above.value)) return above;
    const value: Record<string, unknown> = { ...below.value };
    const parts = new Map(below.origin.parts);
    for (const [key, one] of Object.entries(above.value)) {
      const [was, from, to] = [value[key], parts.get(key), above.origin.parts?.get(key)];
      if (to === undefined) continue;
      if (Array.isArray(was) && Array.isArray(one)) {
        const moved = [...(to.parts ?? [])].map(([i, part]) => [Number(i) + was.length, part] as const);
        value[key] = [...(was as unknown[]), ...(one as unknown[])];
        parts.set(key, { ...to, parts: new Map([...(from?.parts ?? []), ...moved]) });
      } else if (isPlain(was) && isPlain(one)) {
        if (key === 'nodes') this.#refuseTwice(was, to);
        value[key] = { ...was, ...one };
        parts.set(key, { ...to, parts: new Map([...(from?.parts ?? []), ...(to.parts ?? [])]) });
      } else {
        value[key] = one;
        parts.set(key, to);
      }
    }
    return { value, origin: { ...above.origin, parts } };
  }

  #refuseTwice(was: Readonly<Record<string, unknown>>, { parts }: Origin): void {
    for (const [name, { source, node }] of parts ?? [])
      if (Object.hasOwn(was, name))
        this.#refuse(source, node, ['nodes', name], 'is there twice: an included text has it too');
  }

  #refuse(source: Source, node: unknown, at: LabPath, what: string): void {
    const { problems } = this.#main.read;
    if (!problems.isFull) problems.add(errorAt(placeOfNode(source, node, at), what));
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MOST_VALUES) throw tooMuch(`stands for more than ${MOST_VALUES} values`);
  }
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const resolved = ({ source }: At, node: unknown): unknown =>
  isAlias(node) ? node.resolve(source.read.document) : node;

const textOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

/** `a.b`: a key of a map. */
const lookUp = (scope: Scope, name: string): unknown => {
  const [first = '', ...keys] = name.split('.');
  return keys.reduce<unknown>(
    (value, key) => (isPlain(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    scope.get(first),
  );
};

/** A name as it is from the text that is applied. */
const beside = ({ folder }: Source, name: string): string =>
  path.posix.isAbsolute(name) ? name : path.posix.normalize(path.posix.join(folder, name));

const placeOfNode = ({ read }: Source, node: unknown, at: LabPath): LabPlace => ({
  ...read.placeOfNode(node),
  field: fieldOf(at),
});

/** Place of the value at a path, or of its nearest parent that a text says. */
const placeIn = (root: Origin, at: LabPath): LabPlace => {
  let origin = root;
  for (const key of at) {
    const next = origin.parts?.get(key);
    if (next === undefined) break;
    origin = next;
  }
  return placeOfNode(origin.source, origin.node, at);
};
