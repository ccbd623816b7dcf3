import { mkdir, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { syncPath, writeDurably } from '../../common/durable.ts';
import { inspect } from '../log/startup.ts';
import { DamagedLog } from './damage.ts';
import {
  checkFiles,
  hasRecord,
  isHeld,
  isJournal,
  isState,
  isTable,
  isWhole,
  manifestNumber,
  namedManifest,
  namesIn,
} from './level-files.ts';
import { openLevel } from './level.ts';
import type { OpenStore, Store } from './store.ts';
import { viewStore } from './view.ts';
import { FileWitness, readWitness, WITNESS_FILE } from './witness.ts';

/**
 * A LevelDB in a directory, created where there is none. Throws `DamagedLog`, leaving every file as it was, for
 * damage that shows in the files.
 */
export const levelStore = (directory: string): OpenStore =>
  Object.assign(() => openWhole(directory), { ready: () => tryToWrite(path.join(directory, 'probe.tmp')) });

const openWhole = async (directory: string): Promise<Store> => {
  const cut = await checkBeforeOpening(directory);
  const witness = await FileWitness.open(path.join(directory, WITNESS_FILE));
  const store = await openLevel(directory, { create: true, witness, cut });
  // Cheap, and needed when the directory was created just now.
  await syncPath(path.dirname(directory));
  return store;
};

/** Checks the files before LevelDB changes them; returns a description of writes that were never completed. */
const checkBeforeOpening = async (directory: string): Promise<string | null> => {
  try {
    const finished = await finishStart(directory);
    const cut = await checkFiles(directory);
    if (cut !== null) await checkEnd(directory);
    return [finished, cut].filter((text) => text !== null).join('; ') || null;
  } catch (error) {
    // Files being written are never consistent; opening them will tell who holds the lock.
    if (error instanceof DamagedLog && (await isHeld(directory))) return null;
    throw error;
  }
};

/** LevelDB's write buffer: the most that opening it writes at once. Octets. */
const OPENING_WRITES = 4 * 1024 * 1024;

const tryToWrite = async (file: string): Promise<void> => {
  try {
    const handle = await open(file, 'w');
    try {
      await handle.writeFile(Buffer.alloc(OPENING_WRITES));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
};

/**
 * Completes an interrupted opening. Whenever it opens a log, LevelDB writes a new manifest, points CURRENT to it, and
 * deletes the old manifest and journals, without waiting for the disk in between; the very first manifest is not on
 * disk either before CURRENT names it. So after a power cut CURRENT may name a manifest that is gone, or one whose
 * journals are gone. Returns a description of what was done.
 */
const finishStart = async (directory: string): Promise<string | null> => {
  const names = await namesIn(directory);
  const current = names.includes('CURRENT') ? await namedManifest(directory) : null;
  return (await finishSwitch(directory, names, current)) ?? (await beginEmpty(directory, names, current));
};

/**
 * Switches to a manifest that is newer than the one in use: an opening was interrupted. The new one is on disk before
 * anything is deleted, holds all that the old one and its journals did, and nothing was written since: it is used
 * where it is complete.
 */
const finishSwitch = async (directory: string, names: string[], current: string | null): Promise<string | null> => {
  const newest = names.reduce((a, b) => ((manifestNumber(b) ?? 0) > (manifestNumber(a) ?? 0) ? b : a), current ?? '');
  if (current === null || newest === current || (await isHeld(directory))) return null;
  if (!isWhole(await readFile(path.join(directory, newest)))) return null;
  const before = names.includes(current) ? await endWith(directory, current) : null;
  const after = await endWith(directory, newest);
  if (after === null || after < (before ?? 0)) return null;
  await writeDurably(path.join(directory, 'CURRENT'), `${newest}\n`);
  return `file CURRENT: the change to ${newest} was not finished when the server last started; it is now`;
};

/** End of the log with this manifest; null: damaged. */
const endWith = async (directory: string, manifest: string): Promise<number | null> => {
  try {
    return await checkEnd(directory, manifest);
  } catch (error) {
    if (error instanceof DamagedLog) return null;
    throw error;
  }
};

/** Opens a copy and returns the end of its log; throws `DamagedLog` when it lacks anything that was answered. */
const checkEnd = async (directory: string, manifest?: string): Promise<number> => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'topolog-log-'));
  const { store, repaired, close } = await viewStore(directory, scratch, manifest);
  try {
    const message = 'its end is damaged';
    if (repaired) throw new DamagedLog({ position: null, key: 'MANIFEST', where: "LevelDB's list of files", message });
    return (await inspect(store)).whole;
  } finally {
    await close();
  }
};

/** Subdirectory for the files of a log that never got an entry. */
const ASIDE = 'never-begun';
const FIRST_LIST = 'MANIFEST-000001';

/**
 * Moves the files of a first start that was interrupted before anything was written, so that LevelDB starts empty.
 */
const beginEmpty = async (directory: string, names: string[], current: string | null): Promise<string | null> => {
  if (await hasBegun(directory, names, current)) return null;
  const left = names.filter((name) => isState(name) || name === WITNESS_FILE);
  if (!left.some((name) => name === 'CURRENT' || isJournal(name)) || (await isHeld(directory))) return null;
  const aside = path.join(directory, ASIDE);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  for (const name of left) await rename(path.join(directory, name), path.join(aside, name));
  for (const place of [aside, directory]) await syncPath(place);
  return `the log was never begun: its first start was cut off; ${left.join(', ')} are kept in ${aside}, and it starts empty`;
};

const hasBegun = async (directory: string, names: string[], current: string | null): Promise<boolean> => {
  if (names.some(isTable)) return true;
  if (names.includes('CURRENT')) {
    if (current !== FIRST_LIST) return true;
    if (names.includes(current) && isWhole(await readFile(path.join(directory, current)))) return true;
  }
  for (const name of names.filter(isJournal)) if (hasRecord(await readFile(path.join(directory, name)))) return true;
  const { seen, problem } = await readWitness(path.join(directory, WITNESS_FILE));
  return problem !== null || (seen?.position ?? 0) > 0;
};
