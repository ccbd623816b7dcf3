import { readFile, rm, stat } from 'node:fs/promises';
import { keepaliveSocket, netioSocket, relayIdOf } from './netio.ts';

/** The process that uses a netio socket holds a lock (fcntl) on the file of this name. */
export const lockOf = (socket: string): string => `${socket}.lck`;

/** The process that holds the lock of a socket; null: nobody does, whatever files there are. */
export const lockHolder = async (socket: string): Promise<number | null> => {
  const [file, locks] = await Promise.all([
    stat(lockOf(socket)).catch(() => null),
    readFile('/proc/locks', 'latin1').catch(() => ''),
  ]);
  return file === null ? null : holderIn(locks, file.ino);
};

/** proc(5): `1: POSIX  ADVISORY  WRITE 1041 fe:00:2343659 0 EOF`; a line with `->` waits for the lock above it. */
export const holderIn = (locks: string, inode: number): number | null => {
  for (const line of locks.split('\n')) {
    const [, pid, found] = /^\d+: POSIX\s.*\s(-?\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
    if (Number(found) === inode) return Number(pid);
  }
  return null;
};

/** Who uses an application id on this machine, or the id of its relay; null: nobody. */
export const userOf = async (uid: number, applicationId: number): Promise<number | null> =>
  (await lockHolder(netioSocket(uid, applicationId))) ?? (await lockHolder(netioSocket(uid, relayIdOf(applicationId))));

/** Removes what a process that was killed has left of an id that is no longer used. */
export const removeLeftOver = async (uid: number, applicationId: number): Promise<void> => {
  for (const id of [applicationId, relayIdOf(applicationId)]) {
    const socket = netioSocket(uid, id);
    if ((await lockHolder(socket)) !== null) continue;
    for (const path of [socket, lockOf(socket), keepaliveSocket(uid, id)]) await rm(path, { force: true });
  }
};
