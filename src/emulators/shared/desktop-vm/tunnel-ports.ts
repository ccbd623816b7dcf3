import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { TopologError } from '../../../common/errors.ts';
import type { AttachmentSpec } from '../../../fabric/protocol.ts';
import { freePorts } from '../host/free-ports.ts';
import type { Tunnel } from './hypervisor.ts';

/** Ports for the adapters of a machine that is going to start. */
export interface TunnelPorts {
  tunnels: Tunnel[];
  /** The machine's own ports were held until now, which takes its time to start, and another program might have got them. */
  letGo: () => Promise<void>;
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
      far: numbers[2 * at + 1] ?? 0,
    }));
    const held: Socket[] = [];
    const letGo = async (): Promise<void> => {
      for (const socket of held.splice(0)) {
        socket.close();
        await once(socket, 'close');
      }
    };
    try {
      for (const { far } of tunnels) held.push(await hold(far));
      await attach(tunnels);
      return { tunnels, letGo };
    } catch (error) {
      await letGo();
      giveBackTunnels(tunnels);
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

export const giveBackTunnels = (tunnels: readonly Tunnel[]): void =>
  freePorts.giveBack(tunnels.flatMap(({ fabric, far }) => [fabric, far]));

/** The fabric's end of an adapter's tunnel. */
export const endOf = (tunnels: readonly Tunnel[], adapterNumber: number): AttachmentSpec['to'] => {
  const { fabric, far } = tunnels.find(({ adapter }) => adapter === adapterNumber) ?? { fabric: 0, far: 0 };
  return { type: 'udp', lhost: '127.0.0.1', lport: fabric, rhost: '127.0.0.1', rport: far };
};
