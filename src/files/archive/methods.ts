/** Numbers that a zip has for how an entry is compressed (APPNOTE 4.4.5). */
const STORED = 0;
const DEFLATE = 8;
/** With `compression=bzip2`. */
export const BZIP2 = 12;
/** Default of GNS3 3.x. */
const ZSTANDARD = 93;

/** Methods that a separate program decodes. */
export const DECODED: readonly number[] = [BZIP2, ZSTANDARD];
export const READ: readonly number[] = [STORED, DEFLATE, ...DECODED];
