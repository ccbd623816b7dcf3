import { setImmediate } from 'node:timers/promises';
import { addressOf, type Libc } from '../libc.ts';

/** A unix datagram socket with one peer. */
interface Datagrams {
  /** Keeps it for a moment while the peer is busy; lost when there is no peer. */
  send(message: Uint8Array): void;
  /** Resolves once nothing waits for it: a process cannot end before. */
  close(): Promise<void>;
}

/** Messages that may wait for a busy peer: the system holds ten or so. */
const MOST_WAITING = 1_000;
const RETRY_MS = 1;
/** Messages taken before others have their turn. */
const BURST = 256;
/** Octets: more than any frame. */
const LONGEST = 65_536 + 64;

/** Throws Error when the path is taken. What `onMessage` gets is used again once it returns. */
export const openDatagrams = (
  libc: Libc,
  paths: { own: string; peer: string },
  onMessage: (message: Buffer) => void,
): Datagrams => {
  const peer = addressOf(paths.peer);
  const fd = libc.bindDatagram(paths.own);
  const waiting: Uint8Array[] = [];
  let timer: NodeJS.Timeout | null = null;
  let over = false;

  const flush = (): void => {
    timer = null;
    for (let message = waiting[0]; message !== undefined && !over; message = waiting[0]) {
      if (libc.send(fd, peer, message) === 'full') {
        timer = setTimeout(flush, RETRY_MS);
        return;
      }
      waiting.shift();
    }
  };
  const take = async (): Promise<void> => {
    const into = Buffer.alloc(LONGEST);
    while (!over) {
      await libc.wait(fd);
      for (let n = 0; n < BURST && !over; n++) {
        const length = libc.receive(fd, into);
        if (length === null) break;
        onMessage(into.subarray(0, length));
      }
      await setImmediate();
    }
  };
  const taking = take();

  return {
    send(message) {
      if (over || waiting.length >= MOST_WAITING) return;
      waiting.push(message);
      if (waiting.length === 1) flush();
    },
    async close() {
      if (over) return taking;
      over = true;
      if (timer !== null) clearTimeout(timer);
      libc.shutDown(fd);
      await taking;
      libc.close(fd);
    },
  };
};
