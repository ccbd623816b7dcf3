import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Finds this package's package.json, wherever this file was compiled or bundled to. */
const find = (): { directory: string; version: string } => {
  for (let directory = import.meta.dirname; directory !== path.dirname(directory); directory = path.dirname(directory))
    try {
      const text = readFileSync(path.join(directory, 'package.json'), 'utf8');
      const { name, version } = JSON.parse(text) as { name?: string; version: string };
      if (name === 'topolog') return { directory, version };
    } catch {
      // None here: look one directory up.
    }
  throw new Error(`no package above ${import.meta.dirname}`);
};

const { directory, version } = find();

/** Suffix of a version between releases, with the commit if it was built in a clone: `0.3.0-dev+0a7b2239`. */
const commit = (): string => {
  if (!version.includes('-')) return '';
  try {
    return `+${readFileSync(path.join(directory, 'dist/bin/commit'), 'utf8').trim()}`;
  } catch {
    return '';
  }
};

/** The directory of this package. */
export const PACKAGE = directory;

export const VERSION = `${version}${commit()}`;

/** Files with the licences of the packages that are bundled with the programs and the page, written by the build. */
export const LICENCES = ['dist/bin', 'dist/web'].map((folder) =>
  path.join(PACKAGE, folder, 'THIRD-PARTY-LICENSES.txt'),
);

/** Bundle of a program (a source that begins with `#!`), by its path in src without the extension. */
export const programFile = (program: string): string => path.join(PACKAGE, 'dist/bin', `${program}.js`);

/** Version of the existing tools (GNS3) that this server is compatible with; they refuse one that is older, or of another line. */
export const TOOLS_VERSION = '2.2.60';
