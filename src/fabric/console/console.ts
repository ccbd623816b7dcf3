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
  /** Called for each new client: the node may print its prompt again. */
  attached?(): void;
}

/** Gets all traffic of a console; see recorder.ts. It must not keep the bytes, as their buffer is reused. */
export interface ConsoleTap {
  output(bytes: Uint8Array): void;
  /** Input of clients, without telnet negotiation. */
  input(bytes: Uint8Array): void;
  /** An event at the console, such as a new client. */
  mark(text: string): void;
}

/** Gets the output of a console. It must not keep the bytes, as their buffer is reused. */
export interface ConsoleListener {
  output: (bytes: Uint8Array) => void;
  /** Called when a client types. */
  typed: () => void;
}

/** A session of the server itself at a console. */
export interface ConsoleSession {
  /** The last output, as new clients get it. */
  last(): Uint8Array;
  /** Whether a client has just typed, or has left a line unfinished. */
  isInUse(): boolean;
  /** Sends input like a client; does not call `typed` of listeners. */
  type(bytes: Uint8Array): void;
}

/** A console that listens. */
export interface ConsoleHandle {
  /** TCP port in use. */
  readonly port: number;
  /** One more client, whose bytes are the console's without telnet negotiation. */
  attach(stream: Duplex): void;
  /** Closes every client. */
  reset(): void;
  /** Replaces the tap; null: removes it. */
  record(tap: ConsoleTap | null): void;
  /** Ends by the signal. */
  join(listener: ConsoleListener, signal: AbortSignal): ConsoleSession;
  close(): Promise<void>;
}

export interface ConsoleRequest {
  nodeId: string;
  /** The node's name, for error messages. */
  name: string;
  sink: ConsoleSink;
  host: string;
  /** Preferred port; 0: any of `range`. */
  port: number;
  /** First and last port to choose from when `port` is 0 or taken. */
  range: [number, number];
  /** Records the console from its first byte. */
  tap?: ConsoleTap | null;
}

/** Fails with an Error of `code: 'port_taken'` when nothing of the range is free. */
export type OpenConsole = (request: ConsoleRequest) => Promise<ConsoleHandle>;
