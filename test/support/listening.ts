import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

/** A socket that takes what others send or connect: UDP that is bound, TCP that listens. */
export interface Listening {
  pid: number;
  protocol: 'tcp' | 'tcp6' | 'udp' | 'udp6';
  /** As proc(5) has it: hexadecimal, in the order of the machine. */
  address: string;
  port: number;
}

/** Of these processes, in the network of each. proc(5): `sl local_address rem_address st … inode`; state 0A is LISTEN, 07 an unconnected UDP. */
export const listeningOf = async (pids: readonly number[]): Promise<Listening[]> => {
  const look = async (): Promise<Listening[]> => (await Promise.all(pids.map(ofProcess))).flat();
  const [first, second] = [await look(), new Set((await look()).map((socket) => JSON.stringify(socket)))];
  // One that is about to be connected, as those of probes are, is not there for long.
  return first.filter((socket) => second.has(JSON.stringify(socket)));
};

const PROTOCOLS = ['tcp', 'tcp6', 'udp', 'udp6'] as const;

const ofProcess = async (pid: number): Promise<Listening[]> => {
  const own = await inodesOf(pid);
  const found: Listening[] = [];
  for (const protocol of PROTOCOLS) {
    const table = await readFile(`/proc/${pid}/net/${protocol}`, 'latin1').catch(() => '');
    for (const row of table.split('\n').slice(1)) {
      const fields = row.trim().split(/\s+/);
      const [address = '', port = ''] = (fields[1] ?? '').split(':');
      const takes = fields[3] === (protocol.startsWith('tcp') ? '0A' : '07');
      if (takes && own.has(fields[9] ?? '')) found.push({ pid, protocol, address, port: Number.parseInt(port, 16) });
    }
  }
  return found;
};

const inodesOf = async (pid: number): Promise<Set<string>> => {
  const numbers = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(numbers.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
};

const LOOPBACK = new Set(['0100007F', '00000000000000000000000001000000', '0000000000000000FFFF00000100007F']);
export const isOnLoopback = ({ address }: Listening): boolean => LOOPBACK.has(address);

/** Whether a process is in another network than this one. */
export const isElsewhere = async (pid: number): Promise<boolean> =>
  (await readlink(`/proc/${pid}/ns/net`)) !== (await readlink('/proc/self/ns/net'));

/** Unix sockets of these processes at which others connect, by their paths. proc(5): `Num RefCount Protocol Flags Type St Inode Path`. */
export const unixSocketsOf = async (pids: readonly number[]): Promise<string[]> => {
  const found: string[] = [];
  for (const pid of pids) {
    const own = await inodesOf(pid);
    const table = await readFile(`/proc/${pid}/net/unix`, 'utf8').catch(() => '');
    for (const row of table.split('\n').slice(1)) {
      const [, , , flags, , , inode = '', file = ''] = row.trim().split(/\s+/);
      if (flags === '00010000' && file.startsWith('/') && own.has(inode)) found.push(file);
    }
  }
  return found;
};

/** Whether only one user (and root) gets to a file, by a directory above it that nobody else may enter. */
export const isPrivate = async (file: string): Promise<boolean> => {
  const directory = path.dirname(file);
  if (directory === file) return false;
  const found = await stat(directory).catch(() => null);
  // Of another mount namespace.
  if (found === null) return true;
  return (found.mode & 0o077) === 0 || isPrivate(directory);
};
