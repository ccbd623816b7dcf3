import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ProcessIdentity, statOf } from './identity.ts';

/**
 * Every process that an engine starts has a marker in its environment, which its children inherit: the node it runs and the data
 * directory of the server. A later server and `topolog doctor` find it by that. Where an environment cannot be read (a program with
 * privileges), `markArgument` somewhere in the arguments does the same.
 */
const NODE = 'TOPOLOG_NODE';
const PROJECT = 'TOPOLOG_PROJECT';
const DATA = 'TOPOLOG_DATA';
/** Octets. */
const LARGEST_LIST = 64 * 1024 * 1024;
const ARGUMENT = /topolog:([0-9a-f-]{36}):([0-9a-f]{20})/;

/** Node in the marker of a process. */
interface MarkedNode {
  node_id: string;
  /** null for a marker in the arguments. */
  project_id: string | null;
}

/** A process with a marker. */
export interface Marked extends ProcessIdentity, MarkedNode {
  /** Process group; a process that an engine started leads its own. */
  group: number;
  /** Arguments, the program first. */
  argv: string[];
}

/** Mark of a data directory: the first 20 hex digits of SHA-256 of its real path. */
export const markOf = async (dataDir: string): Promise<string> => {
  const real = await realpath(dataDir).catch(() => path.resolve(dataDir));
  return createHash('sha256').update(real).digest('hex').slice(0, 20);
};

export const markEnvironment = (
  { node_id, project_id }: { node_id: string; project_id: string },
  mark: string,
): Record<string, string> => ({ [NODE]: node_id, [PROJECT]: project_id, [DATA]: mark });

/** Marker in the arguments of a program whose environment others cannot read, e.g. as the name of a machine. */
export const markArgument = (nodeId: string, mark: string): string => `topolog:${nodeId}:${mark}`;

/** Wait before the processes are listed, so that further callers share the list. Milliseconds. */
const GATHER_MS = 5;
const searches = new Map<string, Promise<Marked[]>>();

/** Running processes with the mark of a data directory, oldest first. Simultaneous callers share one search. */
export const findMarked = (mark: string): Promise<Marked[]> => {
  let search = searches.get(mark);
  if (search === undefined) {
    // The search begins after the call, so it reflects everything that the caller started or ended before.
    search = sleep(GATHER_MS).then(() => {
      searches.delete(mark);
      return searchMarked(mark);
    });
    searches.set(mark, search);
  }
  return search;
};

const searchMarked = async (mark: string): Promise<Marked[]> => {
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
  // The start time is read last: after a reuse of the pid in between, the next search finds another environment.
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

/** Parses `ps`, which appends environments to the arguments, and does not escape spaces in arguments. */
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
