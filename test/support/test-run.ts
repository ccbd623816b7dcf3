import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programFile } from '../../src/common/package.ts';
import { endProcesses } from '../../src/processes/end.ts';
import { identityOf, isAlive, statOf } from '../../src/processes/identity.ts';
import { type Marked, markOf } from '../../src/processes/marker.ts';
import { messageOf } from '../../src/common/errors.ts';
import { endContainers } from './podman.ts';
import { note, notes, NOTES, RUN } from './temp.ts';

/**
 * What a run of the tests has started and made. Test files that are killed, at their timeout or with the runner, leave it behind, and
 * it would be in the way of the next run. So everything that a run starts inherits its mark (`<pid>@<start>@<pid namespace>` of the
 * runner), has the run's own temporary directory, and directories are noted in a file named after the run. Linux only: elsewhere nothing is ended.
 */

/** The mark of a run whose runner is this process; null where there are none. */
const markOfRun = async (): Promise<string | null> => {
  const [own, space] = await Promise.all([identityOf(process.pid), spaceOf('self')]);
  return process.platform !== 'linux' || own === null ? null : [own.pid, own.started, space].join('@');
};

/** Pids mean something in their own namespace only. */
const spaceOf = (pid: string): Promise<string> => readlink(`/proc/${pid}/ns/pid`).catch(() => '');

/** The runner ended, and it was one whose pid tells that here. */
const isOver = async (run: string): Promise<boolean> => {
  const [pid = '', started = '', space] = run.split('@');
  return space === (await spaceOf('self')) && !(await isAlive({ pid: Number(pid), started }));
};

/** Sweeps, and answers the environment of a new run. */
export const beginRun = async (): Promise<{ run: string | null; swept: string[]; env: NodeJS.ProcessEnv }> => {
  const swept = await sweepRuns(null);
  const run = await markOfRun();
  if (run === null) return { run, swept, env: process.env };
  await mkdir(notes(), { recursive: true, mode: 0o700 });
  const temporary = await mkdtemp(path.join(tmpdir(), PLACE));
  // Databases and containers have users of their own.
  await chmod(temporary, 0o711);
  note(run, temporary);
  return { run, swept, env: { ...process.env, [RUN]: run, [NOTES]: notes(), TMPDIR: temporary } };
};

/**
 * Ends and removes what runs have left whose runner is gone, and what is left of `own`, which has just ended. Resolves with a line for
 * each.
 */
export const sweepRuns = async (own: string | null): Promise<string[]> => {
  if (process.platform !== 'linux') return [];
  const over = async (run: string): Promise<boolean> => run === own || (await isOver(run));
  return [...(await endMarked(over)), ...(await removeNoted(over))];
};

/** Rounds: what a process has started before its end is seen by the next look. */
const ROUNDS = 3;

/** Ends what this run still has running of data in a directory: a server that is killed, or not the writer any more, leaves its fabric. */
export const endIn = async (directory: string): Promise<void> => {
  const own = process.env[RUN];
  // A process that has named itself has its arguments as one.
  const isThere = (argv: string[]): boolean => argv.some((one) => one.includes(directory));
  if (own !== undefined) await endMarked((run) => Promise.resolve(run === own), isThere);
};

const endMarked = async (
  over: (run: string) => Promise<boolean>,
  isWanted: (argv: string[]) => boolean = () => true,
): Promise<string[]> => {
  const ended = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const found = (await markedBy(over)).filter(({ argv }) => isWanted(argv));
    if (found.length === 0) break;
    for (const { pid, started, argv } of found) ended.set(`${pid}/${started}`, `${pid} ${argv.join(' ').slice(0, 60)}`);
    await endProcesses(found);
  }
  return [...ended.values()].map((line) => `process ${line}`);
};

const markedBy = async (over: (run: string) => Promise<boolean>): Promise<Marked[]> => {
  const found: Marked[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const before = await identityOf(Number(name));
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const run = environment.split('\0').find((entry) => entry.startsWith(`${RUN}=`));
    if (run === undefined || before === null || !(await over(run.slice(RUN.length + 1)))) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    // It is what was looked at, and not one that took its pid over; ended alone (no group): others of its group have marks of their own.
    if ((await statOf(before.pid))?.started !== before.started) continue;
    found.push({ ...before, group: 0, node_id: '', project_id: null, argv: line.split('\0') });
  }
  return found;
};

const removeNoted = async (over: (run: string) => Promise<boolean>): Promise<string[]> => {
  const place = await lstat(notes()).catch(() => null);
  if (place?.isDirectory() !== true || place.uid !== process.getuid?.()) return [];
  const lines: string[] = [];
  for (const name of await readdir(notes())) {
    if (!(await over(Buffer.from(name, 'base64url').toString()))) continue;
    const file = path.join(notes(), name);
    // Another runner may just have been here.
    const noted = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    // The first is the temporary directory of the run; what was left in it without a note goes with it.
    const [place = '', ...within] = new Set(noted);
    for (const directory of within)
      if (isOurs(directory) && existsSync(directory)) lines.push(await removeAll(directory));
    if (isOurs(place)) lines.push(...(await removePlace(place)));
    await rm(file, { force: true });
  }
  return lines;
};

/** Name of the temporary directory of a run: short, as names of sockets have 107 octets. */
const PLACE = 'topolog-';

/** The directory that fabrics have there stays when they end. */
const STAYS = `topolog-${process.getuid?.() ?? ''}`;

const removePlace = async (place: string): Promise<string[]> => {
  const left = (await readdir(place).catch(() => [])).filter((name) => name !== STAYS);
  const stays = await removeTree(place);
  if (stays !== null) return [stays];
  return left.map((name) => `directory ${path.join(place, name)}`);
};

/** Answers why it stays; null when it is gone. What one run has left must not keep the next from beginning. */
const removeTree = async (directory: string): Promise<string | null> => {
  try {
    await unmountIn(directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    return null;
  } catch (error) {
    return `directory ${directory}, which stays: ${messageOf(error)}`;
  }
};

/** Unmounts what is mounted in a directory, the innermost first, also while something still uses it. */
const unmountIn = async (directory: string): Promise<void> => {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  const within = mounts.filter((mount) => mount.startsWith(`${directory}/`)).reverse();
  for (const mount of within) spawnSync('umount', ['--lazy', mount]);
};

const isOurs = (directory: string): boolean => {
  const names = path.relative(path.dirname(notes()), directory).split(path.sep);
  return names.every((name) => name.startsWith(PLACE));
};

/** A directory, with what servers of data directories in it have left outside: without a log no node of theirs runs. Says what it did. */
const removeAll = async (directory: string): Promise<string> => {
  const dataDirs = await withNamespaces(directory);
  await endContainers(directory);
  const stays = await removeTree(directory);
  if (stays !== null) return stays;
  const topolog = programFile('cli/topolog');
  for (const dataDir of dataDirs) spawnSync(process.execPath, [topolog, 'doctor', '--clean', '--data-dir', dataDir]);
  return `directory ${directory}`;
};

/** How deep data directories of tests lie in theirs. */
const DEPTH = 2;

/** Those of a directory and what is in it whose mark a network namespace of ours has. */
const withNamespaces = async (directory: string): Promise<string[]> => {
  const names = (await readdir('/run/netns').catch(() => [])).filter((name) => name.startsWith('topolog-'));
  const found: string[] = [];
  const look = async (place: string, depth: number): Promise<void> => {
    const mark = await markOf(place);
    if (names.some((name) => name.includes(`-${mark}-`))) found.push(place);
    if (depth === 0) return;
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => []))
      if (entry.isDirectory()) await look(path.join(place, entry.name), depth - 1);
  };
  if (names.length > 0) await look(directory, DEPTH);
  return found;
};
