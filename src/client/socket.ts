/** The part of a WebSocket that the client uses. Browsers, Node from 22 on and the package `ws` have one. */
export interface Socket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}
export type SocketClass = new (url: string) => Socket;

/** Yields the texts that a WebSocket receives until it is closed. A caller that stops early closes it. */
export async function* messagesOf(
  socket: Socket,
  signal: AbortSignal,
  connected: () => void,
): AsyncGenerator<string, void, undefined> {
  const inbox = inboxOf(socket, connected);
  const abort = (): void => inbox.end(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      // More can arrive while these are handled.
      while (inbox.texts.length > 0) yield* inbox.texts.splice(0);
      if (inbox.ended !== null) {
        if (inbox.ended.failure !== undefined) throw inbox.ended.failure as Error;
        return;
      }
      await inbox.changed();
    }
  } finally {
    signal.removeEventListener('abort', abort);
    socket.close();
  }
}

interface Inbox {
  texts: string[];
  /** Set when no more text comes; `failure` is undefined after a regular end. */
  ended: { failure: unknown } | null;
  end(failure: unknown): void;
  changed(): Promise<void>;
}

const inboxOf = (socket: Socket, connected: () => void): Inbox => {
  let wake = (): void => undefined;
  let isOpen = false;
  const inbox: Inbox = {
    texts: [],
    ended: null,
    end(failure) {
      inbox.ended ??= { failure };
      wake();
    },
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (inbox.ended !== null || inbox.texts.length > 0) resolve();
      }),
  };
  socket.onopen = () => {
    isOpen = true;
    connected();
  };
  socket.onmessage = ({ data }: { data: unknown }) => {
    inbox.texts.push(String(data));
    wake();
  };
  // A close follows every error.
  socket.onerror = () => undefined;
  socket.onclose = () => inbox.end(isOpen ? undefined : new TypeError('the WebSocket was refused, or nobody answers'));
  return inbox;
};
