import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { levelStore } from '../../../src/events/store/level-store.ts';
import { lastPosition } from '../../../src/events/read.ts';
import { firstProblem } from '../../../src/events/log/startup.ts';
import { rebuild } from '../../../src/projections/rebuild.ts';
import { JointLab } from '../../joint/joint-lab.ts';
import { leftOfServer } from '../../joint/left-over.ts';
import type { Guest } from '../../support/guest.ts';
import { fabricPid } from '../../support/fabric-pid.ts';
import { type Random, seeded } from '../prng.ts';
import { Applies } from './applies.ts';
import { type Churner, send, Unanswered } from './churner.ts';
import { Copies, Labs, Undos } from './changes.ts';
import { Imports, Restores } from './copies.ts';
import { Captures, Machine } from './machines.ts';
import { SORTS, Uploads } from './uploads.ts';
import { Moves } from './moves.ts';
import { compareWorld, identities } from './world.ts';
import { until } from '../../../src/common/promises.ts';

export interface MixedOptions {
  guest: Guest;
  kills: number;
  /** Ends before the next kill after so many. */
  seconds: number;
  seed: number;
  /** Aborted: it ends before the next kill. */
  signal?: AbortSignal;
  report: (line: string) => void;
}

export interface MixedSummary {
  kills: Record<Victim, number>;
  answered: Record<string, number>;
  unanswered: number;
  problems: string[];
}

const VICTIMS = ['server', 'server', 'fabric', 'both'] as const;
type Victim = (typeof VICTIMS)[number];

/** Longest time from the first write to the kill, and of the server being away. Milliseconds. */
const LONGEST_MS = 900;
const LONGEST_AWAY_MS = 300;
/** One restart of so many is killed itself while it recovers. */
const IN_VAIN = 5;
/** The log is read as a whole after one kill of so many, and at the end. */
const LOG_EVERY = 20;
/** Longest time until all that ran runs again. Milliseconds. */
const BACK_MS = 90_000;

/**
 * Kills the server, its fabric, or both at random moments under a lab of real emulators that runs all the time, while others are
 * started and stopped, captured, uploaded, imported, deleted, restored and made by texts. After each kill nothing that was answered is lost, and
 * nothing runs twice; at the end nothing is left over.
 */
export const mixedRounds = async (options: MixedOptions): Promise<MixedSummary> => {
  const random = seeded(options.seed);
  const lab = await JointLab.build(options.guest);
  const rounds = new Rounds(lab, random, options.report);
  try {
    await rounds.prepare();
    const until = Date.now() + options.seconds * 1000;
    const goesOn = (): boolean => rounds.isWell && Date.now() < until && options.signal?.aborted !== true;
    for (let n = 0; n < options.kills && goesOn(); n++) await rounds.round();
    await rounds.end();
  } finally {
    await rounds.endBeside();
    await lab.end();
  }
  return rounds.summary;
};

class Rounds {
  readonly summary: MixedSummary = {
    kills: { server: 0, fabric: 0, both: 0 },
    answered: {},
    unanswered: 0,
    problems: [],
  };
  readonly #lab: JointLab;
  readonly #random: Random;
  readonly #report: (line: string) => void;
  readonly #machines: Machine[];
  readonly #churners: Churner[];
  #outside = '';

  constructor(lab: JointLab, random: Random, report: (line: string) => void) {
    this.#lab = lab;
    this.#random = random;
    this.#report = report;
    this.#machines = [
      new Machine(random, 'pc', 'vpcs'),
      new Machine(random, 'vpcs', 'vpcs', { engine: 'vpcs' }),
      new Machine(random, 'qemu', 'qemu', { ram: 16 }),
      new Machine(random, 'container', 'docker', { image: lab.podman.image, start_command: 'sh' }),
    ];
    const content = SORTS.map((sort) => new Uploads(random, sort));
    const copies = [new Imports(random, lab.dataDir), new Copies(random, lab.dataDir), new Restores(random)];
    const changes = [new Applies(random), new Undos(random), new Labs(random), new Moves(random, lab.directory)];
    this.#churners = [...this.#machines, new Captures(random), ...content, ...copies, ...changes];
  }

  get isWell(): boolean {
    return this.summary.problems.length === 0;
  }

  get #url(): string {
    return this.#lab.server?.url ?? '';
  }

  async prepare(): Promise<void> {
    for (const churner of this.#churners) await churner.prepare(this.#url);
    await this.#lab.all('start');
    this.#outside = await identities(this.#lab);
  }

  async round(): Promise<void> {
    const victim = this.#random.pick(VICTIMS) ?? 'server';
    const wait = this.#random.below(LONGEST_MS);
    const begun = Date.now();
    const done = new AbortController();
    const busy = Promise.all(this.#churners.map((churner) => this.#churn(churner, done.signal)));
    await sleep(wait);
    await this.#kill(victim);
    done.abort();
    await busy;
    if (victim !== 'fabric') await this.#comeBack();
    await this.#check();
    this.summary.kills[victim]++;
    const number = Object.values(this.summary.kills).reduce((sum, count) => sum + count);
    if (number % LOG_EVERY === 0) await this.#checkLog();
    this.#report(`kill ${number} (${victim} after ${wait} ms): ${Date.now() - begun} ms`);
  }

  /** Each writes once more, now that nothing is killed; then everything is stopped and deleted, and nothing may be left. */
  async end(): Promise<void> {
    for (const churner of this.#churners) await this.#step(churner);
    await this.#check();
    await this.#checkLog();
    if (!this.isWell) return;
    const projects = (await send(this.#url, ['GET', '/v2/projects'])).body as { project_id: string }[];
    for (const { project_id } of projects) await send(this.#url, ['DELETE', `/v2/projects/${project_id}`]);
    await this.#lab.server?.kill('SIGTERM');
    await this.endBeside();
    for (const left of await leftOfServer(this.#lab)) this.summary.problems.push(`left over: ${left}`);
  }

  /** More than once does nothing. */
  async endBeside(): Promise<void> {
    for (const churner of this.#churners) await churner.end?.();
  }

  /** Writes until the server is gone or the round is over. */
  async #churn(churner: Churner, over: AbortSignal): Promise<void> {
    const url = this.#url;
    while (!over.aborted && (await this.#step(churner, url)));
  }

  /** One write; answers whether it was answered well. */
  async #step(churner: Churner, url = this.#url): Promise<boolean> {
    try {
      await churner.step(url);
      this.summary.answered[churner.name] = (this.summary.answered[churner.name] ?? 0) + 1;
      return true;
    } catch (error) {
      if (error instanceof Unanswered) this.summary.unanswered++;
      else this.summary.problems.push(`${churner.name}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  async #kill(victim: Victim): Promise<void> {
    const fabric = victim === 'server' ? null : await fabricPid(this.#lab.dataDir);
    if (fabric !== null) process.kill(fabric, 'SIGKILL');
    if (victim === 'both') await sleep(this.#random.below(100));
    if (victim !== 'fabric') await this.#lab.server?.kill('SIGKILL');
    else await sleep(this.#random.below(LONGEST_MS));
  }

  async #comeBack(): Promise<void> {
    await sleep(this.#random.below(LONGEST_AWAY_MS));
    if (this.#random.below(IN_VAIN) === 0) {
      const inVain = this.#lab.serve().catch(() => undefined);
      await sleep(100 + this.#random.below(900));
      await inVain;
      await this.#lab.server?.kill('SIGKILL');
    }
    await this.#lab.serve();
  }

  async #check(): Promise<void> {
    const { problems } = this.summary;
    await this.#allRuns();
    const found = await Promise.all(
      this.#churners.map((churner) =>
        churner.check(this.#url).catch((error: unknown) => [`${churner.name}: ${String(error)}`]),
      ),
    );
    problems.push(...found.flat(), ...(await compareWorld(this.#lab, this.#machines)));
    const outside = await identities(this.#lab);
    if (outside !== this.#outside) problems.push(`outside ran ${this.#outside} and runs ${outside}`);
    if (problems.length > 0) problems.push(`the server printed: ${this.#lab.server?.output() ?? ''}`);
  }

  async #allRuns(): Promise<void> {
    let states = '';
    const run = async (): Promise<boolean> => {
      const now = await this.#lab.each('status').catch(() => ({}));
      states = JSON.stringify(now);
      return Object.values(now).length > 0 && Object.values(now).every((state) => state === 'started');
    };
    if (!(await until(run, { every: 50, within: BACK_MS })))
      this.summary.problems.push(`not all runs again: ${states}`);
  }

  /** Looks at a copy, as the server holds the log. */
  async #checkLog(): Promise<void> {
    const copy = path.join(this.#lab.directory, 'log-copy');
    // A copy that is taken while tables change is not one moment's: nobody writes now.
    await cp(path.join(this.#lab.dataDir, 'log'), copy, { recursive: true });
    const store = await levelStore(copy)();
    try {
      const { differences } = await rebuild(store, false);
      for (const { collection, id, problem } of differences)
        this.summary.problems.push(`stored ${collection} ${id} against the fold of the log: ${problem}`);
      const broken = await firstProblem(store, 0, await lastPosition(store));
      if (broken !== null) this.summary.problems.push(`the log at position ${broken.position}: ${broken.message}`);
    } finally {
      await store.close();
      await rm(copy, { recursive: true });
    }
  }
}
