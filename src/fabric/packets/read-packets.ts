import type { PacketSummary } from './packet.ts';
import { type CapturedFrame, createCaptureReader } from './reader.ts';
import { summarise } from './summary.ts';

/** A capture file as it comes, and its frames in words. */
export interface PacketReading {
  /** Records that are whole now. Throws for what is no capture file, or is damaged. */
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
