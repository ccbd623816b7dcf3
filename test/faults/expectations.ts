/** What a writer knows of one thing: the fields it wrote, or null when there is none. Keys: `node/<id>`, `link/<id>`, `drawing/<id>`. */
export type Thing = Readonly<Record<string, unknown>>;
export type World = Map<string, Thing | null>;

/** Everything that one write changes. */
export type Outcome = Readonly<Record<string, Thing | null>>;

/** A write that was sent and never answered: it was done, or not, or reached a state between; each of these is whole. */
export interface Unanswered {
  what: string;
  outcomes: Outcome[];
}

const fits = (expected: Thing | null, actual: Thing | undefined): boolean => {
  if (expected === null || actual === undefined) return expected === null && actual === undefined;
  return Object.entries(expected).every(([key, value]) => JSON.stringify(actual[key]) === JSON.stringify(value));
};

/** What answered writes made: what must be there after any crash. */
export class Expectations {
  readonly world: World = new Map();
  readonly #unanswered: Unanswered[] = [];

  answered(outcome: Outcome): void {
    for (const [key, thing] of Object.entries(outcome)) this.world.set(key, thing);
  }

  unanswered(write: Unanswered): void {
    this.#unanswered.push(write);
  }

  /** Everything that was ever written, answered or not. */
  keys(): string[] {
    return [...this.world.keys(), ...this.#unanswered.flatMap(({ outcomes }) => outcomes.flatMap(Object.keys))];
  }

  /** Sentences on what differs. Afterwards what is there is what is expected. */
  compare(actual: ReadonlyMap<string, Thing>): string[] {
    const problems: string[] = [];
    for (const { what, outcomes } of this.#unanswered.splice(0)) {
      const found = outcomes.find((outcome) =>
        Object.entries(outcome).every(([key, thing]) => fits(thing, actual.get(key))),
      );
      if (found === undefined)
        problems.push(`unanswered ${what} is neither done nor undone: ${shown(outcomes, actual)}`);
      else this.answered(found);
    }
    for (const [key, thing] of this.world)
      if (!fits(thing, actual.get(key)))
        problems.push(`${key} should be ${JSON.stringify(thing)} and is ${JSON.stringify(actual.get(key) ?? null)}`);
    return problems;
  }
}

const shown = (outcomes: Outcome[], actual: ReadonlyMap<string, Thing>): string =>
  JSON.stringify(Object.keys(outcomes[0] ?? {}).map((key) => [key, actual.get(key) ?? null]));
