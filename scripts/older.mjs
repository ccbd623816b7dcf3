import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const newestIn = (place) => {
  const stat = statSync(path.join(root, place));
  if (stat.isFile()) return stat.mtimeMs;
  return Math.max(...readdirSync(path.join(root, place)).map((name) => newestIn(path.join(place, name))));
};

/** Whether a file is not there, or older than any of these files and of what is in these folders. */
export const isOlder = (made, ...sources) => {
  const file = path.join(root, made);
  return !existsSync(file) || statSync(file).mtimeMs < Math.max(...sources.map(newestIn));
};
