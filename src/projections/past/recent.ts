import type { Step } from './step.ts';

/**
 * Steps kept in memory, so that a listener that was away for a moment costs no reading; twice as many before they are cut. Not more:
 * what lives longer than a round of the collector is copied by it.
 */
const MOST = 250;
/** The same for what their events carry, roughly, in characters: a drawing or a script may be large. */
const MOST_TEXT = 8 << 20;

/** The last steps of all. */
export class Recent {
  #steps: Step[] = [];
  #text = 0;
  /** Every step after this position is there. */
  #after: number;

  constructor(position: number) {
    this.#after = position;
  }

  add(added: readonly Step[]): void {
    const steps = added.length > 2 * MOST ? this.#lastOf(added) : added;
    for (const step of steps) {
      this.#steps.push(step);
      this.#text += textIn(step.event.data);
    }
    // Not one by one, as cutting costs as much as is kept.
    if (this.#steps.length > 2 * MOST || this.#text > 2 * MOST_TEXT) this.#cut();
  }

  /** Of more than are kept, those that are. */
  #lastOf(steps: readonly Step[]): Step[] {
    const kept = steps.slice(-MOST);
    this.#after += this.#steps.length + steps.length - kept.length;
    this.#steps = [];
    this.#text = 0;
    return kept;
  }

  /** null: not all of them are still known. */
  since(projectId: string | null, after: number): Step[] | null {
    if (after < this.#after) return null;
    // Positions have no gaps.
    const steps = this.#steps.slice(after - this.#after);
    return projectId === null ? steps : steps.filter(({ event }) => event.project_id === projectId);
  }

  #cut(): void {
    let from = this.#steps.length;
    let text = 0;
    while (from > 0 && this.#steps.length - from < MOST) {
      const more = textIn(this.#steps[from - 1]?.event.data);
      if (text + more > MOST_TEXT) break;
      text += more;
      from--;
    }
    this.#after += from;
    this.#steps = this.#steps.slice(from);
    this.#text = text;
  }
}

/** Events are flat: what is large in them is no deeper than this. */
const DEEPEST = 3;

const textIn = (value: unknown, depth = 0): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += textIn(inner, depth + 1);
  return sum;
};
