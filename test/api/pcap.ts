import assert from 'node:assert/strict';

/** A frame of a capture file, with what tells ARP and ICMP apart. */
export interface CapturedFrame {
  /** Seconds. */
  at: number;
  bytes: Buffer;
  what: 'ARP' | 'echo request' | 'echo reply' | 'other';
}

const GLOBAL_HEADER = 24;
const RECORD_HEADER = 16;

/** Reads a pcap file (draft-ietf-opsawg-pcap): microseconds, little endian, Ethernet. Throws on anything torn. */
export const parsePcap = (file: Buffer): CapturedFrame[] => {
  assert.equal(file.readUInt32LE(0), 0xa1b2c3d4, 'magic number');
  assert.deepEqual([file.readUInt16LE(4), file.readUInt16LE(6)], [2, 4], 'version');
  assert.equal(file.readUInt32LE(20), 1, 'link type Ethernet');
  const frames: CapturedFrame[] = [];
  let position = GLOBAL_HEADER;
  while (position < file.length) {
    assert.ok(position + RECORD_HEADER <= file.length, 'a torn record header');
    const at = file.readUInt32LE(position) + file.readUInt32LE(position + 4) / 1e6;
    const length = file.readUInt32LE(position + 8);
    position += RECORD_HEADER;
    assert.ok(position + length <= file.length, 'a torn frame');
    const bytes = file.subarray(position, position + length);
    frames.push({ at, bytes, what: kindOf(bytes) });
    position += length;
  }
  return frames;
};

const kindOf = (bytes: Buffer): CapturedFrame['what'] => {
  const etherType = bytes.readUInt16BE(12);
  if (etherType === 0x0806) return 'ARP';
  const icmp = 14 + (bytes.readUInt8(14) & 0x0f) * 4;
  if (etherType !== 0x0800 || bytes.readUInt8(14 + 9) !== 1) return 'other';
  const type = bytes.readUInt8(icmp);
  if (type === 8) return 'echo request';
  return type === 0 ? 'echo reply' : 'other';
};
