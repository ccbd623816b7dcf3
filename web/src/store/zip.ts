import { t } from '../words/words.ts';

/** A file for an archive: its path inside, with slashes. */
export interface Entry {
  readonly path: string;
  readonly content: Blob;
}

/** The first day that a zip knows. */
const DATE = new Date(1980, 0, 1);
/** Read at once. */
const BLOCK = 4 * 1024 * 1024;

/** A zip of files as they are, not compressed. At most 4 GiB: throws RangeError for more. */
export const zipOf = async (entries: readonly Entry[]): Promise<Blob> => {
  if (entries.reduce((sum, { content }) => sum + content.size, 0) > 0xffff_0000)
    throw new RangeError(t('These files are too large: 4 GiB at most'));
  const { Zip, ZipPassThrough } = await import('fflate');
  const parts: BlobPart[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    parts.push(bytes);
  });
  for (const { path, content } of entries) {
    const file = Object.assign(new ZipPassThrough(path), { mtime: DATE });
    zip.add(file);
    for (let at = 0; at < content.size; at += BLOCK) {
      const block = content.slice(at, at + BLOCK);
      file.push(new Uint8Array(await block.arrayBuffer()));
      // In place of what was read of it: the files need not fit into memory.
      parts.splice(-1, 1, block);
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  return new Blob(parts);
};
