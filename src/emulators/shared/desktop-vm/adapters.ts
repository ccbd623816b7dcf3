import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { conflict, TopologError } from '../../../common/errors.ts';
import type { AttachmentSpec } from '../../../fabric/protocol.ts';
import type { EngineContext, FabricEvent, KindNode } from '../../kit/contract.ts';
import { freePorts } from '../host/free-ports.ts';
import type { Tunnel } from './hypervisor.ts';

/** Adapters of a node that a cable of the lab ends at, and whether frames pass there now. */
export const wiredAdapters = async (
  { node_id }: Pick<KindNode, 'node_id'>,
  { fabric }: EngineContext,
): Promise<Map<number, boolean>> => {
  const { cables } = await fabric.inventory();
  return new Map(
    cables.flatMap(({ ends, suspend }) =>
      ends.flatMap((end) =>
        end.type === 'port' && end.node_id === node_id ? [[end.adapter_number, !suspend] as const] : [],
      ),
    ),
  );
};

/**
 * Adapters that the lab may take: those that lead nowhere else, or all of them. `used` tells what an adapter leads to already
 * (null: nothing). Throws a conflict when a cable is at one of the others.
 */
export const usableAdapters = (
  title: string,
  used: readonly (string | null)[],
  { useAnyAdapter, wired }: { useAnyAdapter: boolean; wired: ReadonlyMap<number, boolean> },
  free: (adapter: number) => string,
): number[] => {
  const taken = used.findIndex((use, adapter) => use !== null && !useAnyAdapter && wired.has(adapter));
  if (taken >= 0)
    throw conflict(
      `adapter ${taken} of ${title} is connected to ${used[taken] ?? ''} in the hypervisor and cannot take the link; ` +
        `set use_any_adapter to true, or ${free(taken)}`,
    );
  return [...used.keys()].filter((adapter) => useAnyAdapter || used[adapter] === null);
};

/** Ports for the adapters of a machine that is going to start. */
interface TunnelPorts {
  tunnels: Tunnel[];
  /** The machine's own ports were held until now, which takes its time to start, and another program might have got them. */
  releasePorts: () => Promise<void>;
}

/** How often others may take them first. */
const TRIES = 5;

/** `attach` gives the fabric its ports at once, all or none. Throws what it throws when others keep taking them first. */
export const takeTunnelPorts = async (
  adapters: readonly number[],
  attach: (tunnels: Tunnel[]) => Promise<void>,
): Promise<TunnelPorts> => {
  for (let n = 1; ; n++) {
    const numbers = await freePorts.take(2 * adapters.length);
    const tunnels = adapters.map((adapter, at) => ({
      adapter,
      fabric: numbers[2 * at] ?? 0,
      peer: numbers[2 * at + 1] ?? 0,
    }));
    const held: Socket[] = [];
    const releasePorts = async (): Promise<void> => {
      for (const socket of held.splice(0)) {
        socket.close();
        await once(socket, 'close');
      }
    };
    try {
      for (const { peer } of tunnels) held.push(await hold(peer));
      await attach(tunnels);
      return { tunnels, releasePorts };
    } catch (error) {
      await releasePorts();
      releaseTunnels(tunnels);
      if (n === TRIES || !isTaken(error)) throw error;
    }
  }
};

const isTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ||
  (error instanceof TopologError && error.code === 'conflict');

const hold = async (port: number): Promise<Socket> => {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '0.0.0.0', exclusive: true });
    await once(socket, 'listening');
    return socket.unref();
  } catch (error) {
    socket.close();
    throw error;
  }
};

export const releaseTunnels = (tunnels: readonly Tunnel[]): void =>
  freePorts.release(tunnels.flatMap(({ fabric, peer }) => [fabric, peer]));

/** The fabric's end of an adapter's tunnel. */
export const fabricEndOf = (tunnels: readonly Tunnel[], adapterNumber: number): AttachmentSpec['to'] => {
  const { fabric, peer } = tunnels.find(({ adapter }) => adapter === adapterNumber) ?? { fabric: 0, peer: 0 };
  return { type: 'udp', lhost: '127.0.0.1', lport: fabric, rhost: '127.0.0.1', rport: peer };
};

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
  /** Cable states by node and adapter: the wanted one, and the actual one. */
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
