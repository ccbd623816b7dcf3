import * as real from 'node:fs';
import { disk, isSimulated } from '../disk.ts';
import * as files from './fs-promises.ts';

/** Stands in for `node:fs` in the product's modules. */
export * from 'node:fs';
export { files as promises };

export const statSync = (place: string, options?: { throwIfNoEntry?: boolean }): unknown => {
  if (!isSimulated(place)) return real.statSync(place, options);
  const found = disk().find(place);
  return found === null
    ? undefined
    : { ino: found.ino, size: found.bytes?.length ?? 0, mtimeMs: 0, ctimeMs: 0, mode: found.mode };
};

export const existsSync = (place: string): boolean =>
  isSimulated(place) ? disk().find(place) !== null : real.existsSync(place);

export const readFileSync = (place: string | URL, options?: BufferEncoding | { encoding?: BufferEncoding }): unknown =>
  typeof place === 'string' && isSimulated(place)
    ? disk().get(place).bytes?.toString('utf8')
    : real.readFileSync(place, options);

const notHere = (what: string) => (): never => {
  throw new Error(`the simulation has no ${what}`);
};
export const createReadStream = notHere('createReadStream');
export const createWriteStream = notHere('createWriteStream');
export const watch = notHere('watch');
