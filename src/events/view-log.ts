import { constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isThere } from '../common/file.ts';
import { type LogView, viewStore } from './store/view.ts';

/** Words of errors of a place that takes no writes. */
const UNWRITABLE = /EROFS|EACCES|EPERM|ENOSPC|EDQUOT|read-only file system|permission denied|no space left|disk quota/i;

/** Words of errors of a disk that has failed at reading or writing, which says nothing of what lies on it. */
const FAULTY = /\bEIO\b|input\/output error/i;

const says =
  (words: RegExp) =>
  (error: unknown): boolean => {
    for (let e = error; e instanceof Error; e = e.cause)
      if (words.test(`${(e as { code?: string }).code ?? ''} ${e.message}`)) return true;
    return false;
  };

/** Whether a log that could not be opened for this reason is to be opened as it is when its place takes writes. */
export const isUnwritable = says(UNWRITABLE);

/** Whether a log that could not be opened for this reason may be whole: the disk did not let it be read. */
export const isDiskFault = says(FAULTY);

/** Where copies of journals go, and what is put together to be sent: into memory first, as the disk may be full. */
const SCRATCH = [...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];

/** A directory for what a server writes that must not write where its data is. */
export const scratchPlace = async (): Promise<string> => {
  for (const place of SCRATCH) if (await isThere(place, constants.W_OK)) return place;
  return tmpdir();
};

const PREFIX = 'topolog-view-';

/** Views of processes that were killed; those of other users cannot be removed, and need not. */
const sweepViews = async (place: string): Promise<void> => {
  for (const name of await readdir(place).catch(() => [])) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isRunning(pid)) continue;
    await rm(path.join(place, name), { recursive: true, force: true }).catch(() => undefined);
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH';
  }
};

/** A view of a log in a scratch directory of its own, wherever one can be made. */
export const viewLog = async (directory: string): Promise<LogView> => {
  let failure: unknown;
  for (const place of SCRATCH) {
    await sweepViews(place);
    const scratch = await mkdtemp(path.join(place, `${PREFIX}${process.pid}-`)).catch((error: unknown) => {
      failure = error;
      return null;
    });
    if (scratch === null) continue;
    try {
      return await viewStore(directory, scratch);
    } catch (error) {
      await rm(scratch, { recursive: true, force: true });
      if (!isUnwritable(error)) throw error;
      failure = error;
    }
  }
  throw failure;
};
