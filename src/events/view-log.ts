import { constants, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isThere } from '../common/file.ts';
import { type LogView, viewStore } from './store/view.ts';

/** Matches errors of a place that accepts no writes. */
const UNWRITABLE = /EROFS|EACCES|EPERM|ENOSPC|EDQUOT|read-only file system|permission denied|no space left|disk quota/i;

/** Matches errors of a failing disk, which do not tell whether the stored data is damaged. */
const FAULTY = /\bEIO\b|input\/output error/i;

const says =
  (words: RegExp) =>
  (error: unknown): boolean => {
    for (let e = error; e instanceof Error; e = e.cause)
      if (words.test(`${(e as { code?: string }).code ?? ''} ${e.message}`)) return true;
    return false;
  };

/** Whether opening failed because the place accepts no writes; the log itself may be fine. */
export const isUnwritable = says(UNWRITABLE);

/** Whether opening failed because the disk could not be read; the log may be undamaged. */
export const isDiskFault = says(FAULTY);

/** Candidates for temporary files, such as copies of journals: memory first, as the disk may be full. */
const SCRATCH = [...(process.platform === 'linux' ? ['/dev/shm'] : []), tmpdir()];

/** Directory for temporary files of a server that must not write where its data is. */
export const scratchPlace = async (): Promise<string> => {
  for (const place of SCRATCH) if (await isThere(place, constants.W_OK)) return place;
  return tmpdir();
};

const PREFIX = 'topolog-view-';

/** Removes views of processes that were killed; those of other users cannot be removed, and are left. */
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

/** Opens a view of a log, in a scratch directory of its own, at the first place that accepts one. */
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
