import type { EngineContext, FabricEvent } from '../kit/contract.ts';
import type { RelayControl } from './relay-control.ts';

/** Tells relays which of their ports lead somewhere, as the fabric tells it. */
export interface Links {
  /** Follows what the fabric tells of ports; to be called before one is attached. */
  listen(): void;
  /** What is known of a node's ports goes to its relay. */
  tell(nodeId: string): void;
  forget(nodeId: string): void;
}

export const watchLinks = (
  { fabric }: EngineContext,
  relayOf: (nodeId: string) => Pick<RelayControl, 'setUp'> | undefined,
): Links => {
  const up = new Map<string, Set<string>>();
  let listening = false;
  const tell = (nodeId: string): void => relayOf(nodeId)?.setUp([...(up.get(nodeId) ?? [])]);
  const hear = (event: FabricEvent): void => {
    if (event.type !== 'port.carrier') return;
    const { node_id, adapter_number, port_number } = event.port;
    const places = up.get(node_id) ?? new Set();
    const place = `${adapter_number}/${port_number}`;
    if (event.up) places.add(place);
    else places.delete(place);
    up.set(node_id, places);
    tell(node_id);
  };
  return {
    listen() {
      if (!listening) fabric.onEvent(hear);
      listening = true;
    },
    tell,
    forget: (nodeId) => void up.delete(nodeId),
  };
};
