import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AnyFact, FACTS } from '../../src/events/facts.ts';
import type { Fact } from '../../src/events/fact.ts';
import { upcast, UPCASTERS, type Upcasters } from '../../src/events/upcasters.ts';
import { drawingData } from '../support/facts.ts';
import { factOf } from '../support/facts-of-node.ts';

const of = (v: number, data: unknown): Fact => ({ ...(factOf('drawing.created', drawingData(1), 5) as Fact), v, data });

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
  const now = FACTS['drawing.created'].v;
  const { x: _, y: __, ...rest } = drawingData(1);

  it('leaves a fact of today as it is', () => {
    const fact = of(now, drawingData(1));
    assert.deepEqual(upcast(fact), fact);
  });

  it('takes old data through every step, and keeps the rest of the fact', () => {
    const old = of(now - 2, { ...rest, pos: [3, 4] });
    const fact: AnyFact = upcast(old, table(now));
    assert.equal(fact.v, now);
    assert.deepEqual(fact.data, { ...rest, x: 3, y: 4 });
    assert.equal(fact.position, 5);
    assert.deepEqual(old.data, { ...rest, pos: [3, 4] });
    assert.deepEqual(upcast(of(now - 1, { ...rest, left: 3, top: 4 }), table(now)).data, { ...rest, x: 3, y: 4 });
  });

  it('says what it does not know: a missing step, a newer version, a strange type', () => {
    assert.throws(() => upcast(of(now - 3, {}), table(now)), /fact 5: no step from drawing.created version/);
    assert.throws(() => upcast(of(now + 1, {})), /fact 5 is drawing.created version \d+; this program knows/);
    assert.throws(
      () => upcast({ ...of(now, {}), type: 'drawing.painted' }),
      /fact 5 is of the unknown type drawing.painted/,
    );
  });

  it('has a step for every version below the present one', () => {
    for (const [type, { v }] of Object.entries(FACTS))
      for (let from = 1; from < v; from++) assert.ok(`${type}@${from}` in UPCASTERS, `no step for ${type}@${from}`);
  });
});
