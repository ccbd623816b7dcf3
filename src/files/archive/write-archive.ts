import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import yazl from 'yazl';
import { messageOf } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import { codeOf } from '../project/disk-errors.ts';

/** What goes into an archive; `name` is what it is called there. */
export type ArchiveItem =
  | { name: string; text: string }
  /** Absolute path of a regular file. `mayGo`: it is left out where it is gone by the time at which it is read. */
  | { name: string; file: string; mayGo?: true }
  | { name: string; link: string }
  | { name: string; directory: true }
  /** An archive in the archive. */
  | { name: string; stream: () => Promise<Readable> };

/** Zip has no earlier time. */
const EPOCH = new Date('1980-01-01T00:00:00Z');

export interface ArchiveOptions {
  compress: boolean;
  /** Gets how many more octets of files have gone in. */
  onOctets?: (more: number) => void;
}

/**
 * A zip as a stream, made as it is read: neither it nor any of its files is in memory as a whole. What goes wrong ends the stream with
 * an error.
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
    // One at a time: what waits is only the table of contents.
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
        // Read by the archive: what arrives here has its pace.
        if (onOctets !== undefined) stream.on('data', (block: Buffer) => onOctets(block.length));
      })
      .catch(reject);
  });
  // Thousands of files would listen otherwise.
  await promise.finally(() => out.off('close', leave));
};

/** Neither follows a link out of the project nor waits for the writer of a pipe. null: it may be gone, and is. */
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

/** As well where a link has taken its place. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
