/** What an archive may be. Far beyond any lab, and far from what would fill a disk or a memory. */
export interface ArchiveLimits {
  /** Entries in it. */
  entries: number;
  /** Bytes of all files, unpacked. */
  bytes: number;
  /** Unpacked bytes for each byte of the archive, once they are more than `free`. */
  ratio: number;
  free: number;
  /** Bytes of the project file. */
  projectFile: number;
}

const GIB = 1024 ** 3;

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 100_000,
  bytes: 256 * GIB,
  ratio: 200,
  free: GIB,
  projectFile: 64 * 1024 ** 2,
};
