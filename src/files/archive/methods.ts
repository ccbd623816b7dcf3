/** Numbers that a zip has for how an entry is compressed (APPNOTE 4.4.5). */
const STORED = 0;
const DEFLATE = 8;
/** With `compression=bzip2`. */
export const BZIP2 = 12;
/** What GNS3 3.x takes by itself. */
const ZSTANDARD = 93;

/** Those that a program of their own decodes. */
export const DECODED: readonly number[] = [BZIP2, ZSTANDARD];
export const READ: readonly number[] = [STORED, DEFLATE, ...DECODED];
