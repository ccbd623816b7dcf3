import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NodeFile } from '../../kit/contract.ts';

/** Looks for a directory below another one without following symbolic links. `odd`: what stands in its way. */
export const lookBelow = async (root: string, below: string): Promise<{ isThere: boolean; odd?: string }> => {
  let at = root;
  for (const part of below.split('/').filter((name) => name !== '')) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => null);
    if (found === null) return { isThere: false };
    if (!found.isDirectory()) return { isThere: false, odd: at };
  }
  return { isThere: true };
};

/** Writes files of a node that are not there yet; none where something stands in the way. */
export const placeFiles = async (root: string, files: readonly NodeFile[]): Promise<void> => {
  for (const { name, content } of files) {
    const { odd } = await lookBelow(root, path.posix.dirname(name));
    if (odd !== undefined) continue;
    const place = path.join(root, name);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content, { flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
};
