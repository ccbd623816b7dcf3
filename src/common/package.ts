import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The nearest package.json above that is ours, wherever this file was compiled or bundled to. */
const find = (): { directory: string; version: string } => {
  for (let directory = import.meta.dirname; directory !== path.dirname(directory); directory = path.dirname(directory))
    try {
      const text = readFileSync(path.join(directory, 'package.json'), 'utf8');
      const { name, version } = JSON.parse(text) as { name?: string; version: string };
      if (name === 'topolog') return { directory, version };
    } catch {
      // Not here; one further up.
    }
  throw new Error(`no package above ${import.meta.dirname}`);
};

/** The directory of this package, and its version. */
export const { directory: PACKAGE, version: VERSION } = find();

/** The bundle of a program (a source that begins with `#!`), by its path in src without the ending. */
export const programFile = (program: string): string => path.join(PACKAGE, 'dist/bin', `${program}.js`);

/** Version of the existing tools whose interface and files this server speaks; they refuse one that is older, or of another line. */
export const TOOLS_VERSION = '2.2.60';
