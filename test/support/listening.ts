import { readdir, readFile, readlink } from 'node:fs/promises';

/** A socket that takes what others send or connect: UDP that is bound, TCP that listens. */
export interface Listening {
  pid: number;
  protocol: 'tcp' | 'tcp6' | 'udp' | 'udp6';
  /** As proc(5) has it: hexadecimal, in the order of the machine. */
  address: string;
  port: number;
}

/** Of these processes, in the network of each. proc(5): `sl local_address rem_address st … inode`; state 0A is LISTEN, 07 an unconnected UDP. */
export const listeningOf = async (pids: readonly number[]): Promise<Listening[]> =>
  (await Promise.all(pids.map(ofProcess))).flat();

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
