import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterMarks, isFiltered, NO_FILTER, objectsIn, peopleIn, toggleKind } from '../src/timeline/panes/filter.ts';
import { columnsOf, lanesOf } from '../src/timeline/bar/lanes.ts';
import { type Event, indexAt, kindOf, type Mark, markOf, nothingKnown, sayMark } from '../src/timeline/bar/marks.ts';
import { createScale } from '../src/timeline/bar/scale.ts';

const event = (type: string, data: object, more: Partial<Event> = {}): Event =>
  ({
    position: 1,
    type,
    data,
    at: '2026-11-21T12:00:00.000Z',
    by: { principal: 'ada' },
    cause: null,
    ...more,
  }) as Event;

const mark = (position: number, at: number, more: Partial<Mark> = {}): Mark => ({
  position,
  at,
  type: 'node.updated',
  kind: 'change',
  who: 'ada',
  object: null,
  subject: 'PC1',
  details: '',
  cause: null,
  ...more,
});

describe('a mark of the time line', () => {
  it('says what an event is to somebody who looks for it', () => {
    const failure = { failure: { message: 'no engine' } };
    assert.equal(kindOf(event('node.started', {})), 'start');
    assert.equal(kindOf(event('node.stopped', {})), 'stop');
    assert.equal(kindOf(event('node.start_failed', failure)), 'failure');
    assert.equal(kindOf(event('project.nodes_finished', { failed: [{ name: 'PC1' }] })), 'failure');
    assert.equal(kindOf(event('project.nodes_finished', { failed: [] })), 'other');
    assert.equal(kindOf(event('node.exited', { code: 1 })), 'failure');
    assert.equal(kindOf(event('node.exited', { code: 0 })), 'stop');
    assert.equal(kindOf(event('request.refused', {})), 'failure');
    assert.equal(kindOf(event('node.unreachable', { reason: 'silent' })), 'failure');
    assert.equal(kindOf(event('capture.started', {})), 'capture');
    assert.equal(kindOf(event('drawing.created', {})), 'add');
    assert.equal(kindOf(event('link.updated', {})), 'change');
    assert.equal(kindOf(event('node.deleted', {})), 'remove');
    assert.equal(kindOf(event('node.start_requested', {})), 'other');
    assert.equal(kindOf(event('capture.start_requested', {})), 'other');
    assert.equal(kindOf(event('something.new', {})), 'other');
  });

  it('calls objects by the names that they had then', () => {
    const known = nothingKnown();
    const tell = (type: string, data: object): string => sayMark(markOf(known, event(type, data)));
    assert.equal(tell('node.created', { node_id: 'a', name: 'PC1' }), 'PC1: created');
    assert.equal(tell('node.created', { node_id: 'b', name: 'Switch1' }), 'Switch1: created');
    const nodes = [{ node_id: 'a' }, { node_id: 'b' }];
    assert.equal(tell('link.created', { link_id: 'l', nodes }), 'PC1 – Switch1: created');
    assert.equal(tell('node.updated', { node_id: 'a', changes: { name: 'Gate' } }), 'Gate: updated');
    assert.equal(tell('node.start_failed', { node_id: 'a' }), 'Gate: start failed');
    assert.equal(tell('capture.started', { node_id: 'a', link_id: 'l' }), 'PC1 – Switch1: capture started');
    assert.equal(tell('project.opened', {}), 'Project: opened');
  });

  it('is of the user who asked, also where the server did it for them', () => {
    const known = nothingKnown();
    const system = { principal: 'system', address: null, agent: null };
    const who = (position: number, more: Partial<Event>): string =>
      markOf(known, event('node.started', {}, { position, ...more })).who;
    assert.equal(who(1, {}), 'ada');
    assert.equal(who(2, { by: system, cause: 1 }), 'ada');
    assert.equal(who(3, { by: system, cause: 2 }), 'ada');
    assert.equal(who(4, { by: system }), 'system');
  });

  it('tells changes and reasons in one short line', () => {
    const details = (data: object): string => markOf(nothingKnown(), event('node.updated', data)).details;
    assert.equal(details({ changes: { x: 5, name: 'PC2' } }), 'x = 5, name = PC2');
    assert.equal(details({ failure: { message: 'not\ninstalled' } }), 'not installed');
    assert.equal(details({ failed: [{ name: 'R1', failure: { message: 'no image' } }] }), 'R1: no image');
    assert.ok(details({ changes: { svg: 'x'.repeat(1_000_000) } }).length < 200);
  });

  it('is found by time', () => {
    const marks = [mark(1, 100), mark(2, 100), mark(3, 250)];
    assert.deepEqual(
      [50, 100, 249, 250, 900].map((time) => indexAt(marks, time)),
      [-1, 1, 1, 2, 2],
    );
    assert.equal(indexAt([], 1), -1);
  });
});

describe('the filter of the time line', () => {
  const a = { collection: 'node', id: 'a' } as const;
  const marks = [
    mark(1, 1, { kind: 'add', object: a, subject: 'PC1' }),
    mark(2, 2, { kind: 'other', object: a }),
    mark(3, 3, { kind: 'start', who: 'system', object: a, subject: 'PC9' }),
    mark(4, 4, { kind: 'change', who: 'bob' }),
  ];
  const positions = (filter: typeof NO_FILTER): number[] => filterMarks(marks, filter).map(({ position }) => position);

  it('leaves out what the server does for itself unless that is wanted', () => {
    assert.deepEqual(positions(NO_FILTER), [1, 3, 4]);
    assert.deepEqual(positions(toggleKind(NO_FILTER, 'other')), [1, 2, 3, 4]);
    assert.equal(isFiltered(NO_FILTER), false);
    assert.equal(isFiltered(toggleKind(NO_FILTER, 'other')), true);
    assert.equal(isFiltered(toggleKind(toggleKind(NO_FILTER, 'start'), 'start')), false);
  });

  it('goes by person, object and kind, all at once', () => {
    assert.deepEqual(positions({ ...NO_FILTER, who: 'system' }), [3]);
    assert.deepEqual(positions({ ...NO_FILTER, object: 'a' }), [1, 3]);
    assert.deepEqual(positions(toggleKind({ ...NO_FILTER, object: 'a' }, 'start')), [1]);
  });

  it('offers everybody and everything there was, under the last name', () => {
    assert.deepEqual(peopleIn(marks), ['ada', 'bob', 'system']);
    assert.deepEqual(objectsIn(marks), [{ id: 'a', name: 'PC9' }]);
  });
});

describe('lanes of marks', () => {
  it('are starts, stops, failures, and the changes of each person; those with few share one', () => {
    const by = (who: string, count: number): Mark[] => Array.from({ length: count }, () => mark(1, 1, { who }));
    const marks = [
      ...by('a', 5),
      ...by('b', 4),
      ...by('c', 3),
      ...by('d', 2),
      ...by('e', 1),
      mark(9, 9, { kind: 'stop' }),
    ];
    assert.deepEqual(
      lanesOf(marks).map((lane) => [lane.label, lane.marks.length]),
      [
        ['Starts', 0],
        ['Stops', 1],
        ['Failures', 0],
        ['a', 5],
        ['b', 4],
        ['c', 3],
        ['Others', 3],
      ],
    );
  });

  it('draw a place once, however many marks there are', () => {
    const marks = Array.from({ length: 10_000 }, (_, i) => mark(i, i));
    const columns = columnsOf(marks, createScale(marks.map(({ at }) => at)), 300);
    assert.ok(columns.length <= 101, String(columns.length));
    assert.equal(Math.max(...columns), 300);
    assert.deepEqual(columnsOf([mark(1, 7)], createScale([7]), 300), [0]);
  });
});
