import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { BOUNDS, boundedJson, boundedText, TooMuch } from '../../common/json.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { unlessAborted } from '../../common/promises.ts';
import { lostRequest, refusedBy, tookTooLong, unreachable } from './errors.ts';
import { type Answer, Batches } from './batches.ts';
import { clockAhead } from './clock.ts';
import { leadsHere, OWN_MACHINE } from '../../common/loopback.ts';
import type { ComputeCall, ComputeClient, ComputeMethod } from './client-contract.ts';
import { authorizationOf, originOf, socketsTo, type Target } from './target.ts';

/** Longest wait for an answer that no caller limits. Milliseconds. */
const ANSWER_MS = 120_000;
const CONNECT_MS = 4_000;
/** At once: a GNS3 server ends each after its answer. */
const CONNECTIONS = 16;

/** Who asks, for a compute that is a Topolog: `<controller_id> <epoch>`. */
export interface Identity {
  controller_id: string;
  epoch: number;
}

/** One pool of connections to one compute, for as long as it is connected. */
export class HttpComputeClient implements ComputeClient {
  readonly #target: Target;
  readonly #identity: Identity;
  readonly #pool: Pool;
  /** Of their own, as many as there are: a capture that is followed has its connection for as long as it runs. */
  readonly #streams: Pool;
  readonly #batches: Batches;
  readonly #broken: (error: TopologError) => void;
  #clockAhead: number | null = null;
  /** It takes batches. */
  #isTopolog = false;
  /** Aborted with the reason for which it cannot be reached any more. */
  readonly #life = new AbortController();

  /**
   * `broken`: gets what shows that this connection is of no use: a request did not come through, so that nobody knows what became of it, or the
   * compute works for another controller.
   */
  constructor(target: Target, identity: Identity, broken: (error: TopologError) => void = () => undefined) {
    this.#broken = broken;
    this.#target = target;
    this.#identity = identity;
    // Every request listens to it.
    setMaxListeners(0, this.#life.signal);
    // Nothing waits behind a start that takes minutes: batches are what shares a connection.
    const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    const connect = { timeout: CONNECT_MS, ...socketsTo(target) };
    this.#pool = new Pool(originOf(target), { ...options, connections: CONNECTIONS, connect });
    this.#streams = new Pool(originOf(target), { ...options, connections: null, connect });
    this.#batches = new Batches(async (calls) => {
      const { body } = await this.#ask('POST', '/batch', { content: JSON.stringify({ calls }) });
      return body;
    });
    if (!target.mayBeHere && leadsHere(originOf(target))) this.end(OWN_MACHINE);
  }

  /** Seconds by which its clock is ahead of ours, by its last answer; null: it has not told. */
  get clockAhead(): number | null {
    return this.#clockAhead;
  }

  /** From now on it gets batches. */
  batch(): void {
    this.#isTopolog = true;
  }

  /** What is under way fails with this reason, and what comes. */
  end(reason: string): void {
    this.#life.abort(unreachable(this.#target.name, reason));
    for (const pool of [this.#pool, this.#streams]) void pool.destroy().catch(() => undefined);
  }

  async request(method: ComputeMethod, path: string, call: ComputeCall = {}): Promise<unknown> {
    const signal = call.signal ?? AbortSignal.timeout(call.timeoutMs ?? ANSWER_MS);
    const answer = this.#isTopolog
      ? this.#together(method, path, call)
      : this.#alone(method, path, { ...call, signal });
    try {
      const { status, body } = await unlessAborted(unlessAborted(answer, this.#life.signal), signal);
      if (status < 400) return body;
      throw refusedBy(this.#target, { status, body: JSON.stringify(body), what: `${method} ${path}` });
    } catch (error) {
      throw this.#failed(error, `${method} ${path}`, { signal });
    }
  }

  /** With the headers of the answer. One that does not answer in time cannot be reached. */
  async open(
    method: ComputeMethod,
    path: string,
    call: ComputeCall = {},
  ): Promise<Answer & { headers: Dispatcher.ResponseData['headers'] }> {
    try {
      const { headers, body } = await this.#ask(method, path, contentOf(call));
      return { status: 200, headers, body: await parsed(body) };
    } catch (error) {
      throw isLate(error)
        ? unreachable(this.#target.name, 'it does not answer')
        : this.#failed(error, `${method} ${path}`, call);
    }
  }

  async download(path: string, signal?: AbortSignal): Promise<Readable> {
    try {
      return (await this.#ask('GET', path, { pool: this.#streams, ...(signal ? { signal } : {}) })).body;
    } catch (error) {
      throw this.#failed(error, `GET ${path}`, { signal });
    }
  }

  async upload(path: string, content: Readable, signal?: AbortSignal): Promise<void> {
    try {
      const { body } = await this.#ask('POST', path, { content, type: OCTETS, ...(signal ? { signal } : {}) });
      await body.dump();
    } catch (error) {
      throw this.#failed(error, `POST ${path}`, { signal });
    }
  }

  #together(method: ComputeMethod, path: string, call: ComputeCall): Promise<Answer> {
    const answer = this.#batches.add(method, path, call);
    answer.catch(() => undefined);
    return answer;
  }

  async #alone(method: ComputeMethod, path: string, call: ComputeCall): Promise<Answer> {
    const { body } = await this.#ask(method, path, contentOf(call));
    return { status: 200, body: await parsed(body) };
  }

  /** Throws what an answer of 400 and more says. */
  async #ask(
    method: ComputeMethod,
    path: string,
    { content, key, signal, type = JSON_TYPE, pool = this.#pool }: Content,
  ): Promise<Dispatcher.ResponseData> {
    const { controller_id, epoch } = this.#identity;
    const ended = this.#life.signal;
    const headers = {
      ...authorizationOf(this.#target),
      'x-topolog-controller': [controller_id, epoch, ...(key === undefined ? [] : [key])].join(' '),
      ...(content === undefined ? {} : { 'content-type': type }),
    };
    const sent = Date.now();
    const answer = await pool.request({
      ...{ method, path: `/v2/compute${path}`, headers, body: content ?? null },
      signal: signal === undefined ? ended : AbortSignal.any([signal, ended]),
    });
    this.#clockAhead = clockAhead(answer.headers['date'], { sent, received: Date.now() }) ?? this.#clockAhead;
    if (answer.statusCode < 300) return answer;
    const what = `${method} ${path}`;
    throw refusedBy(this.#target, { status: answer.statusCode, body: await refusalIn(answer.body), what });
  }

  /** Who aborts gets the reason back. */
  #failed(error: unknown, what: string, { signal }: { signal?: AbortSignal | undefined } = {}): unknown {
    if (this.#life.signal.aborted) return this.#life.signal.reason;
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

/** Why it refuses; the status says enough where that is longer than any reason. */
const refusalIn = (body: Readable): Promise<string> =>
  boundedText(body, BOUNDS.message.size).catch((error: unknown) => {
    if (error instanceof TooMuch) return '';
    throw error;
  });
