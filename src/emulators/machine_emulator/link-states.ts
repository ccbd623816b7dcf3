import type { EngineContext, FabricEvent } from '../contract.ts';

/** What the fabric has told of the wires at attached ports: an adapter without one, or with a suspended one, has no carrier. */
export interface LinkStates {
  /** From here on what is told is heard; to be called before a port is attached. */
  listen(): void;
  /** Adapters of a node that something was told of, with what. */
  of(nodeId: string): ReadonlyMap<number, boolean>;
  forget(nodeId: string): void;
}

export const watchLinks = (
  { fabric }: EngineContext,
  changed: (nodeId: string, adapter: number, up: boolean) => void,
): LinkStates => {
  const states = new Map<string, Map<number, boolean>>();
  let listening = false;
  const hear = (event: FabricEvent): void => {
    if (event.type !== 'port.carrier') return;
    const { node_id, adapter_number } = event.port;
    const adapters = states.get(node_id) ?? new Map<number, boolean>();
    states.set(node_id, adapters.set(adapter_number, event.up));
    changed(node_id, adapter_number, event.up);
  };
  return {
    listen() {
      if (!listening) fabric.onEvent(hear);
      listening = true;
    },
    of: (nodeId) => states.get(nodeId) ?? new Map<number, boolean>(),
    forget: (nodeId) => void states.delete(nodeId),
  };
};
