import type { Readable } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import { z } from 'zod';
import type { PacketReading } from '../../../fabric/packets/read-packets.ts';
import type { HttpLimits } from '../../limits.ts';

/** A packet in one line. */
export const packet = z.strictObject({
  number: z.int().meta({ description: 'In the capture, from 1 on' }),
  time: z.number().meta({ description: 'Seconds since 1970, to the microsecond' }),
  source: z.string(),
  destination: z.string(),
  protocol: z.string(),
  length: z.int().meta({ description: 'Octets on the link' }),
  summary: z.string(),
});

/** A message of the WebSocket of a capture's packets: docs/reference/feeds.md. */
export const packetMessage = z.union([
  packet,
  z.strictObject({ skipped: z.int().meta({ description: 'Packets that are not told in this place' }) }),
]);

/** Packets that are sent of what was captured before. */
const BACKLOG = 1_000;
/** Packets that are sent in `SLICE_MS`; further ones are only counted, as nobody could read them. */
const MOST = 500;
const SLICE_MS = 250;
/** Close codes of RFC 6455, section 7.4.1. */
const NORMAL = 1000;
const FAILED = 1011;

type Limits = Pick<HttpLimits, 'feedBytes'>;

/**
 * Packets of a capture as they come, a JSON text each. What a listener is too slow for, or nobody could read, is counted and told as
 * `{"skipped": n}` in its place. `backlog`: octets of the stream that were captured before; of these the last packets are told.
 */
export const tellPackets = async (
  socket: WebSocket,
  capture: { stream: Readable; backlog: number },
  reading: PacketReading,
  limits: Limits,
): Promise<void> => {
  const teller = new PacketTeller(socket, reading, limits);
  try {
    let read = 0;
    for await (const piece of capture.stream as AsyncIterable<Buffer>) {
      const frames = reading.push(piece);
      read += piece.length;
      if (read < capture.backlog) teller.keep(frames);
      else teller.tell(frames);
    }
    teller.end();
    socket.close(NORMAL, 'The capture has stopped');
  } catch {
    teller.end();
    socket.close(FAILED, 'The capture cannot be read');
  }
};

type Frames = ReturnType<PacketReading['push']>;

class PacketTeller {
  readonly #socket: WebSocket;
  readonly #reading: PacketReading;
  readonly #limits: Limits;
  #kept: Frames = [];
  #skipped = 0;
  #left = MOST;
  #timer: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket, reading: PacketReading, limits: Limits) {
    this.#socket = socket;
    this.#reading = reading;
    this.#limits = limits;
  }

  /** Keeps frames that were captured before, up to the last `BACKLOG`. */
  keep(frames: Frames): void {
    const all = [...this.#kept, ...frames];
    this.#kept = all.slice(-BACKLOG);
    this.#skipped += all.length - this.#kept.length;
  }

  tell(frames: Frames): void {
    if (this.#kept.length > 0 || this.#skipped > 0) {
      this.keep(frames);
      const kept = this.#kept;
      this.#kept = [];
      this.#left = Math.max(this.#left, kept.length);
      this.#send(kept);
    } else this.#send(frames);
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#send(this.#kept);
    this.#tellSkipped();
  }

  #send(frames: Frames): void {
    for (const frame of frames) {
      const isSlow = this.#socket.bufferedAmount > this.#limits.feedBytes / 4;
      if (this.#left <= 0 || isSlow) this.#skipped += 1;
      else {
        this.#left -= 1;
        this.#tellSkipped();
        this.#socket.send(JSON.stringify(this.#reading.describe(frame)));
      }
    }
    // Also for those that were skipped last, which nothing follows.
    if (frames.length > 0) this.#timer ??= setTimeout(() => this.#nextSlice(), SLICE_MS).unref();
  }

  #nextSlice(): void {
    this.#timer = null;
    this.#left = MOST;
    this.#tellSkipped();
  }

  #tellSkipped(): void {
    if (this.#skipped === 0 || this.#socket.bufferedAmount > this.#limits.feedBytes) return;
    this.#socket.send(JSON.stringify({ skipped: this.#skipped }));
    this.#skipped = 0;
  }
}
