import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';

/**
 * Text of a file of `<files>/configs`, where templates find what their nodes start with. null: it is not there, is too large, or
 * its name leads elsewhere.
 */
export const readConfigText = async (filesDir: string, name: string): Promise<string | null> => {
  try {
    const directory = await realpath(path.join(filesDir, 'configs'));
    const file = await realpath(path.join(directory, name));
    if (!file.startsWith(directory + path.sep)) return null;
    return (await readBounded(file, LENGTHS.content)).toString('utf8');
  } catch {
    return null;
  }
};
