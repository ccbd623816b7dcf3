import { invalid } from '../../../common/errors.ts';

/** A value of a topology. Scalars stay texts (`2222:22`, `no`, `1.10`) until their meaning is known. */
export type Value = string | Value[] | ClabMap;
export interface ClabMap {
  [key: string]: Value;
}

export interface ClabTopology {
  defaults: ClabMap;
  kinds: Record<string, ClabMap>;
  groups: Record<string, ClabMap>;
}

export const isMap = (value: unknown): value is ClabMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty value counts as an empty map. */
export const mapOf = (value: Value | undefined): ClabMap => (isMap(value) ? value : {});
export const listOf = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: Value | undefined): string[] =>
  listOf(value).filter((one): one is string => typeof one === 'string' && one !== '');
export const isTrue = (value: Value | undefined): boolean => /^(?:true|yes|y|on)$/i.test(textOf(value));

/** Collects notes and refusals, to report them all at once. */
export class Findings {
  /** Keys are sentences; a set of nodes for sentences about nodes. */
  readonly #notes = new Map<string, { nodes: Set<string> | null; sentence: string }>();
  readonly #refusals: { path: readonly PropertyKey[]; problem: string; also: string[] }[] = [];
  /** Refusals that apply to several nodes, by sentence. */
  readonly #ofNodes = new Map<string, string[]>();
  #grown = 0;

  get notes(): string[] {
    return [...this.#notes.values()].map(({ nodes, sentence }) =>
      nodes === null ? sentence : `${[...nodes].join(', ')}: ${sentence}`,
    );
  }

  get refusals(): { path: readonly PropertyKey[]; problem: string }[] {
    return this.#refusals.map(({ path, problem, also }) => ({
      path,
      problem: also.length === 0 ? problem : `${problem}; the same for ${named(also)}`,
    }));
  }

  note(sentence: string): void {
    this.#notes.set(sentence, { nodes: null, sentence });
  }

  /** Notes a sentence once for all nodes to which it applies. */
  noteOf(node: string, sentence: string): void {
    const key = `of nodes: ${sentence}`;
    const known = this.#notes.get(key)?.nodes;
    if (known == null) this.#notes.set(key, { nodes: new Set([node]), sentence });
    else known.add(node);
  }

  refuse(path: readonly PropertyKey[], problem: string): void {
    this.#refusals.push({ path, problem, also: [] });
  }

  /** Refuses once for all nodes to which it applies, at the place of the first one. */
  refuseNode(node: string, problem: string): void {
    const known = this.#ofNodes.get(problem);
    if (known !== undefined) return void known.push(node);
    const also: string[] = [];
    this.#ofNodes.set(problem, also);
    this.#refusals.push({ path: ['topology', 'nodes', node], problem, also });
  }

  /** Counts the size of a text with all inherited keys, in characters and entries. Throws when it is too large. */
  grow(by: number): void {
    this.#grown += by;
    if (this.#grown > MOST_GROWN)
      throw invalid(
        `the text says more than ${MOST_GROWN} characters of its nodes, with what each gets of defaults, kinds, groups and files`,
        { field: 'text' },
      );
  }
}

/** Enough for thousands of nodes with some thousand characters each. */
const MOST_GROWN = 8 << 20;

/** Number of characters of a value, plus one for each entry. */
export const sizeOf = (value: Value): number => {
  if (typeof value === 'string') return value.length + 1;
  let size = 1;
  for (const [key, one] of Object.entries(value)) size += key.length + sizeOf(one);
  return size;
};

/** Maximum of names in a sentence. */
const MOST_NAMED = 10;

const named = (nodes: readonly string[]): string => {
  const more = nodes.length - MOST_NAMED;
  return more > 0 ? `${nodes.slice(0, MOST_NAMED).join(', ')} and ${more} more` : nodes.join(', ');
};
