import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Emitter } from '../../common/emitter.ts';
import { messageOf } from '../../common/errors.ts';
import { FabricError, type ControlClient } from './client.ts';
import { createLineSplitter, parseObject, readFirstLine } from '../io/json-lines.ts';
import {
  PROTOCOL_VERSION,
  type FabricErrorCode,
  type FabricEvent,
  type FromFabric,
  type Inventory,
  type Op,
  type OpResult,
} from '../protocol.ts';

/** Ops a message carries at most, so that neither side is busy for long with one. */
const OPS_PER_MESSAGE = 32;
/** Unanswered messages at once; the rest waits here, not in the socket. */
const MESSAGES_AT_ONCE = 4;
const PATIENCE_MS = 5000;
/** Longest wait for the answer to an op that was sent: longer than the fabric's own deadline for it. Milliseconds. */
const ANSWER_MS = 30_000;

/** Answer of the fabric to a hello. `pid` and `version` are there even in a refusal. */
export interface Greeting {
  ok: boolean;
  version?: number;
  pid?: number;
  sockets?: string;
  /** It answers `{beat}`; fabrics of earlier releases do not. */
  heartbeat?: boolean;
  /** Its data directory, in a refusal of a hello that named another one. */
  data_dir?: string;
  code?: FabricErrorCode;
  message?: string;
}

/** Opens a connection and says hello. Throws an Error with the system's code when nobody listens. */
export async function greet(
  socketPath: string,
  hello: Record<string, unknown>,
  patience = PATIENCE_MS,
): Promise<{ socket: Socket; greeting: Greeting }> {
  const socket = connect(socketPath);
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${patience / 1000} s`)), patience);
  try {
    socket.write(`${JSON.stringify(hello)}\n`);
    const greeting = parseObject(await readFirstLine(socket));
    if (greeting === null || typeof greeting['ok'] !== 'boolean') throw new Error('the answer is not one of a fabric');
    socket.on('error', () => undefined);
    return { socket, greeting: { ...greeting, ok: greeting['ok'] } };
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export const CONTROL_HELLO = { hello: 'control', version: PROTOCOL_VERSION };

/** Throws FabricError: `lost` when nobody answers, `invalid` when the fabric speaks another version. */
export async function connectFabric(socketPath: string): Promise<ControlClient> {
  const { socket, greeting } = await greet(socketPath, CONTROL_HELLO).catch((error: unknown) => {
    throw new FabricError('lost', `The fabric at ${socketPath} does not answer: ${messageOf(error)}`);
  });
  if (greeting.ok) return createClient(socketPath, socket);
  socket.destroy();
  throw new FabricError(greeting.code ?? 'failed', greeting.message ?? 'The fabric refused the connection');
}

interface Pending {
  op: Op;
  resolve: (result: OpResult) => void;
  reject: (error: FabricError) => void;
}

export function createClient(socketPath: string, socket: Socket, answerMs = ANSWER_MS): ControlClient {
  const requests = createRequests(socket, answerMs);
  const beats = createHeartbeats(socket);
  const emitter = new Emitter<{ event: [FabricEvent]; lost: [] }>();
  /** Events that come before anybody listens wait for the first listener. */
  let early: FabricEvent[] = [];
  let lost = false;

  const split = createLineSplitter((line) => {
    const message = parseObject(line) as FromFabric | null;
    if (message === null) socket.destroy();
    else if ('event' in message) {
      if (!emitter.emit('event', message.event)) early.push(message.event);
    } else if ('beat' in message) beats.answered(message.beat);
    else requests.answered(message.id, message.results);
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      split(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.once('close', () => {
    lost = true;
    requests.lost();
    emitter.emit('lost');
  });

  const run = (ops: Op[]): Promise<OpResult[]> => Promise.all(ops.map((op) => requests.add(op)));
  const one = async <T>(op: Op): Promise<T> => {
    const result = await requests.add(op);
    if (!result.ok) throw new FabricError(result.code, result.message);
    return result.value as T;
  };

  return {
    run,
    one,
    inventory: () => one<Inventory>({ op: 'inventory' }),
    console: (nodeId) => openConsole(socketPath, nodeId),
    onEvent(listener) {
      emitter.on('event', listener);
      for (const event of early) listener(event);
      early = [];
    },
    onLost(listener) {
      // Called asynchronously even when it is gone already.
      if (lost) setImmediate(listener);
      else emitter.on('lost', listener);
    },
    beat: beats.ask,
    close: () => void socket.destroy(),
  };
}

function createHeartbeats(socket: Socket): { ask: () => Promise<void>; answered: (beat: number) => void } {
  const asked = new Map<number, () => void>();
  let next = 1;
  return {
    ask: () =>
      new Promise((resolve) => {
        const beat = next++;
        asked.set(beat, resolve);
        if (socket.writable) socket.write(`${JSON.stringify({ beat })}\n`);
      }),
    answered(beat) {
      asked.get(beat)?.();
      asked.delete(beat);
    },
  };
}

/** Ops of one tick go out together and in order. */
function createRequests(
  socket: Socket,
  answerMs: number,
): {
  add: (op: Op) => Promise<OpResult>;
  answered: (id: number, results: OpResult[]) => void;
  lost: () => void;
} {
  let waiting: Pending[] = [];
  const sent = new Map<number, { batch: Pending[]; timer: NodeJS.Timeout }>();
  let nextId = 1;
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    while (waiting.length > 0 && sent.size < MESSAGES_AT_ONCE) {
      const batch = waiting.slice(0, OPS_PER_MESSAGE);
      waiting = waiting.slice(OPS_PER_MESSAGE);
      const id = nextId++;
      // Checked after what has arrived meanwhile is read: this process may have been the slow one.
      const timer = setTimeout(() => setImmediate(() => late(id)), answerMs).unref();
      sent.set(id, { batch, timer });
      socket.write(`${JSON.stringify({ id, ops: batch.map(({ op }) => op) })}\n`);
    }
  };
  const take = (id: number): Pending[] => {
    const found = sent.get(id);
    clearTimeout(found?.timer);
    sent.delete(id);
    return found?.batch ?? [];
  };
  const late = (id: number): void => {
    for (const { op, reject } of take(id))
      reject(new FabricError('failed', `${op.op} was not answered within ${answerMs / 1000} s`));
    if (!scheduled) flush();
  };

  return {
    add: (op) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(lostError());
        waiting.push({ op, resolve, reject });
        if (!scheduled) setImmediate(flush);
        scheduled = true;
      }),
    answered(id, results) {
      take(id).forEach(({ resolve }, index) =>
        resolve(results[index] ?? { ok: false, code: 'invalid', message: 'The fabric did not understand the request' }),
      );
      if (!scheduled) flush();
    },
    lost() {
      for (const { reject } of [...sent.keys()].flatMap(take).concat(waiting)) reject(lostError());
      waiting = [];
    },
  };
}

const lostError = (): FabricError => new FabricError('lost', 'The connection to the fabric is gone');

/** Throws FabricError. */
export async function openConsole(socketPath: string, nodeId: string): Promise<Duplex> {
  const { socket, greeting } = await greet(socketPath, { hello: 'console', node_id: nodeId }).catch(
    (error: unknown) => {
      throw new FabricError('lost', `The fabric does not answer: ${messageOf(error)}`);
    },
  );
  if (greeting.ok) return socket;
  socket.destroy();
  throw new FabricError(greeting.code ?? 'failed', greeting.message ?? 'The fabric refused the console');
}
