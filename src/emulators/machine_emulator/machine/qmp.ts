import { connect, type Socket } from 'node:net';
import { Emitter } from '../../../common/emitter.ts';
import { messageOf } from '../../../common/errors.ts';
import { until } from '../../../common/promises.ts';

/**
 * A client of the QEMU Machine Protocol (docs/interop/qmp-spec of QEMU): JSON lines over a unix socket. QEMU serves one client at a
 * time; a second one connects and gets no answer.
 */
export interface Qmp {
  /**
   * Runs a command and answers what it returned. Throws QmpError when QEMU refuses, when it does not answer in time, and when the
   * connection is gone.
   */
  execute(command: string, args?: Record<string, unknown>, deadline?: number): Promise<unknown>;
  /** `{"event": name, "data": ...}` messages. */
  onEvent(listener: (name: string, data: Record<string, unknown>) => void): void;
  readonly open: boolean;
  close(): void;
}

export class QmpError extends Error {
  /** QEMU's class of error (`GenericError`, `CommandNotFound`, ...), `Lost` or `Deadline`. */
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.name = 'QmpError';
    this.kind = kind;
  }
}

/** Milliseconds in which QEMU answers a command. */
const ANSWER_MS = 10_000;
/** An answer longer than this is none of QEMU's. Octets. */
const LONGEST = 16 * 1024 * 1024;
const RETRY_MS = 15;

interface QmpConnect {
  path: string;
  signal?: AbortSignal;
  /** Milliseconds in which the socket must be there and QEMU must have answered. */
  deadline: number;
}

/** Connects as soon as the socket is there, and leaves negotiation mode. */
export const connectQmp = async ({ path, signal, deadline }: QmpConnect): Promise<Qmp> => {
  const end = performance.now() + deadline;
  const socket = await until(() => dial(path), { every: RETRY_MS, within: deadline, signal });
  if (socket === null) throw new QmpError('Deadline', `nobody answers at ${path}`);
  return negotiate(socket, end - performance.now(), signal);
};

/** null while nobody listens. */
const dial = (path: string): Promise<Socket | null> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'EAGAIN') resolve(null);
      else reject(new QmpError('Lost', messageOf(error)));
    });
  });

const negotiate = async (socket: Socket, deadline: number, signal: AbortSignal | undefined): Promise<Qmp> => {
  const client = new Client(socket);
  const abort = (): void => client.close();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await client.execute('qmp_capabilities', {}, deadline);
    signal?.throwIfAborted();
    return client;
  } catch (error) {
    client.close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
};

interface Waiting {
  command: string;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

class Client implements Qmp {
  readonly #socket: Socket;
  readonly #events = new Emitter<{ event: [name: string, data: Record<string, unknown>] }>();
  readonly onEvent = this.#events.subscriber('event');
  readonly #waiting = new Map<number, Waiting>();
  #rest = '';
  #next = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#lost());
  }

  get open(): boolean {
    return this.#socket.writable;
  }

  execute(command: string, args: Record<string, unknown> = {}, deadline: number = ANSWER_MS): Promise<unknown> {
    if (!this.open) return Promise.reject(new QmpError('Lost', `${command}: QEMU is gone`));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new QmpError('Deadline', `${command}: QEMU did not answer within ${Math.round(deadline / 1000)} s`));
      }, deadline);
      this.#waiting.set(id, { command, resolve, reject, timer });
      this.#socket.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LONGEST) this.close();
    for (const line of lines) if (line.trim() !== '') this.#take(line);
  }

  #take(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = JSON.parse(line) as Record<string, unknown>;
    } catch {
      // Not this protocol: closing rejects the callers.
      this.close();
      return;
    }
    if (typeof message['event'] === 'string')
      this.#events.emit('event', message['event'], (message['data'] ?? {}) as Record<string, unknown>);
    else if (typeof message['id'] === 'number') this.#answered(message['id'], message);
  }

  #answered(id: number, message: Record<string, unknown>): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    const error = message['error'] as { class?: string; desc?: string } | undefined;
    if (error === undefined) waiting.resolve(message['return']);
    else waiting.reject(new QmpError(error.class ?? 'GenericError', `${waiting.command}: ${error.desc ?? 'refused'}`));
  }

  #lost(): void {
    for (const { command, reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new QmpError('Lost', `${command}: QEMU went away before it answered`));
    }
    this.#waiting.clear();
  }
}

/** QEMU's run states (qapi/run-state.json) as they matter here. */
type RunState = 'running' | 'paused' | 'unfinished' | 'broken';

export const runStateOf = async (qmp: Qmp): Promise<RunState> => {
  const { status } = (await qmp.execute('query-status')) as { status: string };
  switch (status) {
    case 'paused':
    case 'suspended':
      return 'paused';
    // A start or a save that nobody carried through.
    case 'prelaunch':
    case 'inmigrate':
    case 'finish-migrate':
    case 'postmigrate':
    case 'save-vm':
    case 'restore-vm':
      return 'unfinished';
    // The accelerator failed.
    case 'internal-error':
      return 'broken';
    default:
      return 'running';
  }
};
