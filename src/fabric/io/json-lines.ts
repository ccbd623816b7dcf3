import type { Socket } from 'node:net';

/** Longest line of the protocol: a batch of ops or results. Octets. */
const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Splits chunks into lines without their newline. The returned function takes a chunk and throws when a line is too long; an incomplete
 * line waits for its rest.
 */
export function createLineSplitter(onLine: (line: string) => void, longest = LONGEST_LINE): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldLength = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...held, chunk.subarray(from, at)]).toString('utf8');
      held = [];
      heldLength = 0;
      from = at + 1;
      onLine(line);
    }
    if (from === chunk.length) return;
    held.push(chunk.subarray(from));
    heldLength += chunk.length - from;
    if (heldLength > longest) throw new Error(`A line is longer than ${longest} octets`);
  };
}

const LONGEST_HELLO = 64 * 1024;

/**
 * The first line of a connection. Data behind it stays unread, and the socket is neither paused nor flowing: the next listener starts
 * it. Rejects when the peer hangs up or the line is too long.
 */
export function readFirstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let held = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      socket.off('readable', onReadable).off('close', onClose).off('error', onError);
      act();
    };
    const onReadable = (): void => {
      for (let chunk = readChunk(socket); chunk !== null; chunk = readChunk(socket)) {
        held = Buffer.concat([held, chunk]);
        const at = held.indexOf(NEWLINE);
        if (at < 0 && held.length > LONGEST_HELLO) return settle(() => reject(new Error('the first line has no end')));
        if (at < 0) continue;
        return settle(() => {
          if (at + 1 < held.length) socket.unshift(held.subarray(at + 1));
          resolve(held.toString('utf8', 0, at));
        });
      }
    };
    const onClose = (): void => settle(() => reject(new Error('the connection was closed')));
    const onError = (error: Error): void => settle(() => reject(error));
    socket.on('readable', onReadable).on('close', onClose).on('error', onError);
  });
}

const readChunk = (socket: Socket): Buffer | null => socket.read() as Buffer | null;

export const parseObject = (line: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};
