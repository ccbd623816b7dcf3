import { createHash } from 'node:crypto';
import { readConfig } from '../../src/server/config.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { type RunningServer, startServer } from '../../src/main.ts';
import type { Thing } from '../faults/expectations.ts';
import { Client, type Reachable } from './clients.ts';
import { Disk, ROOT, setDisk } from './disk.ts';
import { watchEffects } from './effects.ts';
import { SimulatedFabric } from './fabric.ts';
import { checkFiles } from './files.ts';
import { checkDone } from './done.ts';
import { checkLog, checkMachines, checkRecords, checkRest, checkWorld, History } from './invariants.ts';
import { LevelDisk, setLevelDisk } from './level.ts';
import { planMishaps } from './mishaps.ts';
import { Programs, setPrograms, simulatedKinds } from './processes.ts';
import { fabrics, inside } from './stand-ins.ts';
import { type Owner, setWorld, World } from './world.ts';
import { loggerTo } from '../support/logger.ts';

const DATA = `${ROOT}/data`;
/** Simulated milliseconds: everything that is under way has ended after so long. */
const REST_MS = 70_000;
const PATIENCE_MS = 1_200_000;

/** Beginnings of types of events after which the server is killed on purpose, and how long one is waited for. Simulated milliseconds. */
const AIMS = [
  ...['file.written', 'image.uploaded', 'image.deleted', 'symbol.stored', 'symbol.deleted', 'license.', 'snapshot.'],
  ...[
    'project.created',
    'project.deleted',
    'project.open',
    'project.restore',
    'project.appl',
    'project.nodes_requested',
  ],
  ...['project.unattended', 'node.created', 'node.updated', 'node.deleted', 'node.stopped', 'link.', 'capture.'],
  ...['weather.', 'run.begun', 'check.'],
];
const AIM_MS = 1_000;
/** The same where all kills have one aim, and steps before it. */
const ONLY_AIM_MS = 3_000;
const ONLY_AIM_STEPS = 100;

export interface Outcome {
  seed: number;
  problems: readonly string[];
  lastSteps: readonly string[];
  steps: number;
  events: number;
  starts: number;
  asked: number;
  answered: number;
  /** SHA-256 of the whole log. */
  digest: string;
}

interface Life {
  owner: Owner;
  server: RunningServer | null;
  /** It was told to end and has ended, or its start has failed. */
  over: boolean;
  failed: string | null;
  /** Writes that had failed before. What fails to be done after its event is done by the next start. */
  failures: number;
}

/** One seed: a machine, its server and fabric, clients, and everything that goes wrong. */
export class Simulation {
  readonly #seed: number;
  readonly #aim: string | null;
  readonly #world: World;
  readonly #level = new LevelDisk();
  readonly #disk = new Disk();
  readonly #programs: Programs;
  readonly #clients: Client[];
  readonly #home: string;
  #life: Life | null = null;
  #lives = 0;
  #position = 0;
  /** Clients ask no more. */
  #isQuiet = true;
  /** Nothing more goes wrong. */
  #isCalm = true;

  /** `aim`: beginning of the types of events that kills are aimed at; null: they come at any time. */
  constructor(seed: number, { tell, aim }: { tell: ((line: string) => void) | null; aim: string | null }) {
    this.#aim = aim;
    this.#seed = seed;
    const world = new World(seed);
    this.#world = world;
    world.tell = tell;
    world.afterStep = () => this.#afterStep();
    setWorld(world);
    setDisk(this.#disk);
    setLevelDisk(this.#level);
    const rarely = (most: number): number => (world.chance(0.5) ? 0 : world.random.next() * most);
    const mood = { opFails: rarely(0.04), nodeEnds: rarely(0.3) };
    fabrics.now = null;
    fabrics.make = () => new SimulatedFabric(mood);
    fabrics.startFails = rarely(0.2);
    this.#programs = new Programs({
      ...{ startFails: rarely(0.2), ends: rarely(0.4), endsAtOnce: rarely(0.1), lookFails: rarely(0.1), bootMs: 20 },
    });
    setPrograms(this.#programs);
    watchEffects(world, this.#level);
    this.#home = world.random.uuid();
    this.#clients = Array.from({ length: 2 + world.random.below(4) }, (_, n) => new Client(world, `c${n}`, this.#home));
  }

  async run(): Promise<Outcome> {
    const world = this.#world;
    const rounds = 3 + world.random.below(4);
    await this.#start();
    await this.#makeHome();
    for (let round = 0; round < rounds && world.problems.length === 0; round++) await this.#round();
    if (world.problems.length === 0) await this.#end();
    return this.#outcome();
  }

  #outcome(): Outcome {
    const world = this.#world;
    const digest = createHash('sha256');
    let events = 0;
    for (const [key, text] of this.#level.rows({ gte: KEYS.event(0), lte: KEYS.eventEnd })) {
      digest.update(`${key} ${text}\n`);
      events++;
    }
    const asked = this.#clients.flatMap((client) => client.asked);
    return {
      seed: this.#seed,
      problems: world.problems,
      lastSteps: world.lastSteps(),
      steps: world.steps,
      events,
      starts: this.#lives,
      asked: asked.length,
      answered: asked.filter(({ outcome }) => outcome === 'done').length,
      digest: digest.digest('hex'),
    };
  }

  /** Clients work for a while, things go wrong, and everything is looked at when it has come to rest. */
  async #round(): Promise<void> {
    const world = this.#world;
    this.#isCalm = world.chance(0.2);
    this.#isQuiet = false;
    for (const client of this.#clients) this.#nextOf(client);
    if (!this.#isCalm) planMishaps(world, this.#programs, this.#level, this.#disk);
    const { failures } = this.#level;
    const steps = world.steps + (this.#aim === null ? 50 + world.random.below(1500) : ONLY_AIM_STEPS);
    await this.#until(() => world.steps >= steps || world.problems.length > 0);
    // A start would hide what a failed write has left in memory.
    const usual = this.#level.failures > failures && world.chance(0.6) ? 9 : world.random.below(10);
    const how = this.#aim === null ? usual : usual % 6;
    if (this.#aim !== null) await this.#untilEffect(this.#aim);
    // An event that is on disk, and nothing has come of it yet.
    else if (how < 6 && world.chance(0.3)) await this.#until(() => this.#level.syncing > 0, 500);
    else if (how < 6 && world.chance(0.5)) await this.#untilEffect(world.random.pick(AIMS) ?? '');
    if (how < 4) this.#kill();
    else if (how < 6) this.#cut();
    if (how < 6 && world.chance(0.3)) await this.#startAndKill();
    this.#isQuiet = true;
    if (how < 6) {
      await this.#start();
      if (world.chance(0.4)) return;
    }
    await this.#rest();
    if (how === 6) {
      await this.#close();
      await this.#start();
    }
  }

  /** An event with an effect outside the log has just come to disk, and the effect is under way. */
  async #untilEffect(aim: string): Promise<void> {
    const { lastSynced } = this.#level;
    const isThere = (): boolean =>
      this.#level.lastSynced !== lastSynced && this.#level.lastSynced.some((name) => name.includes(` ${aim}`));
    if (!(await this.#until(isThere, this.#aim === null ? AIM_MS : ONLY_AIM_MS))) return;
    const steps = this.#world.steps + this.#world.random.below(12);
    await this.#until(() => this.#world.steps >= steps, 500);
  }

  #nextOf(client: Client): void {
    const world = this.#world;
    const ask = (): void => {
      const server = this.#reachable();
      if (this.#isQuiet || server === null || client.waiting !== null || client.isUnsure) return;
      client.ask(server, () => this.#nextOf(client));
    };
    world.after(world.latency(2), `${client.name} thinks`, ask, { owner: world.outside });
  }

  get #failures(): number {
    return this.#level.failures + this.#disk.refused;
  }

  #reachable(): Reachable | null {
    const { deps } = inside;
    // One that only reads is asked nothing: its commands are all refused.
    if (deps === null || this.#life?.server?.readOnly !== null || this.#life.over) return null;
    return { owner: this.#life.owner, commands: deps.commands, records: deps.records };
  }

  async #until(done: () => boolean, patience = PATIENCE_MS): Promise<boolean> {
    const until = this.#world.now + patience;
    while (!done()) if (!(await this.#world.step(until))) return done();
    return true;
  }

  /** The server's start; returns at once. */
  #begin(): Life {
    const world = this.#world;
    this.#lives++;
    const owner: Owner = { name: `server ${this.#lives}`, alive: true };
    const life: Life = { owner, server: null, over: false, failed: null, failures: this.#failures };
    this.#life = life;
    inside.deps = null;
    inside.directory = null;
    inside.context = null;
    const config = readConfig(['--data-dir', DATA, '--port', '0', '--file-idle', '500', '--auto-close-grace', '3'], {});
    if (config === null) throw new Error('no configuration');
    const report = (message: string): void => world.trace(`reports: ${message}`);
    world.after(
      1,
      'the server starts',
      () => {
        startServer(config, loggerTo(report), { kinds: simulatedKinds() }).then(
          (server) => (life.server = server),
          (error: unknown) => {
            life.over = true;
            life.failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
          },
        );
      },
      { owner },
    );
    return life;
  }

  /** A machine that is switched on makes its directory; a start has to succeed, if need be once the disk takes writes again. */
  async #start(): Promise<void> {
    if (this.#disk.find(DATA) === null) {
      if (this.#disk.find(ROOT) === null) this.#disk.mkdir(ROOT, 0o755);
      this.#disk.mkdir(DATA, 0o755);
      this.#disk.sync();
    }
    for (let tries = 0; tries < 10; tries++) {
      const life = this.#begin();
      // One that only reads restarts itself once the disk takes writes, or says that somebody has to.
      await this.#until(() => life.over || (life.server !== null && life.server.readOnly?.heals !== true));
      if (life.server?.readOnly === null) return;
      if (life.server !== null) life.failed = life.server.readOnly.reason;
      life.over ||= life.server !== null;
      if (!life.over) return this.#world.problem('the server does not come up');
      if (
        !/No space left|log cannot be written|could not be started|ENOSPC|disk of the data directory is full/.test(
          life.failed ?? '',
        )
      )
        return this.#world.problem(`the server does not start: ${life.failed}`);
      this.#leave();
      await this.#until(() => false, 3000);
    }
    this.#world.problem('the server does not start');
  }

  /** It dies in the middle of its start. */
  async #startAndKill(): Promise<void> {
    const world = this.#world;
    const life = this.#begin();
    const steps = world.steps + world.random.below(250);
    await this.#until(() => world.steps >= steps || life.over);
    if (world.chance(0.8)) this.#kill();
    else this.#cut();
  }

  #leave(): void {
    const { owner } = this.#life as Life;
    this.#world.kill(owner);
    this.#level.crash();
    this.#life = null;
    inside.deps = null;
    inside.directory = null;
    inside.context = null;
    this.#position = 0;
    for (const program of this.#programs.running()) program.parent = null;
    for (const client of this.#clients) client.cutOff();
  }

  /** The server is killed; now and then its fabric with it. */
  #kill(): void {
    this.#leave();
    if (this.#world.chance(0.3)) fabrics.now?.die();
  }

  /** The machine is switched off. */
  #cut(): void {
    this.#world.trace('the power is cut');
    // Its battery is empty: the clock that it wakes up with may be anywhere.
    if (this.#world.chance(0.3)) this.#world.clockError = this.#world.random.below(7_200_000) - 3_600_000;
    this.#leave();
    fabrics.now?.die();
    this.#programs.cut();
    const kept = (limit: number): number => this.#world.random.below(limit);
    this.#level.cut(kept);
    this.#disk.cut(kept);
  }

  async #makeHome(): Promise<void> {
    const server = this.#reachable();
    if (server === null) return;
    const caller = { by: { principal: 'home', address: '127.0.0.1', agent: null }, request_id: 'home' };
    let made = false;
    const make = (): void =>
      void server.commands
        .createProject(caller, { name: 'home', project_id: this.#home, auto_close: false })
        .then(() => (made = true));
    this.#world.after(1, 'home is made', make, { owner: server.owner });
    if (!(await this.#until(() => made))) this.#world.problem('the home project cannot be made');
  }

  /** Until nothing is under way; then everything is looked at. */
  async #rest(): Promise<void> {
    const world = this.#world;
    this.#isQuiet = true;
    await this.#until(() => this.#clients.every((client) => client.waiting === null || client.overdue() !== null));
    for (const client of this.#clients) {
      const late = client.waiting;
      if (late !== null) world.problem(`${late.id} (${late.operation.what}) is not answered`);
    }
    await this.#until(() => false, REST_MS);
    if (world.problems.length > 0) return;
    await this.#check();
  }

  async #check(): Promise<void> {
    const world = this.#world;
    const { context, directory } = inside;
    if (context === null || directory === null) return;
    const found: string[] = [];
    let done = false;
    const look = (): void =>
      void checkLog(this.#level).then((problems) => {
        found.push(...problems);
        done = true;
      });
    world.after(1, 'the log is checked', look, { owner: world.outside });
    await this.#until(() => done);
    const { committed } = context;
    const { now } = fabrics;
    const history = new History(this.#level);
    const isWell = this.#life?.failures === this.#failures;
    found.push(
      ...(context.log.status().writable ? [] : ['the log stays read-only']),
      ...checkRecords(committed, this.#level),
      // Nothing waits for its fsync: what is decided on is what is on disk.
      ...checkRecords(context.pending, this.#level).map((problem) => `pending: ${problem}`),
      ...checkRest(committed),
      ...checkMachines(context, directory, true),
      ...checkWorld(committed, { fabric: now?.owner.alive === true ? now : null, programs: this.#programs }),
      ...history.check(this.#clients),
      ...(isWell ? [...checkDone(context), ...checkFiles(history.events, committed)] : []),
      ...this.#compareOwn(),
    );
    for (const problem of found) world.problem(problem);
  }

  #compareOwn(): string[] {
    const there = new Map<string, Thing>();
    for (const record of inside.context?.committed.ofProject('drawing', this.#home) ?? [])
      there.set(`drawing/${record.drawing_id}`, record as unknown as Thing);
    const known = new Set(this.#clients.flatMap((client) => client.expectations.keys()));
    const marks = new Set(this.#clients.flatMap((client) => client.marks.map((mark) => `<svg>${mark}</svg>`)));
    const strays = [...there].filter(([key, { svg }]) => !known.has(key) && !marks.has(String(svg)));
    return [
      ...strays.map(([key]) => `${key} is there and nobody made it`),
      ...this.#clients.flatMap((client) => client.compare(there)),
    ];
  }

  /** A clean end: it ends in bounded time, and nothing is left that runs. */
  async #close(): Promise<void> {
    const world = this.#world;
    const life = this.#life as Life;
    let closed = false;
    const close = (): void =>
      void life.server?.close('simulated').then(
        () => (closed = true),
        (error: unknown) => world.problem(`the end of the server: ${String(error)}`),
      );
    world.after(1, 'the server is told to end', close, { owner: life.owner });
    if (!(await this.#until(() => closed, 300_000))) world.problem('the server does not end');
    await this.#until(() => false, 1000);
    life.over = true;
    if (fabrics.now?.owner.alive === true) world.problem('the fabric outlives the clean end of its server');
    for (const { pid } of this.#programs.running())
      world.problem(`program ${pid} outlives the clean end of its server`);
    this.#leave();
  }

  /** The last look: at rest, after a clean end and another start. */
  async #end(): Promise<void> {
    this.#isCalm = true;
    await this.#rest();
    if (this.#world.problems.length > 0) return;
    await this.#close();
    await this.#start();
    await this.#rest();
    if (this.#world.problems.length === 0) await this.#close();
  }

  #afterStep(): void {
    const { context, directory } = inside;
    const life = this.#life;
    if (context === null || directory === null || life === null || life.over) return;
    const { position } = context.log.status();
    if (position === this.#position) return;
    this.#position = position;
    if (!this.#level.synced.has(KEYS.event(position)))
      this.#world.problem(`position ${position} counts as committed and is not on disk`);
    for (const problem of checkMachines(context, directory, false)) this.#world.problem(problem);
  }
}
