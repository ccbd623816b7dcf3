import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lab, LabState, Past } from '../src/store/lab.ts';
import { type Frame, NO_RECORDS, type Node, type Records, recordsOf } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';
import { createTimeLine, type TimeLine } from '../src/timeline/controller.ts';
import type { Event } from '../src/timeline/bar/marks.ts';

const T = Date.parse('2026-11-21T12:00:00.000Z');

const eventAt = (position: number, seconds: number, type = 'node.updated'): Event =>
  ({
    position,
    type,
    at: new Date(T + seconds * 1000).toISOString(),
    by: { principal: 'ada', address: null, agent: null },
    cause: null,
    data: { node_id: 'a', changes: { x: position } },
  }) as unknown as Event;

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
  readonly events: Event[];
  readonly asked: string[];
  readonly tell: (frame: Partial<Frame>) => void;
  fail: boolean;
}

/** A lab whose server has the events that the test puts there, two a page. */
const world = (t: TestContext, ...events: Event[]): World => {
  const listeners = new Set<(frame: Frame) => void>();
  const asked: string[] = [];
  const get = (path: string, call: { query: Record<string, string> }): Promise<unknown> => {
    asked.push(path);
    if (w.fail) return Promise.reject(new TypeError('fetch failed'));
    if (path.endsWith('/events')) {
      const page = events.filter(({ position }) => position >= Number(call.query['from']));
      return Promise.resolve({ events: page.slice(0, 2), next: page.length > 2 ? page[2]?.position : null });
    }
    if (path.endsWith('/diff'))
      return Promise.resolve([
        { collection: 'node', id: 'a', name: 'a', change: 'changed', fields: [] },
        { collection: 'node', id: `n${call.query['from']}`, name: 'n', change: 'removed', fields: [] },
      ]);
    return Promise.resolve({ ok: true, events: events.length, records: 1, problem: null });
  };
  const lab = {
    projectId: 'p',
    client: { get },
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
    events,
    asked,
    tell: (frame) => listeners.forEach((listener) => listener(frame as Frame)),
    fail: false,
  };
  t.after(timeLine.start());
  return w;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(2);
};
const isRead = ({ timeLine, events }: World): boolean =>
  timeLine.state.get().isComplete && timeLine.state.get().marks.length === events.length;
const xShown = ({ lab }: World): number | undefined => lab.past.get()?.records.nodes.get('a')?.x;

describe('the time line of a lab', () => {
  it('reads all that happened, and what is added when the feed tells of it', async (t) => {
    const w = world(t, eventAt(3, 0), eventAt(5, 1), eventAt(9, 2));
    await until(() => isRead(w));
    w.events.push(eventAt(12, 60));
    w.tell({ action: 'ping', position: 12 });
    await until(() => isRead(w));
    assert.deepEqual(
      w.timeLine.state.get().marks.map(({ position }) => position),
      [3, 5, 9, 12],
    );
  });

  it('shows the moment that was asked for last, and the present again', async (t) => {
    const w = world(t, eventAt(3, 0), eventAt(5, 1), eventAt(9, 2));
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
    const w = world(t, eventAt(3, 0), eventAt(5, 1, 'node.start_requested'), eventAt(9, 2));
    await until(() => isRead(w));
    w.timeLine.step(-1);
    await until(() => xShown(w) === 9);
    w.timeLine.step(-1);
    await until(() => xShown(w) === 3);
    w.timeLine.step(1);
    w.timeLine.step(1);
    await until(() => w.lab.past.get() === null);
  });

  it('does a step that is asked for while the session is still read', async (t) => {
    const w = world(t, eventAt(3, 0), eventAt(5, 1), eventAt(9, 2));
    w.timeLine.step(-1);
    w.timeLine.step(-1);
    assert.equal(isRead(w), false);
    await until(() => xShown(w) === 5);
  });

  it('plays to the end, and then shows the present', async (t) => {
    const w = world(t, eventAt(3, 0), eventAt(5, 1), eventAt(9, 2));
    await until(() => isRead(w));
    const seen = new Set<number | undefined>();
    t.after(w.lab.past.subscribe(() => seen.add(xShown(w))));
    w.timeLine.state.update((now) => ({ ...now, speed: 2 }));
    w.timeLine.play();
    w.timeLine.play();
    await until(() => !w.timeLine.state.get().isPlaying);
    await until(() => w.lab.past.get() === null);
    assert.ok(seen.has(3) && seen.has(5), String([...seen]));
  });

  it('compares two moments, with what was removed, until a moment is shown again', async (t) => {
    const w = world(t, eventAt(3, 0), eventAt(5, 1), eventAt(9, 2));
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
    const w = world(t, eventAt(3, 0), eventAt(5, 1));
    await until(() => isRead(w));
    w.fail = true;
    w.events.push(eventAt(9, 2));
    w.tell({ action: 'ping', position: 9 });
    await until(() => w.timeLine.state.get().problem !== null);
    w.fail = false;
    w.tell({ action: 'ping', position: 9 });
    await until(() => isRead(w));
    assert.equal(w.timeLine.state.get().problem, null);
  });

  it('keeps what the check of the stream said', async (t) => {
    const w = world(t, eventAt(3, 0));
    await until(() => isRead(w));
    await w.timeLine.verify();
    assert.deepEqual(w.timeLine.state.get().verdict, {
      of: 3,
      answer: { ok: true, events: 1, records: 1, problem: null },
    });
  });
});
