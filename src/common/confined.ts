import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Path of a file or directory with every link resolved, where it, or what of it is there already, is below a root; else null, also
 * for what cannot be reached and for a link to what is not there, which could be made to lead anywhere.
 */
export const confined = async (root: string, file: string): Promise<string | null> => {
  const [base, real] = await Promise.all([resolved(path.resolve(root)), resolved(path.resolve(file))]);
  if (base === null || real === null) return null;
  return real.startsWith(base.endsWith(path.sep) ? base : base + path.sep) ? real : null;
};

/** What is not there yet is taken as it is named. */
const resolved = async (file: string): Promise<string | null> => {
  try {
    return await realpath(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const parent = path.dirname(file);
    if (!['ENOENT', 'ENOTDIR'].includes(code) || parent === file) return null;
    const found = await lstat(file).catch(() => null);
    // It is a link to nothing, or somebody has made it meanwhile.
    if (found !== null) return found.isSymbolicLink() ? null : resolved(file);
    const base = await resolved(parent);
    return base === null ? null : path.join(base, path.basename(file));
  }
};
