import * as real from 'node:fs';
import { disk, isSimulated } from '../disk.ts';
import { levelDisk } from '../level.ts';
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

/** A journal of LevelDB grows with every write. */
export const fstatSync = (fd: number): { size: number } => {
  const handle = files.handleOf(fd);
  return { size: handle.place.endsWith('.log') ? levelDisk().writes : (disk().inode(handle.ino)?.bytes?.length ?? 0) };
};

export const writeSync = (fd: number, text: string, at: number, encoding: BufferEncoding): number => {
  const bytes = Buffer.from(text, encoding);
  disk().write(files.handleOf(fd).ino, at, bytes);
  return bytes.length;
};
