import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdir, open, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { needRoom } from '../../common/file.ts';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import { programFile } from '../../common/package.ts';
import { quoted } from '../fields/json.ts';
import { diskError } from '../project/disk-errors.ts';
import { walk } from '../project/tree.ts';
import { NameTable, safeName, safeTarget } from './entry-names.ts';
import { DECODED, READ } from './methods.ts';

/** Limits of an archive: far beyond any lab, and far below what would fill a disk or memory. */
interface ArchiveLimits {
  /** Number of entries. */
  entries: number;
  /** Bytes of all files, unpacked. */
  bytes: number;
  /** Maximum ratio of unpacked to packed bytes, above `free` unpacked bytes. */
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

/**
 * A portable archive: a zip (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), of which every entry is
 * checked.
 */

interface ArchiveEntry {
  /** Name on disk. */
  name: string;
  sort: 'file' | 'directory' | 'link';
  bytes: number;
  zip: Entry;
}

export interface Archive {
  entries: readonly Omit<ArchiveEntry, 'zip'>[];
  /** Bytes of all files, unpacked. */
  bytes: number;
  /** Text of a small file in it; throws when there is none. */
  text(name: string): Promise<string>;
  /**
   * Unpacks everything below a new directory, verifying every checksum. `onOctets` gets the number of octets written
   * since the last call.
   */
  unpack(directory: string, onOctets?: (more: number) => void): Promise<void>;
  close(): void;
}

const refused = (why: string): TopologError => conflict(`the archive is refused: ${why}`);

/** Opens an archive and checks its table of contents: names, types, sizes. Unpacks nothing. Throws conflict. */
export const openArchive = async (file: string, limits: ArchiveLimits = ARCHIVE_LIMITS): Promise<Archive> => {
  const zip = await openZip(file);
  try {
    const entries = await readEntries(zip, limits);
    return {
      entries,
      bytes: checkSizes(entries, zip.fileSize, limits),
      text: (name) => readText(zip, entries, name, limits.projectFile),
      unpack: (directory, onOctets = () => undefined) => unpackAll(zip, entries, directory, onOctets),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw asRefusal(error);
  }
};

const asRefusal = (error: unknown): TopologError =>
  error instanceof TopologError ? error : refused(messageOf(error).replace(/[^\x20-\x7e]/g, '?'));

const openZip = async (file: string): Promise<ZipFile> => {
  try {
    return await yauzl.openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
  } catch (error) {
    throw refused(
      `it is no whole zip file (${messageOf(error)
        .replace(/[^\x20-\x7e]/g, '?')
        .slice(0, 200)})`,
    );
  }
};

const readEntries = async (zip: ZipFile, limits: ArchiveLimits): Promise<ArchiveEntry[]> => {
  if (zip.entryCount > limits.entries)
    throw refused(`it has ${zip.entryCount} entries; ${limits.entries} are the most`);
  const entries: ArchiveEntry[] = [];
  const names = new NameTable();
  const starts = new Map<number, string>();
  for await (const entry of zip.eachEntry()) {
    const name = safeName(entry.fileName);
    const sort = sortOf(entry, name);
    names.add(name, sort);
    // Several names for the same bytes are a way to make an archive unpack to far more than its size.
    const twin = starts.get(entry.relativeOffsetOfLocalHeader);
    if (twin !== undefined) throw refused(`${quoted(name)} and ${quoted(twin)} are the same bytes of it`);
    starts.set(entry.relativeOffsetOfLocalHeader, name);
    entries.push({ name, sort, bytes: entry.uncompressedSize, zip: entry });
  }
  return entries;
};

/** Mode of an entry made on Unix: upper half of its external attributes. */
const S_IFMT = 0o170000;
const [S_IFLNK, S_IFDIR, S_IFREG] = [0o120000, 0o040000, 0o100000];
/** Extra field of PKWARE's Unix extension: after 12 octets comes the target of a hard link. */
const PKWARE_UNIX = 0x000d;

const sortOf = (entry: Entry, name: string): ArchiveEntry['sort'] => {
  const unix = entry.versionMadeBy >>> 8 === 3 || entry.versionMadeBy >>> 8 === 19;
  const type = unix ? (entry.externalFileAttributes >>> 16) & S_IFMT : 0;
  if (entry.isEncrypted()) throw refused(`${quoted(name)} is encrypted`);
  if (!READ.includes(entry.compressionMethod))
    throw refused(
      `${quoted(name)} is compressed by method ${entry.compressionMethod}; none (0), deflate (8), bzip2 (12) and Zstandard (93) are read`,
    );
  if (type === S_IFLNK) return 'link';
  if (type !== 0 && type !== S_IFDIR && type !== S_IFREG)
    throw refused(`${quoted(name)} is a device, a pipe or a socket`);
  if (entry.extraFields.some(({ id, data }) => id === PKWARE_UNIX && data.length > 12))
    throw refused(`${quoted(name)} is a hard link`);
  return entry.fileName.endsWith('/') || type === S_IFDIR ? 'directory' : 'file';
};

const checkSizes = (entries: readonly ArchiveEntry[], size: number, limits: ArchiveLimits): number => {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const packed = entries.reduce((sum, entry) => sum + entry.zip.compressedSize, 0);
  const most = Math.min(limits.bytes, Math.max(limits.free, size * limits.ratio));
  if (bytes > most) throw refused(`it would unpack to ${bytes} bytes, and may to ${most}`);
  if (packed > size) throw refused('its entries lie over one another');
  return bytes;
};

const openEntry = async (zip: ZipFile, entry: Entry): Promise<AsyncIterable<unknown>> =>
  DECODED.includes(entry.compressionMethod)
    ? decoded(await zip.openReadStreamPromise(entry, { decodeFileData: false }), entry.compressionMethod)
    : zip.openReadStreamPromise(entry);

/** Content of an entry; size and checksum are verified at the end. */
async function* bytesOf(zip: ZipFile, { name, bytes, zip: entry }: ArchiveEntry): AsyncGenerator<Buffer> {
  let sum = 0;
  let read = 0;
  try {
    for await (const block of await openEntry(zip, entry)) {
      const chunk = block as Buffer;
      read += chunk.length;
      if (read > bytes) throw new Error('it is larger than its table of contents says');
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (read !== bytes) throw new Error('it is smaller than its table of contents says');
    if (sum !== entry.crc32) throw new Error('its checksum is wrong');
  } catch (error) {
    throw error instanceof TopologError ? error : refused(`${quoted(name)} is damaged: ${messageOf(error)}`);
  }
}

const readText = async (
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  name: string,
  limit: number,
): Promise<string> => {
  const entry = entries.find((e) => e.name === name && e.sort === 'file');
  if (entry === undefined) throw refused(`it has no ${name}`);
  if (entry.bytes > limit) throw refused(`${name} is larger than ${limit} bytes`);
  const blocks: Buffer[] = [];
  for await (const block of bytesOf(zip, entry)) blocks.push(block);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(blocks));
  } catch {
    throw refused(`${name} is not UTF-8 text`);
  }
};

/** Maximum length of a link's target in octets. */
const MAX_TARGET = 4096;

/** Links are made last, so that nothing is written through one. */
const unpackAll = async (
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  directory: string,
  onOctets: (more: number) => void,
): Promise<void> => {
  const links: { place: string; target: string }[] = [];
  await mkdir(directory, { recursive: true });
  for (const entry of entries) {
    const place = path.join(directory, entry.name);
    if (entry.sort === 'directory') await making(entry.name, mkdir(place, { recursive: true }));
    else if (entry.sort === 'link') links.push({ place, target: await targetOf(zip, entries, entry) });
    else await unpackFile(zip, entry, place, onOctets);
  }
  for (const { place, target } of links) {
    await mkdir(path.dirname(place), { recursive: true });
    await making(place, symlink(target, place));
  }
};

const making = async (name: string, work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    throw diskError(error, `${name} cannot be unpacked`);
  });
};

const targetOf = async (zip: ZipFile, entries: readonly ArchiveEntry[], entry: ArchiveEntry): Promise<string> =>
  safeTarget(
    entry.name,
    await readText(
      zip,
      entries.map((e) => (e === entry ? { ...e, sort: 'file' } : e)),
      entry.name,
      MAX_TARGET,
    ),
  );

const unpackFile = async (
  zip: ZipFile,
  entry: ArchiveEntry,
  place: string,
  onOctets: (more: number) => void,
): Promise<void> => {
  await making(entry.name, mkdir(path.dirname(place), { recursive: true }));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const executable = ((entry.zip.externalFileAttributes >>> 16) & 0o111) !== 0;
  const handle = await open(place, flags, executable ? 0o755 : 0o644).catch((error: unknown) => {
    throw diskError(error, `${entry.name} cannot be unpacked`);
  });
  try {
    for await (const block of bytesOf(zip, entry)) {
      await making(entry.name, needRoom(place, block.length));
      await making(entry.name, handle.writeFile(block));
      onOctets(block.length);
    }
    await making(entry.name, handle.sync());
  } finally {
    await handle.close();
  }
};

/** Refuses an unpacked tree in which a link leads out of it. */
export const checkLinks = async (root: string): Promise<void> => {
  for await (const entry of walk(root, '.'))
    if (entry.type === 'link') safeTarget(entry.path.slice('./'.length), entry.target);
};

/** Maximum of characters of the decoder's message. */
const TOLD = 200;

/** Decodes an entry in a separate process, which ends with its reader. Throws the decoder's message. */
async function* decoded(octets: Readable, method: number): AsyncGenerator<Buffer> {
  const program = [programFile('files/archive/decoder'), String(method)];
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(0, TOLD)));
  // A decoder that fails stops reading; its exit code is checked below.
  const fed = pipeline(octets, child.stdin).catch(() => undefined);
  ended.catch(() => undefined);
  try {
    for await (const block of child.stdout) yield block as Buffer;
    const [[code]] = await Promise.all([ended, fed]);
    if (code !== 0) throw new Error(told === '' ? 'its decoder has ended' : told);
  } finally {
    child.kill('SIGKILL');
    octets.destroy();
  }
}
