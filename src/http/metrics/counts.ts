/** Upper bounds: from a read in memory to the start of a large machine. Seconds. */
const SECONDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Events of a batch; the log takes 4,000 at most. */
const EVENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096];

/** Counts of values in buckets, the last of which has no bound: plain numbers, as every request is counted in it. */
export class Histogram {
  readonly bounds: readonly number[];
  /** One more than there are bounds; each value is in one bucket only. */
  readonly buckets: number[];
  sum = 0;

  constructor(bounds: readonly number[] = SECONDS) {
    this.bounds = bounds;
    this.buckets = [...bounds, Infinity].map(() => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (value > (this.bounds[at] ?? Infinity)) at++;
    this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sum += value;
  }
}

/** Answers of one route to one method. */
export class RouteCounts {
  readonly codes = new Map<number, number>();
  readonly seconds = new Histogram();

  answered(code: number, seconds: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    this.seconds.observe(seconds);
  }
}

/** A batch of the log that is on disk. Seconds. */
interface WrittenBatch {
  events: number;
  /** Writing it and its fsync. */
  seconds: number;
  /** Waiting time of each append in it, from its call on. */
  appends: readonly number[];
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** Counters since the start of the server. */
export class Counts {
  /** By template, then by method. */
  readonly routes = new Map<string, Map<string, RouteCounts>>();
  /** Open listeners by the kind of their feed. */
  readonly listeners = new Map<string, number>();
  readonly appendSeconds = new Histogram();
  readonly batchSeconds = new Histogram();
  readonly batchEvents = new Histogram(EVENTS);

  /** `route`: its template, so that there are no more of them than rows in the table. */
  of(route: string, method: string): RouteCounts {
    let methods = this.routes.get(route);
    if (methods === undefined) this.routes.set(route, (methods = new Map<string, RouteCounts>()));
    const counts = methods.get(method);
    if (counts !== undefined) return counts;
    const known = METHODS.has(method) ? method : 'other';
    const first = methods.get(known) ?? new RouteCounts();
    methods.set(known, first);
    return first;
  }

  written({ events, seconds, appends }: WrittenBatch): void {
    this.batchEvents.observe(events);
    this.batchSeconds.observe(seconds);
    for (const waited of appends) this.appendSeconds.observe(waited);
  }

  /** `by`: 1 for a listener that has come, -1 for one that has gone. */
  listen(feed: string, by: 1 | -1): void {
    this.listeners.set(feed, (this.listeners.get(feed) ?? 0) + by);
  }
}
