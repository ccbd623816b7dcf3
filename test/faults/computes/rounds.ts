import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMachines, type Machines, whyNoMachines } from '../../support/machines.ts';
import { request } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { type Random, seeded } from '../prng.ts';
import { FAULTS, type Fault } from './faults.ts';
import { Host } from './host.ts';
import { Troubles } from './troubles.ts';
import { compareComputes, compareFabrics, readRecords, type Records, thingsOf } from './truth.ts';
import { LabWriter } from './writer.ts';
import { until } from '../../../src/common/promises.ts';

export interface ComputeFaultOptions {
  faults: number;
  seed: number;
  /** Machines of their own, as root; otherwise all are on this one, and the ways between go over relays. */
  namespaces?: boolean;
  /** How long commands about others take is a matter too. */
  timed?: boolean;
  /** Aborted: it ends before the next fault. */
  signal?: AbortSignal;
  report: (line: string) => void;
}

export interface ComputeFaultSummary {
  faults: Record<string, number>;
  answered: number;
  refused: number;
  unanswered: number;
  /** Longest command about machines that had nothing. Milliseconds. */
  longest: number;
  problems: string[];
}

/** First UDP port of the first of them. */
const UDP_PORTS = 20_000;

const FAR = ['c1', 'c2', 'c3'];
const WRITERS = 4;
const FAULTS_A_ROUND = 2;
/** Longest time before a fault. Milliseconds. */
const LONGEST_MS = 1_200;
/** How long writers write without faults first. Milliseconds. */
const CALM_MS = 4_000;
/** Longest time until all is well again, and how often it is looked at. Milliseconds. */
const BACK_MS = 90_000;
const LOOK_MS = 300;
/** The fabrics are looked into after one round of so many, and at the end. */
const FABRICS_EVERY = 4;

/**
 * Kills the controller, computes and fabrics, and cuts and slows the ways between them, at random moments, while clients make, start, stop,
 * move, link and delete nodes on all of them. After each round no answered write is lost, and every record says what really runs.
 */
export const computeFaults = async (options: ComputeFaultOptions): Promise<ComputeFaultSummary> => {
  const dir = await tempDir();
  const rounds = new Rounds(options, dir.path);
  try {
    await rounds.prepare();
    const goesOn = (): boolean => rounds.isWell && options.signal?.aborted !== true;
    while (rounds.done < options.faults && goesOn()) await rounds.round(options.faults - rounds.done);
    if (rounds.isWell) await rounds.end();
  } finally {
    await rounds.close();
    await dir.remove();
  }
  return rounds.summary;
};

/** Machines on this one must not take each other's ports while one of them is away, as machines of their own do not. */
const ownUdpPorts = (n: number): string[] => ['--udp-ports', `${UDP_PORTS + n * 1_000}-${UDP_PORTS + n * 1_000 + 999}`];

class Rounds {
  readonly summary: ComputeFaultSummary = {
    ...{ faults: {}, answered: 0, refused: 0, unanswered: 0, longest: 0 },
    problems: [],
  };
  readonly #options: ComputeFaultOptions;
  readonly #directory: string;
  readonly #random: Random;
  readonly #troubles = new Troubles();
  #network: Machines | null = null;
  #controller: Host | null = null;
  readonly #far: Host[] = [];
  #writers: LabWriter[] = [];
  #project = '';
  #rounds = 0;

  constructor(options: ComputeFaultOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
    this.#random = seeded(options.seed);
  }

  get done(): number {
    return Object.values(this.summary.faults).reduce((sum, count) => sum + count, 0);
  }

  get isWell(): boolean {
    return this.summary.problems.length === 0;
  }

  get #here(): Host {
    assert.ok(this.#controller);
    return this.#controller;
  }

  /** The controller's own machine is one of them. */
  get #all(): Host[] {
    return [this.#here, ...this.#far];
  }

  async prepare(): Promise<void> {
    if (this.#options.namespaces === true && whyNoMachines() === null) this.#network = createMachines(FAR.length);
    const directory = this.#directory;
    this.#controller = await Host.start('local', { directory, flags: ownUdpPorts(0) });
    for (const [n, name] of FAR.entries()) {
      const machine = this.#network?.machines[n];
      const own = { flags: ownUdpPorts(n + 1), ...(machine === undefined ? {} : { machine }) };
      this.#far.push(await Host.start(name, { directory, isFar: true, ...own }));
    }
    for (const { name, way } of this.#far)
      await this.#ask('POST', '/computes', { compute_id: name, name, protocol: 'http', ...way });
    const { project_id } = (await this.#ask('POST', '/projects', { name: 'lab' })) as { project_id: string };
    this.#project = project_id;
    const random = (): Random => seeded(this.#random.below(2 ** 31));
    this.#writers = Array.from(
      { length: WRITERS },
      (_, n) =>
        new LabWriter({
          ...{ name: `w${n}`, project: `/v2/projects/${project_id}`, computes: ['local', ...FAR] },
          ...{ random: random(), troubles: this.#troubles },
        }),
    );
    if (this.#options.timed === true) await this.#whileWriting(() => sleep(CALM_MS));
  }

  async round(most: number): Promise<void> {
    const faults = Array.from({ length: Math.min(FAULTS_A_ROUND, most) }, () => this.#random.pick(FAULTS));
    const begun = Date.now();
    const said: string[] = [];
    await this.#whileWriting(async () => {
      for (const fault of faults)
        if (fault !== undefined) {
          await sleep(this.#random.below(LONGEST_MS));
          said.push(await this.#inflict(fault));
        }
      await sleep(this.#random.below(LONGEST_MS));
    });
    await this.#settle(++this.#rounds % FABRICS_EVERY === 0);
    this.#options.report(`${this.done} faults (${said.join(', ')}): ${Date.now() - begun} ms`);
  }

  /** Everything goes, and nothing may be left of it anywhere. */
  async end(): Promise<void> {
    await this.#settle(true);
    if (!this.isWell) return;
    await this.#ask('DELETE', `/projects/${this.#project}`);
    const nothing: Records = { nodes: [], links: [], computes: [], moving: [] };
    const left = async (): Promise<string[]> => [
      ...(await compareComputes(nothing, this.#project, this.#far)),
      ...(await compareFabrics(nothing, this.#all)),
    ];
    let found: string[] = [];
    await until(async () => (found = await left()).length === 0, { every: LOOK_MS, within: BACK_MS });
    this.summary.problems.push(...found.map((what) => `left over: ${what}`));
  }

  async close(): Promise<void> {
    const { summary } = this;
    for (const { counts } of this.#writers) {
      summary.answered += counts.answered;
      summary.refused += counts.refused;
      summary.unanswered += counts.unanswered;
    }
    summary.longest = Math.round(this.#troubles.longest);
    if (!this.isWell) await this.#tellAll();
    await this.#controller?.end();
    await Promise.all(this.#far.map((host) => host.end()));
    this.#network?.remove();
  }

  async #tellAll(): Promise<void> {
    for (const { name, output } of this.#all) this.#options.report(`${name} printed: ${output}`);
    const records = await readRecords(this.#here.url, this.#project).catch(() => null);
    this.#options.report(`records: ${JSON.stringify(records)}`);
  }

  async #inflict(fault: Fault): Promise<string> {
    const host = fault.of === 'far' ? this.#random.pick(this.#far) : this.#random.pick(this.#all);
    const victim = fault.of === 'controller' ? this.#here : (host ?? this.#here);
    this.#troubles.begin(victim.name);
    await fault.inflict(victim, this.#random);
    this.summary.faults[fault.name] = (this.summary.faults[fault.name] ?? 0) + 1;
    return `${fault.name} ${victim.name}`;
  }

  async #whileWriting(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const writing = Promise.all(this.#writers.map((writer) => writer.run(this.#here.url, over.signal)));
    try {
      await work();
    } finally {
      over.abort();
      await writing;
    }
    for (const { problems } of this.#writers) this.summary.problems.push(...problems);
    if (this.#options.timed === true) this.summary.problems.push(...this.#troubles.slow.splice(0));
  }

  /** Waits until all is quiet and as the records say, and compares with what was answered. */
  async #settle(withFabrics: boolean): Promise<void> {
    if (!this.isWell) return;
    const { problems } = this.summary;
    let last = '';
    let found: string[] = [];
    const look = async (): Promise<Records | null> => {
      const seen = await this.#look().catch((error: unknown) => [String(error)]);
      found = Array.isArray(seen) ? seen : [];
      const text = JSON.stringify(seen);
      const isSame = text === last;
      last = text;
      if (Array.isArray(seen) || !isSame) return null;
      if (withFabrics) found = await compareFabrics(seen, this.#all).catch((error: unknown) => [String(error)]);
      return found.length === 0 ? seen : null;
    };
    const settled = await until(look, { every: LOOK_MS, within: BACK_MS });
    if (settled === null) return void problems.push(...found, `not settled within ${BACK_MS / 1000} s`);
    const actual = thingsOf(settled);
    for (const writer of this.#writers) problems.push(...writer.expectations.compare(actual));
    for (const writer of this.#writers) writer.known();
    this.#troubles.over();
  }

  /** The records, or what of them is not so. */
  async #look(): Promise<Records | string[]> {
    const records = await readRecords(this.#here.url, this.#project);
    const differences = await compareComputes(records, this.#project, this.#far);
    const computes = records.computes.map(({ name, connected }) => ({ name, connected }));
    return differences.length > 0 ? differences : { ...records, computes };
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await request(this.#here.url, method, `/v2${path}`, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }
}
