/** Compression methods of zip entries (APPNOTE 4.4.5). */
const STORED = 0;
const DEFLATE = 8;
/** Written by GNS3 with `compression=bzip2`. */
export const BZIP2 = 12;
/** Default of GNS3 3.x. */
const ZSTANDARD = 93;

/** Methods decoded by a separate program. */
export const DECODED: readonly number[] = [BZIP2, ZSTANDARD];
export const READ: readonly number[] = [STORED, DEFLATE, ...DECODED];
