import type { FabricClient } from './client.ts';
import type { Inventory, RecordingSpec } from '../protocol.ts';

/** Milliseconds for which an inventory is reused: recovery looks up all nodes at once. */
const FRESH_MS = 250;

interface InventoryById {
  nodes: ReadonlyMap<string, Inventory['nodes'][number]>;
  recordings: ReadonlyMap<string, RecordingSpec>;
}

interface CachedInventory {
  at: number;
  inventory: Promise<InventoryById>;
}

const cache = new WeakMap<FabricClient, CachedInventory>();

/** The fabric's nodes by id; concurrent callers share one inventory. */
export const nodesOf = async (client: FabricClient): Promise<InventoryById['nodes']> =>
  (await inventoryOf(client)).nodes;

/** Recordings under way by node id, from the same inventory. */
export const recordingsOf = async (client: FabricClient): Promise<InventoryById['recordings']> =>
  (await inventoryOf(client)).recordings;

const inventoryOf = (client: FabricClient): Promise<InventoryById> => {
  const last = cache.get(client);
  if (last !== undefined && performance.now() - last.at < FRESH_MS) return last.inventory;
  const inventory = client.inventory().then(({ nodes, recordings = [] }) => ({
    nodes: new Map(nodes.map((n) => [n.spec.node_id, n])),
    recordings: new Map(recordings.map((r) => [r.node_id, r])),
  }));
  // A failure is not cached.
  inventory.catch(() => cache.delete(client));
  cache.set(client, { at: performance.now(), inventory });
  return inventory;
};

/** To be called when something was started or stopped. */
export const forgetInventory = (client: FabricClient): void => {
  cache.delete(client);
};
