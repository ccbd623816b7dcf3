import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from './temp.ts';

const run = promisify(execFile);

/** A disk of so many MiB of the test's own. null: this user may not mount one. */
export const smallDisk = async (t: TestContext, mib: number): Promise<string | null> => {
  const dir = await tempDir();
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', dir.path]).then(
    () => true,
    () => false,
  );
  t.after(async () => {
    if (mounted) await run('umount', ['-l', dir.path]);
    await dir.remove();
  });
  return mounted ? dir.path : null;
};

export const fillerOf = (disk: string): string => path.join(disk, 'filler');

/** Takes all the space that is left. */
export const fillDisk = async (disk: string): Promise<void> => {
  const file = await open(fillerOf(disk), 'w');
  try {
    for (let size = 1024 * 1024; size >= 1024; size /= 2)
      while (
        await file.write(Buffer.alloc(size)).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
      );
  } finally {
    await file.close();
  }
};
