import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Case } from './recording.ts';
import type { Said, Task } from './worker.ts';

export interface StatesOptions {
  seed: number;
  /** Stops after. */
  seconds: number;
  /** In all. */
  states: number;
  /** Of one recording, and how long it is in seconds. */
  perRecording: number;
  recordSeconds: number;
  workers: number;
  /** A recording that is there; null: new ones. */
  from: string | null;
  only: Case | null;
  /** Pattern of files of which no sync is remembered, as if it had been left out; null: none. */
  forget: string | null;
  /** States that are looked at to make a failing one smaller. */
  looks: number;
  report: (line: string) => void;
}

export interface StatesSummary {
  states: number;
  recordings: number;
  ops: number;
  steps: number;
  /** Starts that named damage and did not write. */
  refused: number;
  problems: string[];
}

/** A state takes about a second, and longer on a computer that has other work; a recording its time and some starts. */
const STATE_MS = 180_000;
const RECORDING_MS = 900_000;

/** Records loads and checks states of them until the time or the count is reached. */
export const checkStates = async (options: StatesOptions): Promise<StatesSummary> => {
  const summary: StatesSummary = { states: 0, recordings: 0, ops: 0, steps: 0, refused: 0, problems: [] };
  const until = performance.now() + options.seconds * 1000;
  let next = options.seed;
  const one = async (): Promise<void> => {
    do {
      const run = new Run(options, next++, summary, until);
      await run.go();
    } while (options.from === null && performance.now() < until && summary.states < options.states);
  };
  await Promise.all(Array.from({ length: options.from === null ? options.workers : 1 }, one));
  return summary;
};

/** In memory where that is a directory: a state is thousands of small files in an hour. */
const workDirectory = (): Promise<string> =>
  mkdtemp(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'topolog-states-'));

const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

class Run {
  readonly #options: StatesOptions;
  readonly #seed: number;
  readonly #summary: StatesSummary;
  readonly #until: number;
  #at: Case | null = null;
  #problems = 0;

  constructor(options: StatesOptions, seed: number, summary: StatesSummary, until: number) {
    this.#options = options;
    this.#seed = seed;
    this.#summary = summary;
    this.#until = until;
  }

  async go(): Promise<void> {
    const { from, perRecording, recordSeconds, only, forget, looks } = this.#options;
    const directory = from ?? (await workDirectory());
    const task: Task = {
      directory,
      seed: this.#seed,
      seconds: recordSeconds,
      states: perRecording,
      only,
      forget,
      looks,
    };
    const child = fork(path.join(import.meta.dirname, 'worker.js'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: the servers that it records end with it.
      detached: true,
    });
    const died = await this.#hear(child, task, directory);
    if (died !== null) this.#problem(directory, this.#at, [died], []);
    if (this.#problems === 0 && from === null) await rm(directory, { recursive: true, force: true });
  }

  /** Until it is done, or has to be ended; what it ended with, if not as it should. */
  #hear(child: ChildProcess, task: Task, directory: string): Promise<string | null> {
    return new Promise((resolve) => {
      let isDone = false;
      let timer: NodeJS.Timeout | undefined;
      const hush = (patience: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => endGroup(child), patience);
      };
      hush(RECORDING_MS);
      child.on('message', (said: Said) => {
        hush(STATE_MS);
        isDone = isDone || said.said === 'done' || this.#take(said, directory);
        if (isDone && said.said !== 'done') endGroup(child);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        resolve(isDone ? null : `its process ended (${code ?? signal}) or was silent`);
      });
      child.send(task);
    });
  }

  /** True: it is enough. */
  #take(said: Said, directory: string): boolean {
    const summary = this.#summary;
    const { report, states } = this.#options;
    if (said.said === 'recorded') {
      summary.recordings++;
      summary.ops += said.ops;
      summary.steps += said.steps;
      report(
        `seed ${this.#seed}: ${said.ops} file operations, ${said.steps} requests, ${said.events} events, ${said.megabytes.toFixed(1)} MB`,
      );
    } else if (said.said === 'begins') this.#at = said.case;
    else if (said.said === 'failed') this.#problem(directory, this.#at, [said.why], []);
    else if (said.said === 'found') {
      summary.states++;
      if (said.refused !== null) summary.refused++;
      if (said.refused !== null && said.missing.length > 0)
        report(`named as damaged: ${said.refused}\n${said.missing.map((what) => `  missing: ${what}`).join('\n')}`);
      if (said.problems.length > 0) this.#problem(directory, said.case, said.problems, said.missing);
    }
    return said.said === 'failed' || performance.now() > this.#until || summary.states >= states;
  }

  #problem(directory: string, at: Case | null, problems: string[], missing: string[]): void {
    this.#problems++;
    const where = at === null ? '' : ` --point ${at.point} --model ${at.model} --case ${at.seed}`;
    const lines = [...problems, ...missing.map((what) => `missing: ${what}`)].map((line) => `  ${line.slice(0, 1000)}`);
    this.#summary.problems.push(`npm run faults -- states --from ${directory}${where}\n${lines.join('\n')}`);
    this.#options.report(this.#summary.problems.at(-1) ?? '');
  }
}
