import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { conflict, messageOf } from '../../common/errors.ts';

/** Contents of an image's header: its format, and the other files that it names. */
export interface ImageHead {
  /** QEMU's name of the format. */
  format: string;
  /** Files that it consists of beside itself, as it names them. */
  parts: string[];
  /** Backing file of a copy on write, as the image names it; `format` null: QEMU looks at its beginning. null: there is none. */
  backing: { name: string; format: string | null } | null;
  /** Octets that the guest sees; null: not told here. */
  size: number | null;
}

/** Reads up to `length` octets at `offset`; fewer at the end of the file. */
type ReadAt = (offset: number, length: number) => Promise<Buffer>;

/**
 * Reads the beginning of an image as QEMU does that is not told a format, opening no other file, whatever the image says. Throws a conflict
 * for what is no regular file, and for a header that is not whole.
 */
export const readHead = async (file: string): Promise<ImageHead> => {
  let handle: FileHandle | null = null;
  try {
    // Does not wait for a writer, should it be a FIFO.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw new Error('it is no regular file');
    return await headOf(file, reader(handle));
  } catch (error) {
    throw conflict(`the image ${file} cannot be used: ${messageOf(error)}`, { image: file });
  } finally {
    await handle?.close();
  }
};

const reader =
  (handle: FileHandle): ReadAt =>
  async (offset, length) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };

const headOf = async (file: string, at: ReadAt): Promise<ImageHead> => {
  const head = await at(0, 2048);
  if (head.subarray(0, 4).equals(QCOW)) return qcow(head, at);
  if (head.subarray(0, 4).toString('latin1') === 'QED\0') return qed(head, at);
  const vmdk = await vmdkHead(head, at);
  if (vmdk !== null) return vmdk;
  const format = PLAIN.find(([magic, , offset = 0]) => head.indexOf(magic, offset, 'latin1') === offset)?.[1];
  return { format: format ?? (/\.dmg$/i.test(file) ? 'dmg' : 'raw'), parts: [], backing: null, size: null };
};

/** Formats whose images name no other file (block/*.c of QEMU), by their magic; the offset is 0 unless given. */
const PLAIN: readonly (readonly [magic: string, format: string, offset?: number])[] = [
  ['\x7f\x10\xda\xbe', 'vdi', 64],
  ['vhdxfile', 'vhdx'],
  ['conectix', 'vpc'],
  ['LUKS\xba\xbe', 'luks'],
  ['WithoutFreeSpace', 'parallels'],
  ['WithouFreSpacExt', 'parallels'],
  ['Bochs Virtual HD Image', 'bochs'],
  ['#!/bin/sh\n#V2.0 Format\nmodprobe cloop', 'cloop'],
];

const QCOW = Buffer.from('QFI\xfb', 'latin1');
/** docs/interop/qcow2.txt of QEMU: incompatible feature 2, and types of header extensions. */
const DATA_FILE_BIT = 2;
const BACKING_FORMAT = 0xe2792aca;
const DATA_FILE = 0x44415441;
const LONGEST_NAME = 1023;
const MOST_EXTENSIONS = 64;
const NO_MORE = Buffer.alloc(8);

const qcow = async (head: Buffer, at: ReadAt): Promise<ImageHead> => {
  const version = whole(head, 72).readUInt32BE(4);
  if (version < 1 || version > 3) throw new Error(`version ${version} of qcow is not known`);
  const name = await nameAt(Number(head.readBigUInt64BE(8)), head.readUInt32BE(16), at);
  const size = Number(head.readBigUInt64BE(24));
  if (version === 1) return { format: 'qcow', parts: [], backing: name === '' ? null : { name, format: null }, size };
  const features = version === 3 ? whole(head, 104).readUInt32BE(76) : 0;
  const begin = version === 3 ? head.readUInt32BE(100) : 72;
  const end = Number(head.readBigUInt64BE(8)) || 2 ** head.readUInt32BE(20);
  const extensions = await extensionsAt({ begin, end }, at);
  const data = extensions.get(DATA_FILE);
  if ((features & (1 << DATA_FILE_BIT)) !== 0 && data === undefined) throw new Error('it does not name its data file');
  return {
    format: 'qcow2',
    parts: data === undefined ? [] : [data],
    backing: name === '' ? null : { name, format: extensions.get(BACKING_FORMAT) ?? null },
    size,
  };
};

/**
 * Header extensions: each is its type, its length and its data, padded to eight octets; type 0 ends them, or the name of the backing file,
 * or the cluster.
 */
const extensionsAt = async (
  { begin, end }: { begin: number; end: number },
  at: ReadAt,
): Promise<Map<number, string>> => {
  const found = new Map<number, string>();
  for (let next = begin, n = 0; ; n++) {
    const header = next < end ? await at(next, 8) : NO_MORE;
    // An image may end with its header.
    if (header.length < 8 || header.readUInt32BE(0) === 0) return found;
    if (n === MOST_EXTENSIONS) throw new Error('its header has no end');
    const [type, length] = [header.readUInt32BE(0), header.readUInt32BE(4)];
    if (type === BACKING_FORMAT || type === DATA_FILE) found.set(type, await nameAt(next + 8, length, at));
    next += 8 + Math.ceil(length / 8) * 8;
  }
};

/** docs/interop/qed_spec.txt of QEMU: features 0 (there is a backing file) and 2 (which is raw). */
const qed = async (head: Buffer, at: ReadAt): Promise<ImageHead> => {
  const features = whole(head, 64).readUInt32LE(16);
  const name = (features & 1) === 0 ? '' : await nameAt(head.readUInt32LE(56), head.readUInt32LE(60), at);
  const backing = name === '' ? null : { name, format: (features & 4) === 0 ? null : 'raw' };
  return { format: 'qed', parts: [], backing, size: Number(head.readBigUInt64LE(48)) };
};

const nameAt = async (offset: number, length: number, at: ReadAt): Promise<string> => {
  if (offset === 0 || length === 0) return '';
  if (length > LONGEST_NAME) throw new Error('a name in its header is too long');
  return whole(await at(offset, length), length).toString();
};

const whole = (bytes: Buffer, length: number): Buffer => {
  if (bytes.length < length) throw new Error('its header is not whole');
  return bytes;
};

/** Text of a disk: where its octets are, and what it is a copy on write of (VMware, Virtual Disk Format 5.0). */
const DESCRIPTOR = /^(?:#[^\n]*\n| *\r?\n)*version=[123] *\r?\n/;
const LONGEST_DESCRIPTOR = 2 ** 20;
const SECTOR = 512;
/** Place at which QEMU looks for the name of a parent in a file that has octets as well, whatever its header says. */
const PARENT = { offset: 0x200, length: 20 * SECTOR };

/** null: it is no VMDK. */
const vmdkHead = async (head: Buffer, at: ReadAt): Promise<ImageHead | null> => {
  const magic = head.subarray(0, 4).toString('latin1');
  if (magic === 'KDMV' || magic === 'COWD') return sparse(head, at);
  if (!DESCRIPTOR.test(head.toString('latin1'))) return null;
  return described(await textAt(0, LONGEST_DESCRIPTOR, at));
};

const textAt = async (offset: number, length: number, at: ReadAt): Promise<string> =>
  (await at(offset, length)).toString('utf8').split('\0', 1)[0] ?? '';

/** A file with octets and, mostly, a descriptor in it: that tells the extents only where the file itself has no capacity. */
const sparse = async (head: Buffer, at: ReadAt): Promise<ImageHead> => {
  const inside = parentOf(await textAt(PARENT.offset, PARENT.length, at));
  if (!head.toString('latin1').startsWith('KDMV')) return { format: 'vmdk', parts: [], backing: inside, size: null };
  if (head.length < 44) throw new Error('its header is not whole');
  const [capacity = 0, offset = 0, sectors = 0] = [12, 28, 36].map((n) => Number(head.readBigUInt64LE(n)));
  const length = Math.min(sectors * SECTOR, LONGEST_DESCRIPTOR);
  const found = described(offset === 0 || length === 0 ? '' : await textAt(offset * SECTOR, length, at));
  if (capacity === 0) return found;
  const other = found.backing === null ? [] : [found.backing.name];
  return { ...found, parts: inside === null ? [] : other, backing: inside ?? found.backing, size: capacity * SECTOR };
};

const described = (text: string): ImageHead => ({
  format: 'vmdk',
  parts: extentsIn(text),
  backing: parentOf(text),
  size: null,
});

/** RW 4192256 SPARSE "disk-s001.vmdk", with more behind it for some types; line ends count as blanks to QEMU. */
const extentsIn = (text: string): string[] => {
  const names: string[] = [];
  for (let at = 0; ;) {
    const begin = indexOf(text, /\bRW\s/g, at);
    const from = begin < 0 ? -1 : text.indexOf('"', begin);
    if (from < 0) return names;
    const end = indexOf(text, /["\r\n]/g, from + 1);
    if (end >= 0 && text[end] === '"') names.push(text.slice(from + 1, end));
    at = end < 0 ? text.length : end + 1;
  }
};

const indexOf = (text: string, pattern: RegExp, from: number): number => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
};

/** Skips two characters, whatever they are, before the name, as QEMU does. */
const HINT = 'parentFileNameHint';
const parentOf = (text: string): ImageHead['backing'] => {
  const hint = text.indexOf(HINT);
  const from = hint + HINT.length + 2;
  const end = hint < 0 ? -1 : text.indexOf('"', from);
  const name = end < 0 ? '' : text.slice(from, end);
  return name === '' ? null : { name, format: null };
};
