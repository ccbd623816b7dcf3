import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as untilImmediate } from 'node:timers/promises';
import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { Fabric } from './fabric.ts';
import { createLineSplitter, parseObject, readFirstLine } from '../io/json-lines.ts';
import { PROTOCOL_VERSION, type FabricEvent, type FromFabric, type Op } from '../protocol.ts';

export interface FabricServer {
  readonly controlled: boolean;
  /** Listens again when the socket's file is gone. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerOptions {
  fabric: Fabric;
  socketPath: string;
  log: (line: string) => void;
  /** Real path of the fabric's data directory: a hello that names another one is refused. */
  dataDir?: string;
  /** Called once it listens, before anybody is answered. */
  onListening?: () => void;
  /** How frames reach UDP: a sentence for the fabric's client. */
  sockets?: string;
  /** Called when a control connection has asked the fabric to end and the answer is sent. */
  onShutdown: () => void;
  /** Milliseconds in which a connection must have said what it is for. */
  helloPatience?: number;
}

/** Events that wait for the next control connection while there is none. */
const MOST_KEPT = 1000;
/** Unanswered messages of a control connection after which no more are read. */
const MOST_WAITING = 64;

/** Longest `{"beat":…}`. Octets. */
const LONGEST_BEAT = 40;

/** Serves the protocol of protocol.ts. A bad message is answered or ends its connection; it never ends the fabric. */
export async function serveFabric(options: ServerOptions): Promise<FabricServer> {
  const { fabric, log, socketPath } = options;
  let control: Socket | null = null;
  /** Shared by all control connections: the ops of a killed server are done before those of the next one. */
  const queue: ControlQueue = { last: Promise.resolve() };
  let kept: FabricEvent[] = [];
  const connections = new Set<Socket>();

  fabric.onEvent((event) => {
    if (control !== null) send(control, { event });
    else if (kept.length < MOST_KEPT) kept.push(event);
  });

  const takeControl = (socket: Socket): void => {
    control?.destroy();
    control = socket;
    socket.once('close', () => {
      if (control === socket) control = null;
    });
    const { sockets } = options;
    socket.write(
      `${JSON.stringify({ ok: true, version: PROTOCOL_VERSION, pid: process.pid, sockets, heartbeat: true })}\n`,
    );
    for (const event of kept) send(socket, { event });
    kept = [];
    serveControl(socket, options, queue);
  };

  const accept = (socket: Socket): void => {
    connections.add(socket);
    // A peer that hangs up in the middle: EPIPE, ECONNRESET.
    socket.on('error', () => undefined);
    socket.on('close', () => connections.delete(socket));
    greet(socket, options, takeControl).catch((error: unknown) => {
      log(`connection: ${messageOf(error)}`);
      socket.destroy();
    });
  };

  let server = await listen(socketPath, accept, options);
  return {
    get controlled() {
      return control !== null;
    },
    async listen() {
      // Not awaited: it ends with its last connection, and connections stay.
      server.close();
      server = await listen(socketPath, accept, options);
    },
    async close() {
      for (const socket of connections) socket.destroy();
      await close(server);
    },
  };
}

async function greet(socket: Socket, options: ServerOptions, takeControl: (socket: Socket) => void): Promise<void> {
  const patience = setTimeout(() => socket.destroy(), options.helloPatience ?? 10_000);
  const line = await readFirstLine(socket).finally(() => clearTimeout(patience));
  const hello = parseObject(line);
  const isControl = hello?.['hello'] === 'control' && hello['version'] === PROTOCOL_VERSION;
  const { dataDir } = options;
  // Checked before it takes control: a copy of the data directory may link to this socket.
  if (isControl && dataDir !== undefined && (hello['data_dir'] ?? dataDir) !== dataDir)
    refuse(socket, 'invalid', `This fabric is of ${dataDir}`, { data_dir: dataDir });
  else if (isControl) takeControl(socket);
  else if (hello?.['hello'] === 'control') refuse(socket, 'invalid', `This fabric speaks version ${PROTOCOL_VERSION}`);
  else if (hello?.['hello'] === 'console') serveConsole(socket, options.fabric, hello['node_id']);
  else refuse(socket, 'invalid', 'The first line must be a hello for control or console');
}

function listen(path: string, accept: (socket: Socket) => void, { log, onListening }: ServerOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(accept);
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      onListening?.();
      // For instance no file descriptors are left: existing connections are still served.
      server.on('error', (error) => log(`socket: ${error.message}`));
      if (process.platform === 'win32') resolve(server);
      else chmod(path, 0o600).then(() => resolve(server), reject);
    });
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

interface ControlQueue {
  /** Settles when the last message so far is done. */
  last: Promise<void>;
}

/** Messages are done in order; reading pauses while too many wait, so that a peer cannot fill the memory. */
function serveControl(socket: Socket, { fabric, log, onShutdown }: ServerOptions, queue: ControlQueue): void {
  let waiting = 0;

  const answer = async (line: string): Promise<void> => {
    const message = parseObject(line);
    const { id, ops } = message ?? {};
    if (typeof id !== 'number' || !isOps(ops)) {
      log(`control: not a request: ${line.slice(0, 200)}`);
      if (typeof id === 'number') send(socket, { id, results: [] });
      return;
    }
    send(socket, { id, results: await Promise.all(ops.map((op) => fabric.perform(op))) });
    if (ops.some(({ op }) => op === 'shutdown')) socket.write('', onShutdown);
  };

  const split = createLineSplitter((line) => {
    const beat = beatOf(line);
    // Answered before all that waits: it tells whether the event loop turns, not whether an op is slow.
    if (beat !== null) return send(socket, { beat });
    if (++waiting === MOST_WAITING) socket.pause();
    queue.last = queue.last
      .then(() => answer(line))
      .catch((error: unknown) => log(`control: ${messageOf(error)}`))
      // Gives frames, timers and consoles a turn between two messages.
      .then(() => untilImmediate())
      .finally(() => {
        if (waiting-- === MOST_WAITING) socket.resume();
      });
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      split(chunk);
    } catch (error) {
      log(`control: ${messageOf(error)}`);
      socket.destroy();
    }
  });
}

/** Short lines only, so that no batch is parsed twice. */
const beatOf = (line: string): number | null => {
  const beat = line.length < LONGEST_BEAT ? parseObject(line)?.['beat'] : undefined;
  return typeof beat === 'number' ? beat : null;
};

const isOps = (ops: unknown): ops is Op[] =>
  Array.isArray(ops) && ops.every((op: unknown) => typeof op === 'object' && op !== null && 'op' in op);

function serveConsole(socket: Socket, fabric: Fabric, nodeId: unknown): void {
  try {
    if (typeof nodeId !== 'string') throw new FabricError('invalid', 'A console hello names a node_id');
    const attach = fabric.console(nodeId);
    // Before the broker writes the screen.
    socket.write('{"ok":true}\n');
    attach(socket);
  } catch (error) {
    const code = error instanceof FabricError && error.code !== 'lost' ? error.code : 'failed';
    refuse(socket, code, messageOf(error));
  }
}

const refuse = (socket: Socket, code: string, message: string, details: object = {}): void => {
  const refusal = { ok: false, code, message, version: PROTOCOL_VERSION, pid: process.pid, ...details };
  socket.end(`${JSON.stringify(refusal)}\n`);
};

const send = (socket: Socket, message: FromFabric): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};
