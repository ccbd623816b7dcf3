import { TopologError } from '../../common/errors.ts';
import type { EventLog } from '../../events/log/log.ts';
import type { Caller } from '../caller.ts';

/** A request under way, maybe in several parts at once. */
interface Attempt {
  parts: number;
  /** Something of it is on disk. */
  begun: boolean;
}

/** Knows of each request under way whether something of it is on disk: a log that is full refuses an event, and not those before it. */
export class Attempts {
  readonly #log: EventLog;
  readonly #underWay = new Map<string, Attempt>();

  constructor(log: EventLog) {
    this.#log = log;
    log.onCommitted((events) => {
      if (this.#underWay.size === 0) return;
      for (const { request_id } of events) {
        const attempt = request_id === null ? undefined : this.#underWay.get(request_id);
        if (attempt !== undefined) attempt.begun = true;
      }
    });
  }

  async run<T>({ request_id }: Caller, work: () => Promise<T> | T): Promise<T> {
    const attempt = this.#begin(request_id);
    try {
      return await work();
    } catch (error) {
      const told = await this.#told(error);
      throw attempt.begun ? halfDone(request_id, told) : told;
    } finally {
      attempt.parts--;
      if (request_id !== null && attempt.parts === 0) this.#underWay.delete(request_id);
    }
  }

  #begin(id: string | null): Attempt {
    const attempt = (id === null ? undefined : this.#underWay.get(id)) ?? { parts: 0, begun: false };
    attempt.parts++;
    if (id !== null) this.#underWay.set(id, attempt);
    return attempt;
  }

  /** What was refused was decided on what others have just changed as well: the log's failure comes first. */
  async #told(error: unknown): Promise<unknown> {
    try {
      await this.#log.settled();
      return error;
    } catch (refusal) {
      return refusal;
    }
  }
}

/** A log's refusal of what comes after events that are on disk: it must not say that nothing was changed. */
export const halfDone = (requestId: string | null, error: unknown): unknown => {
  if (!(error instanceof TopologError)) return error;
  const place = `/v2/events?request=${encodeURIComponent(requestId ?? '')}`;
  if (error.code === 'disk_full' && error.message === new TopologError('disk_full').message)
    return TopologError.saying(
      'disk_full',
      `The disk of the data directory is full; a part of this was done, see ${place}`,
    );
  if (error.code !== 'log_read_only') return error;
  const reason = String(error.details['reason']);
  return TopologError.saying(
    'log_read_only',
    `The log cannot be written: ${reason}; a part of this was done, see ${place}`,
  );
};
