import { createStore, type Store } from '../store.ts';

/** `waiting`: it is not wanted at the moment, as what it leads to is stopped or the server is away. */
export type LinkState = 'waiting' | 'connecting' | 'open' | 'lost';

/** The used part of a WebSocket. */
export interface SocketLike {
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  send(data: string): void;
  close(): void;
}

export interface KeptSocketOptions {
  readonly open: () => SocketLike;
  readonly onBytes: (bytes: Uint8Array) => void;
  /** It is connected again, and gets the last output once more. */
  readonly onAgain: () => void;
  /** Runs something later; answers what prevents it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** A WebSocket that connects again by itself, for as long as it is wanted. */
export interface KeptSocket {
  readonly state: Store<LinkState>;
  /** Whether it can be connected now. */
  readonly want: (isWanted: boolean) => void;
  /** While it connects, the text waits. Answers false, and sends nothing, while it is lost or not wanted. */
  readonly send: (text: string) => boolean;
  readonly close: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

const afterwards = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

interface Hearer extends Pick<KeptSocketOptions, 'onBytes'> {
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Hears a socket for as long as it is the one in use. */
const hear = (socket: SocketLike, isInUse: () => boolean, { onOpen, onBytes, onClose }: Hearer): void => {
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    if (isInUse()) onOpen();
  };
  socket.onmessage = ({ data }: { data: unknown }) => {
    if (!isInUse()) return;
    if (data instanceof ArrayBuffer) onBytes(new Uint8Array(data));
    else if (typeof data === 'string') onBytes(new TextEncoder().encode(data));
  };
  socket.onclose = () => {
    if (isInUse()) onClose();
  };
};

export const keepSocket = ({ open, onBytes, onAgain, later = afterwards }: KeptSocketOptions): KeptSocket => {
  const state = createStore<LinkState>('waiting');
  let socket: SocketLike | null = null;
  let isWanted = false;
  let hasBeenOpen = false;
  let pauseMs = FIRST_PAUSE_MS;
  let cancel: (() => void) | null = null;
  let early = '';
  const drop = (): void => {
    cancel?.();
    cancel = null;
    const old = socket;
    socket = null;
    early = '';
    old?.close();
  };
  const connect = (): void => {
    cancel = null;
    state.set('connecting');
    const fresh = open();
    socket = fresh;
    hear(fresh, () => socket === fresh, {
      onOpen: () => {
        pauseMs = FIRST_PAUSE_MS;
        if (hasBeenOpen) onAgain();
        hasBeenOpen = true;
        if (early !== '') fresh.send(early);
        early = '';
        state.set('open');
      },
      onBytes,
      onClose: () => {
        socket = null;
        early = '';
        state.set('lost');
        cancel = later(connect, pauseMs);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      },
    });
  };
  const want = (now: boolean): void => {
    if (now === isWanted) return;
    isWanted = now;
    drop();
    pauseMs = FIRST_PAUSE_MS;
    if (now) connect();
    else state.set('waiting');
  };
  return {
    state,
    want,
    send(text) {
      if (socket === null) return false;
      if (state.get() === 'open') socket.send(text);
      else early += text;
      return true;
    },
    close: () => want(false),
  };
};
