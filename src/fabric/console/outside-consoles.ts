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

/** What becomes of one attempt to reach a console outside. `lost` is called once, also when it never opened. */
interface LineListener {
  opened(way: OpenLine): void;
  output(bytes: Uint8Array): void;
  lost(): void;
}

/** A console that was reached. */
interface OpenLine {
  stream: Duplex;
  /** What is typed, as the other side takes it. */
  encode(bytes: Uint8Array): Uint8Array;
}

/** Connects once; what it answers gives up or hangs up. `first`: no attempt for this console has opened yet. */
export const dial = (to: OutsideConsole['to'], first: boolean, dialer: LineListener): (() => void) => {
  if ('http_upgrade' in to) return dialUpgrade(to.http_upgrade, first, dialer);
  if ('websocket' in to) return dialWebSocket(to.websocket, dialer);
  if (!('path' in to)) return dialTelnet(connect(to.port, to.host), escapeTelnet, dialer);
  const pass = withoutCharacters(to.drops ?? '');
  const socket = connect(to.path);
  return to.telnet === true
    ? dialTelnet(socket, (bytes) => escapeTelnet(pass(bytes)), dialer)
    : dialSocket(socket, pass, dialer);
};

/** A message is what a console has printed at once; octets and milliseconds. */
const BOUNDS = { maxPayload: 4 << 20, handshakeTimeout: 10_000, perMessageDeflate: false };

/** The package is loaded when it is first needed: most fabrics never do. */
const dialWebSocket = (
  { url, headers, certificate, telnet, elsewhere }: ConsoleSocket,
  dialer: LineListener,
): (() => void) => {
  let over = false;
  let hangUp = (): void => undefined;
  const strip = createTelnetStripper();
  const way = telnet ? { ...dialer, output: (bytes: Uint8Array) => dialer.output(strip(bytes)) } : dialer;
  const connecting = async (): Promise<void> => {
    const { createWebSocketStream, WebSocket } = await import('ws');
    if (over) return dialer.lost();
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
      if (!isOpen) dialer.lost();
    });
    socket.once('open', () => {
      isOpen = true;
      const stream = createWebSocketStream(socket);
      dialer.opened({ stream, encode: telnet ? escapeTelnet : plain });
      carry(stream, way);
    });
  };
  connecting().catch(() => dialer.lost());
  return () => {
    over = true;
    hangUp();
  };
};

const dialTelnet = (socket: Socket, encode: OpenLine['encode'], dialer: LineListener): (() => void) => {
  const strip = createTelnetStripper();
  return dialSocket(socket, encode, { ...dialer, output: (bytes) => dialer.output(strip(bytes)) });
};

/**
 * Whole characters, wherever they are typed: how a line is put together out of what is typed (cursor keys, what was typed earlier) only
 * its reader knows.
 */
const withoutCharacters = (characters: string): OpenLine['encode'] => {
  const dropped = new Set(Buffer.from(characters, 'latin1'));
  return dropped.size === 0 ? plain : (bytes) => bytes.filter((byte) => !dropped.has(byte));
};

/** Octets of a node's output in one turn: sent to every client and recorded. */
const PIECE = 16 * 1024;

const plain: OpenLine['encode'] = (bytes) => bytes;

const dialSocket = (socket: Socket, encode: OpenLine['encode'], dialer: LineListener): (() => void) => {
  // At once: a socket keeps what is typed until it is connected.
  dialer.opened({ stream: socket, encode });
  carry(socket, dialer);
  return () => socket.destroy();
};

/** HTTP's Upgrade (RFC 9110, 7.8) of a POST: after status 101 the connection carries the console's bytes as they are. */
const dialUpgrade = (
  { socket: socketPath, path, first_path }: HttpUpgrade,
  first: boolean,
  dialer: LineListener,
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
    dialer.opened({ stream, encode: plain });
    if (head.length > 0) dialer.output(head);
    carry(stream, dialer);
  });
  // A refusal, such as of a container that does not run.
  asked.once('response', () => asked.destroy());
  asked.on('error', () => undefined);
  asked.once('close', () => {
    if (opened === null) dialer.lost();
  });
  asked.end();
  return () => {
    asked.destroy();
    opened?.destroy();
  };
};

const carry = (stream: Duplex, dialer: LineListener): void => {
  readInSlices(stream, PIECE, (bytes) => dialer.output(bytes));
  stream.on('error', () => undefined);
  // The other side has ended it: nothing that is typed would arrive.
  stream.once('end', () => stream.destroy());
  stream.once('close', () => dialer.lost());
};

/** Consoles of nodes that are processes outside: their bytes come over a stream, such as QEMU's serial line, or from a telnet port. */
export interface OutsideConsoles {
  /** The same again answers the port in use, under the new name. */
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
 * After a service has ended a stream: what was behind it has probably ended, and the server needs a moment to learn that. Podman
 * prepares an ended container again when a client attaches to it, and forgets its exit code.
 */
const AFTER_SERVICE_MS = 3_000;
/** Octets that may wait for the node's side; more of what is typed is lost, as on a serial line. */
const MOST_QUEUED = 256 * 1024;

export function createOutsideConsoles(openConsole: OpenConsole): OutsideConsoles {
  const opened = new Map<string, Opened>();
  /** Consoles whose port is still held by clients that take the last output. */
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

/** Whichever port was wished for first, asking for the one in use is asking for what is there. */
const isSame = ({ spec, handle }: Opened, other: OutsideConsole): boolean =>
  spec.project_id === other.project_id &&
  isDeepStrictEqual(spec.to, other.to) &&
  spec.console.host === other.console.host &&
  [spec.console.port, handle.port].includes(other.console.port);

/** The way to the node: connected to again and again until it is there and whenever it went. */
interface Line {
  sink: ConsoleSink;
  begin(): void;
  end(): void;
}

/** What is typed between a call and its answer, and nothing else: without an answer nobody was typed to. */
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
  let way: OpenLine | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hangUp: () => void = () => undefined;
  let first = true;
  let over = false;
  /** What is typed while it is being reached. */
  const early = new TypedEarly();
  const sink: ConsoleSink = {
    output: () => undefined,
    input(bytes) {
      if (way === null) early.add(bytes);
      else if (way.stream.writable && way.stream.writableLength + bytes.length <= MOST_QUEUED)
        way.stream.write(way.encode(bytes));
    },
  };
  const begin = (): void => {
    early.begin();
    hangUp = dial(to, first, {
      opened(current) {
        way = current;
        first = false;
        for (const bytes of early.end()) way.stream.write(way.encode(bytes));
      },
      output: (bytes) => sink.output(bytes),
      lost() {
        way = null;
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
