import { createHash } from 'node:crypto';
import { conflict, TopologError } from '../../common/errors.ts';
import type { AnyEvent, DataOf } from '../../events/schemas.ts';
import { history } from '../../events/history.ts';
import type { Caller } from '../caller.ts';
import { halfDone } from './attempts.ts';
import { appendOne, type LabContext } from '../context.ts';
import type { KeyedAnswer, KeyedRequest } from './interface.ts';

/** How long a key holds. Milliseconds. */
const KEPT_MS = 24 * 3600 * 1000;
/** Octets of an answer that are kept with it. */
const LARGEST_ANSWER = 256 * 1024;

interface Known {
  keyed: AnyEvent & { type: 'request.keyed' };
  answered: DataOf<'request.answered'> | null;
}

/**
 * Requests with an Idempotency-Key: that one is about to be carried out is an event, and so is its answer. A repetition finds both by
 * the key's index, so nothing of this is in memory but what is under way.
 */
export class KeyedRequests {
  readonly #context: LabContext;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(context: LabContext) {
    this.#context = context;
  }

  async once(caller: Caller, request: KeyedRequest, work: () => Promise<KeyedAnswer>): Promise<KeyedAnswer> {
    const id = idOf(caller, request.key);
    // Those that are sent meanwhile are answered when the first is; each looks again, as the first may have been refused.
    for (let before = this.#running.get(id); before !== undefined; before = this.#running.get(id)) await before;
    const running = this.#first(caller, id, request, work);
    this.#running.set(
      id,
      running.catch(() => undefined),
    );
    try {
      return await running;
    } finally {
      this.#running.delete(id);
    }
  }

  async #first(
    caller: Caller,
    id: string,
    request: KeyedRequest,
    work: () => Promise<KeyedAnswer>,
  ): Promise<KeyedAnswer> {
    const known = await this.#known(id);
    if (known !== null) {
      const answer = await this.#again(known, request);
      if (answer !== null) return answer;
    }
    await appendOne(this.#context, caller, null, 'request.keyed', { idempotency_id: id, ...request });
    const answer = await work().catch(async (error: unknown) => {
      const status = error instanceof TopologError ? error.status : 500;
      await this.#answered(caller, id, { status, body: null, kept: true }).catch(() => undefined);
      throw error;
    });
    const kept = answer.body === null || answer.body.length <= LARGEST_ANSWER;
    try {
      await this.#answered(caller, id, { status: answer.status, body: kept ? answer.body : null, kept });
    } catch (error) {
      throw halfDone(caller.request_id, error);
    }
    return answer;
  }

  async #answered(
    caller: Caller,
    id: string,
    answer: Omit<DataOf<'request.answered'>, 'idempotency_id'>,
  ): Promise<void> {
    await appendOne(this.#context, caller, null, 'request.answered', { idempotency_id: id, ...answer });
  }

  /** What a repetition is answered; null: it may be carried out. */
  async #again({ keyed, answered }: Known, request: KeyedRequest): Promise<KeyedAnswer | null> {
    const { key, method, path, body_sha256 } = keyed.data;
    if (method !== request.method || path !== request.path || body_sha256 !== request.body_sha256)
      throw conflict(`the Idempotency-Key ${key} was used for another request: ${method} ${path}`, { key });
    if (answered === null) {
      if (!(await this.#hadBegun(keyed))) return null;
      throw conflict(`the first request with this Idempotency-Key was cut off; what it did: ${eventsOf(keyed)}`, {
        key,
      });
    }
    if (answered.status >= 400) return null;
    if (!answered.kept)
      throw conflict(`this was done, and its answer is too long to be kept: ${eventsOf(keyed)}`, { key });
    return { status: answered.status, body: answered.body };
  }

  /** The last request with the key, when it is not too old. */
  async #known(id: string): Promise<Known | null> {
    const events = await this.#events({ object: id, since: new Date(Date.now() - KEPT_MS).toISOString() });
    const at = events.findLastIndex(({ type }) => type === 'request.keyed');
    const keyed = events[at];
    if (keyed?.type !== 'request.keyed') return null;
    const answered = events.slice(at).find((event) => event.type === 'request.answered');
    return { keyed, answered: answered?.type === 'request.answered' ? answered.data : null };
  }

  /** Whether anything came of a request that was never answered: then the server ended in the middle of it. */
  async #hadBegun({ request_id, position }: AnyEvent): Promise<boolean> {
    if (request_id === null) return true;
    return (await this.#events({ request_id, from: position + 1, limit: 1 })).length > 0;
  }

  async #events(query: Parameters<typeof history>[2]): Promise<AnyEvent[]> {
    const { log } = this.#context;
    const { texts } = await history(log.store, log.status().position, query);
    return texts.map((text) => JSON.parse(text) as AnyEvent);
  }
}

/** Two principals may use the same key. */
const idOf = ({ by }: Caller, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([by.principal, key]))
    .digest('hex');

const eventsOf = ({ request_id }: AnyEvent): string => `/v2/events?request=${request_id ?? ''}`;
