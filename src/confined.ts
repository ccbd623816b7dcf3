import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Path of a file or directory with every link resolved, where it, or what of it is there already, is below a root; else null. */
export const confined = async (root: string, file: string): Promise<string | null> => {
  const [base, real] = await Promise.all([resolved(root), resolved(file)]);
  return real.startsWith(base.endsWith(path.sep) ? base : base + path.sep) ? real : null;
};

/** What is not there yet is taken as it is named. */
const resolved = async (file: string): Promise<string> => {
  try {
    return await realpath(file);
  } catch (error) {
    const parent = path.dirname(file);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === file) throw error;
    return path.join(await resolved(parent), path.basename(file));
  }
};
