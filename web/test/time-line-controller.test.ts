import type { TimeLine } from '../src/timeline/time-line-state.ts';
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lab, LabState, Past } from '../src/store/lab.ts';
import { type Frame, NO_RECORDS, type Node, type Records, recordsOf } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';
import { createTimeLine } from '../src/timeline/controller.ts';
import { createVerifier } from '../src/timeline/verifier.ts';
import type { Entry } from '../src/timeline/server.ts';

const T = Date.parse('2026-11-21T12:00:00.000Z');

const entryAt = (position: number, seconds: number, kind: Entry['kind'] = 'change'): Entry => ({
  ...{ position, last: position, count: 1, kind, at: T + seconds * 1000, person: 'ada', type: 'node.updated' },
  ...{ object: null, name: 'a', former: null, ends: [], took: null, data: { changes: { x: position } } },
});

/** At position p there are the node a, at x = p, and one that is called after the position. */
const recordsAt = (position: number): Records =>
  recordsOf(
    { project_id: 'p' } as never,
    [{ node_id: 'a', x: position } as Node, { node_id: `n${position}` } as Node],
    [],
    [],
  );

interface World {
  readonly lab: Lab;
  readonly timeLine: TimeLine;
  readonly entries: Entry[];
  readonly asked: string[];
  readonly tell: (frame: Partial<Frame>) => void;
  fail: boolean;
  /** Events that the server has in its index; null: all. */
  indexed: number | null;
  /** What a check says; null: nothing, until it is cancelled. */
  checks: readonly object[] | null;
}

const WHOLE = { ok: true, facts: 1, records: 1, lost: 0, problem: null, problems: [] };

type Query = Record<string, string | undefined>;

/** What the server answers about entries. */
const pageOf = (entries: readonly Entry[], query: Query) => {
  const isIn = ({ at, kind }: Entry): boolean =>
    (query['from'] === undefined || at >= Date.parse(query['from'])) &&
    (query['to'] === undefined || at <= Date.parse(query['to'])) &&
    (query['kinds'] === undefined || query['kinds'].split(',').includes(kind));
  const found = entries.filter(isIn);
  const ordered = query['order'] === 'desc' ? found.toReversed() : found;
  const offset = Number(query['offset'] ?? 0);
  const page = ordered.slice(offset, offset + Number(query['limit'] ?? 100));
  return { total: found.length, index: 0, entries: page, indexed: entries.length, of: entries.length };
};

/** A lab whose server has the entries that the test puts there. */
const world = (t: TestContext, ...entries: Entry[]): World => {
  const listeners = new Set<(frame: Frame) => void>();
  const asked: string[] = [];
  const get = (path: string, call: { query: Query }): Promise<unknown> => {
    asked.push(path);
    if (w.fail) return Promise.reject(new TypeError('fetch failed'));
    if (path.endsWith('/entries')) return Promise.resolve(pageOf(entries, call.query));
    if (path.endsWith('/timeline')) {
      const [first, last] = [entries[0] ?? null, entries.at(-1) ?? null];
      // A third of the bar is what comes after the last event.
      const step = ((last?.at ?? 0) - (first?.at ?? 0)) / 2;
      return Promise.resolve({
        ...{ first, last, entries: entries.length, shown: entries.length, gaps: [], lanes: [], marks: [], people: [] },
        edges: [0, 1, 2, 3].map((n) => (first?.at ?? 0) + n * step),
        busy: 3 * step,
        ...{ indexed: w.indexed ?? entries.length, of: entries.length },
      });
    }
    if (path.endsWith('/diff'))
      return Promise.resolve([
        { collection: 'node', id: 'a', name: 'a', change: 'changed', fields: [] },
        { collection: 'node', id: `n${call.query['from']}`, name: 'n', change: 'removed', fields: [] },
      ]);
    return Promise.reject(new Error(path));
  };
  async function* lines(_path: string, { signal }: { signal: AbortSignal }): AsyncGenerator<string> {
    for (const line of w.checks ?? []) yield JSON.stringify(line);
    if (w.checks === null)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }
  const lab = {
    projectId: 'p',
    client: { get, lines },
    state: createStore({ records: NO_RECORDS } as LabState),
    past: createStore<Past | null>(null),
    listen: (listener: (frame: Frame) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: async (at: number) => {
      asked.push(`read ${at}`);
      await pause(2);
      return recordsAt(at);
    },
  } as unknown as Lab;
  const timeLine = createTimeLine(lab);
  const w: World = {
    lab,
    timeLine,
    entries,
    asked,
    tell: (frame) => listeners.forEach((listener) => listener(frame as Frame)),
    fail: false,
    indexed: null,
    checks: null,
  };
  t.after(timeLine.start());
  return w;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(2);
};
const isRead = ({ timeLine, entries }: World): boolean =>
  timeLine.state.get().isComplete && timeLine.state.get().overview?.of === entries.length;
const xShown = ({ lab }: World): number | undefined => lab.past.get()?.records.nodes.get('a')?.x;

describe('the time line of a lab', () => {
  it('reads what happened in counts, and again when the feed tells of more', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    await until(() => isRead(w));
    assert.ok(!w.asked.some((path) => path.endsWith('/events')));
    w.entries.push(entryAt(12, 60));
    w.tell({ action: 'ping', position: 12 });
    await until(() => isRead(w));
  });

  it('asks again while the server makes its index', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1));
    await until(() => isRead(w));
    w.indexed = 1;
    w.tell({ action: 'ping', position: 9 });
    await until(() => !w.timeLine.state.get().isComplete);
    w.indexed = null;
    await until(() => isRead(w));
  });

  it('shows the moment that was asked for last, and the present again', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    await until(() => isRead(w));
    for (const seconds of [0, 0.5, 1, 1.5, 1.9]) w.timeLine.goTo(T + seconds * 1000);
    await until(() => xShown(w) === 5);
    assert.deepEqual(w.lab.past.get()?.moment, { at: 5, time: new Date(T + 1900).toISOString() });
    const records = w.lab.past.get()?.records;
    w.timeLine.goTo(T + 1950);
    await until(() => w.lab.past.get()?.moment.time === new Date(T + 1950).toISOString());
    assert.equal(w.lab.past.get()?.records, records);
    w.timeLine.goTo(T);
    w.timeLine.goTo(null);
    await pause(20);
    assert.equal(w.lab.past.get(), null);
  });

  it('steps from change to change', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1, 'other'), entryAt(9, 2));
    await until(() => isRead(w));
    // What is now is what the last one has made: one back is before it.
    w.timeLine.step(-1);
    await until(() => xShown(w) === 3);
    w.timeLine.step(1);
    await until(() => xShown(w) === 9);
    w.timeLine.step(1);
    await until(() => w.lab.past.get() === null);
  });

  it('does each of several steps that are asked for at once', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    w.timeLine.step(-1);
    w.timeLine.step(-1);
    await until(() => xShown(w) === 3);
    w.timeLine.step(1);
    w.timeLine.step(1);
    await until(() => xShown(w) === 9);
    w.timeLine.step(-10);
    await until(() => xShown(w) === 3);
  });

  it('is where it was put last, whatever steps were on their way', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    await until(() => isRead(w));
    w.timeLine.goTo(T);
    w.timeLine.step(1);
    w.timeLine.step(1);
    w.timeLine.place('cursor', T);
    // What comes after the last of those that are left, if any are.
    w.timeLine.step(1);
    await until(() => w.timeLine.state.get().cursor !== T);
    await until(() => xShown(w) === 5);
  });

  it('plays to the end, and then shows the present', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    await until(() => isRead(w));
    const seen = new Set<number | undefined>();
    t.after(w.lab.past.subscribe(() => seen.add(xShown(w))));
    w.timeLine.state.update((now) => ({ ...now, speed: 2 }));
    // A busy machine would pass a change over: here time goes on by one tick for each.
    let clock = 0;
    t.mock.method(performance, 'now', () => (clock += 100));
    w.timeLine.play();
    w.timeLine.play();
    await until(() => !w.timeLine.state.get().isPlaying);
    await until(() => w.lab.past.get() === null);
    assert.ok(seen.has(3) && seen.has(5), String([...seen]));
  });

  it('compares two moments, with what was removed, until a moment is shown again', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1), entryAt(9, 2));
    await until(() => isRead(w));
    w.timeLine.compare({ from: T, to: T + 2000 });
    await until(() => w.timeLine.state.get().comparison?.diffs?.length === 2);
    const past = w.lab.past.get();
    assert.deepEqual(Object.fromEntries(past?.marks ?? []), { a: 'changed', n3: 'removed' });
    assert.deepEqual([...(past?.records.nodes.keys() ?? [])].sort(), ['a', 'n3', 'n9']);
    w.timeLine.goTo(T + 1000);
    await until(() => xShown(w) === 5);
    assert.equal(w.lab.past.get()?.marks.size, 0);
    assert.equal(w.timeLine.state.get().comparison, null);
  });

  it('says when the server is away, and goes on when it is back', async (t) => {
    const w = world(t, entryAt(3, 0), entryAt(5, 1));
    await until(() => isRead(w));
    w.fail = true;
    w.entries.push(entryAt(9, 2));
    w.tell({ action: 'ping', position: 9 });
    await until(() => w.timeLine.state.get().problem !== null);
    w.fail = false;
    w.tell({ action: 'ping', position: 9 });
    await until(() => isRead(w));
    assert.equal(w.timeLine.state.get().problem, null);
  });

  it('says how far the check of the stream is, and keeps what it said', async (t) => {
    const w = world(t, entryAt(3, 0));
    await until(() => isRead(w));
    const told: (string | null)[] = [];
    t.after(
      w.timeLine.state.subscribe(() => {
        const { verifying } = w.timeLine.state.get();
        told.push(verifying === null ? null : `${verifying.part} ${verifying.done}/${verifying.of}`);
      }),
    );
    w.checks = [{ progress: { part: 'indexes', done: 5, of: 9 } }, { verdict: WHOLE }];
    await w.timeLine.verify(true);
    const { verdict } = w.timeLine.state.get();
    assert.ok(verdict !== null && 'answer' in verdict);
    assert.deepEqual([verdict.of, verdict.answer.facts], [1, 1]);
    assert.ok(verdict.took >= 0);
    assert.deepEqual([...new Set(told)], ['events 0/1', 'indexes 5/9', null]);
  });

  it('ends a check that was cancelled, that fails, or that falls silent, and says so', async (t) => {
    const w = world(t, entryAt(3, 0));
    await until(() => isRead(w));
    const begun = w.timeLine.verify(true);
    w.timeLine.cancelVerify();
    await begun;
    assert.deepEqual(w.timeLine.state.get().verdict, { cancelled: true });
    w.checks = [];
    await w.timeLine.verify(true);
    assert.deepEqual(w.timeLine.state.get().verdict, { problem: 'The server does not answer.' });
    w.checks = null;
    const { state } = w.timeLine;
    const change = (part: object): void => state.update((now) => ({ ...now, ...part }));
    const inner = { lab: w.lab, state, change, fail: () => undefined, refresh: () => undefined };
    await createVerifier(inner, 5).verify(true);
    assert.deepEqual(state.get().verdict, { problem: 'The server does not answer.' });
    assert.equal(state.get().verifying, null);
  });
});
