import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../src/common/errors.ts';
import { request } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { compareFabrics, thingsOf } from '../computes/truth.ts';
import type { Thing } from '../expectations.ts';
import { type Random, seeded } from '../prng.ts';
import { CELL, CellLab } from './cell-lab.ts';
import { Client } from './client.ts';
import { FAULTS, type Fault, type World } from './faults.ts';
import { Follower, readFeed } from './feed.ts';
import { LogCheck } from './log-check.ts';
import { lookAt, type Settled } from './look.ts';
import { until } from '../../../src/common/promises.ts';

export interface FailoverOptions {
  faults: number;
  seed: number;
  /** It begins no more rounds after so many. */
  seconds?: number;
  /** Only faults with one of these in their names. */
  only?: readonly string[];
  /** Aborted: it ends before the next fault. */
  signal?: AbortSignal;
  report: (line: string) => void;
}

export interface FailoverSummary {
  faults: Record<string, number>;
  answered: number;
  refused: number;
  unanswered: number;
  /** Time without a writer, after each fault of these. Milliseconds. */
  without: { killed: number[]; 'handed over': number[] };
  problems: string[];
}

const CLIENTS = 3;
const FAULTS_A_ROUND = 2;
/** Longest time before a fault. Milliseconds. */
const LONGEST_MS = 1_200;
/** Longest time until all is well again, and how often it is looked at. Milliseconds. */
const BACK_MS = 90_000;
const LOOK_MS = 300;
/** The fabrics of the computes are looked into after one round of so many, as that takes them from their servers for a moment. */
const FABRICS_EVERY = 4;
/** By `topolog handover`. What was before may have changed who writes, and a server that changes its part cannot be asked for a moment. */
const SAID =
  /writes now|no other server of the cell stands by|does not write|No server of the cell writes|no server runs/;
/** Longest time until those who listen to a feed have heard all. Milliseconds. */
const HEARD_MS = 15_000;

/**
 * Kills, stops and cuts off the servers of a cell, and its databases, at random moments, while clients write through both of them. After
 * each round every answered write is in the log, once, nobody has written but who had the lease, and all who read know the same.
 */
export const failoverFaults = async (options: FailoverOptions): Promise<FailoverSummary> => {
  const dir = await tempDir();
  try {
    const lab = await CellLab.start(dir.path);
    const rounds = new Rounds(options, lab);
    try {
      await rounds.run();
    } catch (error) {
      rounds.summary.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      await rounds.close();
      await lab.close();
    }
    return rounds.summary;
  } finally {
    await dir.remove();
  }
};

class Rounds implements World {
  readonly summary: FailoverSummary = {
    ...{ faults: {}, answered: 0, refused: 0, unanswered: 0 },
    ...{ without: { killed: [], 'handed over': [] }, problems: [] },
  };
  readonly #options: FailoverOptions;
  readonly #lab: CellLab;
  readonly #random: Random;
  readonly #choice: readonly Fault[];
  readonly #log = new LogCheck(CELL);
  #clients: Client[] = [];
  #followers: Follower[] = [];
  #rounds = 0;
  /** Moments since when there was no writer, in this round. */
  #moments: { what: 'killed' | 'handed over'; at: number }[] = [];

  constructor(options: FailoverOptions, lab: CellLab) {
    this.#options = options;
    this.#lab = lab;
    this.#random = seeded(options.seed);
    const { only = [''] } = options;
    this.#choice = FAULTS.filter(({ name }) => only.some((word) => name.includes(word)));
    if (this.#choice.length === 0) throw new Error(`the faults are ${FAULTS.map(({ name }) => name).join(', ')}`);
  }

  get servers() {
    return this.#lab.servers;
  }
  get computes() {
    return this.#lab.computes;
  }
  get databases() {
    return this.#lab.databases;
  }
  writer() {
    return this.#lab.writer();
  }
  standby() {
    return this.#lab.standby();
  }

  get #done(): number {
    return Object.values(this.summary.faults).reduce((sum, count) => sum + count, 0);
  }

  get #isWell(): boolean {
    return this.summary.problems.length === 0;
  }

  async run(): Promise<void> {
    const { faults, seconds = Infinity, signal } = this.#options;
    const until = Date.now() + seconds * 1000;
    await this.#prepare();
    while (this.#done < faults && this.#isWell && signal?.aborted !== true && Date.now() < until)
      await this.#round(faults - this.#done);
    if (!this.#isWell) return;
    const { url } = await this.writer();
    const { body, text } = await request(url, 'GET', '/v2/verify', undefined, this.#lab.headers);
    const { problems } = body as { problems: unknown[] };
    if (problems.length > 0) this.summary.problems.push(`GET /v2/verify: ${text}`);
  }

  async #prepare(): Promise<void> {
    const { project, pcs } = this.#lab;
    const random = (): Random => seeded(this.#random.below(2 ** 31));
    this.#clients = Array.from({ length: CLIENTS }, (_, n) => {
      const nodes = pcs.filter((_pc, i) => i % CLIENTS === n);
      return new Client({ name: `w${n}`, project, nodes, servers: this.#lab, random: random() });
    });
    await this.#log.look(this.databases.url, []);
    const since = this.#log.position;
    this.#followers = [`${project}/notifications`, '/v2/notifications'].map(
      (path) => new Follower({ path, servers: this.#lab, random: random(), since }),
    );
  }

  async #round(most: number): Promise<void> {
    const faults = Array.from({ length: Math.min(1 + this.#random.below(FAULTS_A_ROUND), most) }, () =>
      this.#random.pick(this.#choice),
    ).filter((fault) => fault !== undefined);
    const begun = Date.now();
    await this.#whileWriting(async () => {
      for (const fault of faults) {
        await sleep(this.#random.below(LONGEST_MS));
        await this.#inflict(fault);
      }
      await sleep(this.#random.below(LONGEST_MS));
    });
    // Where another fault has come after it, or before, that is timed as well.
    if (faults.length > 1) this.#moments = [];
    const wrote = Date.now();
    if (this.#isWell) await this.#settle();
    const said = faults.map(({ name }) => name).join(', ');
    this.#options.report(
      `${this.#done} faults (${said}): ${wrote - begun} ms, settled after ${Date.now() - wrote} ms at ${this.#log.position}`,
    );
  }

  async #inflict(fault: Fault): Promise<void> {
    await fault.inflict(this, this.#random);
    this.summary.faults[fault.name] = (this.summary.faults[fault.name] ?? 0) + 1;
  }

  async handOver(by: 'request' | 'command'): Promise<void> {
    const writer = await this.writer();
    if (by === 'command') {
      const said = await this.#lab.command(writer, 'handover').catch(messageOf);
      // The other one may lose the lease before it writes, as when the database answers nobody for a while.
      if (!SAID.test(said) && !said.includes('no other server could take over'))
        this.summary.problems.push(`topolog handover says ${said}`);
      return;
    }
    this.timed('handed over');
    const answer = await request(writer.url, 'POST', '/v2/handover', undefined, this.#lab.headers);
    // The other one may have been away just now, and there is nobody to hand over to.
    if (answer.status !== 204) this.#moments.pop();
  }

  timed(what: 'killed' | 'handed over'): void {
    this.#moments.push({ what, at: Date.now() });
  }

  async #whileWriting(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const writing = Promise.all(this.#clients.map((client) => client.run(over.signal)));
    try {
      await work();
    } finally {
      over.abort();
      await writing;
    }
    for (const { problems } of this.#clients) this.summary.problems.push(...problems);
  }

  /** Waits until all is quiet and alike everywhere, and compares with what was answered. */
  async #settle(): Promise<void> {
    this.#rounds++;
    const before = this.#log.position;
    const settled = await this.#settled();
    if (settled === null) return;
    const { problems } = this.summary;
    const notes = await this.databases.notes(before);
    problems.push(...(await this.#log.look(this.databases.url, notes)));
    for (const [mark, times] of this.#log.marks) if (times > 1) problems.push(`${mark} is ${times} times in the log`);
    const actual = await this.#things(settled);
    for (const client of this.#clients) {
      problems.push(...client.expectations.compare(actual));
      for (const [mark, wasAnswered] of client.marks)
        if (wasAnswered && !this.#log.marks.has(mark)) problems.push(`${mark} was answered, and is not in the log`);
    }
    this.#measure(notes);
    for (const client of this.#clients) client.known();
    await this.#compareFeeds(before);
  }

  async #settled(): Promise<Settled | null> {
    let found: string[] = [];
    let last = 0;
    const look = async (): Promise<Settled | null> => {
      const seen = await lookAt(this.#lab).catch((error: unknown) => [messageOf(error)]);
      const isSettled = !Array.isArray(seen) && seen.position === last;
      [last, found] = Array.isArray(seen) ? [0, seen] : [seen.position, ['the log grows']];
      if (!isSettled) return null;
      if (this.#rounds % FABRICS_EVERY !== 0) return seen;
      found = await compareFabrics(seen.records, this.computes);
      return found.length === 0 ? seen : null;
    };
    const settled = await until(look, { every: LOOK_MS, within: BACK_MS });
    if (settled === null) this.summary.problems.push(...found, `not settled within ${BACK_MS / 1000} s`);
    return settled;
  }

  async #things({ records }: Settled): Promise<Map<string, Thing>> {
    const writer = await this.writer();
    const path = `${this.#lab.project}/drawings`;
    const { body } = await request(writer.url, 'GET', path, undefined, this.#lab.headers);
    const drawings = body as ({ drawing_id: string } & Thing)[];
    return new Map([...thingsOf(records), ...drawings.map((d): [string, Thing] => [`drawing/${d.drawing_id}`, d])]);
  }

  /** From the moment when the writer went to the first answer that was made by another one. */
  #measure(notes: readonly { position: number; epoch: number; at: number }[]): void {
    const answered = this.#clients.flatMap((client) => client.answered).toSorted((a, b) => a.at - b.at);
    for (const { what, at } of this.#moments.splice(0)) {
      const epoch = notes.findLast((note) => note.at <= at)?.epoch ?? notes[0]?.epoch ?? 0;
      const first = notes.find((note) => note.epoch > epoch)?.position ?? Infinity;
      const next = answered.find((write) => write.position >= first);
      if (next !== undefined) this.summary.without[what].push(next.at - at);
    }
  }

  async #compareFeeds(since: number): Promise<void> {
    for (const follower of this.#followers) {
      const right: string[][] = [];
      for (const url of this.#lab.urls) right.push(await readFeed(`${url}${follower.path}`, since, this.#lab));
      const all = right[0] ?? [];
      const isBehind = (): boolean => follower.frames.length < all.length && follower.problems.length === 0;
      await until(() => !isBehind(), { every: LOOK_MS, within: HEARD_MS });
      this.summary.problems.push(...follower.problems);
      for (const [who, frames] of [
        ['another server', right[1] ?? []],
        ['who listened', follower.frames],
      ] as const) {
        const at = Array.from({ length: Math.max(all.length, frames.length) }, (_, i) => i).find(
          (i) => all[i] !== frames[i],
        );
        if (at !== undefined)
          this.summary.problems.push(
            `${follower.path} since ${since}: ${who} has heard ${frames[at]}, and not ${all[at]}`,
          );
      }
      follower.frames = [];
    }
  }

  async close(): Promise<void> {
    const { summary } = this;
    for (const { counts } of this.#clients) {
      summary.answered += counts.answered;
      summary.refused += counts.refused;
      summary.unanswered += counts.unanswered;
    }
    await Promise.all(this.#followers.map((follower) => follower.close()));
    if (this.#isWell) return;
    for (const { name, output } of [...this.servers, ...this.computes])
      this.#options.report(`${name} printed: ${output}`);
  }
}
