import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ProcessIdentity, statOf } from './identity.ts';

/**
 * Every process that an engine starts carries a marker, in its environment and inherited by its children: the node it runs and
 * the data directory of the server. By it a later server, and `topolog doctor`, know it again. Where an environment cannot be
 * read (a program with privileges), `markArgument` somewhere in the arguments does the same.
 */
const NODE = 'TOPOLOG_NODE';
const PROJECT = 'TOPOLOG_PROJECT';
const DATA = 'TOPOLOG_DATA';
/** Octets. */
const LARGEST_LIST = 64 * 1024 * 1024;
const ARGUMENT = /topolog:([0-9a-f-]{36}):([0-9a-f]{20})/;

/** What a process carries of the node that it runs. */
interface MarkedNode {
  node_id: string;
  /** null where only the arguments tell the node. */
  project_id: string | null;
}

/** A process with our marker. */
export interface Marked extends ProcessIdentity, MarkedNode {
  /** Process group; the process that an engine started leads its own. */
  group: number;
  /** Its arguments, the program first. */
  argv: string[];
}

/** Stands for a data directory in the marker: the first 20 hex digits of SHA-256 of its real path. */
export const markOf = async (dataDir: string): Promise<string> => {
  const real = await realpath(dataDir).catch(() => path.resolve(dataDir));
  return createHash('sha256').update(real).digest('hex').slice(0, 20);
};

export const markEnvironment = (
  { node_id, project_id }: { node_id: string; project_id: string },
  mark: string,
): Record<string, string> => ({ [NODE]: node_id, [PROJECT]: project_id, [DATA]: mark });

/** For the arguments of a program whose environment others cannot read, e.g. as the name of a machine. */
export const markArgument = (nodeId: string, mark: string): string => `topolog:${nodeId}:${mark}`;

/** Milliseconds that a look at the list of processes waits for others who want one. */
const GATHER_MS = 5;
const looks = new Map<string, Promise<Marked[]>>();

/** Every running process with the marker of a data directory, the oldest first. Callers that come together share one look. */
export const findMarked = (mark: string): Promise<Marked[]> => {
  let look = looks.get(mark);
  if (look === undefined) {
    // It begins after the call, so what a caller has started or ended before is in it or not in it.
    look = sleep(GATHER_MS).then(() => {
      looks.delete(mark);
      return lookForMarked(mark);
    });
    looks.set(mark, look);
  }
  return look;
};

const lookForMarked = async (mark: string): Promise<Marked[]> => {
  const found = process.platform === 'linux' ? await linuxMarked(mark) : await posixMarked(mark);
  return found.sort((a, b) => a.started.length - b.started.length || (a.started < b.started ? -1 : 1));
};

const linuxMarked = async (mark: string): Promise<Marked[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map((pid) => linuxMarkedProcess(pid, mark)));
  return found.filter((marked) => marked !== null);
};

const linuxMarkedProcess = async (pid: number, mark: string): Promise<Marked | null> => {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const [environment, line] = await Promise.all([read('environ'), read('cmdline')]);
  const node = nodeIn(environment.split('\0'), mark) ?? nodeInArguments(line, mark);
  if (node === null) return null;
  // Read last: a pid that was used again in between has another environment, which the next look shows.
  const stat = await statOf(pid);
  if (stat === null || stat.zombie) return null;
  return { pid, started: stat.started, group: stat.group, ...node, argv: line.replace(/\0$/, '').split('\0') };
};

const nodeIn = (environment: string[], mark: string): MarkedNode | null => {
  if (!environment.includes(`${DATA}=${mark}`)) return null;
  const valueOf = (name: string): string | null =>
    environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const node_id = valueOf(NODE);
  return node_id === null ? null : { node_id, project_id: valueOf(PROJECT) };
};

const nodeInArguments = (line: string, mark: string): MarkedNode | null => {
  const [, node_id, data] = ARGUMENT.exec(line) ?? [];
  return node_id === undefined || data !== mark ? null : { node_id, project_id: null };
};

/** `ps` with environments appends them to the arguments; spaces inside an argument are not told from those between two. */
const posixMarked = async (mark: string): Promise<Marked[]> => {
  if (process.platform === 'win32') return [];
  const flags = process.platform === 'darwin' ? '-axEww' : 'axeww';
  const { stdout } = await promisify(execFile)('ps', [flags, '-o', 'pid=,command='], { maxBuffer: LARGEST_LIST });
  const found: Marked[] = [];
  for (const row of stdout.split('\n')) {
    const words = row.trim().split(/\s+/);
    const node = nodeIn(words, mark) ?? nodeInArguments(row, mark);
    const [pid, ...rest] = words;
    const stat = node === null ? null : await statOf(Number(pid));
    if (node === null || stat === null || stat.zombie) continue;
    const argv = rest.filter((word) => !/^\w+=/.test(word));
    found.push({ pid: Number(pid), started: stat.started, group: stat.group, ...node, argv });
  }
  return found;
};
