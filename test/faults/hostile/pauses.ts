import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROGRAMS } from '../../fuzz/pause-probe.ts';
import type { Figures } from './attack.ts';

/** How long the event loop of any program that others share may stand still. Milliseconds. */
export const MOST_PAUSE_MS = 100;

export type Program = keyof typeof PROGRAMS;
/** Longest pause of each program, in milliseconds. */
export type Longest = Readonly<Record<Program, number>>;
export const programs = Object.keys(PROGRAMS) as readonly Program[];

/** What the probes of a server and its fabric have written. */
export class Pauses {
  readonly #directory: string;
  readonly #read: Record<Program, number> = { server: 0, fabric: 0 };

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Since it was asked for last. */
  async longest(): Promise<Longest> {
    return { server: await this.#longestOf('server'), fabric: await this.#longestOf('fabric') };
  }

  async #longestOf(program: Program): Promise<number> {
    const text = await readFile(path.join(this.#directory, program), 'utf8').catch(() => '');
    const lines = text.slice(this.#read[program]).split('\n');
    this.#read[program] = text.length;
    return Math.max(0, ...lines.map(Number));
  }
}

/** The longest pauses of a whole run, each with the attack that it was under. */
export class LongestOfAll {
  readonly #known = new Map<Program, { ms: number; attack: string }>();

  take(attack: string, longest: Longest): void {
    for (const program of programs)
      if (longest[program] > (this.#known.get(program)?.ms ?? -1))
        this.#known.set(program, { ms: longest[program], attack });
  }

  /** The last line of a run. */
  toString(): string {
    const each = [...this.#known].map(([program, { ms, attack }]) => `${program} ${Math.round(ms)} ms (${attack})`);
    return `longest pause: ${each.join(', ')}`;
  }
}

export const pauseFigures = (longest: Longest): Figures =>
  Object.fromEntries(programs.map((program) => [`${program} paused ms`, Math.round(longest[program])]));
