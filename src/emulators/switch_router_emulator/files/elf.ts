/** What the header of an ELF program (System V ABI, elf(5)) says of where it can run. */
export interface ElfProgram {
  bits: 32 | 64;
  /** Loader that it asks for (PT_INTERP); null: it needs none. */
  interpreter: string | null;
}

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const LITTLE_ENDIAN = 1;
/** e_machine of the processors that IOU is made for: i386 and x86-64. */
const MACHINES: Readonly<Record<number, number>> = { 32: 3, 64: 62 };
const PT_INTERP = 3;

/** null when the beginning of a file is not that of a program for i386 or x86-64. Octets enough: all program headers, and the loader's name. */
export const readElf = (bytes: Buffer): ElfProgram | null => {
  if (bytes.length < 64 || !bytes.subarray(0, 4).equals(MAGIC)) return null;
  const [type, order, version] = bytes.subarray(4, 7);
  const bits = type === 1 ? 32 : type === 2 ? 64 : null;
  if (bits === null || order !== LITTLE_ENDIAN || version !== 1) return null;
  if (bytes.readUInt16LE(18) !== MACHINES[bits]) return null;
  return { bits, interpreter: interpreterOf(bytes, bits) };
};

const interpreterOf = (bytes: Buffer, bits: 32 | 64): string | null => {
  const wide = bits === 64;
  const word = (at: number): number => (wide ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at));
  const first = word(wide ? 32 : 28);
  const size = bytes.readUInt16LE(wide ? 54 : 42);
  const count = bytes.readUInt16LE(wide ? 56 : 44);
  for (let n = 0; n < count; n++) {
    const at = first + n * size;
    if (at + (wide ? 56 : 32) > bytes.length) return null;
    if (bytes.readUInt32LE(at) !== PT_INTERP) continue;
    const from = word(at + (wide ? 8 : 4));
    const name = bytes.subarray(from, from + word(at + (wide ? 32 : 16)));
    return name.length === 0 ? null : (name.toString('latin1').split('\0', 1)[0] ?? '');
  }
  return null;
};
