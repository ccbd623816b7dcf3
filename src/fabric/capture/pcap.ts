/**
 * Capture files in the classic pcap format (draft-ietf-opsawg-pcap): little-endian, version 2.4, timestamps in microseconds.
 */

/** LINKTYPE numbers by data link type of ports. */
export const LINK_TYPES = {
  DLT_EN10MB: 1,
  DLT_PPP_SERIAL: 50,
  DLT_ATM_RFC1483: 100,
  DLT_C_HDLC: 104,
  DLT_FRELAY: 107,
} as const;
export type LinkType = keyof typeof LINK_TYPES;

export const isLinkType = (name: string): name is LinkType => Object.hasOwn(LINK_TYPES, name);

export const FILE_HEADER = 24;
export const RECORD_HEADER = 16;
/** Longest frame of a lab: a datagram carries at most 65,507 octets, and stream prefixes are limited to this. */
export const LONGEST_FRAME = 65_535;

const MAGIC_MICROSECONDS = 0xa1b2c3d4;

export function pcapHeader(linkType: number): Buffer {
  const header = Buffer.alloc(FILE_HEADER);
  header.writeUInt32LE(MAGIC_MICROSECONDS, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(LONGEST_FRAME, 16);
  header.writeUInt32LE(linkType, 20);
  return header;
}

/** The link type of a file of this format, null when it is another one. */
export const readPcapHeader = (header: Buffer): number | null =>
  header.length >= FILE_HEADER && header.readUInt32LE(0) === MAGIC_MICROSECONDS ? header.readUInt32LE(20) : null;

/** Writes one record at `at`; returns the offset behind it. `time` is in microseconds since 1970. */
export function writeRecord(into: Buffer, at: number, time: number, frame: Uint8Array): number {
  const length = Math.min(frame.length, LONGEST_FRAME);
  into.writeUInt32LE(Math.floor(time / 1_000_000), at);
  into.writeUInt32LE(Math.floor(time % 1_000_000), at + 4);
  into.writeUInt32LE(length, at + 8);
  into.writeUInt32LE(frame.length, at + 12);
  into.set(length === frame.length ? frame : frame.subarray(0, length), at + RECORD_HEADER);
  return at + RECORD_HEADER + length;
}
