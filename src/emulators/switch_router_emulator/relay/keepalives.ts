import { rmSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import {
  decodeHeader,
  encodeHeader,
  HEADER_LENGTH,
  interfaceByte,
  KEEPALIVE,
  keepaliveDirectory,
  keepaliveSocket,
  relayIdOf,
} from '../files/netio.ts';
import type { RelayPlan } from '../relay-arguments.ts';
import { openDatagrams } from './datagrams.ts';
import { ownDirectory } from './netio.ts';

/** How often the instance is told that an interface is connected. Milliseconds. */
const BEAT_MS = 1_000;

/**
 * Layer 1 keepalives: an instance that was started with `-l` takes an interface for connected as long as the other end sends them,
 * over datagram sockets of their own. `isUp` tells whether a link is at an interface. Answers what ends them.
 */
export const openKeepalives = async (
  libc: Libc,
  uid: number,
  { applicationId, ports }: RelayPlan,
  isUp: (place: RelayPlan['ports'][number]) => boolean,
): Promise<() => Promise<void>> => {
  const relay = relayIdOf(applicationId);
  const paths = { own: keepaliveSocket(uid, relay), peer: keepaliveSocket(uid, applicationId) };
  await ownDirectory(keepaliveDirectory(uid), uid);
  for (const path of Object.values(paths)) rmSync(path, { force: true });
  const beat = (place: number): Buffer =>
    encodeHeader({
      to: applicationId,
      from: relay,
      toInterface: place,
      fromInterface: place,
      type: KEEPALIVE,
      channel: 0,
    });
  const connected = (): number[] => ports.filter(isUp).map(interfaceByte);
  const line = openDatagrams(libc, paths, (message) => {
    const header = message.length === HEADER_LENGTH ? decodeHeader(message) : null;
    if (header?.type !== KEEPALIVE || header.from !== applicationId) return;
    if (connected().includes(header.toInterface)) line.send(beat(header.toInterface));
  });
  const timer = setInterval(() => connected().forEach((place) => line.send(beat(place))), BEAT_MS);
  return async () => {
    clearInterval(timer);
    await line.close();
    for (const path of Object.values(paths)) rmSync(path, { force: true });
  };
};
