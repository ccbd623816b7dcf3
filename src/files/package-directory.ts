import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The directory of this package, wherever its program was compiled to. */
const find = (): string => {
  for (let at = import.meta.dirname; at !== path.dirname(at); at = path.dirname(at)) {
    const file = path.join(at, 'package.json');
    if (!existsSync(file)) continue;
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string };
    if (name === 'topolog') return at;
  }
  throw new Error(`no package above ${import.meta.dirname}`);
};

export const PACKAGE = find();
