import type { Duplex } from 'node:stream';

/**
 * The node's side of a console: bytes in, bytes out. The broker (console/broker.ts) fans output out to every telnet and
 * WebSocket client and merges what they type; it keeps the last screenful for clients that come later.
 */
export interface ConsoleSink {
  /** Bytes typed by any client, telnet negotiation already removed. */
  input(bytes: Uint8Array): void;
  /** The broker sets this once; the node calls it with what it prints (CR LF line ends). */
  output: (bytes: Uint8Array) => void;
  /** A client has just come: the node may print its prompt again. */
  attached?(): void;
}

/** Sees all that goes over a console, as it goes; see recorder.ts. What it is given it must not keep: it may change. */
export interface ConsoleTap {
  /** What the node prints. */
  output(bytes: Uint8Array): void;
  /** What clients type, telnet negotiation already removed. */
  input(bytes: Uint8Array): void;
  /** Something happened at the console. */
  mark(text: string): void;
}

/** Hears what goes over a console. What it is given it must not keep: it may change. */
export interface ConsoleListener {
  output(bytes: Uint8Array): void;
  /** A client has typed something. */
  typed(): void;
}

/** Beside the clients of a console. */
export interface ConsoleSession {
  /** The last output, as clients get it that come later. */
  last(): Uint8Array;
  /** A client has just typed, or has left a line unfinished. */
  isInUse(): boolean;
  /** As a client would; listeners are not told. */
  type(bytes: Uint8Array): void;
  leave(): void;
}

/** A console that listens. */
export interface ConsoleHandle {
  /** TCP port in use. */
  readonly port: number;
  /** One more client, whose bytes are the console's without telnet negotiation. */
  attach(stream: Duplex): void;
  /** Closes every client. */
  reset(): void;
  /** What records the console from now on; null: nothing. */
  record(tap: ConsoleTap | null): void;
  /** For the server's own questions. */
  join(listener: ConsoleListener): ConsoleSession;
  close(): Promise<void>;
}

export interface ConsoleRequest {
  nodeId: string;
  /** The node's name, for error messages. */
  name: string;
  sink: ConsoleSink;
  host: string;
  /** Wished for; 0: any of `range`. */
  port: number;
  /** First and last port to choose from when `port` is 0 or taken. */
  range: [number, number];
  /** Records the console from its first byte. */
  tap?: ConsoleTap | null;
}

/** Fails with an Error of `code: 'port_taken'` when nothing of the range is free. */
export type OpenConsole = (request: ConsoleRequest) => Promise<ConsoleHandle>;
