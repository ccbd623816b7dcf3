import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../durable.ts';
import { messageOf } from '../errors.ts';

/** What others than its owner may do with a file. */
const OTHERS = 0o077;

/** Makes the data directory. It and the directories in it are their owner's alone: one that was open to others is closed, and that is said. */
export const openDataDirectory = async (dataDir: string, report: (message: string) => void): Promise<void> => {
  await makeDirectory(dataDir, 0o700);
  if (process.platform === 'win32') return;
  const inside = (await readdir(dataDir)).map((name) => path.join(dataDir, name));
  const closed: string[] = [];
  for (const place of [dataDir, ...inside]) {
    const found = await lstat(place).catch(() => null);
    if (found?.isDirectory() !== true || (found.mode & OTHERS) === 0) continue;
    await chmod(place, found.mode & ~OTHERS & 0o7777).then(
      () => closed.push(place),
      (error: unknown) => report(`${place} can be used by others: ${messageOf(error)}; chmod 700 ${place}`),
    );
  }
  if (closed.length > 0) report(`could be used by others, and is its owner's alone now: ${closed.join(', ')}`);
};
