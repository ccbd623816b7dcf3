import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, TopologError } from '../../../common/errors.ts';
import { type Database, Line } from './database.ts';

/** Part of a lease that is left when its owner takes it for lost: so that all that it has begun can end. */
const MARGIN = 0.15;
/** Between two tries to renew. Milliseconds. */
const AGAIN_MS = 50;

const OVER = 'its lease was not renewed in time';

interface Parts {
  database: Database;
  cell: number;
  epoch: number;
  /** How long a lease is. Milliseconds. */
  leaseMs: number;
  /** When the lease was asked for, by `performance.now()`. */
  asked: number;
  /** What commits have waited for, for so long: a sentence; null: for nothing. */
  waits: (ms: number) => Promise<string | null>;
}

/**
 * Keeps a lease: renews it at a third of its length, and counts by this machine's monotonic clock from before it asked. So it is over
 * here before it is over in the database, however long an answer takes.
 */
export class Hold {
  readonly epoch: number;
  readonly #cell: number;
  readonly #line: Line;
  readonly #leaseMs: number;
  readonly #waits: Parts['waits'];
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  #until = 0;
  #timer: NodeJS.Timeout | undefined;
  #problem = OVER;
  /** What renewals wait for, where that is known. */
  #waitsFor: string | null = null;
  readonly #renewing: Promise<void>;

  constructor({ database, cell, epoch, leaseMs, asked, waits }: Parts) {
    this.epoch = epoch;
    this.#cell = cell;
    this.#leaseMs = leaseMs;
    this.#waits = waits;
    this.#line = new Line(database);
    this.#extend(asked);
    this.#renewing = this.#renew();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  holds(): boolean {
    if (this.#done.signal.aborted) return false;
    if (performance.now() < this.#until) return true;
    this.lose(this.#problem);
    return false;
  }

  /** Throws `lease_lost`. */
  check(): void {
    if (!this.holds()) throw this.#reason();
  }

  /** Tells the other servers where this one is. */
  async announce(url: string): Promise<void> {
    this.check();
    const { count } = await this.#line.run({
      text: 'UPDATE topolog.lease SET url = $3 WHERE cell = $1 AND epoch = $2',
      values: [this.#cell, this.epoch, url],
    });
    if (count !== 1) this.lose('another server has taken it over');
    this.check();
  }

  /** It is another's, or over. */
  lose(problem: string): void {
    if (this.#done.signal.aborted) return;
    this.stop(problem);
    this.#lost.abort(this.#reason());
    this.#line.destroy();
  }

  /** It holds no more, also while it is not over in the database yet. */
  stop(problem: string): void {
    this.#problem = problem;
    this.#done.abort();
    clearTimeout(this.#timer);
  }

  /** Ends it in the database. */
  async end(): Promise<void> {
    this.stop('it has handed it over');
    await this.#renewing;
    if (this.#lost.signal.aborted) return;
    try {
      await this.#line.run(
        {
          text: 'UPDATE topolog.lease SET until = clock_timestamp() WHERE cell = $1 AND epoch = $2 AND until > clock_timestamp()',
          values: [this.#cell, this.epoch],
        },
        this.#leaseMs,
      );
    } finally {
      await this.#line.close();
    }
  }

  #extend(asked: number): void {
    this.#problem = OVER;
    this.#waitsFor = null;
    this.#until = asked + this.#leaseMs * (1 - MARGIN);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.holds(), Math.max(0, this.#until - performance.now()) + 1).unref();
  }

  async #renew(): Promise<void> {
    const third = this.#leaseMs / 3;
    for (let wait = third; ;) {
      try {
        await pause(wait, undefined, { signal: this.#done.signal, ref: false });
        wait = (await this.#renewOnce(third)) ? third : AGAIN_MS;
      } catch (error) {
        if (this.#done.signal.aborted) return;
        this.#renewalFailed(messageOf(error), third / 2);
        wait = AGAIN_MS;
      }
    }
  }

  /** Nobody waits for why: another connection may hang as well. */
  #renewalFailed(why: string, waitedMs: number): void {
    const tell = (): void => void (this.#problem = `its lease could not be renewed: ${this.#waitsFor ?? why}`);
    tell();
    const until = this.#until;
    const hear = (waits: string | null): void => {
      if (waits === null || this.#until !== until || this.#done.signal.aborted) return;
      this.#waitsFor = waits;
      tell();
    };
    void this.#waits(waitedMs).then(hear, () => undefined);
  }

  async #renewOnce(ms: number): Promise<boolean> {
    const asked = performance.now();
    const { count, isAlone } = await this.#line.run(
      {
        name: 'renew',
        text: `UPDATE topolog.lease SET until = clock_timestamp() + $3 * interval '1 ms'
          WHERE cell = $1 AND epoch = $2 AND until > clock_timestamp()`,
        values: [this.#cell, this.epoch, this.#leaseMs],
      },
      ms,
    );
    if (count !== 1) this.lose('another server has taken it over, or its lease has ended');
    else if (!isAlone) this.#extend(asked);
    return !isAlone;
  }

  #reason(): TopologError {
    return new TopologError('lease_lost', { reason: this.#problem });
  }
}
