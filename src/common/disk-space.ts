import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { TopologError } from './errors.ts';

/**
 * Space kept free for the log on every disk that is written to: captures, recordings, uploads, imports, snapshots and images end or are
 * refused first. Octets.
 */
const KEPT = 64 * 2 ** 20;
/** Share of a small disk that is kept free instead. */
const KEPT_SHARE = 1 / 4;

/** Throws `disk_full` if writing so many octets at a path, which need not exist yet, would leave less than is kept for the log. */
export const needRoom = async (place: string, octets = 0): Promise<void> => {
  const disk = await diskOf(path.resolve(place));
  // Nothing is refused where the system does not tell the free space.
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
