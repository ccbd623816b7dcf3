import type { FabricClient } from '../fabric/client.ts';
import type { Inventory } from '../fabric/protocol.ts';

/** Milliseconds for which one inventory answers everyone who looks for a node: recovery asks for all of them at once. */
const FRESH_MS = 250;

interface Taken {
  at: number;
  nodes: Promise<ReadonlyMap<string, Inventory['nodes'][number]>>;
}

const taken = new WeakMap<FabricClient, Taken>();

/** The fabric's nodes by id, asked for once by callers that come together. */
export const nodesOf = (client: FabricClient): Taken['nodes'] => {
  const last = taken.get(client);
  if (last !== undefined && performance.now() - last.at < FRESH_MS) return last.nodes;
  const nodes = client.inventory().then((inventory) => new Map(inventory.nodes.map((n) => [n.spec.node_id, n])));
  // A failed question is not remembered.
  nodes.catch(() => taken.delete(client));
  taken.set(client, { at: performance.now(), nodes });
  return nodes;
};

/** Something was started or stopped: what was seen is no longer so. */
export const forgetInventory = (client: FabricClient): void => {
  taken.delete(client);
};
