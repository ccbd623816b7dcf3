import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Of a configuration that devices start with. Octets. */
const MOST = 1 << 20;

/**
 * Text of a file of `<files>/configs`, where templates find what their nodes start with. null: it is not there, is too large, or
 * its name leads elsewhere.
 */
export const readConfigText = async (filesDir: string, name: string): Promise<string | null> => {
  try {
    const directory = await realpath(path.join(filesDir, 'configs'));
    const file = await realpath(path.join(directory, name));
    if (!file.startsWith(directory + path.sep)) return null;
    const bytes = await readFile(file);
    return bytes.length > MOST ? null : bytes.toString('utf8');
  } catch {
    return null;
  }
};
