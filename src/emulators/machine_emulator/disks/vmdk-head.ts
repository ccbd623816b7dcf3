import type { ImageHead, ReadAt } from './image-head.ts';

/** Text of a disk: where its octets are, and what it is a copy on write of (VMware, Virtual Disk Format 5.0). */
const DESCRIPTOR = /^(?:#[^\n]*\n| *\r?\n)*version=[123] *\r?\n/;
const LONGEST_DESCRIPTOR = 2 ** 20;
const SECTOR = 512;
/** Where QEMU looks for the name of a parent in a file that has octets as well, whatever its header says. */
const PARENT = { offset: 0x200, length: 20 * SECTOR };

/** null: it is no VMDK. */
export const vmdkHead = async (head: Buffer, at: ReadAt): Promise<ImageHead | null> => {
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
  // RW 4192256 SPARSE "disk-s001.vmdk", with more behind it for some types; line ends count as blanks to QEMU.
  parts: [...text.matchAll(/\bRW\s[^"]*"([^"\r\n]*)"/g)].map(([, name = '']) => name),
  backing: parentOf(text),
  size: null,
});

/** As QEMU reads it: two characters, whatever they are, then the name. */
const parentOf = (text: string): ImageHead['backing'] => {
  const name = /parentFileNameHint..([^"]*)"/s.exec(text)?.[1] ?? '';
  return name === '' ? null : { name, format: null };
};
