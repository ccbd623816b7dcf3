import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Emitter } from '../../common/emitter.ts';
import { messageOf, reporting } from '../../common/errors.ts';
import { until } from '../../common/promises.ts';
import { haveEnded } from '../../processes/end.ts';
import { identityOf, isAlive, type ProcessIdentity, type ProcessStat, statOf } from '../../processes/identity.ts';
import type { FabricEvent, Inventory, Op, OpResult } from '../protocol.ts';
import { type FabricClient, FabricError } from './client.ts';
import { openConsole } from './connect.ts';
import { forgetInventory } from './inventory.ts';
import { socketPaths } from './runtime-directory.ts';
import { findOrStartFabric, type FoundFabric } from './supervise.ts';

export type { FabricEvent };

/** Longest pause between two attempts to start a fabric. */
const SLOWEST_TRY_MS = 5_000;
/** Longest wait of an op while there is no fabric. Milliseconds. */
const REPLACED_WITHIN_MS = 10_000;
/** Pause before taking back a fabric that another server keeps taking: doubled each time, up to the longest. Milliseconds. */
const BACK_MS = 1_000;
const SLOWEST_BACK_MS = 60_000;
/** Pause before rebuilding in a new fabric is tried again. Milliseconds. */
const REBUILD_AGAIN_MS = 1_000;
/** Time for a killed process to be gone; after it another is started beside it. Milliseconds. */
const KILLED_WITHIN_MS = 2_000;

/** `hung`: it does not answer and is being killed. `replacing`: another is being started, or the lab is being rebuilt in it. */
type FabricState = 'ok' | 'hung' | 'replacing' | 'unused';

export interface FabricHealth {
  state: FabricState;
  pid: number;
  /** Milliseconds since it answered a heartbeat. */
  answered_ms: number;
  /** How frames reach UDP: a sentence. */
  sockets: string;
}

export interface FabricKeeper extends FabricClient {
  /** The fabric was already running when this server started. */
  readonly adopted: boolean;
  pid(): number;
  health(): FabricHealth;
  /** Called when a new, empty fabric has replaced a lost one. `why` is a sentence. */
  onReplaced(listener: (why: string) => void): void;
  /** Sets what rebuilds everything in a new, empty fabric; it is tried again when it rejects. */
  rebuildBy(rebuild: () => Promise<void>): void;
  /** Ends the fabric and everything in it, whether it answers or not. */
  end(): Promise<void>;
}

/**
 * One fabric for as long as the server runs: a client that stays valid while the process behind it is replaced, because it ended or
 * hung. Ops that come while there is none wait for the next one, up to a deadline.
 */
export const keepFabric = async (dataDir: string, logger: Logger): Promise<FabricKeeper> => {
  const found = await findOrStartFabric({ dataDir, logger });
  return new Keeper(dataDir, logger, found, await processOf(found));
};

/** null for a fabric that runs in this very process: it must not be killed. */
const processOf = async ({ pid }: FoundFabric): Promise<ProcessIdentity | null> =>
  pid === process.pid ? null : identityOf(pid);

class Keeper implements FabricKeeper {
  readonly adopted: boolean;
  readonly #dataDir: string;
  readonly #logger: Logger;
  readonly #events = new Emitter<{ event: [FabricEvent]; replaced: [why: string] }>();
  readonly onEvent = this.#events.subscriber('event');
  readonly onReplaced = this.#events.subscriber('replaced');
  #rebuildAll: () => Promise<void> = () => Promise.resolve();
  #closing = false;
  /** How often in a row another server has taken the fabric. */
  #taken = 0;
  #state: FabricState = 'ok';
  #last: WatchedFabric;
  #current: Promise<WatchedFabric>;

  constructor(dataDir: string, logger: Logger, found: FoundFabric, identity: ProcessIdentity | null) {
    this.#dataDir = dataDir;
    this.#logger = logger;
    this.adopted = found.adopted;
    this.#last = this.#watch(found, identity);
    this.#current = Promise.resolve(this.#last);
  }

  #watch(found: FoundFabric, identity: ProcessIdentity | null): WatchedFabric {
    const { pid, client } = found;
    let why = `the fabric (process ${pid}) has ended`;
    const hung = (reason: string): void => {
      why = `the fabric (process ${pid}) hung and was ended: ${reason}`;
      this.#state = 'hung';
      this.#logger.warn(why);
      void kill(identity)
        .catch(reporting(this.#logger, {}))
        .finally(() => client.close());
    };
    const heartbeat = watchHeartbeat({ pid, beat: client.beat, onHung: hung });
    // Fabrics of earlier releases do not answer heartbeats.
    if (!found.beats) heartbeat.stop();
    client.onEvent((event) => this.#events.emit('event', event));
    client.onLost(() => {
      heartbeat.stop();
      if (this.#closing) return;
      this.#current = this.#replace(this.#last, why);
      // Waiting ops get the failure.
      this.#current.catch(() => undefined);
    });
    return { ...found, heartbeat, identity, since: performance.now() };
  }

  async #replace(lost: WatchedFabric, ended: string): Promise<WatchedFabric> {
    this.#state = 'replacing';
    forgetInventory(this);
    const why = await this.#reasonOf(lost, ended);
    const wanted = { dataDir: this.#dataDir, logger: this.#logger, patience: KILLED_WITHIN_MS };
    for (let pause = 50; ; pause = Math.min(SLOWEST_TRY_MS, pause * 2)) {
      if (this.#closing) throw new FabricError('lost', 'The server is shutting down');
      try {
        const found = await findOrStartFabric(wanted);
        const watched = (this.#last = this.#watch(found, await processOf(found)));
        // Later, once `#current` has settled: rebuilding uses this client as well.
        setImmediate(() => void this.#rebuild(watched, why));
        return watched;
      } catch (error) {
        this.#logger.error(`the fabric does not start: ${messageOf(error)}`);
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  /** A sentence that says why the fabric was lost. Waits before taking it back from another server, as both would take it from each other for ever. */
  async #reasonOf({ identity, pid, since }: WatchedFabric, ended: string): Promise<string> {
    if (identity === null || (await haveEnded([identity], KILLED_WITHIN_MS))) {
      this.#logger.warn(`${ended}; starting another`);
      return `${ended}; another took its place`;
    }
    this.#taken = performance.now() - since > SLOWEST_BACK_MS ? 1 : this.#taken + 1;
    const why = `another server took the fabric (process ${pid}), and this one took it back`;
    if (this.#taken === 1)
      this.#logger.error(`another server takes the fabric (process ${pid}): two use ${this.#dataDir}; end one of them`);
    await sleep(Math.min(SLOWEST_BACK_MS, BACK_MS * 2 ** this.#taken), undefined, { ref: false });
    return why;
  }

  async #rebuild(watched: WatchedFabric, why: string): Promise<void> {
    const isThere = (): boolean => this.#last === watched && !this.#closing;
    if (isThere()) this.#events.emit('replaced', why);
    let tries = 0;
    await until(() => !isThere() || this.#isRebuilt(tries++ === 0), { every: REBUILD_AGAIN_MS });
    if (isThere() && this.#state === 'replacing') this.#state = 'ok';
  }

  /** Logs the first failure only, as it is tried again until the log can be read. */
  #isRebuilt(isFirst: boolean): Promise<boolean> {
    return this.#rebuildAll().then(
      () => true,
      (error: unknown) => {
        if (isFirst) this.#logger.error(`rebuilding the fabric: ${messageOf(error)}`);
        return false;
      },
    );
  }

  async #client(): Promise<FabricClient> {
    return (await inTime(this.#current)).client;
  }

  pid(): number {
    return this.#last.pid;
  }

  health(): FabricHealth {
    const { pid, sockets, heartbeat } = this.#last;
    return { state: this.#state, pid, answered_ms: Math.round(heartbeat.silence()), sockets };
  }

  async run(ops: Op[]): Promise<OpResult[]> {
    return (await this.#client()).run(ops);
  }

  async one<T>(op: Op): Promise<T> {
    return (await this.#client()).one<T>(op);
  }

  async inventory(): Promise<Inventory> {
    return (await this.#client()).inventory();
  }

  async console(nodeId: string): Promise<Duplex> {
    return (await this.#client()).console(nodeId);
  }

  onLost(): void {
    // Never called: a lost fabric is replaced.
  }

  rebuildBy(rebuild: () => Promise<void>): void {
    this.#rebuildAll = rebuild;
  }

  close(): void {
    this.#closing = true;
    this.#last.heartbeat.stop();
    this.#last.client.close();
  }

  async end(): Promise<void> {
    const { client, identity, pid } = this.#last;
    this.#closing = true;
    this.#last.heartbeat.stop();
    const asked = client.one({ op: 'shutdown' }).catch(() => undefined);
    await Promise.race([asked, sleep(KILLED_WITHIN_MS, undefined, { ref: false })]);
    client.close();
    if (identity === null || (await haveEnded([identity], KILLED_WITHIN_MS))) return;
    this.#logger.warn(`the fabric (process ${pid}) did not end when it was asked to and is killed`);
    await kill(identity);
  }
}

/** The fabric in use. `since`: when it was found, by the monotonic clock. */
type WatchedFabric = FoundFabric & { heartbeat: Heartbeat; identity: ProcessIdentity | null; since: number };

/** Kills exactly this process, even a stopped one: if it continued later, it would carry out outdated ops. */
const kill = async (identity: ProcessIdentity | null): Promise<void> => {
  if (identity === null || !(await isAlive(identity))) return;
  process.kill(identity.pid, 'SIGKILL');
  await haveEnded([identity], KILLED_WITHIN_MS);
};

/** Uses a plain timer: an abort signal for each command costs as much as the command. */
const inTime = <T>(promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new FabricError('lost', 'There is no fabric, and none could be started in time'));
    const timer = setTimeout(late, REPLACED_WITHIN_MS).unref();
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Milliseconds between two heartbeats. */
const BEAT_MS = 500;
/** Heartbeats in a row without an answer and without any use of the processor: the process is stopped or blocked. */
const MOST_MISSED = 10;
/** The same where the system does not tell the processor time, as the process may just be slow. */
const MOST_MISSED_UNSEEN = 40;
/**
 * Processor time without an answer after which the event loop counts as stuck. Milliseconds. A fabric that gets little of a loaded
 * processor takes long to use it up, and so is not killed.
 */
const MOST_BUSY_MS = 10_000;

/** State of the fabric at a heartbeat. `answered`: since the one before; `busy`: processor time used so far. */
export interface HeartbeatSample {
  answered: boolean;
  /** Milliseconds; null: unknown. */
  busy: number | null;
  /** Ready to run: it waits for nothing but the processor. */
  runnable: boolean;
}

/**
 * Tells a hanging fabric from a slow one. Returns why it hangs, or null. Counts beats of this process's own timer instead of reading
 * the clock: a server that was itself held up, or stopped and continued, has counted only one.
 */
export const createHangDetector = (): ((sample: HeartbeatSample) => string | null) => {
  let missed = 0;
  let spent = 0;
  let before: number | null = null;
  return ({ answered, busy, runnable }) => {
    const used = busy === null || before === null ? 0 : busy - before;
    before = busy;
    if (answered) {
      missed = spent = 0;
      return null;
    }
    spent += used;
    if (used === 0 && !runnable) missed++;
    if (spent >= MOST_BUSY_MS) return `it has computed for ${spent / 1000} s without an answer`;
    if (missed >= (busy === null ? MOST_MISSED_UNSEEN : MOST_MISSED))
      return `it has answered none of ${missed} heartbeats and does nothing`;
    return null;
  };
};

interface Heartbeat {
  /** Milliseconds since the last answer. */
  silence(): number;
  stop(): void;
}

interface HeartbeatOptions {
  pid: number;
  /** Resolves when the process has answered. */
  beat: () => Promise<void>;
  onHung: (reason: string) => void;
  /** For tests. */
  look?: (pid: number) => Promise<ProcessStat | null>;
  beatMs?: number;
}

/** Sends heartbeats until it is stopped or the process hangs. */
export const watchHeartbeat = ({ pid, beat, onHung, look = statOf, beatMs = BEAT_MS }: HeartbeatOptions): Heartbeat => {
  const verdict = createHangDetector();
  let answered = true;
  let heard = performance.now();
  let looking = false;
  const ask = (): void =>
    void beat().then(() => {
      answered = true;
      heard = performance.now();
    });
  const tick = async (): Promise<void> => {
    const stat = await look(pid);
    // An answer that has arrived by now counts, however late it is read.
    const reason = verdict({ answered, busy: stat?.busy ?? null, runnable: stat?.runnable ?? false });
    if (answered) ask();
    answered = false;
    if (reason === null) return;
    clearInterval(timer);
    onHung(reason);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void tick().finally(() => (looking = false));
  }, beatMs);
  timer.unref();
  return { silence: () => performance.now() - heard, stop: () => clearInterval(timer) };
};

/**
 * The fabric for a server that only reads, which may belong to another server: only its consoles can be opened. It is neither started nor
 * controlled, as a control connection would take the events that wait for a writing server.
 */
export const readFabric = (dataDir: string): FabricKeeper => {
  const refuse = (): Promise<never> =>
    Promise.reject(new FabricError('failed', 'this server only reads: the log cannot be written'));
  return {
    adopted: false,
    pid: () => 0,
    health: () => ({ state: 'unused', pid: 0, answered_ms: 0, sockets: 'none: this server only reads' }),
    run: refuse,
    one: refuse,
    inventory: refuse,
    console: (nodeId) => firstConsole(dataDir, nodeId),
    onEvent: () => undefined,
    onLost: () => undefined,
    onReplaced: () => undefined,
    rebuildBy: () => undefined,
    close: () => undefined,
    end: () => Promise.resolve(),
  };
};

const firstConsole = async (dataDir: string, nodeId: string): Promise<Duplex> => {
  let failure: unknown = new FabricError('failed', 'no fabric runs');
  for (const socketPath of await socketPaths(dataDir)) {
    try {
      return await openConsole(socketPath, nodeId);
    } catch (error) {
      failure = error;
    }
  }
  throw new FabricError('failed', `the console cannot be opened while this server only reads: ${messageOf(failure)}`);
};
