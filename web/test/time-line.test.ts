import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { latestOnly, remembering } from '../src/timeline/latest.ts';
import type { Mark } from '../src/timeline/bar/marks.ts';
import { createScale } from '../src/timeline/bar/scale.ts';
import { markAt, played, START, stepFrom, withEnd, withFilter, withMarks } from '../src/timeline/time-line-state.ts';

const mark = (position: number, at: number, kind: Mark['kind'] = 'change'): Mark => ({
  position,
  at,
  type: 'node.updated',
  kind,
  who: 'ada',
  object: null,
  subject: 'PC1',
  details: '',
  cause: null,
});

describe('the scale of the time line', () => {
  it('is that of the clock, but for idle time, which it shortens', () => {
    const scale = createScale([1000, 2000, 102_000, 103_000], 10_000);
    assert.equal(scale.length, 1000 + 10_000 + 1000);
    assert.deepEqual(
      [1000, 1500, 2000, 52_000, 102_000, 103_000].map(scale.toPlace),
      [0, 500, 1000, 6000, 11_000, 12_000],
    );
    assert.deepEqual(scale.breaks, [6000]);
  });

  it('leads back from a place to its time', () => {
    const scale = createScale([0, 5, 100_000, 100_700]);
    for (const time of [0, 3, 5, 70_000, 100_000, 100_350, 100_700])
      assert.ok(Math.abs(scale.toTime(scale.toPlace(time)) - time) < 0.01, String(time));
    assert.equal(scale.toTime(-5), 0);
    assert.equal(scale.toTime(1e9), 100_700);
  });

  it('stands also with one event, or none, and with many at once', () => {
    assert.equal(createScale([]).length, 0);
    assert.equal(createScale([7]).toTime(0), 7);
    const scale = createScale([5, 5, 5, 9]);
    assert.deepEqual([scale.toPlace(5), scale.toPlace(9), scale.toTime(0)], [0, 4, 5]);
  });
});

describe('stepping through a session', () => {
  const state = withMarks(START, [mark(1, 100), mark(2, 100), mark(3, 200, 'other'), mark(4, 300)], true);

  it('goes from mark to mark, those at one time together, and ends with the present', () => {
    assert.equal(stepFrom(state, -1), 300);
    assert.equal(stepFrom({ ...state, cursor: 300 }, -1), 100);
    assert.equal(stepFrom({ ...state, cursor: 100 }, -1), 100);
    assert.equal(stepFrom({ ...state, cursor: 100 }, 1), 300);
    assert.equal(stepFrom({ ...state, cursor: 300 }, 1), null);
    assert.equal(stepFrom({ ...state, cursor: 250 }, -1), 100);
    assert.equal(stepFrom({ ...state, cursor: 250 }, 1), 300);
  });

  it('leaves out what is filtered, and shows the records of all events all the same', () => {
    const all = withFilter(state, { ...state.filter, hidden: new Set() });
    assert.equal(stepFrom({ ...all, cursor: 100 }, 1), 200);
    assert.equal(markAt(state, 250)?.position, 3);
    assert.equal(markAt(state, 100)?.position, 2);
    assert.equal(markAt(state, 99), null);
  });

  it('goes on with events that come later', () => {
    const later = withMarks({ ...state, cursor: 300 }, [mark(5, 400)], true);
    assert.equal(stepFrom(later, 1), 400);
    assert.equal(later.scale.length, 300);
  });

  it('goes beyond the last event, as consoles do', () => {
    const longer = withEnd(state, 450);
    assert.equal(longer.scale.length, 350);
    assert.equal(played({ ...longer, cursor: 300, speed: 1 }, 100), 400);
    assert.equal(markAt(longer, 400)?.position, 4);
    assert.equal(withEnd(state, 50).scale.length, 200);
    assert.equal(withMarks(longer, [mark(5, 400)], true).scale.length, 350);
  });

  it('plays at the speed that is set, and ends with the present', () => {
    const playing = { ...state, cursor: 100, speed: 2 };
    assert.equal(played(playing, 50), 200);
    assert.equal(played(playing, 99), 298);
    assert.equal(played(playing, 100), null);
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
