import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { type FabricClient, FabricError } from '../fabric/client.ts';
import type { FabricEvent, Inventory, Op, OpResult } from '../fabric/protocol.ts';
import { findOrStartFabric, type FoundFabric } from '../fabric/supervise.ts';
import { forgetInventory } from './fabric-inventory.ts';

export type { FabricEvent };

/** Longest pause between two tries to start a fabric that does not come up. */
const SLOWEST_TRY_MS = 5_000;

export interface FabricKeeper extends FabricClient {
  /** The fabric at the start outlived an earlier server. */
  readonly adopted: boolean;
  /** Process of the fabric in use. */
  pid(): number;
  /** By which means it reaches UDP: a sentence. */
  sockets(): string;
  /** A new, empty fabric has taken the place of one that was lost: everything in it must be made again. */
  onReplaced(listener: () => Promise<void>): void;
  /** Ends the fabric and everything in it. */
  end(): Promise<void>;
}

/**
 * One fabric for as long as the server runs: a client that stays valid while the process behind it may be replaced. Ops that
 * come while there is none wait for the next one.
 */
export const keepFabric = async (dataDir: string, log: (line: string) => void): Promise<FabricKeeper> => {
  const eventListeners: ((event: FabricEvent) => void)[] = [];
  const replacedListeners: (() => Promise<void>)[] = [];
  let closing = false;

  const watch = (found: FoundFabric): FoundFabric => {
    found.client.onEvent((event) => eventListeners.forEach((listener) => listener(event)));
    found.client.onLost(() => {
      if (!closing) current = replace();
    });
    return found;
  };

  const replace = async (): Promise<FoundFabric> => {
    log('the fabric is gone; starting another');
    forgetInventory(keeper);
    for (let pause = 50; ; pause = Math.min(SLOWEST_TRY_MS, pause * 2)) {
      if (closing) throw new FabricError('lost', 'The server is shutting down');
      try {
        const found = watch(await findOrStartFabric({ dataDir, log }));
        last = found;
        // After the waiting ops have their client, so that what is made again may use it too.
        setImmediate(() => void rebuild());
        return found;
      } catch (error) {
        log(`the fabric does not start: ${messageOf(error)}`);
        await sleep(pause);
      }
    }
  };

  const rebuild = async (): Promise<void> => {
    for (const listener of replacedListeners)
      await listener().catch((error: unknown) => log(`rebuilding the fabric: ${messageOf(error)}`));
  };

  let last = watch(await findOrStartFabric({ dataDir, log }));
  let current: Promise<FoundFabric> = Promise.resolve(last);
  const { adopted } = last;

  const keeper: FabricKeeper = {
    adopted,
    pid: () => last.pid,
    sockets: () => last.sockets,
    run: async (ops: Op[]): Promise<OpResult[]> => (await current).client.run(ops),
    one: async <T>(op: Op): Promise<T> => (await current).client.one<T>(op),
    inventory: async (): Promise<Inventory> => (await current).client.inventory(),
    console: async (nodeId: string): Promise<Duplex> => (await current).client.console(nodeId),
    onEvent: (listener) => void eventListeners.push(listener),
    onLost: () => undefined,
    onReplaced: (listener) => void replacedListeners.push(listener),
    close() {
      closing = true;
      last.client.close();
    },
    async end() {
      closing = true;
      await last.client.one({ op: 'shutdown' }).catch(() => undefined);
      last.client.close();
    },
  };
  return keeper;
};
