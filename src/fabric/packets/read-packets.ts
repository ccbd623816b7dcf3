import { FILE_HEADER, LONGEST_FRAME, readPcapHeader, RECORD_HEADER } from '../capture/pcap.ts';
import type { CapturedFrame, PacketSummary } from './packet.ts';
import { summarise } from './summary.ts';

/** Reads a capture file in pieces, and summarises its frames. */
export interface PacketReading {
  /** Takes a piece; returns the records that are complete now. Throws when it is no capture file, or is damaged. */
  push(piece: Uint8Array): CapturedFrame[];
  describe(frame: CapturedFrame): PacketSummary & Pick<CapturedFrame, 'number' | 'time' | 'length'>;
}

export function readPackets(): PacketReading {
  const reader = createCaptureReader();
  return {
    push: (piece) => reader.push(piece),
    describe: ({ number, time, length, bytes }) => {
      const { source, destination, protocol, summary } = summarise(reader.linkType ?? -1, bytes);
      return { number, time, source, destination, protocol, length, summary };
    },
  };
}

/** Reads a capture file in pieces of any length. */
interface CaptureReader {
  /** Takes a piece; returns the records that are complete now. Throws when it is no capture file, or is damaged. */
  push(piece: Uint8Array): CapturedFrame[];
  /** LINKTYPE of the file; null until its header is read. */
  readonly linkType: number | null;
}

export function createCaptureReader(): CaptureReader {
  let rest = Buffer.alloc(0);
  let linkType: number | null = null;
  let count = 0;

  const readHeader = (): void => {
    if (rest.length < FILE_HEADER) return;
    linkType = readPcapHeader(rest);
    if (linkType === null) throw new Error('this is no capture file');
    rest = rest.subarray(FILE_HEADER);
  };

  return {
    push(piece) {
      rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
      if (linkType === null) readHeader();
      if (linkType === null) return [];
      const frames: CapturedFrame[] = [];
      let at = 0;
      while (at + RECORD_HEADER <= rest.length) {
        const captured = rest.readUInt32LE(at + 8);
        if (captured > LONGEST_FRAME) throw new Error('the capture file is damaged');
        const end = at + RECORD_HEADER + captured;
        if (end > rest.length) break;
        const time = rest.readUInt32LE(at) + rest.readUInt32LE(at + 4) / 1e6;
        const bytes = rest.subarray(at + RECORD_HEADER, end);
        frames.push({ number: ++count, time, length: rest.readUInt32LE(at + 12), bytes });
        at = end;
      }
      rest = rest.subarray(at);
      return frames;
    },
    get linkType() {
      return linkType;
    },
  };
}
