import { connect, type Socket } from 'node:net';
import { until } from '../../common/promises.ts';
import type { EngineContext, FabricEvent } from '../kit/contract.ts';

/** Control connection of a server to a relay: see relay/control.ts. */
export interface RelayControl {
  /** Resolves once the instance is up; never when the relay ends before. */
  readonly ready: Promise<void>;
  /** Sends all ports that have a link. */
  setUp(places: readonly string[]): void;
  close(): void;
}

const RETRY_MS = 15;

/** Connects as soon as the relay listens. Rejects with the signal's reason. */
export const connectRelay = async (path: string, signal: AbortSignal): Promise<RelayControl> =>
  controlOf(await until(() => dial(path), { every: RETRY_MS, signal }));

/** null while nobody listens. */
const dial = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });

const controlOf = (socket: Socket): RelayControl => {
  // The connection alone does not keep the server running.
  socket.unref();
  socket.on('error', () => undefined);
  socket.once('end', () => socket.destroy());
  const ready = new Promise<void>((resolve) => {
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      rest += chunk;
      if (rest.includes('"ready":true')) resolve();
    });
  });
  return {
    ready,
    setUp(places) {
      if (socket.writable) socket.write(`${JSON.stringify({ up: places })}\n`);
    },
    close: () => socket.destroy(),
  };
};

/** Tells relays which of their ports have a link, as the fabric reports it. */
export interface RelayLinks {
  /** Follows what the fabric tells of ports; to be called before one is attached. */
  listen(): void;
  /** Sends the known states of a node's ports to its relay. */
  tell(nodeId: string): void;
  forget(nodeId: string): void;
}

export const watchLinks = (
  { fabric }: EngineContext,
  relayOf: (nodeId: string) => Pick<RelayControl, 'setUp'> | undefined,
): RelayLinks => {
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
