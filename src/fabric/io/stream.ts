import { unlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { listenPrivately } from './private-socket.ts';
import { messageOf } from '../../common/errors.ts';
import { LONGEST_FRAME } from '../capture/pcap.ts';
import { FabricError } from '../client/client.ts';
import { FrameBatch, type FrameSink } from '../frames/frame-batch.ts';

/**
 * Frames over a unix stream socket, each behind its length as 32 bits, most significant octet first: what QEMU's
 * `-netdev stream` and passt speak. One peer at a time; a new one replaces the old.
 */
export interface FrameStream extends FrameSink {
  /** Frames lost because there was no peer or it was too slow. */
  readonly failed: number;
  close(): Promise<void>;
}

export interface FrameStreamOptions {
  path: string;
  /** True: waits for the peer at `path`; false: connects to it, again and again until it is there and whenever it is lost. */
  listen: boolean;
  sink: FrameSink;
}

const PREFIX = 4;
/** Octets after which frames are written before the tick ends. */
const BLOCK = 64 * 1024;
/** Octets that may wait for a peer. */
const MOST_QUEUED = 4_000_000;
const RETRY_MS = 250;

/** Throws FabricError `port_taken` when somebody listens at the path already. */
export async function openFrameStream(options: FrameStreamOptions): Promise<FrameStream> {
  const link = createLink(options.sink);
  const stop = options.listen ? await listen(options.path, link.accept) : reconnect(options.path, link);
  return {
    take: link.take,
    takeBatch: link.takeBatch,
    get failed() {
      return link.failed();
    },
    async close() {
      await stop();
      link.drop();
    },
  };
}

interface Link {
  /** Replaces the peer. */
  accept: (socket: Socket) => void;
  take: (frame: Uint8Array) => void;
  takeBatch: (batch: FrameBatch) => void;
  drop: () => void;
  failed: () => number;
}

function createLink(sink: FrameSink): Link {
  let peer: Socket | null = null;
  let failed = 0;
  let waiting: Uint8Array[] = [];
  let octets = 0;

  const flush = (): void => {
    const frames = waiting;
    waiting = [];
    octets = 0;
    // They are lost if the peer has gone meanwhile.
    if (frames.length > 0 && peer?.writable === true) peer.write(block(frames));
  };
  const hasRoom = (): boolean => peer?.writable === true && peer.writableLength + octets <= MOST_QUEUED;
  return {
    accept(socket) {
      peer?.destroy();
      peer = socket;
      const parse = createFrameParser((batch) => sink.takeBatch(batch));
      socket.on('data', (chunk: Buffer) => {
        if (!parse(chunk)) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        if (peer === socket) peer = null;
      });
    },
    take(frame) {
      if (!hasRoom()) {
        failed++;
        return;
      }
      // Frames of one tick are written in one block.
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push(frame);
      octets += frame.length;
      if (octets >= BLOCK) flush();
    },
    takeBatch(batch) {
      flush();
      if (!hasRoom()) failed += batch.count;
      else peer?.write(block(Array.from({ length: batch.count }, (_, i) => batch.view(i))));
    },
    drop: () => void peer?.destroy(),
    failed: () => failed,
  };
}

/** Copies frames, each behind its length, into one buffer. */
function block(frames: readonly Uint8Array[]): Buffer {
  const whole = Buffer.allocUnsafe(frames.reduce((sum, frame) => sum + PREFIX + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    at = whole.writeUInt32BE(frame.length, at);
    whole.set(frame, at);
    at += frame.length;
  }
  return whole;
}

/** Splits chunks into frames without copying those that lie in one chunk. Returns false when a length is impossible. */
export function createFrameParser(onFrames: (batch: FrameBatch) => void): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const offsets: number[] = [];
    const lengths: number[] = [];
    let at = 0;
    let sane = true;
    while (at + PREFIX <= data.length) {
      const length = data.readUInt32BE(at);
      sane = length <= LONGEST_FRAME;
      const next = at + PREFIX + length;
      if (!sane || next > data.length) break;
      if (length > 0) {
        offsets.push(at + PREFIX);
        lengths.push(length);
      }
      at = next;
    }
    rest = data.subarray(at);
    const batch = new FrameBatch(data, Uint32Array.from(offsets), Uint32Array.from(lengths), false);
    if (batch.count > 0) onFrames(batch);
    return sane;
  };
}

async function listen(path: string, take: (socket: Socket) => void): Promise<() => Promise<void>> {
  if (await isListening(path)) throw new FabricError('port_taken', `Somebody listens at ${path} already`);
  await unlink(path).catch(() => undefined);
  const server = await listenPrivately(path, take).catch((error: unknown) => {
    throw new FabricError('invalid', `${path}: ${messageOf(error)}`);
  });
  return () =>
    new Promise((resolve) => {
      // Not awaited: it ends with its last connection, which is closed next, and the path is free at once.
      server.close();
      resolve();
    });
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

function reconnect(path: string, link: Link): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let socket: Socket | undefined;
  const attempt = (): void => {
    const current = connect(path);
    socket = current;
    current.once('connect', () => link.accept(current));
    current.on('error', () => undefined);
    current.once('close', () => {
      if (!stopped) timer = setTimeout(attempt, RETRY_MS);
    });
  };
  attempt();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.destroy();
    return Promise.resolve();
  };
}
