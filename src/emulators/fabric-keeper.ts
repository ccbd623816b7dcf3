import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { type FabricClient, FabricError } from '../fabric/client.ts';
import type { FabricEvent, Inventory, Op, OpResult } from '../fabric/protocol.ts';
import { findOrStartFabric, type FoundFabric } from '../fabric/supervise.ts';
import { type Heartbeat, watchHeartbeat } from './fabric-heartbeat.ts';
import { forgetInventory } from './fabric-inventory.ts';
import { haveEnded } from './process/end.ts';
import { identityOf, isAlive, type ProcessIdentity } from './process/identity.ts';

export type { FabricEvent };

/** Longest pause between two tries to start a fabric that does not come up. */
const SLOWEST_TRY_MS = 5_000;
/** Longest wait of an op for a fabric while there is none. Milliseconds. */
const REPLACED_WITHIN_MS = 10_000;
/** How long a killed process may take to be gone before another is started beside it. Milliseconds. */
const KILLED_WITHIN_MS = 2_000;

/** `hung`: it does not answer and is being ended. `replacing`: another is being started, or the lab made in it anew. */
type FabricState = 'ok' | 'hung' | 'replacing' | 'unused';

export interface FabricHealth {
  state: FabricState;
  pid: number;
  /** Milliseconds since it answered a heartbeat. */
  answered_ms: number;
  /** By which means it reaches UDP: a sentence. */
  sockets: string;
}

export interface FabricKeeper extends FabricClient {
  /** The fabric at the start outlived an earlier server. */
  readonly adopted: boolean;
  /** Process of the fabric in use. */
  pid(): number;
  health(): FabricHealth;
  /** A new, empty fabric has taken the place of one that was lost: everything in it must be made again. `why` is a sentence. */
  onReplaced(listener: (why: string) => Promise<void>): void;
  /** Ends the fabric and everything in it, whether it answers or not. */
  end(): Promise<void>;
}

/**
 * One fabric for as long as the server runs: a client that stays valid while the process behind it may be replaced, because it
 * ended or because it hangs. Ops that come while there is none wait for the next one, though not for ever.
 */
export const keepFabric = async (dataDir: string, log: (line: string) => void): Promise<FabricKeeper> => {
  const eventListeners: ((event: FabricEvent) => void)[] = [];
  const replacedListeners: ((why: string) => Promise<void>)[] = [];
  let closing = false;
  let state: FabricState = 'ok';
  let last: Watched;
  let current: Promise<Watched>;

  const watch = async (found: FoundFabric): Promise<Watched> => {
    const identity = await identityOf(found.pid);
    let why = `the fabric (process ${found.pid}) has ended`;
    const hung = async (reason: string): Promise<void> => {
      why = `the fabric (process ${found.pid}) hung and was ended: ${reason}`;
      state = 'hung';
      log(why);
      await kill(identity);
      found.client.close();
    };
    const heartbeat = watchHeartbeat({
      pid: found.pid,
      beat: found.client.beat,
      onHung: (reason) => void hung(reason).catch((error: unknown) => log(messageOf(error))),
    });
    // One of an earlier release answers none.
    if (!found.beats) heartbeat.stop();
    found.client.onEvent((event) => eventListeners.forEach((listener) => listener(event)));
    found.client.onLost(() => {
      heartbeat.stop();
      if (closing) return;
      current = replace(why);
      // Whoever waits for it hears of a failure.
      current.catch(() => undefined);
    });
    return { ...found, heartbeat, identity };
  };

  const replace = async (why: string): Promise<Watched> => {
    state = 'replacing';
    log(`${why}; starting another`);
    forgetInventory(keeper);
    for (let pause = 50; ; pause = Math.min(SLOWEST_TRY_MS, pause * 2)) {
      if (closing) throw new FabricError('lost', 'The server is shutting down');
      try {
        const found = (last = await watch(await findOrStartFabric({ dataDir, log, patience: KILLED_WITHIN_MS })));
        // After the waiting ops have their client, so that what is made again may use it too.
        setImmediate(() => void rebuild(found, why));
        return found;
      } catch (error) {
        log(`the fabric does not start: ${messageOf(error)}`);
        await sleep(pause, undefined, { ref: false });
      }
    }
  };

  const rebuild = async (found: Watched, why: string): Promise<void> => {
    for (const listener of replacedListeners)
      await listener(why).catch((error: unknown) => log(`rebuilding the fabric: ${messageOf(error)}`));
    // It may be gone again by now.
    if (last === found && state === 'replacing') state = 'ok';
  };

  const now = async (): Promise<FoundFabric['client']> => (await inTime(current)).client;

  last = await watch(await findOrStartFabric({ dataDir, log }));
  current = Promise.resolve(last);
  const { adopted } = last;

  const keeper: FabricKeeper = {
    adopted,
    pid: () => last.pid,
    health: () => ({
      state,
      pid: last.pid,
      answered_ms: Math.round(last.heartbeat.silence()),
      sockets: last.sockets,
    }),
    run: async (ops: Op[]): Promise<OpResult[]> => (await now()).run(ops),
    one: async <T>(op: Op): Promise<T> => (await now()).one<T>(op),
    inventory: async (): Promise<Inventory> => (await now()).inventory(),
    console: async (nodeId: string): Promise<Duplex> => (await now()).console(nodeId),
    onEvent: (listener) => void eventListeners.push(listener),
    onLost: () => undefined,
    onReplaced: (listener) => void replacedListeners.push(listener),
    close() {
      closing = true;
      last.heartbeat.stop();
      last.client.close();
    },
    async end() {
      closing = true;
      last.heartbeat.stop();
      const asked = last.client.one({ op: 'shutdown' }).catch(() => undefined);
      await Promise.race([asked, sleep(KILLED_WITHIN_MS, undefined, { ref: false })]);
      last.client.close();
      if (last.identity === null || (await haveEnded([last.identity], KILLED_WITHIN_MS))) return;
      log(`the fabric (process ${last.pid}) did not end when it was asked to and is killed`);
      await kill(last.identity);
    },
  };
  return keeper;
};

/** A fabric that is beaten for, and how its process is known. */
type Watched = FoundFabric & { heartbeat: Heartbeat; identity: ProcessIdentity | null };

/** Ends this very process, also one that is stopped; one that continues later would do things that nobody asked for any more. */
const kill = async (identity: ProcessIdentity | null): Promise<void> => {
  if (identity === null || !(await isAlive(identity))) return;
  process.kill(identity.pid, 'SIGKILL');
  await haveEnded([identity], KILLED_WITHIN_MS);
};

const inTime = async <T>(promise: Promise<T>): Promise<T> => {
  const abort = new AbortController();
  const late = sleep(REPLACED_WITHIN_MS, undefined, { signal: abort.signal, ref: false }).then(() => {
    throw new FabricError('lost', 'There is no fabric, and none could be started in time');
  });
  late.catch(() => undefined);
  return Promise.race([promise, late]).finally(() => abort.abort());
};
