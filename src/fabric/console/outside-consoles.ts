import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { lookupElsewhere } from '../../common/loopback.ts';
import { readInSlices } from '../../common/slices.ts';
import { FabricError } from '../client/client.ts';
import type { ConsoleSocket, HttpUpgrade, OpenedConsole, OutsideConsole, StartedNode } from '../protocol.ts';
import type { ConsoleHandle, ConsoleSink, OpenConsole } from './console.ts';
import { createTelnetStripper, escapeTelnet } from './telnet.ts';

/** Consoles of nodes that are external processes: their bytes come over a stream, such as QEMU's serial line, or from a telnet port. */
export interface OutsideConsoles {
  /** Repeating it returns the port in use and sets the new name. */
  open(spec: OutsideConsole): Promise<StartedNode>;
  /** Does nothing for a console that is not open. */
  close(nodeId: string): Promise<void>;
  get(nodeId: string): ConsoleHandle | undefined;
  removeProject(projectId: string): Promise<void>;
  specs(): OpenedConsole[];
  closeAll(): Promise<void>;
}

interface Opened {
  spec: OutsideConsole;
  handle: ConsoleHandle;
  line: Line;
}

const RETRY_MS = 250;
/**
 * Pause after a service has ended a stream: the container has probably ended, and the server needs a moment to notice. Podman prepares
 * an ended container again when a client attaches to it, and forgets its exit code. Milliseconds.
 */
const AFTER_SERVICE_MS = 3_000;
/** Octets of input that may wait for the node; more is lost, as on a serial line. */
const MOST_QUEUED = 256 * 1024;

export function createOutsideConsoles(openConsole: OpenConsole): OutsideConsoles {
  const opened = new Map<string, Opened>();
  /** Closing consoles, whose port is in use until clients have the last output. */
  const closing = new Map<string, Promise<void>>();

  const close = async (nodeId: string): Promise<void> => {
    const known = opened.get(nodeId);
    if (known === undefined) return closing.get(nodeId);
    opened.delete(nodeId);
    known.line.end();
    const done = known.handle.close().finally(() => {
      if (closing.get(nodeId) === done) closing.delete(nodeId);
    });
    closing.set(nodeId, done);
    await done;
  };
  const closeSome = async (which: (spec: OutsideConsole) => boolean): Promise<void> => {
    const ids = [...opened.values()].filter(({ spec }) => which(spec)).map(({ spec }) => spec.node_id);
    await Promise.allSettled(ids.map(close));
  };

  return {
    async open(spec) {
      const known = opened.get(spec.node_id);
      if (known !== undefined && isSame(known, spec)) {
        known.spec = { ...known.spec, name: spec.name };
        return { console: known.handle.port };
      }
      if (known !== undefined)
        throw new FabricError('exists', `Node ${spec.node_id} has another console; close that first`);
      await closing.get(spec.node_id);
      const line = createLine(spec.to);
      try {
        const { node_id: nodeId, name, console } = spec;
        const handle = await openConsole({ nodeId, name, sink: line.sink, ...console });
        opened.set(nodeId, { spec, handle, line });
        line.begin();
        return { console: handle.port };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'port_taken')
          throw new FabricError('port_taken', error.message);
        throw error;
      }
    },
    close,
    get: (nodeId) => opened.get(nodeId)?.handle,
    removeProject: (projectId) => closeSome(({ project_id }) => project_id === projectId),
    specs: () => [...opened.values()].map(({ spec, handle }) => ({ ...spec, port: handle.port })),
    closeAll: () => closeSome(() => true),
  };
}

/** A spec that prefers the port in use is the same, whichever port was preferred first. */
const isSame = ({ spec, handle }: Opened, other: OutsideConsole): boolean =>
  spec.project_id === other.project_id &&
  isDeepStrictEqual(spec.to, other.to) &&
  spec.console.host === other.console.host &&
  [spec.console.port, handle.port].includes(other.console.port);

/** The connection to the node: made again and again until it succeeds, and whenever it is lost. */
interface Line {
  sink: ConsoleSink;
  begin(): void;
  end(): void;
}

/** Input typed while a connection is being made; dropped when it fails. */
class TypedEarly {
  #pieces: Uint8Array[] = [];
  #octets = 0;
  #isCalling = false;

  begin(): void {
    this.#isCalling = true;
  }

  add(bytes: Uint8Array): void {
    if (!this.#isCalling || this.#octets + bytes.length > MOST_QUEUED) return;
    this.#octets += bytes.length;
    this.#pieces.push(bytes.slice());
  }

  end(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#octets = 0;
    this.#isCalling = false;
    return pieces;
  }
}

function createLine(to: OutsideConsole['to']): Line {
  let connection: OpenLine | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hangUp: () => void = () => undefined;
  let first = true;
  let over = false;
  const early = new TypedEarly();
  const sink: ConsoleSink = {
    output: () => undefined,
    input(bytes) {
      if (connection === null) early.add(bytes);
      else if (connection.stream.writable && connection.stream.writableLength + bytes.length <= MOST_QUEUED)
        connection.stream.write(connection.encode(bytes));
    },
  };
  const begin = (): void => {
    early.begin();
    hangUp = dial(to, first, {
      opened(current) {
        connection = current;
        first = false;
        for (const bytes of early.end()) connection.stream.write(connection.encode(bytes));
      },
      output: (bytes) => sink.output(bytes),
      lost() {
        connection = null;
        early.end();
        if (!over) timer = setTimeout(begin, 'http_upgrade' in to && !first ? AFTER_SERVICE_MS : RETRY_MS);
      },
    });
  };
  return {
    sink,
    begin,
    end() {
      over = true;
      clearTimeout(timer);
      hangUp();
    },
  };
}

/** Gets the events of one connection. `lost` is called once, also when it never opened. */
interface LineListener {
  opened(connection: OpenLine): void;
  output(bytes: Uint8Array): void;
  lost(): void;
}

/** An open connection to a console. */
interface OpenLine {
  stream: Duplex;
  /** Encodes input for the other side. */
  encode(bytes: Uint8Array): Uint8Array;
}

/** Connects once; the returned function gives up or hangs up. `first`: no connection to this console has opened yet. */
export const dial = (to: OutsideConsole['to'], first: boolean, listener: LineListener): (() => void) => {
  if ('http_upgrade' in to) return dialUpgrade(to.http_upgrade, first, listener);
  if ('websocket' in to) return dialWebSocket(to.websocket, listener);
  if (!('path' in to)) return dialTelnet(connect(to.port, to.host), escapeTelnet, listener);
  const pass = withoutCharacters(to.drops ?? '');
  const socket = connect(to.path);
  return to.telnet === true
    ? dialTelnet(socket, (bytes) => escapeTelnet(pass(bytes)), listener)
    : dialSocket(socket, pass, listener);
};

/** Octets of a message, and milliseconds. */
const BOUNDS = { maxPayload: 4 << 20, handshakeTimeout: 10_000, perMessageDeflate: false };

/** Loads its package when first needed, as most fabrics never use it. */
const dialWebSocket = (
  { url, headers, certificate, telnet, elsewhere }: ConsoleSocket,
  listener: LineListener,
): (() => void) => {
  let over = false;
  let hangUp = (): void => undefined;
  const strip = createTelnetStripper();
  const stripped = telnet ? { ...listener, output: (bytes: Uint8Array) => listener.output(strip(bytes)) } : listener;
  const connecting = async (): Promise<void> => {
    const { createWebSocketStream, WebSocket } = await import('ws');
    if (over) return listener.lost();
    const trust = certificate === undefined ? {} : { ca: certificate, checkServerIdentity: () => undefined };
    const socket = new WebSocket(url, {
      headers,
      ...trust,
      ...BOUNDS,
      ...(elsewhere === true ? { lookup: lookupElsewhere } : {}),
    });
    hangUp = () => socket.terminate();
    let isOpen = false;
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (!isOpen) listener.lost();
    });
    socket.once('open', () => {
      isOpen = true;
      const stream = createWebSocketStream(socket);
      listener.opened({ stream, encode: telnet ? escapeTelnet : plain });
      carry(stream, stripped);
    });
  };
  connecting().catch(() => listener.lost());
  return () => {
    over = true;
    hangUp();
  };
};

const dialTelnet = (socket: Socket, encode: OpenLine['encode'], listener: LineListener): (() => void) => {
  const strip = createTelnetStripper();
  return dialSocket(socket, encode, { ...listener, output: (bytes) => listener.output(strip(bytes)) });
};

/**
 * Removes characters wherever they are typed: only the reader of a line knows how it is put together from keys (cursor keys, earlier
 * input).
 */
const withoutCharacters = (characters: string): OpenLine['encode'] => {
  const dropped = new Set(Buffer.from(characters, 'latin1'));
  return dropped.size === 0 ? plain : (bytes) => bytes.filter((byte) => !dropped.has(byte));
};

/** Octets of a node's output in one turn: sent to every client and recorded. */
const PIECE = 16 * 1024;

const plain: OpenLine['encode'] = (bytes) => bytes;

const dialSocket = (socket: Socket, encode: OpenLine['encode'], listener: LineListener): (() => void) => {
  // Open at once: a socket keeps input until it is connected.
  listener.opened({ stream: socket, encode });
  carry(socket, listener);
  return () => socket.destroy();
};

/** HTTP's Upgrade (RFC 9110, 7.8) of a POST: after status 101 the connection carries the console's bytes as they are. */
const dialUpgrade = (
  { socket: socketPath, path, first_path }: HttpUpgrade,
  first: boolean,
  listener: LineListener,
): (() => void) => {
  let opened: Duplex | null = null;
  const asked = request({
    socketPath,
    method: 'POST',
    path: first ? (first_path ?? path) : path,
    headers: { Connection: 'Upgrade', Upgrade: 'tcp' },
    agent: false,
  });
  asked.once('upgrade', (_answer, stream: Duplex, head: Buffer) => {
    opened = stream;
    listener.opened({ stream, encode: plain });
    if (head.length > 0) listener.output(head);
    carry(stream, listener);
  });
  // A refusal, such as of a container that does not run.
  asked.once('response', () => asked.destroy());
  asked.on('error', () => undefined);
  asked.once('close', () => {
    if (opened === null) listener.lost();
  });
  asked.end();
  return () => {
    asked.destroy();
    opened?.destroy();
  };
};

const carry = (stream: Duplex, listener: LineListener): void => {
  readInSlices(stream, PIECE, (bytes) => listener.output(bytes));
  stream.on('error', () => undefined);
  // Once the other side has ended the stream, no input would arrive.
  stream.once('end', () => stream.destroy());
  stream.once('close', () => listener.lost());
};
