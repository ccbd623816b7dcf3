/** What a file says, before anybody knows what it is to be: scalars stay the texts that they are (`2222:22`, `no`, `1.10`). */
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

/** A null is written as nothing. */
export const mapOf = (value: Value | undefined): ClabMap => (isMap(value) ? value : {});
export const listOf = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');
export const textsOf = (value: Value | undefined): string[] => listOf(value).filter((one) => typeof one === 'string');
export const isTrue = (value: Value | undefined): boolean => /^(?:true|yes|on)$/i.test(textOf(value));

/** What reading finds. Refusals are gathered, and told all at once. */
export class Findings {
  readonly #notes: { nodes: string[]; sentence: string }[] = [];
  readonly #refusals: { path: readonly PropertyKey[]; problem: string; also: string[] }[] = [];

  get notes(): string[] {
    return this.#notes.map(({ nodes, sentence }) =>
      nodes.length === 0 ? sentence : `${nodes.join(', ')}: ${sentence}`,
    );
  }

  get refusals(): { path: readonly PropertyKey[]; problem: string }[] {
    return this.#refusals.map(({ path, problem, also }) => ({
      path,
      problem: also.length === 0 ? problem : `${problem}; the same for ${named(also)}`,
    }));
  }

  note(sentence: string): void {
    if (!this.#notes.some((one) => one.sentence === sentence)) this.#notes.push({ nodes: [], sentence });
  }

  /** Said once for all nodes that it is true of. */
  noteOf(node: string, sentence: string): void {
    const known = this.#notes.find((one) => one.sentence === sentence && one.nodes.length > 0);
    if (known === undefined) this.#notes.push({ nodes: [node], sentence });
    else if (!known.nodes.includes(node)) known.nodes.push(node);
  }

  refuse(path: readonly PropertyKey[], problem: string): void {
    this.#refusals.push({ path, problem, also: [] });
  }

  /** Said once for all nodes that it is true of, at the place of the first one. */
  refuseNode(node: string, problem: string): void {
    const known = this.#refusals.find((one) => one.problem === problem && one.path.length === 3);
    if (known === undefined) this.refuse(['topology', 'nodes', node], problem);
    else known.also.push(node);
  }
}

/** So many are named. */
const MOST_NAMED = 10;

const named = (nodes: readonly string[]): string => {
  const more = nodes.length - MOST_NAMED;
  return more > 0 ? `${nodes.slice(0, MOST_NAMED).join(', ')} and ${more} more` : nodes.join(', ');
};
