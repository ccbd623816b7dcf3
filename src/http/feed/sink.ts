import { PassThrough, type Duplex } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';

/** Why a feed ends: close codes of a WebSocket (RFC 6455, section 7.4.1, and IANA's registry for 1013). */
export const ENDINGS = {
  deleted: { code: 1000, reason: 'The project was deleted' },
  failed: { code: 1011, reason: 'The log could not be read' },
  slow: { code: 1013, reason: 'The listener is too slow' },
} as const;
export type Ending = keyof typeof ENDINGS;

/** Where the frames of one listener go. */
export interface Sink {
  /** `taken`: they have left this process. */
  send(frame: Buffer, taken?: () => void): void;
  /** Bytes that have not. */
  waiting(): number;
  /** Sends of one batch go out together. */
  together(work: () => void): void;
  end(ending: Ending): void;
}

/** How long a client gets to take what it was sent before it is cut. Milliseconds. */
const GOODBYE_MS = 500;
const nothing = (): void => undefined;

export const socketSink = (socket: WebSocket, below: Pick<Duplex, 'cork' | 'uncork'>): Sink => ({
  send: (frame, taken = nothing) => socket.send(frame, { binary: false }, taken),
  waiting: () => socket.bufferedAmount,
  together: (work) => {
    below.cork();
    try {
      work();
    } finally {
      below.uncork();
    }
  },
  end: (ending) => {
    const { code, reason } = ENDINGS[ending];
    socket.close(code, reason);
    const cut = setTimeout(() => socket.terminate(), GOODBYE_MS);
    socket.once('close', () => clearTimeout(cut));
  },
});

const LF = Buffer.from('\n');

/** A line each. A client that is too slow is cut, as an answer has no other way to say so. */
export const streamSink = (): { sink: Sink; stream: PassThrough } => {
  const stream = new PassThrough();
  const sink: Sink = {
    send: (frame, taken = nothing) => {
      stream.write(frame);
      stream.write(LF, taken);
    },
    waiting: () => stream.writableLength + stream.readableLength,
    together: (work) => work(),
    end: (ending) => (ending === 'deleted' ? stream.end() : stream.destroy()),
  };
  return { sink, stream };
};
