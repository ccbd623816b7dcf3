import type { FabricClient } from './client.ts';
import type { Inventory, RecordingSpec } from '../protocol.ts';

/** Milliseconds for which one inventory answers everyone who looks for a node: recovery asks for all of them at once. */
const FRESH_MS = 250;

interface InventoryById {
  nodes: ReadonlyMap<string, Inventory['nodes'][number]>;
  recordings: ReadonlyMap<string, RecordingSpec>;
}

interface CachedInventory {
  at: number;
  seen: Promise<InventoryById>;
}

const cache = new WeakMap<FabricClient, CachedInventory>();

/** The fabric's nodes by id, asked for once by callers that come together. */
export const nodesOf = async (client: FabricClient): Promise<InventoryById['nodes']> =>
  (await inventoryOf(client)).nodes;

/** Recordings that are on by their node's id, out of the same inventory. */
export const recordingsOf = async (client: FabricClient): Promise<InventoryById['recordings']> =>
  (await inventoryOf(client)).recordings;

const inventoryOf = (client: FabricClient): Promise<InventoryById> => {
  const last = cache.get(client);
  if (last !== undefined && performance.now() - last.at < FRESH_MS) return last.seen;
  const seen = client.inventory().then(({ nodes, recordings = [] }) => ({
    nodes: new Map(nodes.map((n) => [n.spec.node_id, n])),
    recordings: new Map(recordings.map((r) => [r.node_id, r])),
  }));
  // A failed question is not remembered.
  seen.catch(() => cache.delete(client));
  cache.set(client, { at: performance.now(), seen });
  return seen;
};

/** Something was started or stopped: what was seen is no longer so. */
export const forgetInventory = (client: FabricClient): void => {
  cache.delete(client);
};
