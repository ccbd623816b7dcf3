import { chmod, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '../errors.ts';
import { LONGEST_FRAME } from './capture/pcap.ts';
import { FabricError } from './client.ts';

/**
 * Frames over a unix stream socket, each behind its length as 32 bits, most significant octet first: what QEMU's
 * `-netdev stream` and passt speak. One peer at a time; a newer one takes the place of the older.
 */
export interface FrameStream {
  send(frame: Uint8Array): void;
  /** Frames with no peer to take them, or one too slow. */
  readonly failed: number;
  close(): Promise<void>;
}

export interface FrameStreamOptions {
  path: string;
  /** Wait for the peer at `path`; otherwise connect to it, again and again until it is there and whenever it went. */
  listen: boolean;
  onFrame: (frame: Uint8Array) => void;
}

const PREFIX = 4;
/** Octets that may wait for a peer. */
const MOST_QUEUED = 4_000_000;
const RETRY_MS = 250;

/** Throws FabricError `port_taken` when somebody listens at the path already. */
export async function openFrameStream(options: FrameStreamOptions): Promise<FrameStream> {
  const link = createLink(options.onFrame);
  const stop = options.listen ? await listen(options.path, link.take) : reconnect(options.path, link);
  return {
    send: link.send,
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
  take: (socket: Socket) => void;
  send: (frame: Uint8Array) => void;
  drop: () => void;
  failed: () => number;
}

function createLink(onFrame: (frame: Uint8Array) => void): Link {
  let peer: Socket | null = null;
  let corked = false;
  let failed = 0;

  const uncork = (socket: Socket): void => {
    corked = false;
    socket.uncork();
  };
  return {
    take(socket) {
      peer?.destroy();
      peer = socket;
      const parse = createFrameParser(onFrame);
      socket.on('data', (chunk: Buffer) => {
        if (!parse(chunk)) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        if (peer === socket) peer = null;
      });
    },
    send(frame) {
      if (peer === null || !peer.writable || peer.writableLength > MOST_QUEUED) {
        failed++;
        return;
      }
      // What one tick sends goes out in one call of the system.
      if (!corked) {
        corked = true;
        peer.cork();
        process.nextTick(uncork, peer);
      }
      const prefix = Buffer.allocUnsafe(PREFIX);
      prefix.writeUInt32BE(frame.length);
      peer.write(prefix);
      peer.write(frame);
    },
    drop: () => void peer?.destroy(),
    failed: () => failed,
  };
}

/** Takes chunks apart into frames, without copying those that lie in one chunk. Answers false when the peer talks nonsense. */
export function createFrameParser(onFrame: (frame: Uint8Array) => void): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + PREFIX <= data.length) {
      const length = data.readUInt32BE(at);
      if (length > LONGEST_FRAME) return false;
      const next = at + PREFIX + length;
      if (next > data.length) break;
      if (length > 0) onFrame(data.subarray(at + PREFIX, next));
      at = next;
    }
    rest = data.subarray(at);
    return true;
  };
}

async function listen(path: string, take: (socket: Socket) => void): Promise<() => Promise<void>> {
  if (await answers(path)) throw new FabricError('port_taken', `Somebody listens at ${path} already`);
  await unlink(path).catch(() => undefined);
  const server = await listening(path, take).catch((error: unknown) => {
    throw new FabricError('invalid', `${path}: ${messageOf(error)}`);
  });
  return () =>
    new Promise((resolve) => {
      // Ends with its last connection, which goes next; the path is free at once.
      server.close();
      resolve();
    });
}

function listening(path: string, take: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(take);
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      chmod(path, 0o600).then(() => resolve(server), reject);
    });
  });
}

const answers = (path: string): Promise<boolean> =>
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
    current.once('connect', () => link.take(current));
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
