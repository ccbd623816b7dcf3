import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AnyEvent, EVENTS } from '../../src/events/schemas.ts';
import type { LogEvent } from '../../src/events/event.ts';
import { upcast, UPCASTERS, type Upcasters } from '../../src/events/upcasters.ts';
import { drawingData } from '../support/events.ts';
import { eventOf } from '../support/events-of-node.ts';

const of = (v: number, data: unknown): LogEvent => ({
  ...(eventOf('drawing.created', drawingData(1), 5) as LogEvent),
  v,
  data,
});

/** Two old shapes that never were: first `pos: [x, y]`, then `left` and `top`. Their versions are below the present one. */
const table = (now: number): Upcasters => ({
  [`drawing.created@${now - 2}`]: ({ pos, ...data }: { pos: [number, number] }) => ({
    ...data,
    left: pos[0],
    top: pos[1],
  }),
  [`drawing.created@${now - 1}`]: ({ left, top, ...data }: { left: number; top: number }) => ({
    ...data,
    x: left,
    y: top,
  }),
});

describe('upcasting', () => {
  const now = EVENTS['drawing.created'].v;
  const { x: _, y: __, ...rest } = drawingData(1);

  it('leaves an event of today as it is', () => {
    const event = of(now, drawingData(1));
    assert.deepEqual(upcast(event), event);
  });

  it('takes old data through every step, and keeps the rest of the event', () => {
    const old = of(now - 2, { ...rest, pos: [3, 4] });
    const event: AnyEvent = upcast(old, table(now));
    assert.equal(event.v, now);
    assert.deepEqual(event.data, { ...rest, x: 3, y: 4 });
    assert.equal(event.position, 5);
    assert.deepEqual(old.data, { ...rest, pos: [3, 4] });
    assert.deepEqual(upcast(of(now - 1, { ...rest, left: 3, top: 4 }), table(now)).data, { ...rest, x: 3, y: 4 });
  });

  it('says what it does not know: a missing step, a newer version, a strange type', () => {
    assert.throws(() => upcast(of(now - 3, {}), table(now)), /event 5: no step from drawing.created version/);
    assert.throws(() => upcast(of(now + 1, {})), /event 5 is drawing.created version \d+; this program knows/);
    assert.throws(
      () => upcast({ ...of(now, {}), type: 'drawing.painted' }),
      /event 5 is of the unknown type drawing.painted/,
    );
  });

  it('has a step for every version below the present one', () => {
    for (const [type, { v }] of Object.entries(EVENTS))
      for (let from = 1; from < v; from++) assert.ok(`${type}@${from}` in UPCASTERS, `no step for ${type}@${from}`);
  });
});
