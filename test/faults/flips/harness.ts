import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { viewLog } from '../../../src/events/view-log.ts';
import { lastPosition } from '../../../src/events/read.ts';
import { tempDir } from '../../support/temp.ts';
import { makeLab } from './lab.ts';
import { type Flip, type Place, sortOf } from './rounds.ts';

export interface FlipOptions {
  flips: number;
  seed: number;
  /** Stops after this time. */
  seconds: number;
  /** Only this round. */
  only?: number;
  report: (line: string) => void;
}

export interface FlipSummary {
  flips: number;
  /** Of which somebody said something. */
  named: number;
  /** Rounds by kind of file: how many, and how many were named. */
  kinds: Map<string, [flips: number, named: number]>;
  problems: string[];
}

interface Outcome {
  flip: Flip | null;
  said: string[];
  problem: string | null;
}

/** Flips one bit of a data directory at a time, in every kind of file in turn: none may go unnoticed that changes an answer. */
export const flipRounds = async ({ flips, seed, seconds, only, report }: FlipOptions): Promise<FlipSummary> => {
  const dir = await tempDir();
  const place = { base: path.join(dir.path, 'base'), data: path.join(dir.path, 'data'), last: 0 };
  const summary: FlipSummary = { flips: 0, named: 0, kinds: new Map(), problems: [] };
  const workers = new Workers();
  try {
    await makeLab(place.data, place.base);
    place.last = await lastOf(place);
    const until = performance.now() + seconds * 1000;
    for (let round = only ?? 0; round < (only === undefined ? flips : only + 1) && performance.now() < until; round++) {
      const { flip, said, problem } = await workers.perform({ place, seed, round });
      count(summary, flip, said.length > 0);
      const where = `round ${round}: bit ${flip?.bit} of octet ${flip?.octet} of ${flip?.file}`;
      if (problem !== null) summary.problems.push(`${where}: ${problem} (--seed ${seed} --only ${round})`);
      if (problem !== null || only !== undefined) report(`${where}: ${problem ?? (said.join('; ') || 'no effect')}`);
    }
    return summary;
  } finally {
    workers.end();
    await dir.remove();
  }
};

const lastOf = async ({ base }: Place): Promise<number> => {
  const view = await viewLog(path.join(base, 'log'));
  try {
    return await lastPosition(view.store);
  } finally {
    await view.close();
  }
};

const count = (summary: FlipSummary, flip: Flip | null, named: boolean): void => {
  const kind = flip === null ? 'none' : (sortOf(flip.file)?.name ?? 'unknown');
  const [flips, names] = summary.kinds.get(kind) ?? [0, 0];
  summary.kinds.set(kind, [flips + 1, names + Number(named)]);
  summary.flips++;
  summary.named += Number(named);
};

interface Told {
  flip?: Flip;
  silent?: string | null;
  said?: string[];
  failure?: string;
}

/** One process at a time; one that ends is a problem of its round. */
class Workers {
  #child: ChildProcess | null = null;

  perform(told: { place: Place; seed: number; round: number }): Promise<Outcome> {
    const child = (this.#child ??= fork(path.join(import.meta.dirname, 'worker.js'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
    return new Promise((resolve) => {
      let flip: Flip | null = null;
      const done = (said: string[], problem: string | null): void => {
        child.off('message', hear);
        child.off('exit', ended);
        resolve({ flip, said, problem });
      };
      const hear = (one: Told): void => {
        if (one.flip !== undefined) flip = one.flip;
        else if (one.failure !== undefined) done([], one.failure);
        else done(one.said ?? [], one.silent ?? null);
      };
      const ended = (code: number | null, signal: string | null): void => {
        this.#child = null;
        done([], `the process ended: ${signal ?? code}`);
      };
      child.on('message', hear);
      child.once('exit', ended);
      child.send(told);
    });
  }

  end(): void {
    this.#child?.disconnect();
  }
}
