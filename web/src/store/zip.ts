/** A file for an archive: its path inside, with slashes. */
export interface Entry {
  readonly path: string;
  readonly content: Blob;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

/** CRC-32 as zips have it, going on from `crc`. */
export const crc32 = (bytes: Uint8Array, crc = 0): number => {
  let c = ~crc >>> 0;
  for (const byte of bytes) c = (TABLE[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return ~c >>> 0;
};

const crcOf = async (content: Blob): Promise<number> => {
  let crc = 0;
  const reader = content.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return crc;
    crc = crc32(value, crc);
  }
};

/** 1 January 1980, the first day that a zip knows. */
const DATE = 0x21;
const UTF8_NAMES = 0x800;
const FIELDS = { 2: 'setUint16', 4: 'setUint32' } as const;

const header = (...fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    view[FIELDS[size]](at, value, true);
    at += size;
  }
  return bytes;
};

/** A zip of files as they are, not compressed. At most 4 GiB: throws RangeError for more. */
export const zipOf = async (entries: readonly Entry[]): Promise<Blob> => {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, content } of entries) {
    const name = new TextEncoder().encode(path);
    const common = [
      [2, 20],
      [2, UTF8_NAMES],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, await crcOf(content)],
      [4, content.size],
      [4, content.size],
      [2, name.length],
      [2, 0],
    ] as const;
    const local = header([4, 0x04034b50], ...common);
    parts.push(local, name, content);
    directory.push(header([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name);
    offset += local.length + name.length + content.size;
    if (offset > 0xffff_0000) throw new RangeError('These files are too large: 4 GiB at most');
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  const end = header([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end]);
};
