import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { isAlive, identityOf, type ProcessIdentity } from '../../src/processes/identity.ts';
import { type Random, seeded } from '../faults/prng.ts';
import { readCounter } from '../support/echo-engine.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { tempDir } from '../support/temp.ts';
import { EndlessPing } from './recovery-beats.ts';
import { type Answered, type LabNode, RecoveryLab } from './recovery-lab.ts';
import { waitFor } from '../support/wait-for.ts';

export interface RecoveryOptions {
  /** Rounds in which the server, the fabric, or both are killed. */
  server: number;
  fabric: number;
  both: number;
  /** Processes outside, and as many embedded PCs. */
  nodes: number;
  seed: number;
  report: (line: string) => void;
}

export interface RecoverySummary {
  rounds: number;
  /** Milliseconds until everything ran again, worst of each sort. */
  slowest: Record<'server' | 'fabric' | 'both', number>;
  /** Replies of the ping that ran through all rounds of the server. */
  replies: number;
  beats: number;
  problems: string[];
}

/** Longest time from the first restless write to the kill, and of the server being away. Milliseconds. */
const LONGEST_MS = 400;
const LONGEST_AWAY_MS = 200;
/** One restart of so many is killed itself while it recovers. */
const IN_VAIN = 4;

/** Kills the server, its fabric, or both, again and again, under a lab that runs. */
export const recoveryRounds = async (options: RecoveryOptions): Promise<RecoverySummary> => {
  const dir = await tempDir();
  const random = seeded(options.seed);
  const lab = await RecoveryLab.build(path.join(dir.path, 'data'), options.nodes, random);
  const rounds = new Rounds(lab, random, options.report);
  try {
    await rounds.serverRounds(options.server);
    for (let n = 0; n < options.fabric && rounds.isWell; n++) await rounds.fabricRound();
    for (let n = 0; n < options.both && rounds.isWell; n++) await rounds.bothRound();
    await rounds.end();
    return rounds.summary;
  } finally {
    lab.close();
    await lab.server.kill('SIGTERM');
    await dir.remove();
  }
};

const gone = async (process: ProcessIdentity): Promise<void> => {
  await waitFor('the process has ended', async () => !(await isAlive(process)));
};

class Rounds {
  readonly summary: RecoverySummary = {
    rounds: 0,
    slowest: { server: 0, fabric: 0, both: 0 },
    replies: 0,
    beats: 0,
    problems: [],
  };
  readonly #lab: RecoveryLab;
  readonly #random: Random;
  readonly #report: (line: string) => void;
  /** Drawings that the server has answered for, in all rounds. */
  readonly #drawings = new Set<string>();

  constructor(lab: RecoveryLab, random: Random, report: (line: string) => void) {
    this.#lab = lab;
    this.#random = random;
    this.#report = report;
  }

  get isWell(): boolean {
    return this.summary.problems.length === 0;
  }

  /** A ping runs and every echo beats through all of them. */
  async serverRounds(count: number): Promise<void> {
    const lab = this.#lab;
    const [first] = lab.pcs;
    const ping = await EndlessPing.begin(first?.console ?? 0, '10.0.0.2');
    for (const { beat } of lab.echoes) beat.forgive();
    try {
      for (let n = 0; n < count && this.isWell; n++) {
        const before = await this.#pids();
        const answered = await this.#killServer();
        const replies = ping.replies;
        await lab.within('the emulators count on', lab.countersGoOn());
        await lab.within('the ping goes on', ping.more());
        await lab.within('the capture goes on', lab.captureGrows());
        const took = await this.#comeBack();
        this.#note('server', took, `the ping went from ${replies} to ${ping.replies}`);
        this.summary.problems.push(...ping.problems);
        this.#sameProcesses(before, await this.#pids());
        for (const { node, beat } of lab.echoes) {
          const missing = beat.missing();
          if (missing.length > 0) this.#problem(`${node.name} has not sent back ${missing.join(', ')}`);
        }
        await this.#check(answered);
      }
      this.summary.replies = ping.replies;
      for (const { beat } of lab.echoes) this.summary.beats += beat.sent;
    } finally {
      ping.close();
    }
  }

  async fabricRound(): Promise<void> {
    const before = await this.#pids();
    const old = await this.#fabric();
    process.kill(old.pid, 'SIGKILL');
    const begun = performance.now();
    await this.#lab.within('the fabric ends', gone(old));
    await this.#runs();
    this.#note('fabric', performance.now() - begun, '');
    this.#sameProcesses(before, await this.#pids());
    await this.#check(null);
  }

  async bothRound(): Promise<void> {
    const before = await this.#pids();
    const old = await this.#fabric();
    const killFabric = sleep(this.#random.below(100)).then(() => process.kill(old.pid, 'SIGKILL'));
    const answered = await this.#killServer();
    await killFabric;
    await this.#lab.within('the emulators count on', this.#lab.countersGoOn());
    const took = await this.#comeBack();
    this.#note('both', took, '');
    this.#sameProcesses(before, await this.#pids());
    await this.#check(answered);
  }

  /** Stops everything; nothing may be left. */
  async end(): Promise<void> {
    const lab = this.#lab;
    await lab.ask('POST', '/nodes/stop', {});
    for (const { status, name } of await lab.nodes())
      if (status !== 'stopped') this.#problem(`${name} is ${status} after all nodes were stopped`);
    for (const [id, left] of await lab.processes())
      this.#problem(`process ${left.map(({ pid }) => pid).join(', ')} of ${id} is left over`);
    const fabric = await this.#fabric();
    await lab.server.kill('SIGTERM');
    await lab.within('the fabric ends', gone(fabric));
  }

  #problem(problem: string): void {
    this.summary.problems.push(problem);
  }

  #note(sort: 'server' | 'fabric' | 'both', ms: number, more: string): void {
    this.summary.rounds += 1;
    this.summary.slowest[sort] = Math.max(this.summary.slowest[sort], Math.round(ms));
    this.#report(`round ${this.summary.rounds} (${sort}): all runs again after ${Math.round(ms)} ms ${more}`.trim());
  }

  async #fabric(): Promise<ProcessIdentity> {
    const pid = await fabricPid(this.#lab.dataDir);
    return (await identityOf(pid)) ?? { pid, started: '' };
  }

  /** Kills it in the middle of work; resolves with what it had answered. */
  async #killServer(): Promise<Answered> {
    const done = new AbortController();
    const busy = this.#lab.beRestless(done.signal);
    await sleep(this.#random.below(LONGEST_MS));
    await this.#lab.server.kill('SIGKILL');
    done.abort();
    return this.#lab.within('the restless are done', busy);
  }

  /** Milliseconds until everything runs again. */
  async #comeBack(): Promise<number> {
    await sleep(this.#random.below(LONGEST_AWAY_MS));
    if (this.#random.below(IN_VAIN) === 0) await this.#lab.comeBackInVain(100 + this.#random.below(700));
    const begun = performance.now();
    await this.#lab.within('the server comes back', this.#lab.comeBack());
    await this.#runs();
    return performance.now() - begun;
  }

  #runs(): Promise<void> {
    return this.#lab.within('everything runs again', this.#lab.everythingRuns());
  }

  /** Process of each emulator outside, from its own counter. */
  async #pids(): Promise<Map<string, number>> {
    const pids = new Map<string, number>();
    for (const { node } of this.#lab.echoes) pids.set(node.name, (await readCounter(node.node_directory))?.pid ?? 0);
    return pids;
  }

  #sameProcesses(before: Map<string, number>, after: Map<string, number>): void {
    for (const [name, pid] of before)
      if (after.get(name) !== pid) this.#problem(`${name} was process ${pid} and is ${after.get(name) ?? 'none'}`);
  }

  /** Records against the world, and against what was answered. */
  async #check(answered: Answered | null): Promise<void> {
    const lab = this.#lab;
    for (const id of answered?.drawings ?? []) this.#drawings.add(id);
    const drawings = (await lab.ask('GET', '/drawings')) as unknown as { drawing_id: string }[];
    const there = new Set(drawings.map(({ drawing_id }) => drawing_id));
    for (const id of this.#drawings) if (!there.has(id)) this.#problem(`drawing ${id} was answered and is gone`);
    const nodes = await lab.nodes();
    const processes = await lab.processes();
    for (const node of nodes.filter(({ node_type }) => node_type === 'echo'))
      this.#once(node, processes.get(node.node_id)?.length ?? 0);
    for (const node of nodes) this.#asAnswered(node, answered?.actions.get(node.node_id) ?? null);
    for (const pc of lab.pcs)
      if (nodes.find(({ node_id }) => node_id === pc.node_id)?.console !== pc.console)
        this.#problem(`${pc.name} has another console port`);
  }

  #once({ name, status }: LabNode, processes: number): void {
    const expected = status === 'started' ? 1 : 0;
    if (processes !== expected) this.#problem(`${name} is ${status} and has ${processes} processes`);
  }

  #asAnswered({ name, status }: LabNode, action: 'start' | 'stop' | null): void {
    const expected = action === 'start' ? 'started' : 'stopped';
    if (action !== null && status !== expected) this.#problem(`${name} was answered ${action} and is ${status}`);
  }
}
