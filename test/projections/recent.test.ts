import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Recent } from '../../src/projections/past/changes.ts';
import type { Step } from '../../src/projections/fold/change.ts';
import { drawingData, PROJECT } from '../support/events.ts';
import { eventOf } from '../support/events-of-node.ts';

const step = (position: number, svg = ''): Step => ({
  event: eventOf('drawing.created', { ...drawingData(position), svg }, position),
  transitions: [],
});
const positions = (steps: Step[] | null): number[] | null => steps && steps.map(({ event }) => event.position);

describe('recent steps', () => {
  it('are all there since a position that is not too old, and it says when it is', () => {
    const recent = new Recent(10);
    recent.add([step(11), step(12)]);
    recent.add([step(13)]);
    assert.deepEqual(positions(recent.since(null, 10)), [11, 12, 13]);
    assert.deepEqual(positions(recent.since(PROJECT, 12)), [13]);
    assert.deepEqual(positions(recent.since('another', 10)), []);
    assert.deepEqual(positions(recent.since(null, 13)), []);
    assert.equal(recent.since(null, 9), null);
  });

  it('are cut to so many, the oldest first', () => {
    const recent = new Recent(0);
    for (let n = 1; n <= 9_000; n++) recent.add([step(n)]);
    const first = [...Array(9_000).keys()].find((after) => recent.since(null, after) !== null) ?? 9_000;
    const kept = positions(recent.since(null, first)) ?? [];
    assert.ok(kept.length >= 250 && kept.length <= 500, String(kept.length));
    assert.deepEqual([kept[0], kept.at(-1)], [first + 1, 9_000]);
  });

  it('are cut by what they carry as well, down to none when one alone is too large', () => {
    const recent = new Recent(0);
    const svg = 'x'.repeat(1 << 20);
    for (let n = 1; n <= 40; n++) recent.add([step(n, svg)]);
    const first = [...Array(41).keys()].find((after) => recent.since(null, after) !== null) ?? 41;
    assert.ok(first >= 40 - 16, String(first));
    assert.deepEqual(positions(recent.since(null, first))?.at(-1), 40);
    recent.add([step(41, 'x'.repeat(20 << 20))]);
    assert.deepEqual(positions(recent.since(null, 41)), []);
    assert.equal(recent.since(null, 40), null);
    recent.add([step(42)]);
    assert.deepEqual(positions(recent.since(null, 41)), [42]);
  });
});
