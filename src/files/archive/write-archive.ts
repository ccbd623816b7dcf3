import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import yazl from 'yazl';
import { messageOf } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import { codeOf } from '../project/disk-errors.ts';

/** An entry of an archive; `name` is its name there. */
export type ArchiveItem =
  | { name: string; text: string }
  /** Absolute path of a regular file. `mayGo`: skipped when it no longer exists at its turn. */
  | { name: string; file: string; mayGo?: true }
  | { name: string; link: string }
  | { name: string; directory: true }
  /** A nested archive. */
  | { name: string; stream: () => Promise<Readable> };

/** The earliest time that a zip can have. */
const EPOCH = new Date('1980-01-01T00:00:00Z');

export interface ArchiveOptions {
  compress: boolean;
  /** Gets the number of octets of files added since the last call. */
  onOctets?: (more: number) => void;
}

/**
 * A zip as a stream, made while it is read: neither it nor its files are held in memory as a whole. Errors destroy
 * the stream.
 */
export const writeArchive = (items: AsyncIterable<ArchiveItem>, options: ArchiveOptions): Readable => {
  const zip = new yazl.ZipFile();
  const out = new PassThrough();
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(messageOf(error)));
  zip.on('error', fail);
  zip.outputStream.on('error', fail);
  zip.outputStream.pipe(out);
  void addAll(zip, items, options, out).catch(fail);
  return out;
};

const addAll = async (
  zip: yazl.ZipFile,
  items: AsyncIterable<ArchiveItem>,
  options: ArchiveOptions,
  out: PassThrough,
): Promise<void> => {
  const { compress } = options;
  for await (const item of items) {
    if (out.destroyed) return;
    const mtime = EPOCH;
    if ('directory' in item) zip.addEmptyDirectory(item.name, { mtime, mode: 0o040755 });
    else if ('link' in item)
      zip.addBuffer(Buffer.from(item.link), item.name, { mtime, mode: 0o120777, compress: false });
    else if ('text' in item) zip.addBuffer(Buffer.from(item.text), item.name, { mtime, mode: 0o100644, compress });
    // Added one at a time, so that only the table of contents accumulates.
    else await addStream(zip, item, options, out);
  }
  zip.end();
};

const addStream = async (
  zip: yazl.ZipFile,
  item: Extract<ArchiveItem, { file: string } | { stream: unknown }>,
  { compress, onOctets }: ArchiveOptions,
  out: PassThrough,
): Promise<void> => {
  const nested = 'stream' in item;
  const opened = nested ? null : await openFile(item);
  if (opened === null && !nested) return;
  const options = { mtime: EPOCH, mode: opened?.mode ?? 0o100644, compress: compress && !nested };
  let reading = opened?.stream;
  const { promise, resolve, reject } = withResolvers();
  const leave = (): void => {
    reading?.destroy();
    resolve();
  };
  out.once('close', leave);
  zip.addReadStreamLazy(item.name, options, (ready) => {
    (nested ? item.stream() : Promise.resolve(opened?.stream ?? Readable.from([])))
      .then((stream) => {
        reading = stream;
        stream.once('error', reject).once('end', resolve);
        if (out.destroyed) stream.destroy();
        ready(null, stream);
        // Added after the archive's own listener, which sets the pace.
        if (onOctets !== undefined) stream.on('data', (block: Buffer) => onOctets(block.length));
      })
      .catch(reject);
  });
  // Removed, as thousands of files would leave thousands of listeners.
  await promise.finally(() => out.off('close', leave));
};

/** Neither follows a link out of the project nor blocks on a pipe. null: gone, with `mayGo`. */
const openFile = async ({
  file,
  mayGo,
}: Extract<ArchiveItem, { file: string }>): Promise<{ stream: Readable; mode: number } | null> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      if (mayGo === true && GONE.has(codeOf(error))) return null;
      throw error;
    },
  );
  if (handle === null) return null;
  const stat = await handle.stat();
  if (stat.isFile())
    return { stream: handle.createReadStream(), mode: (stat.mode & 0o111) === 0 ? 0o100644 : 0o100755 };
  await handle.close();
  if (mayGo === true) return null;
  throw new Error(`${file} is no longer a regular file`);
};

/** Includes the error for a link that has replaced the file. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
