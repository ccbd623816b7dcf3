import type { EngineContext, FabricEvent } from '../../kit/contract.ts';
import type { Tunnel } from './hypervisor.ts';

/** Shows guests whether their adapters lead anywhere: a port without a cable, or with a suspended one, has its cable pulled. */
export interface Cables {
  /** Follows what the fabric tells of ports; to be called before one is attached. */
  listen(): void;
  /** Sets the cables of a machine that runs, but for those that are known to be right. */
  apply(nodeId: string, known: ReadonlyMap<number, boolean>): Promise<void>;
  forget(nodeId: string): void;
}

type SetCable = (nodeId: string, adapter: number, plugged: boolean) => Promise<void>;

/** `set` is called once at a time for a node, and never again for what it is set to already. It never fails. */
export const watchCables = ({ fabric }: EngineContext, set: SetCable): Cables => {
  /** By node and adapter: as it is to be, and as it is. */
  const wanted = new Map<string, Map<number, boolean>>();
  const actual = new Map<string, Map<number, boolean>>();
  const working = new Map<string, Promise<void>>();
  let listening = false;

  const work = async (nodeId: string): Promise<void> => {
    for (;;) {
      const is = actual.get(nodeId);
      const next = [...(wanted.get(nodeId) ?? [])].find(([adapter, plugged]) => is?.get(adapter) !== plugged);
      if (is === undefined || next === undefined) return;
      is.set(...next);
      await set(nodeId, ...next).catch(() => undefined);
    }
  };
  const begin = (nodeId: string): Promise<void> => {
    const running = working.get(nodeId);
    if (running !== undefined) return running;
    const begun = work(nodeId).finally(() => working.delete(nodeId));
    working.set(nodeId, begun);
    return begun;
  };
  const hear = (event: FabricEvent): void => {
    if (event.type !== 'port.carrier') return;
    const { node_id, adapter_number } = event.port;
    const adapters = wanted.get(node_id) ?? new Map<number, boolean>();
    wanted.set(node_id, adapters.set(adapter_number, event.up));
    if (actual.has(node_id)) void begin(node_id);
  };
  return {
    listen() {
      if (!listening) fabric.onEvent(hear);
      listening = true;
    },
    async apply(nodeId, known) {
      actual.set(nodeId, new Map(known));
      await begin(nodeId);
    },
    forget(nodeId) {
      wanted.delete(nodeId);
      actual.delete(nodeId);
    },
  };
};

/** The cables of a machine that has just been started. */
export const pluggedIn = (
  tunnels: readonly Tunnel[],
  wired: ReadonlyMap<number, boolean>,
): ReadonlyMap<number, boolean> => new Map(tunnels.map(({ adapter }) => [adapter, wired.get(adapter) === true]));
