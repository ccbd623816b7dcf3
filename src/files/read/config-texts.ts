import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';

/**
 * Text of a file in `<files>/configs`, which templates name as start-up texts of their nodes. null: missing, too
 * large, or outside of that directory.
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
