import { execFile } from 'node:child_process';
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

const PATIENCE_MS = 5_000;

/** Runs a program for its version: answers the first group of `pattern` in its output, on either stream; null when there is no match. */
export const programVersion = (
  program: string,
  pattern: RegExp,
  args: readonly string[] = ['--version'],
): Promise<string | null> =>
  new Promise((resolve) => {
    // Some print it and exit with a failure.
    const asked = execFile(program, [...args], { timeout: PATIENCE_MS }, (_error, stdout, stderr) =>
      resolve(pattern.exec(`${stdout}\n${stderr}`)?.[1] ?? null),
    );
    asked.stdin?.end();
  });
