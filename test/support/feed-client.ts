import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';

export interface Frame {
  action: string;
  event: Record<string, unknown>;
  position: number;
  more?: number;
  project_id?: string | null;
}

/** A listener that keeps what it hears. */
export interface FeedClient {
  readonly socket: WebSocket;
  /** All frames so far. */
  readonly frames: Frame[];
  /** The first frame that fits, of those that were not asked for before it. Fails when the feed ends without one. */
  next(fits: string | ((frame: Frame) => boolean)): Promise<Frame>;
  /** Frames but for pings and load. */
  said(): Frame[];
  /** Code and reason of the end. */
  closed: Promise<[number, string]>;
  close(): Promise<void>;
}

/** `path` from `/v2` on. Resolves with the handshake. */
export const listen = async (url: string, path: string, headers: Record<string, string> = {}): Promise<FeedClient> => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { headers });
  const frames: Frame[] = [];
  let looked = 0;
  let ended = false;
  let wake = (): void => undefined;
  socket.on('message', (data: Buffer, binary: boolean) => {
    assert.equal(binary, false);
    frames.push(JSON.parse(data.toString()) as Frame);
    wake();
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(([code, reason]): [number, string] => {
    ended = true;
    wake();
    return [code as number, String(reason)];
  });
  await Promise.race([once(socket, 'open'), closed.then(() => Promise.reject(new Error(`${path} was refused`)))]);
  return {
    socket,
    frames,
    closed,
    said: () => frames.filter(({ action }) => action !== 'ping' && action !== 'compute.updated'),
    async next(fits) {
      const wanted = typeof fits === 'string' ? (frame: Frame) => frame.action === fits : fits;
      for (;;) {
        while (looked < frames.length) {
          const frame = frames[looked++];
          if (frame !== undefined && wanted(frame)) return frame;
        }
        if (ended) throw new Error(`the feed ended without it; it said ${JSON.stringify(frames).slice(0, 2000)}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async close() {
      socket.terminate();
      await closed;
    },
  };
};
