import type { FileHandle } from 'node:fs/promises';
import { FILE_HEADER, LONGEST_FRAME, readPcapHeader, RECORD_HEADER } from './pcap.ts';

const BLOCK = 1024 * 1024;

/**
 * Where the last whole record of a capture file ends, and when it was taken (microseconds since 1970); null when the file has no
 * whole header yet. Throws when it is no capture file of this link type.
 */
export async function findEnd(file: FileHandle, linkType: number): Promise<{ end: number; time: number } | null> {
  const { size } = await file.stat();
  if (size < FILE_HEADER) return null;
  const header = await readAt(file, 0, FILE_HEADER);
  const found = readPcapHeader(header);
  if (found === null) throw new Error('the file is not a pcap file');
  if (found !== linkType) throw new Error(`the file has link type ${found}, not ${linkType}`);
  return walk(file, size);
}

async function walk(file: FileHandle, size: number): Promise<{ end: number; time: number }> {
  let end = FILE_HEADER;
  let time = 0;
  while (end + RECORD_HEADER <= size) {
    const block = await readAt(file, end, BLOCK);
    const whole = walkBlock(block, size - end);
    if (whole.length === 0) break;
    end += whole.length;
    time = whole.time;
    if (whole.torn) break;
  }
  return { end, time };
}

/** The records that begin in the block. The last one may end behind the block, though not behind the file. */
function walkBlock(block: Buffer, rest: number): { length: number; time: number; torn: boolean } {
  let at = 0;
  let time = 0;
  while (at + RECORD_HEADER <= block.length) {
    const captured = block.readUInt32LE(at + 8);
    const next = at + RECORD_HEADER + captured;
    if (captured > LONGEST_FRAME || next > rest) return { length: at, time, torn: true };
    time = block.readUInt32LE(at) * 1_000_000 + block.readUInt32LE(at + 4);
    at = next;
  }
  return { length: at, time, torn: false };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
