import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import type { FrameBatch } from '../../../fabric/frames/frame-batch.ts';
import { openFrameStream } from '../../../fabric/io/stream.ts';
import {
  DATA,
  decodeHeader,
  encodeHeader,
  HEADER_LENGTH,
  interfaceByte,
  KEEPALIVE,
  keepaliveDirectory,
  keepaliveSocket,
  lockHolder,
  lockOf,
  netioDirectory,
  netioSocket,
  relayIdOf,
} from '../files/netio.ts';
import type { RunSockets } from '../files/run-directory.ts';
import type { Libc } from '../libc.ts';
import type { RelayPlan } from '../relay-arguments.ts';
import { openDatagrams } from './datagrams.ts';

/** Takes frames from the instance to the fabric's streams and back. */
interface Netio {
  /** Socket at which the instance will listen. */
  instance: string;
  close(): Promise<void>;
}

/** Throws Error that says who has the application id. */
export const openNetio = async (libc: Libc, uid: number, plan: RelayPlan, sockets: RunSockets): Promise<Netio> => {
  const { applicationId } = plan;
  const [own, peer] = [netioSocket(uid, relayIdOf(applicationId)), netioSocket(uid, applicationId)];
  await ownDirectory(netioDirectory(uid), uid);
  const holder = await lockHolder(peer);
  if (holder !== null) throw inUse(applicationId, holder);
  const unlock = lock(libc, own);
  if (unlock === null) throw inUse(applicationId, (await lockHolder(own)) ?? 0);
  // Unused files of a process that was killed.
  for (const path of [own, peer, lockOf(peer)]) rmSync(path, { force: true });
  try {
    const close = await carry(libc, { own, peer }, plan, sockets);
    return {
      instance: peer,
      async close() {
        await close();
        rmSync(own, { force: true });
        if ((await lockHolder(peer)) === null) for (const path of [peer, lockOf(peer)]) rmSync(path, { force: true });
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
};

const inUse = (applicationId: number, pid: number): Error =>
  new Error(`application_id ${applicationId} is in use by process ${pid}`);

/** Makes a directory in /tmp that must be this user's. */
const ownDirectory = async (directory: string, uid: number): Promise<void> => {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${directory} is not a directory of this user; remove it`);
};

/** Answers what gives the lock back; null when another process holds it. */
const lock = (libc: Libc, socket: string): (() => void) | null => {
  const file = lockOf(socket);
  const fd = openSync(file, 'a', 0o600);
  if (!libc.lock(fd)) {
    closeSync(fd);
    return null;
  }
  ftruncateSync(fd);
  writeSync(fd, `${process.pid}\n`);
  return () => {
    // Removed before the lock: afterwards the name may be another process's.
    rmSync(file, { force: true });
    closeSync(fd);
  };
};

const carry = async (
  libc: Libc,
  paths: { own: string; peer: string },
  { applicationId, ports }: RelayPlan,
  sockets: RunSockets,
): Promise<() => Promise<void>> => {
  const streams = new Map<number, Awaited<ReturnType<typeof openFrameStream>>>();
  const line = openDatagrams(libc, paths, (message) => {
    const header = decodeHeader(message);
    if (header?.type !== DATA || message.length === HEADER_LENGTH) return;
    // Copied: the stream sends it later.
    streams.get(header.toInterface)?.take(Buffer.from(message.subarray(HEADER_LENGTH)));
  });
  const close = async (): Promise<void> => {
    await line.close();
    await Promise.all([...streams.values()].map((stream) => stream.close()));
  };
  try {
    for (const port of ports) {
      const own = interfaceByte(port);
      const place = { to: applicationId, from: relayIdOf(applicationId), toInterface: own, fromInterface: own };
      const header = encodeHeader({ ...place, type: DATA, channel: 0 });
      const take = (content: Uint8Array): void => line.send(Buffer.concat([header, content]));
      const sink = { take, takeBatch: (batch: FrameBatch): void => batch.frames().forEach(take) };
      streams.set(own, await openFrameStream({ path: sockets.port(port), listen: true, sink }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return close;
};

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
