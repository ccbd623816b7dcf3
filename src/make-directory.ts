import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Makes a directory with those above it; fine when it is there. Node's own `recursive` tries for ever where a directory is there and
 * nothing can be made in it, such as in /proc, and takes a whole processor for that.
 */
export const makeDirectory = async (place: string): Promise<void> => {
  try {
    await mkdir(place);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(place)).isDirectory()) return;
    const above = path.dirname(place);
    if (codeOf(error) !== 'ENOENT' || above === place) throw error;
    await makeDirectory(above);
    // Once more; somebody else may just have made it.
    await mkdir(place).catch((again: unknown) => {
      if (codeOf(again) !== 'EEXIST') throw again;
    });
  }
};
