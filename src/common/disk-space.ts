import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { TopologError } from './errors.ts';

/**
 * What is kept free for the log on every disk that is written to: captures, recordings, uploads, imports, snapshots and images end or are
 * refused before the log has to. Octets.
 */
const KEPT = 64 * 2 ** 20;
/** Of a small disk, this part. */
const KEPT_SHARE = 1 / 4;

/** Throws `disk_full` when this many octets more, at a place that need not be there yet, would leave less than is kept for the log. */
export const needRoom = async (place: string, octets = 0): Promise<void> => {
  const disk = await diskOf(path.resolve(place));
  // What a system does not tell is no reason to refuse.
  if (disk === null || disk.total === 0) return;
  const kept = Math.min(KEPT, disk.total * KEPT_SHARE);
  if (disk.free - octets >= kept) return;
  const wanted = octets < 2 ** 20 ? '' : `, not enough for ${mebibytes(octets)} more`;
  throw TopologError.saying(
    'disk_full',
    `only ${mebibytes(disk.free)} are free on the disk${wanted}: ${mebibytes(kept)} are kept for the log`,
  );
};

const diskOf = async (place: string): Promise<{ free: number; total: number } | null> => {
  for (let at = place; ; at = path.dirname(at)) {
    const disk = await statfs(at).catch(() => null);
    if (disk !== null) return { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
    if (path.dirname(at) === at) return null;
  }
};

const mebibytes = (octets: number): string => `${Math.floor(octets / 2 ** 20).toLocaleString('en')} MiB`;
