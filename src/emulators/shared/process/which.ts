import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Absolute path of a program of the PATH (or of an absolute path itself); null when there is none that may be run. */
export const which = async (program: string): Promise<string | null> => {
  for (const path of candidates(program)) {
    if (await runs(path)) return path;
  }
  return null;
};

const candidates = (program: string): string[] => {
  const names = process.platform === 'win32' && !/\.\w+$/.test(program) ? [`${program}.exe`, program] : [program];
  if (isAbsolute(program)) return names;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
};

const runs = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
