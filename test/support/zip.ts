import { crc32, deflateRawSync } from 'node:zlib';

/** A zip file of any shape, also of such as no program would make. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */

export interface ZipEntry {
  name: string;
  data?: Buffer | string;
  /** Unix mode; default: a regular file. */
  mode?: number;
  /** Default 8, deflate. */
  method?: number;
  /** As it is in the archive, of another method. */
  packed?: Buffer;
  /** What the table of contents says in place of what is true. */
  crc?: number;
  size?: number;
  flags?: number;
  extra?: Buffer;
  /** Has no bytes of its own: those of the entry with this index. */
  same?: number;
}

const u16 = (n: number): Buffer => Buffer.from([n & 0xff, (n >>> 8) & 0xff]);
const u32 = (n: number): Buffer => {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(n >>> 0);
  return b;
};

interface Placed {
  entry: ZipEntry;
  name: Buffer;
  fields: Buffer;
  offset: number;
}

const fieldsOf = (entry: ZipEntry, packed: Buffer, data: Buffer): Buffer =>
  Buffer.concat([
    ...[u16(20), u16(0x800 | (entry.flags ?? 0)), u16(entry.method ?? 8), u16(0), u16(0x21)],
    ...[u32(entry.crc ?? crc32(data)), u32(packed.length), u32(entry.size ?? data.length)],
  ]);

export const zipOf = (entries: readonly ZipEntry[]): Buffer => {
  const parts: Buffer[] = [];
  const placed: Placed[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.packed ?? ((entry.method ?? 8) === 8 ? deflateRawSync(data) : data);
    const name = Buffer.from(entry.name);
    const fields = fieldsOf(entry, packed, data);
    const twin = entry.same === undefined ? undefined : placed[entry.same];
    if (twin !== undefined) {
      placed.push({ entry, name, fields: twin.fields, offset: twin.offset });
      continue;
    }
    placed.push({ entry, name, fields, offset });
    const local = Buffer.concat([u32(0x04034b50), fields, u16(name.length), u16(0), name, packed]);
    parts.push(local);
    offset += local.length;
  }
  const start = offset;
  for (const { entry, name, fields, offset: at } of placed) {
    const extra = entry.extra ?? Buffer.alloc(0);
    const mode = entry.mode ?? (entry.name.endsWith('/') ? 0o040755 : 0o100644);
    const head = Buffer.concat([
      ...[u32(0x02014b50), u16((3 << 8) | 20), fields, u16(name.length), u16(extra.length), u16(0), u16(0), u16(0)],
      ...[u32((mode << 16) >>> 0), u32(at), name, extra],
    ]);
    parts.push(head);
    offset += head.length;
  }
  const count = u16(placed.length);
  parts.push(u32(0x06054b50), u16(0), u16(0), count, count, u32(offset - start), u32(start), u16(0));
  return Buffer.concat(parts);
};

/** The project file of an empty lab. */
export const emptyProject = (change: object = {}): string =>
  JSON.stringify({
    ...{ project_id: '00000000-0000-4000-8000-000000000001', name: 'archived', type: 'topology', revision: 9 },
    ...{ version: '2.2.60', topology: { nodes: [], links: [], drawings: [], computes: [] } },
    ...change,
  });
