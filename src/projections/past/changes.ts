import { Emitter, type Subscribe } from '../../common/emitter.ts';
import type { LogEvent } from '../../events/event.ts';
import { versionAtPosition } from '../../events/history.ts';
import { lastVersion, readTexts } from '../../events/read.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { Store } from '../../events/store/store.ts';
import { upcast } from '../../events/upcasters.ts';
import type { Records } from '../store.ts';
import type { Moments } from './moments.ts';
import type { Step } from '../fold/change.ts';

/** Changes of records: as they happen, and again from any earlier position. Only changes on disk are reported. */
export interface Changes {
  /** Last position on disk. */
  position(): number;
  /** Steps in order, one call per batch. */
  onCommitted: Subscribe<[readonly Step[]]>;
  /** Number of events after a position, of a project or (null) of the whole server. */
  missed(projectId: string | null, after: number): Promise<number>;
  /** Steps after a position, in order, up to the end of the log when they are read. */
  since(projectId: string | null, after: number): AsyncGenerator<Step, void, undefined>;
}

interface Log {
  readonly store: Store;
  status(): { position: number };
  onCommitted(listener: (events: AnyEvent[]) => void): void;
}

/** Events read at once for each listener that is behind: one may hold a picture of some MiB. */
const BLOCK = 16;

export const createChanges = (log: Log, records: Pick<Records, 'stepOf'>, moments: Moments): Changes => {
  const emitter = new Emitter<{ committed: [readonly Step[]] }>();
  const recent = new Recent(log.status().position);
  log.onCommitted((events) => {
    const steps = events.map((event) => moments.paths.step(records.stepOf(event)));
    recent.add(steps);
    emitter.emit('committed', steps);
  });
  const position = (): number => log.status().position;
  return {
    position,
    onCommitted: emitter.subscriber('committed'),
    missed: async (projectId, after) => {
      const known = recent.since(projectId, after);
      if (known !== null) return known.length;
      if (projectId === null) return position() - after;
      const next = await versionAtPosition(log.store, projectId, after + 1);
      return (await lastVersion(log.store, projectId)) + 1 - next;
    },
    async *since(projectId, after) {
      const known = recent.since(projectId, after);
      if (known === null) yield* since(log, moments, projectId, after);
      else yield* known;
    },
  };
};

/** Resolves once the log of this server has reached a position, or after `ms` milliseconds. */
export const reached = (
  changes: Pick<Changes, 'position' | 'onCommitted'>,
  position: number,
  ms: number,
): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController();
    const look = (): void => {
      if (changes.position() >= position) end();
    };
    const end = (): void => {
      over.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => end(), ms).unref();
    changes.onCommitted(look, { signal: over.signal });
    look();
  });

async function* since(
  log: Log,
  moments: Moments,
  projectId: string | null,
  after: number,
): AsyncGenerator<Step, void, undefined> {
  /** Records by stream as they were after that position, advanced event by event. */
  const streams = new Map<string | null, Records>();
  for await (const event of eventsAfter(log, projectId, after)) {
    let records = streams.get(event.project_id);
    if (records === undefined) streams.set(event.project_id, (records = await moments.copyAt(event.project_id, after)));
    yield moments.paths.step(records.advance(event));
  }
}

async function* eventsAfter(log: Log, projectId: string | null, after: number): AsyncGenerator<AnyEvent> {
  // Next version of the stream, or next position of the server.
  let next = projectId === null ? after + 1 : await versionAtPosition(log.store, projectId, after + 1);
  for (;;) {
    const texts = await readTexts(log.store, projectId ?? undefined, { from: next, limit: BLOCK });
    for (const text of texts) {
      const event = upcast(JSON.parse(text) as LogEvent);
      // Stored events that this server has not taken in yet are reported later.
      if (event.position > log.status().position) return;
      yield event;
    }
    if (texts.length < BLOCK) return;
    next += texts.length;
  }
}

/**
 * Steps kept in memory for listeners that were away for a moment; cut at twice as many. Few, as objects that survive
 * a garbage collection are copied by it.
 */
const MOST = 250;
/** Approximate maximum of characters in their events, for the same reason: a drawing or a script may be large. */
const MOST_TEXT = 8 << 20;

/** The last steps of all streams. */
export class Recent {
  #steps: Step[] = [];
  #text = 0;
  /** Position after which every step is kept. */
  #after: number;

  constructor(position: number) {
    this.#after = position;
  }

  add(added: readonly Step[]): void {
    const steps = added.length > 2 * MOST ? this.#lastOf(added) : added;
    for (const step of steps) {
      this.#steps.push(step);
      this.#text += textIn(step.event.data);
    }
    // Cut in bulk, as cutting costs as much as what is kept.
    if (this.#steps.length > 2 * MOST || this.#text > 2 * MOST_TEXT) this.#cut();
  }

  /** Drops all steps kept so far and returns the last of more steps than are kept. */
  #lastOf(steps: readonly Step[]): Step[] {
    const kept = steps.slice(-MOST);
    this.#after += this.#steps.length + steps.length - kept.length;
    this.#steps = [];
    this.#text = 0;
    return kept;
  }

  /** null: some are no longer kept. */
  since(projectId: string | null, after: number): Step[] | null {
    if (after < this.#after) return null;
    // Positions have no gaps.
    const steps = this.#steps.slice(after - this.#after);
    return projectId === null ? steps : steps.filter(({ event }) => event.project_id === projectId);
  }

  #cut(): void {
    let from = this.#steps.length;
    let text = 0;
    while (from > 0 && this.#steps.length - from < MOST) {
      const more = textIn(this.#steps[from - 1]?.event.data);
      if (text + more > MOST_TEXT) break;
      text += more;
      from--;
    }
    this.#after += from;
    this.#steps = this.#steps.slice(from);
    this.#text = text;
  }
}

/** Large values in events are not nested deeper than this. */
const DEEPEST = 3;

const textIn = (value: unknown, depth = 0): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += textIn(inner, depth + 1);
  return sum;
};
