import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { conflict, TopologError } from '../../common/errors.ts';
import { boundedJson, boundedLines, boundedText, BOUNDS, TooMuch } from '../../common/json.ts';
import { leadsHere, OWN_MACHINE } from '../../common/loopback.ts';
import { unlessAborted } from '../../common/promises.ts';
import { lostRequest, refusedBy, tookTooLong, unreachable } from './errors.ts';
import { authorizationOf, originOf, socketsTo, type Target } from './target.ts';

export interface ComputeCall {
  body?: unknown;
  /** Position of the event that causes the call, for idempotence. */
  key?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export type ComputeMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Requests to one compute. Paths begin below `/v2/compute`, e.g. `/projects/{id}/nodes`. Failures are TopologErrors. */
export interface ComputeClient {
  /** Sends and answers JSON; null for an empty answer. */
  request(method: ComputeMethod, path: string, call?: ComputeCall): Promise<unknown>;
  /** The content as it is sent, not decompressed. Throws `not_found`. */
  download(path: string, signal?: AbortSignal): Promise<Readable>;
  upload(path: string, content: Readable, signal?: AbortSignal): Promise<void>;
}

/** Longest wait for an answer that no caller limits. Milliseconds. */
const ANSWER_MS = 120_000;
const CONNECT_MS = 4_000;
/** Connections at once: a GNS3 server closes each after its answer. */
const CONNECTIONS = 16;

/** This server as a controller, in requests to a compute that is a Topolog: `<controller_id> <epoch>`. */
export interface Identity {
  controller_id: string;
  epoch: number;
}

/** The requests of one connection to a compute, from the handshake until it is lost. */
export class HttpComputeClient implements ComputeClient {
  readonly #target: Target;
  readonly #identity: Identity;
  readonly #pool: Pool;
  /** Unlimited connections for downloads: a capture that is followed keeps one for as long as it runs. */
  readonly #streams: Pool;
  readonly #batches: Batches;
  readonly #broken: (error: TopologError) => void;
  #clockAhead: number | null = null;
  /** A Topolog takes batches. */
  #isTopolog = false;
  /** Aborted, with an error as the reason, when the connection is over. */
  readonly #ending = new AbortController();

  /**
   * `broken`: called with an error that makes this connection useless: a request did not come through, so that its effect is unknown, or the
   * compute has another controller.
   */
  constructor(target: Target, identity: Identity, broken: (error: TopologError) => void = () => undefined) {
    this.#broken = broken;
    this.#target = target;
    this.#identity = identity;
    // Every request adds a listener.
    setMaxListeners(0, this.#ending.signal);
    // No pipelining, as a request would wait behind a start that takes minutes. Calls share a connection by batches.
    const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    const connect = { timeout: CONNECT_MS, ...socketsTo(target) };
    this.#pool = new Pool(originOf(target), { ...options, connections: CONNECTIONS, connect });
    this.#streams = new Pool(originOf(target), { ...options, connections: null, connect });
    this.#batches = new Batches(async (calls) => {
      const { body } = await this.#send('POST', '/batch', { content: JSON.stringify({ calls }) });
      return body;
    });
    if (!target.mayBeHere && leadsHere(originOf(target))) this.end(OWN_MACHINE);
  }

  /** Seconds by which the compute's clock is ahead of ours, by its last answer; null: not known. */
  get clockAhead(): number | null {
    return this.#clockAhead;
  }

  useBatches(): void {
    this.#isTopolog = true;
  }

  /** Requests fail with this reason from now on, also those under way. */
  end(reason: string): void {
    this.#ending.abort(unreachable(this.#target.name, reason));
    for (const pool of [this.#pool, this.#streams]) void pool.destroy().catch(() => undefined);
  }

  async request(method: ComputeMethod, path: string, call: ComputeCall = {}): Promise<unknown> {
    const signal = call.signal ?? AbortSignal.timeout(call.timeoutMs ?? ANSWER_MS);
    const answer = this.#isTopolog
      ? this.#inBatch(method, path, call)
      : this.#directly(method, path, { ...call, signal });
    try {
      const { status, body } = await unlessAborted(unlessAborted(answer, this.#ending.signal), signal);
      if (status < 400) return body;
      throw refusedBy(this.#target, { status, body: JSON.stringify(body), what: `${method} ${path}` });
    } catch (error) {
      throw this.#failed(error, `${method} ${path}`, { signal });
    }
  }

  /** Answers the headers as well. A late answer counts as `compute_unreachable`. */
  async requestWithHeaders(
    method: ComputeMethod,
    path: string,
    call: ComputeCall = {},
  ): Promise<Answer & { headers: Dispatcher.ResponseData['headers'] }> {
    try {
      const { headers, body } = await this.#send(method, path, contentOf(call));
      return { status: 200, headers, body: await parsed(body) };
    } catch (error) {
      throw isLate(error)
        ? unreachable(this.#target.name, 'it does not answer')
        : this.#failed(error, `${method} ${path}`, call);
    }
  }

  async download(path: string, signal?: AbortSignal): Promise<Readable> {
    try {
      return (await this.#send('GET', path, { pool: this.#streams, ...(signal ? { signal } : {}) })).body;
    } catch (error) {
      throw this.#failed(error, `GET ${path}`, { signal });
    }
  }

  async upload(path: string, content: Readable, signal?: AbortSignal): Promise<void> {
    try {
      const { body } = await this.#send('POST', path, { content, type: OCTETS, ...(signal ? { signal } : {}) });
      await body.dump();
    } catch (error) {
      throw this.#failed(error, `POST ${path}`, { signal });
    }
  }

  #inBatch(method: ComputeMethod, path: string, call: ComputeCall): Promise<Answer> {
    const answer = this.#batches.add(method, path, call);
    answer.catch(() => undefined);
    return answer;
  }

  async #directly(method: ComputeMethod, path: string, call: ComputeCall): Promise<Answer> {
    const { body } = await this.#send(method, path, contentOf(call));
    return { status: 200, body: await parsed(body) };
  }

  /** Throws the error of an answer that is not a success. */
  async #send(
    method: ComputeMethod,
    path: string,
    { content, key, signal, type = JSON_TYPE, pool = this.#pool }: Content,
  ): Promise<Dispatcher.ResponseData> {
    const { controller_id, epoch } = this.#identity;
    const ended = this.#ending.signal;
    const headers = {
      ...authorizationOf(this.#target),
      'x-topolog-controller': [controller_id, epoch, ...(key === undefined ? [] : [key])].join(' '),
      ...(content === undefined ? {} : { 'content-type': type }),
    };
    const sent = Date.now();
    const answer = await pool.request({
      method,
      path: `/v2/compute${path}`,
      headers,
      body: content ?? null,
      signal: signal === undefined ? ended : AbortSignal.any([signal, ended]),
    });
    this.#clockAhead = clockAhead(answer.headers['date'], { sent, received: Date.now() }) ?? this.#clockAhead;
    if (answer.statusCode < 300) return answer;
    const what = `${method} ${path}`;
    throw refusedBy(this.#target, { status: answer.statusCode, body: await refusalIn(answer.body), what });
  }

  /** The error to throw: where the caller has aborted, its reason. */
  #failed(error: unknown, what: string, { signal }: { signal?: AbortSignal | undefined } = {}): unknown {
    if (this.#ending.signal.aborted) return this.#ending.signal.reason;
    if (isLate(error)) return tookTooLong(this.#target, what);
    if (signal?.aborted === true && !(error instanceof TopologError)) return signal.reason;
    if (error instanceof SyntaxError) return conflict(`${this.#target.name}: what answers ${what} is no compute`);
    if (error instanceof TooMuch) return conflict(`${this.#target.name}: the answer to ${what} ${error.message}`);
    const failure = lostRequest(this.#target, error);
    if (failure.code === 'compute_unreachable' || failure.details['code'] === 'fenced') this.#broken(failure);
    return failure;
  }
}

const isLate = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

const JSON_TYPE = 'application/json';
const OCTETS = 'application/octet-stream';

interface Content {
  content?: string | Readable;
  type?: string;
  key?: string;
  signal?: AbortSignal;
  pool?: Pool;
}

const contentOf = ({ body, key, signal }: ComputeCall): Content => ({
  ...(body === undefined ? {} : { content: JSON.stringify(body) }),
  ...(key === undefined ? {} : { key }),
  ...(signal === undefined ? {} : { signal }),
});

const parsed = async (body: Readable): Promise<unknown> => {
  const text = await boundedText(body, BOUNDS.answer.size);
  return text === '' ? null : boundedJson(text, BOUNDS.answer);
};

/** The text of a refusal; empty where it is longer than any reason, as the status says enough then. */
const refusalIn = (body: Readable): Promise<string> =>
  boundedText(body, BOUNDS.message.size).catch((error: unknown) => {
    if (error instanceof TooMuch) return '';
    throw error;
  });

/** Longest round trip by which a clock can be read. Milliseconds. */
const QUICK_MS = 1_000;

/**
 * Seconds by which the clock of another server is ahead of ours, by the Date of its answer (RFC 9110, 6.6.1), which has whole seconds;
 * 0 where both may be the same. null: no Date, or the answer took too long. `sent`, `received`: by our clock, milliseconds.
 */
export const clockAhead = (date: unknown, { sent, received }: { sent: number; received: number }): number | null => {
  const told = typeof date === 'string' ? Date.parse(date) : NaN;
  if (Number.isNaN(told) || received - sent > QUICK_MS) return null;
  // The answer was made at some moment of that second by its clock, and between the two times by ours.
  const [least, most] = [told - received, told + 1_000 - sent];
  return least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2_000);
};

/** Calls in one batch, at most. */
const MOST_CALLS = 500;

interface PendingCall {
  line: { method: ComputeMethod; path: string; body?: unknown; key?: string };
  settle(status: number, body: unknown): void;
  fail(error: unknown): void;
}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * Gathers the calls of one tick into one request: `POST /batch {calls}`, answered by a line of JSON `{call, status, body}` for each as it is done
 * (docs/explanation/computes.md).
 */
class Batches {
  readonly #send: (calls: object[]) => Promise<Readable>;
  #waiting: PendingCall[] = [];

  /** `send`: makes the request, and answers the lines of its answer. */
  constructor(send: (calls: object[]) => Promise<Readable>) {
    this.#send = send;
  }

  add(method: ComputeMethod, path: string, { body, key }: ComputeCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const line = {
        method,
        path: `/v2/compute${path}`,
        ...(body === undefined ? {} : { body }),
        ...(key ? { key } : {}),
      };
      this.#waiting.push({ line, settle: (status, answer) => resolve({ status, body: answer }), fail: reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += MOST_CALLS)
      void this.#run(waiting.slice(from, from + MOST_CALLS));
  }

  async #run(calls: readonly PendingCall[]): Promise<void> {
    const left = new Set(calls);
    let heard = 0;
    try {
      const lines = await this.#send(calls.map(({ line }) => line));
      for await (const line of boundedLines(lines, BOUNDS.answer.size)) {
        if (++heard > 2 * calls.length)
          throw new TooMuch(`has more lines than the ${calls.length} that it was asked for`);
        if (line === '') continue;
        const { call, status, body } = boundedJson(line, BOUNDS.answer) as Answer & { call: number };
        const waiting = calls[call];
        if (waiting === undefined) continue;
        left.delete(waiting);
        waiting.settle(status, body);
      }
      for (const waiting of left) waiting.fail(new Error('its answer is not whole'));
    } catch (error) {
      for (const waiting of left) waiting.fail(error);
    }
  }
}
