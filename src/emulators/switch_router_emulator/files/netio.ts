import { readFile, rm, stat } from 'node:fs/promises';

/**
 * How instances of IOU reach one another: each has a unix datagram socket named after its application id in a directory of the
 * user, and sends its frames there behind a header of eight octets. The file NETMAP says which interface leads to which. As
 * GNS3's iouyap and uBridge, which are public, speak it.
 */
interface NetioHeader {
  /** Application ids. */
  to: number;
  from: number;
  /** Interfaces: see `interfaceByte`. */
  toInterface: number;
  fromInterface: number;
  type: number;
  channel: number;
}

/** Octets. */
export const HEADER_LENGTH = 8;
export const DATA = 1;
/** Over sockets of its own directory: the interface has something at its other end. */
export const KEEPALIVE = 3;

type Place = Readonly<{ adapter_number: number; port_number: number }>;

export const encodeHeader = (header: NetioHeader): Buffer => {
  const bytes = Buffer.alloc(HEADER_LENGTH);
  bytes.writeUInt16BE(header.to, 0);
  bytes.writeUInt16BE(header.from, 2);
  bytes.set([header.toInterface, header.fromInterface, header.type, header.channel], 4);
  return bytes;
};

/** null when there is no whole header. */
export const decodeHeader = (bytes: Buffer): NetioHeader | null => {
  if (bytes.length < HEADER_LENGTH) return null;
  const [toInterface = 0, fromInterface = 0, type = 0, channel = 0] = bytes.subarray(4, HEADER_LENGTH);
  return { to: bytes.readUInt16BE(0), from: bytes.readUInt16BE(2), toInterface, fromInterface, type, channel };
};

/** Port number in the upper four bits, adapter in the lower four. */
export const interfaceByte = ({ adapter_number, port_number }: Place): number =>
  ((port_number & 0xf) << 4) | (adapter_number & 0xf);

/** The id under which the other end of all interfaces of an instance is: beyond those that instances have. */
export const relayIdOf = (applicationId: number): number => applicationId + 512;

/** `<id>:<adapter>/<port> <id>:<adapter>/<port>`, a line for each interface. */
export const netmapOf = (applicationId: number, ports: readonly Place[]): string =>
  ports
    .map(({ adapter_number, port_number }) => {
      const place = `${adapter_number}/${port_number}`;
      return `${relayIdOf(applicationId)}:${place} ${applicationId}:${place}\n`;
    })
    .join('');

/** Images have these names built in: neither TMPDIR nor anything else changes them. */
export const netioDirectory = (uid: number): string => `/tmp/netio${uid}`;
export const netioSocket = (uid: number, id: number): string => `${netioDirectory(uid)}/${id}`;
export const keepaliveDirectory = (uid: number): string => `/tmp/netl1${uid}`;
export const keepaliveSocket = (uid: number, id: number): string => `${keepaliveDirectory(uid)}/L1${id}`;

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

/** Process that uses an application id on this machine, or the id of its relay; null: none. */
export const processUsing = async (uid: number, applicationId: number): Promise<number | null> =>
  (await lockHolder(netioSocket(uid, applicationId))) ?? (await lockHolder(netioSocket(uid, relayIdOf(applicationId))));

/** Removes what a process that was killed has left of an id that is no longer used. */
export const removeLeftOver = async (uid: number, applicationId: number): Promise<void> => {
  for (const id of [applicationId, relayIdOf(applicationId)]) {
    const socket = netioSocket(uid, id);
    if ((await lockHolder(socket)) !== null) continue;
    for (const path of [socket, lockOf(socket), keepaliveSocket(uid, id)]) await rm(path, { force: true });
  }
};
