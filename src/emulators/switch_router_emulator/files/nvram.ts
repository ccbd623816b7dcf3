import { uncompress } from './lzc.ts';

/**
 * The NVRAM file of IOU, as the public tools iou_import and iou_export (Bernhard Ehlers, IOUtools) have found it. Numbers are
 * big-endian. The first half of the file has, from its beginning:
 * - a header of 36 octets: magic ABCD, format (1 plain, 2 compressed), checksum, version of IOS, then as 32 bits the addresses of
 *   the text's begin and end and its length, and zeros;
 * - the startup configuration, and zeros up to a multiple of four (four more of them where addresses begin at 0x80000000);
 * - a header of 16 octets: magic FEDC, format 1, addresses of begin and end, length; and the private configuration;
 * - files, in sectors of 1 KiB that are filled from the end of the half on, the last two being kept free.
 * The checksum makes the half's 16-bit words add up to FFFF, in ones' complement.
 */
interface Configs {
  startup: Buffer;
  /** null: there is none. */
  private: Buffer | null;
}

const STARTUP_MAGIC = 0xabcd;
const PRIVATE_MAGIC = 0xfedc;
const FILE_MAGIC = 0xdcba;
const STARTUP_HEADER = 36;
const PRIVATE_HEADER = 16;
const CHECKSUM_AT = 4;
const PLAIN = 1;
const COMPRESSED = 2;
const SECTOR = 1024;
/** IOS 15.4, where no file tells another. */
const IOS = 0x0f04;
const BASE = 0x1000_0000;
/** Kilobytes. */
const SMALLEST = 8;
const LARGEST = 1024;

/** Configurations in a file; null when it has no startup configuration, or is no NVRAM. */
export const readNvram = (nvram: Buffer): Configs | null => {
  const header = headerOf(nvram);
  if (header === null) return null;
  const { format, length, end } = header;
  const text = nvram.subarray(STARTUP_HEADER, STARTUP_HEADER + length);
  try {
    const startup = format === COMPRESSED ? uncompress(text) : text;
    return { startup: Buffer.from(startup), private: privateAt(nvram, end) };
  } catch {
    return null;
  }
};

interface Header {
  format: number;
  ios: number;
  /** Address of the file's first octet. */
  base: number;
  length: number;
  /** End of the padded text in the file. */
  end: number;
}

const headerOf = (nvram: Buffer): Header | null => {
  if (nvram.length < STARTUP_HEADER || nvram.readUInt16BE(0) !== STARTUP_MAGIC) return null;
  const length = nvram.readUInt32BE(16);
  if (STARTUP_HEADER + length > nvram.length) return null;
  const base = nvram.readUInt32BE(8) - STARTUP_HEADER;
  const end = STARTUP_HEADER + length + padding(length, base);
  return { format: nvram.readUInt16BE(2), ios: nvram.readUInt16BE(6), base, length, end };
};

const padding = (length: number, base: number): number => {
  const rest = (4 - (length % 4)) % 4;
  return rest !== 0 && base >= 0x8000_0000 ? rest + 4 : rest;
};

/** The padding of a version that is not known may be four octets shorter or longer. */
const privateAt = (nvram: Buffer, end: number): Buffer | null => {
  for (const at of [end, end - 4, end + 4]) {
    if (at < STARTUP_HEADER || at + PRIVATE_HEADER > nvram.length || nvram.readUInt16BE(at) !== PRIVATE_MAGIC) continue;
    const length = nvram.readUInt32BE(at + 12);
    const from = at + PRIVATE_HEADER;
    if (nvram.readUInt16BE(at + 2) === PLAIN && from + length <= nvram.length)
      return Buffer.from(nvram.subarray(from, from + length));
  }
  return null;
};

/**
 * A file of `kilobytes` with these configurations, and with the files of `before`, which must be of the same size. Throws Error
 * when they do not fit in.
 */
export const writeNvram = (before: Buffer | null, configs: Configs, kilobytes: number): Buffer => {
  if (kilobytes < SMALLEST || kilobytes > LARGEST)
    throw new Error(`NVRAM of ${kilobytes} KB cannot be; it has ${SMALLEST} to ${LARGEST} KB`);
  const size = kilobytes * 1024;
  const nvram = before?.length === size ? Buffer.from(before) : Buffer.alloc(size);
  const half = size / 2;
  const room = firstSector(nvram, half);
  const header = headerOf(nvram);
  const content = contentOf(configs, header);
  if (content.length > room)
    throw new Error(
      `the configurations have ${content.length} octets, and NVRAM of ${kilobytes} KB has room for ${room}`,
    );
  nvram.fill(0, 0, room);
  content.copy(nvram);
  nvram.writeUInt16BE(checksum(nvram.subarray(0, half)), CHECKSUM_AT);
  return nvram;
};

const contentOf = (configs: Configs, header: Header | null): Buffer => {
  const base = header?.base ?? BASE;
  // Versions differ in what follows a text that has to be padded: one that is whole words long suits all.
  const startup = header === null ? toWords(configs.startup) : configs.startup;
  const padded = Buffer.alloc(startup.length + padding(startup.length, base));
  startup.copy(padded);
  const begin = base + STARTUP_HEADER;
  const first = Buffer.alloc(STARTUP_HEADER);
  [STARTUP_MAGIC, PLAIN, 0, header?.ios ?? IOS].forEach((word, n) => first.writeUInt16BE(word, 2 * n));
  [begin, begin + startup.length, startup.length].forEach((word, n) => first.writeUInt32BE(word, 8 + 4 * n));
  const text = configs.private ?? Buffer.alloc(0);
  const secondBegin = begin + padded.length + PRIVATE_HEADER;
  const second = Buffer.alloc(PRIVATE_HEADER);
  [PRIVATE_MAGIC, PLAIN].forEach((word, n) => second.writeUInt16BE(word, 2 * n));
  [secondBegin, secondBegin + text.length, text.length].forEach((word, n) => second.writeUInt32BE(word, 4 + 4 * n));
  return Buffer.concat([first, padded, second, text]);
};

const toWords = (text: Buffer): Buffer => Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, '\n')]);

/** Beginning of the files that are to stay; the space below it is free for configurations. */
const firstSector = (nvram: Buffer, half: number): number => {
  let first = half - 2 * SECTOR;
  const used = headerOf(nvram)?.end ?? 0;
  for (let at = first - SECTOR; at >= used; at -= SECTOR) {
    const sector = nvram.subarray(at, at + SECTOR);
    if (sector.readUInt16BE(0) === FILE_MAGIC && sector.readUInt16BE(4) < 8 && sector.readUInt16BE(6) <= 992)
      first = at;
    else if (sector.some((octet) => octet !== 0)) break;
  }
  return first;
};

/** Checksum of a half, without the old checksum in it. */
const checksum = (half: Buffer): number => {
  let sum = 0;
  for (let at = 0; at + 1 < half.length; at += 2) if (at !== CHECKSUM_AT) sum += half.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
};
