import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { messageOf } from '../../common/errors.ts';
import type { FabricEvent } from '../protocol.ts';

/** Longest IP packet to an address that is not fragmented. Octets; null: unknown. */
export interface PathMtu {
  address: string;
  mtu: number | null;
}

/** Octets of a frame, and of the UDP and IP headers around it (RFC 768, RFC 791, RFC 8200). */
const FRAME = 1500;
export const HEADERS = { 4: 28, 6: 48 } as const;
export const neededFor = (family: 4 | 6): number => FRAME + HEADERS[family];

/** RFC 863: a probe sent there is not taken for a frame. */
export const DISCARD_PORT = 9;

/** Resolves a host, in the family in which a cable reaches it. */
export const addressOf = async (host: string): Promise<{ address: string; family: 4 | 6 }> => {
  const family = host.includes(':') ? 6 : 4;
  return { address: (await lookup(host, { family })).address, family };
};

/** MTU of the interface by which the system sends to the host. */
export const interfaceMtu = async (host: string): Promise<PathMtu> => {
  const { address, family } = await addressOf(host);
  const own = await ownAddress(address, family);
  const name = Object.entries(networkInterfaces()).find(([, all]) => all?.some((one) => one.address === own))?.[0];
  if (name === undefined || name.includes('/')) return { address, mtu: null };
  const text = await readFile(`/sys/class/net/${name}/mtu`, 'utf8').catch(() => '');
  const mtu = Number.parseInt(text, 10);
  return { address, mtu: Number.isNaN(mtu) ? null : mtu };
};

/** Source address that the system uses for an address; null: there is no route. Sends nothing. */
const ownAddress = async (address: string, family: 4 | 6): Promise<string | null> => {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    const connected = once(socket, 'connect');
    socket.connect(DISCARD_PORT, address);
    await connected;
    return socket.address().address;
  } catch {
    return null;
  } finally {
    socket.close();
  }
};

/** Finds path MTUs and emits `path.probed`; a host that is being probed is not probed twice. */
export const createPathProbes = (
  pathMtu: (host: string) => Promise<PathMtu>,
  emit: (event: FabricEvent) => void,
  log: (line: string) => void,
): ((host: string) => void) => {
  const underWay = new Set<string>();
  const probe = async (host: string): Promise<void> => {
    try {
      const { address, mtu } = await pathMtu(host);
      const needed = neededFor(address.includes(':') ? 6 : 4);
      emit({ type: 'path.probed', host, address, mtu, needed });
    } catch (error) {
      log(`the path to ${host}: ${messageOf(error)}`);
    } finally {
      underWay.delete(host);
    }
  };
  return (host) => {
    if (underWay.has(host)) return;
    underWay.add(host);
    void probe(host);
  };
};
