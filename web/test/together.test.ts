import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Shown } from 'topolog/client';
import type { LabState } from '../src/store/lab.ts';
import { type Frame, NO_RECORDS, type Records } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';
import { createFollower, createRemoteDrags, createTogether, type Other } from '../src/together/together.ts';

const NOTHING: Shown = { pointer: null, selected: [], moving: [], view: null, consoles: [], leads: false };
const other = (id: number, part: Partial<Shown> = {}): Other => ({
  id,
  name: `n${id}`,
  shown: { ...NOTHING, ...part },
});

/** Timers that run when they are told to. */
const createTimers = () => {
  let due: (() => void)[] = [];
  return {
    later: (run: () => void): (() => void) => {
      due.push(run);
      return () => void (due = due.filter((one) => one !== run));
    },
    run: (): void => {
      const now = due;
      due = [];
      for (const one of now) one();
    },
  };
};

const begin = () => {
  const state = createStore({ connection: 'connected', listeners: null } as LabState);
  const sent: Shown[] = [];
  let hear: (frame: Frame) => void = () => undefined;
  const timers = createTimers();
  const listen = (listener: (frame: Frame) => void) => {
    hear = listener;
    return () => undefined;
  };
  const together = createTogether({ state, listen, show: (shown) => void sent.push(shown) }, timers.later);
  return {
    together,
    sent,
    timers,
    state,
    /** Oneself is 1. */
    there: (...ids: number[]): void => {
      const listeners = ids.map((id) => ({ id, name: `n${id}`, address: null, since: '' }));
      const event = { count: ids.length, listeners, you: 1 };
      state.update((now) => ({ ...now, listeners: event }));
      hear({ action: 'project.listeners', event, position: 1 });
    },
    shows: (id: number, part: Partial<Shown>): void =>
      hear({ action: 'listener.updated', event: { id, ...NOTHING, ...part }, position: 1 }),
  };
};

describe('the others who look at a lab', () => {
  it('are those who show something, with their names, and gone with their connection', () => {
    const { together, there, shows } = begin();
    there(1, 2, 3);
    assert.deepEqual(together.others.get(), []);
    shows(2, { selected: ['a'] });
    shows(1, { selected: ['mine'] });
    shows(9, { selected: ['unknown'] });
    assert.deepEqual(together.others.get(), [other(2, { selected: ['a'] })]);
    together.follow(2);
    there(1, 3);
    assert.deepEqual([together.others.get(), together.following.get()], [[], null]);
    there(1, 2, 3);
    assert.deepEqual(together.others.get(), []);
  });

  it('hear nothing from a window that shows nothing, as one of consoles', () => {
    const { together, there, sent, timers } = begin();
    there(1, 2);
    timers.run();
    assert.deepEqual(sent, []);
    together.show({ selected: ['a'] });
    timers.run();
    assert.deepEqual(sent, [{ ...NOTHING, selected: ['a'] }]);
  });

  it('are none once the own connection is lost', () => {
    const { together, there, shows, state } = begin();
    there(1, 2);
    shows(2, {});
    assert.equal(together.others.get().length, 1);
    state.update((now) => ({ ...now, connection: 'lost' }));
    assert.deepEqual(together.others.get(), []);
  });

  it('are told what one shows while somebody is there, not more often than they are to hear it', () => {
    const { together, sent, there, timers } = begin();
    together.show({ selected: ['a'] });
    there(1);
    timers.run();
    assert.equal(sent.length, 0);
    there(1, 2);
    assert.deepEqual(sent, [{ ...NOTHING, selected: ['a'] }]);
    for (let x = 0.4; x < 50; x++) together.show({ pointer: { x, y: 0 } });
    assert.equal(sent.length, 1);
    timers.run();
    assert.deepEqual(sent.at(-1), { ...NOTHING, selected: ['a'], pointer: { x: 49, y: 0 } });
    timers.run();
    together.show({ selected: ['a'] });
    timers.run();
    assert.equal(sent.length, 2);
    together.show({ selected: Array<string>(500).fill('b') });
    assert.equal(sent.at(-1)?.selected.length, 200);
  });
});

describe('what somebody else drags', () => {
  const record = (x: number) => ({ x, y: 0 });
  const begun = (held: string[] = []) => {
    const records = {
      ...NO_RECORDS,
      nodes: new Map([
        ['a', record(1)],
        ['b', record(2)],
      ]),
    } as unknown as Records;
    const placed: unknown[] = [];
    const timers = createTimers();
    const carrying = createRemoteDrags({
      place: (places) => void placed.push(...places),
      held: () => new Set(held),
      records: () => records,
      later: timers.later,
    });
    return { carrying, placed, timers };
  };

  it('moves here as well, once for each place, but for what is held here', () => {
    const { carrying, placed } = begun(['b']);
    const moving = [
      { id: 'a', x: 5, y: 5 },
      { id: 'b', x: 6, y: 6 },
    ];
    carrying.take([other(2, { moving })]);
    carrying.take([other(2, { moving, pointer: { x: 1, y: 1 } })]);
    assert.deepEqual(placed, [{ id: 'a', x: 5, y: 5 }]);
  });

  it('is where its record says after it was let go, unless somebody drags it again', () => {
    const { carrying, placed, timers } = begun();
    carrying.take([other(2, { moving: [{ id: 'a', x: 5, y: 5 }] })]);
    carrying.take([]);
    assert.equal(placed.length, 1);
    timers.run();
    assert.deepEqual(placed[1], { id: 'a', x: 1, y: 0 });
    carrying.take([other(2, { moving: [{ id: 'a', x: 7, y: 7 }] })]);
    carrying.take([]);
    carrying.take([other(3, { moving: [{ id: 'a', x: 8, y: 8 }] })]);
    timers.run();
    assert.deepEqual(placed.at(-1), { id: 'a', x: 8, y: 8 });
    carrying.end();
    assert.deepEqual(placed.at(-1), { id: 'a', x: 1, y: 0 });
  });
});

describe('following somebody', () => {
  it('does what they show when it changes, and all of it at the beginning', () => {
    const done: unknown[] = [];
    const follower = createFollower({
      see: (view) => void done.push(view),
      select: (ids) => void done.push(ids),
      openConsoles: (ids) => void done.push(['consoles', ...ids]),
    });
    const view = { x: 0, y: 0, width: 10, height: 10 };
    follower.take(other(2, { view, selected: ['a'], consoles: ['c'] }));
    assert.deepEqual(done.splice(0), [view, ['a'], ['consoles', 'c']]);
    follower.take(other(2, { view, selected: ['a'], consoles: ['c'], pointer: { x: 1, y: 1 } }));
    assert.deepEqual(done, []);
    follower.take(other(2, { view: null, selected: [], consoles: [] }));
    assert.deepEqual(done.splice(0), [[]]);
    follower.take(null);
    follower.take(other(2, { view, selected: [], consoles: [] }));
    assert.deepEqual(done, [view, []]);
  });
});
