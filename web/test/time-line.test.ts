import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { momentOf, routeOf, withMoment } from '../src/app/router.ts';
import { latestOnly, remembering } from '../src/store/following/latest.ts';
import { densityPath, lanesIn, marksPath, together } from '../src/timeline/bar/lanes.tsx';
import { createScale, ticksOf } from '../src/timeline/bar/scale.ts';
import { isFiltered, NO_FILTER, toggleKind } from '../src/timeline/panes/filter.ts';
import type { Lane, Mark, Overview } from '../src/timeline/server.ts';
import { panned, played, START, type TimeLineState, withOverview, zoomedBy } from '../src/timeline/time-line-state.ts';

const HOUR = 3_600_000;
const T = new Date(2026, 10, 21, 12).getTime();

const overview = (more: Partial<Overview> = {}): Overview => ({
  ...{ first: { at: 1000, position: 1 }, last: { at: 103_000, position: 9 }, entries: 9, shown: 9 },
  ...{ edges: [1000, 2000, 102_000, 103_000], busy: 3000, lanes: [], gaps: [], marks: null, people: [], snapshots: [] },
  ...{ indexed: 9, of: 9, ...more },
});
const state = (more: Partial<Overview> = {}): TimeLineState => withOverview(START, overview(more), null);

describe('the scale of the time line', () => {
  it('is as the server says: equal room for equal busy time', () => {
    const scale = createScale([1000, 2000, 102_000, 103_000], 3000);
    assert.deepEqual([1000, 1500, 2000, 52_000, 102_000, 103_000].map(scale.toPlace), [0, 500, 1000, 1500, 2000, 3000]);
    for (const time of [1000, 1300, 70_000, 102_500])
      assert.ok(Math.abs(scale.toTime(scale.toPlace(time)) - time) < 0.01);
    assert.deepEqual([scale.toTime(-5), scale.toTime(1e9)], [1000, 103_000]);
  });

  it('stands also with one event, or none, and with many at once', () => {
    assert.equal(createScale([], 0).toTime(0), 0);
    assert.equal(createScale([7], 0).toTime(0), 7);
    const scale = createScale([5, 5, 5, 9], 4);
    assert.ok(scale.toPlace(5) <= scale.toPlace(9));
    assert.equal(scale.toPlace(9), 4);
  });

  it('goes up to now, as consoles go on after the last event', () => {
    const { scale } = withOverview(START, overview(), 500_000);
    assert.equal(scale.toTime(scale.length), 500_000);
  });
});

describe('the axis', () => {
  it('has round times, each told apart, with room between them', () => {
    const scale = createScale([T, T + HOUR], HOUR);
    const ticks = ticksOf(scale, 1000, []);
    assert.ok(ticks.length >= 3 && ticks.length <= 10, String(ticks.length));
    assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
    for (const [n, { x }] of ticks.entries()) assert.ok(n === 0 || x - (ticks[n - 1]?.x ?? 0) >= 100, String(x));
    for (const { text } of ticks) assert.match(text, /\d\d:\d[05]/);
  });

  it('shows milliseconds when zoomed in, and marks where idle time was left out', () => {
    for (const { text } of ticksOf(createScale([T, T + 100], 100), 800, [])) assert.match(text, /\d{3}$/);
    const scale = createScale([T, T + 1000, T + 50 * HOUR, T + 50 * HOUR + 1000], 3000);
    const ticks = ticksOf(scale, 900, [{ from: T + 1000, to: T + 50 * HOUR }]);
    assert.equal(ticks.filter(({ isAfterGap }) => isAfterGap).length, 1);
  });
});

describe('lanes', () => {
  const lane = (more: Partial<Lane>): Lane => ({ lane: 'start', person: null, counts: [0, 0, 0], ...more });
  const ada = lane({ lane: 'person', person: 'ada', counts: [1, 0, 1000] });
  const mark = (at: number, kind: Mark['kind'], person = 'ada'): Mark => ({
    ...{ at, kind, person, position: at, last: at, count: 1, object: null },
  });

  it('are those in which something happened; together they are one', () => {
    assert.deepEqual(lanesIn([lane({}), ada]), [ada]);
    assert.deepEqual(together([ada, lane({ counts: [1, 2, 3] })]), [2, 2, 1003]);
  });

  it('show how much happened, a single event as well', () => {
    const path = densityPath(ada, { width: 300, y: 0 });
    assert.deepEqual(
      [...path.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x)),
      [0, 200],
    );
    const heights = [...path.matchAll(/v([\d.]+)/g)].map(([, tall]) => Number(tall));
    assert.ok((heights[0] ?? 0) >= 2 && (heights[1] ?? 0) > (heights[0] ?? 0));
  });

  it('show each mark once, in the lane where it belongs', () => {
    const others = lane({ lane: 'people', counts: [1, 0, 0] });
    const lanes = [lane({}), ada, others];
    const where = { lanes, scale: createScale([0, 100], 100), width: 200, y: 0 };
    const marks = [mark(10, 'change'), mark(10, 'move'), mark(20, 'start'), mark(50, 'change', 'bob')];
    const count = (one: Lane): number => [...marksPath(one, marks, where).matchAll(/M/g)].length;
    assert.deepEqual(lanes.map(count), [1, 1, 1]);
  });
});

describe('zooming and moving the bar', () => {
  it('keeps what lies under the pointer, and ends with all of it', () => {
    const now = { ...state(), scale: createScale([0, 1000], 1000) };
    assert.deepEqual(zoomedBy(now, 0.5, 0.25), { from: 125, to: 625 });
    const near = { ...now, zoomed: { from: 2000, to: 3000 } };
    assert.deepEqual(zoomedBy(near, 2, 0.5), { from: 1500, to: 3500 });
    assert.equal(zoomedBy(near, 1000, 0.5), null);
    const nearest = zoomedBy({ ...now, zoomed: { from: 0, to: 1 } }, 1e-9, 0.5);
    assert.ok((nearest?.to ?? 0) - (nearest?.from ?? 0) >= 40);
  });

  it('moves a part of the session, and not past its ends', () => {
    const now = { ...state(), zoomed: { from: 2000, to: 3000 } };
    assert.deepEqual(panned(now, 0.5), { from: 2500, to: 3500 });
    assert.ok((panned(now, -100)?.to ?? 0) > 1000);
    assert.equal(panned(state(), 1), null);
  });

  it('plays at the speed that is set, over idle time, to the end', () => {
    const playing = { ...state(), cursor: 1000, speed: 2 };
    assert.equal(played(playing, 250), 1500);
    assert.equal(played({ ...playing, cursor: 2000 }, 500), 102_000);
    assert.equal(played(playing, 1500), null);
  });
});

describe('the filter', () => {
  it('hides requests at first, and says when it is another one', () => {
    assert.equal(NO_FILTER.kinds.includes('other'), false);
    assert.equal(isFiltered(NO_FILTER), false);
    const other = toggleKind(NO_FILTER, 'move');
    assert.equal(other.kinds.includes('move'), false);
    assert.equal(isFiltered(other), true);
    assert.deepEqual(toggleKind(other, 'move'), NO_FILTER);
    assert.equal(isFiltered({ ...NO_FILTER, text: 'PC1' }), true);
  });
});

describe('a moment in the address', () => {
  const hash = '#/projects/00000000-0000-4000-8000-000000000001';
  it('is that of the session, and the project is the same', () => {
    const at = withMoment(hash, T + 7);
    assert.equal(momentOf(at), T + 7);
    assert.deepEqual(routeOf(at), routeOf(hash));
    assert.equal(withMoment(at, null), hash);
    assert.equal(momentOf(hash), null);
    assert.equal(momentOf(`${hash}?at=nonsense`), null);
  });
});

describe('what is asked for while dragging', () => {
  it('is the newest wish, one at a time, and always the last', async () => {
    const done: number[] = [];
    let busy = 0;
    const want = latestOnly(async (wanted: number) => {
      busy += 1;
      assert.equal(busy, 1);
      await pause(5);
      busy -= 1;
      done.push(wanted);
    });
    for (const wanted of [1, 2, 3, 4]) want(wanted);
    while (done.length < 2) await pause(1);
    assert.deepEqual(done, [1, 4]);
    want(5);
    while (done.length < 3) await pause(1);
    assert.deepEqual(done, [1, 4, 5]);
  });

  it('is kept for a while, the last used longest', async () => {
    const asked: string[] = [];
    const get = remembering((key: string) => {
      asked.push(key);
      return Promise.resolve(key.toUpperCase());
    }, 2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(await get(key), key.toUpperCase());
    assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
  });
});
