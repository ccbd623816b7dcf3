import { ANY, type Shown } from './observe.ts';
import type { Op } from './record.ts';

/** One change of a part of what a server shows. */
export interface Step {
  part: string;
  what: string;
  /** What the part may be once it is answered. */
  after: string[];
  /** What it may be meanwhile, beside what it was and what it becomes. */
  meanwhile: string[];
}

/** What was asked of the server and answered while its files were recorded. */
export interface Story {
  /** Absolute: where the server believes to be. */
  root: string;
  /** At the beginning. */
  before: [string, string][];
  steps: Step[];
  /** Hashes of the events by position, as the log had them at the end. */
  hashes: string[];
}

/** Marks in the record. */
export const ASKED = (step: number): string => `asked ${step}`;
export const ANSWERED = (step: number): string => `answered ${step}`;
/** A position that the server has told as committed. */
export const TOLD = (position: number): string => `told ${position}`;

/** What must be there at a moment of the record. */
export class Expected {
  /** Every value that a part may have. */
  readonly parts = new Map<string, string[]>();
  position = 0;
  readonly #story: Story;

  constructor(story: Story) {
    this.#story = story;
    for (const [part, value] of story.before) this.parts.set(part, [value]);
  }

  feed(op: Op): void {
    if (op.op !== 'mark') return;
    const [word, text] = op.text.split(' ');
    if (word === 'told') this.position = Math.max(this.position, Number(text));
    const step = this.#story.steps[Number(text)];
    if (step === undefined) return;
    const { part, after, meanwhile } = step;
    if (word === 'answered') this.parts.set(part, after);
    if (word === 'asked') this.parts.set(part, [...(this.parts.get(part) ?? ['null']), ...meanwhile, ...after]);
  }

  /** Sentences on what differs. */
  compare(shown: Shown): string[] {
    const problems: string[] = [];
    for (const part of new Set([...this.parts.keys(), ...shown.keys()])) {
      const may = this.parts.get(part) ?? ['null'];
      const is = shown.get(part) ?? 'null';
      if (!this.parts.has(part) && isCopy(is)) continue;
      if (!may.includes(ANY) && !may.includes(is)) problems.push(`${part} is ${is}, and may be ${may.join(' or ')}`);
    }
    return problems;
  }
}

/** A duplicate whose answer never came: nobody knows its id. */
const isCopy = (value: string): boolean => value.startsWith('{"name":"copy');
