import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';

/**
 * Commands by which VPCS leaves its node: `!` runs a program of its machine, `rlogin` connects from it, `relay` listens on it. VPCS takes
 * the beginning of a command for the whole.
 */
const ESCAPE = /^[^\S\n\r\u2028\u2029]*(?:!|rl|rel)/gim;

/** Character that the console drops; the other two commands have no network in the sandbox. */
export const NOT_TYPED = '!';

/** Files that VPCS runs, or takes earlier commands from. */
const READ = /\.(vpc|hist)$/i;

/** Makes comments of such lines in the files of a node's directory; resolves with a sentence for each file that had some. Throws a conflict. */
export const commentOutEscapes = async (directory: string): Promise<string[]> => {
  const warnings: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile() || !READ.test(entry.name)) continue;
    const file = path.join(directory, entry.name);
    const { text, count } = withoutEscapes((await readBounded(file, LENGTHS.content)).toString('latin1'));
    if (count === 0) continue;
    await writeFile(file, text, 'latin1');
    warnings.push(
      `${entry.name} had ${count} ${count === 1 ? 'line' : 'lines'} by which VPCS would use the server’s machine (!, rlogin, relay); now comments`,
    );
  }
  return warnings;
};

export const withoutEscapes = (given: string): { text: string; count: number } => {
  let count = 0;
  const text = given.replace(/\r(?!\n)/g, '\n').replace(ESCAPE, (found) => {
    count += 1;
    return `#${found}`;
  });
  return count === 0 ? { text: given, count } : { text, count };
};
