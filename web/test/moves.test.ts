import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from 'topolog/client';
import { createMoves, moveOf, stillThere } from '../src/map/actions/moves.ts';
import { type Drawing, type Node, type Records, recordsOf } from '../src/store/records.ts';

const lab = (places: Record<string, [number, number]>): Records =>
  recordsOf(
    {} as never,
    Object.entries(places)
      .filter(([id]) => id !== 'd')
      .map(([node_id, [x, y]]) => ({ node_id, x, y }) as Node),
    [],
    Object.entries(places)
      .filter(([id]) => id === 'd')
      .map(([drawing_id, [x, y]]) => ({ drawing_id, x, y }) as Drawing),
  );

/** A lab whose server keeps what it is told, or refuses. */
const server = (places: Record<string, [number, number]>, refuses = (): boolean => false) => {
  const asked: unknown[] = [];
  const post = (
    _path: string,
    { body }: { body: { steps: { id: string; type: string; record: { x: number; y: number } }[] } },
  ) => {
    if (refuses()) return Promise.reject(new Error('refused'));
    asked.push(body.steps.map(({ type, id }) => `${type} ${id}`));
    for (const { id, record } of body.steps) places[id] = [record.x, record.y];
    return Promise.resolve({});
  };
  return { moves: createMoves({ post } as unknown as Client, 'p', () => lab(places)), asked, places };
};

describe('moves on the map', () => {
  it('are one request of whole pixels, without what stays where it is', async () => {
    const { moves, asked, places } = server({ a: [0, 0], b: [5, 5], d: [1, 1] });
    await moves.move([
      { id: 'a', x: 10.4, y: 0 },
      { id: 'b', x: 5, y: 5 },
      { id: 'd', x: 2, y: 2 },
      { id: 'gone', x: 1, y: 1 },
    ]);
    assert.deepEqual(asked, [['node a', 'drawing d']]);
    assert.deepEqual(places, { a: [10, 0], b: [5, 5], d: [2, 2] });
  });

  it('are undone one after the other', async () => {
    const { moves, places } = server({ a: [0, 0] });
    await moves.move([{ id: 'a', x: 1, y: 1 }]);
    await moves.move([{ id: 'a', x: 2, y: 2 }]);
    assert.equal(await moves.undo(), 1);
    assert.deepEqual(places['a'], [1, 1]);
    assert.equal(await moves.undo(), 1);
    assert.deepEqual(places['a'], [0, 0]);
    assert.equal(await moves.undo(), null);
  });

  it('are undone also while they are under way', async () => {
    const { moves, places } = server({ a: [0, 0] });
    const moved = moves.move([{ id: 'a', x: 1, y: 1 }]);
    assert.equal(await moves.undo(), 1);
    await moved;
    assert.deepEqual(places['a'], [0, 0]);
  });

  it('leave what somebody else has moved since', async () => {
    const { moves, places } = server({ a: [0, 0], b: [0, 0] });
    await moves.move([
      { id: 'a', x: 1, y: 1 },
      { id: 'b', x: 1, y: 1 },
    ]);
    places['b'] = [9, 9];
    assert.equal(await moves.undo(), 1);
    assert.deepEqual(places, { a: [0, 0], b: [9, 9] });
  });

  it('that the server refuses are none, and an undo that it refuses can be tried again', async () => {
    let refuses = true;
    const { moves } = server({ a: [0, 0] }, () => refuses);
    await assert.rejects(moves.move([{ id: 'a', x: 1, y: 1 }]), /refused/);
    assert.deepEqual(moves.done.get(), []);
    refuses = false;
    await moves.move([{ id: 'a', x: 1, y: 1 }]);
    refuses = true;
    await assert.rejects(moves.undo(), /refused/);
    assert.equal(moves.done.get().length, 1);
  });

  it('know where things were and whether they are still there', () => {
    const move = moveOf(lab({ a: [1, 2] }), [{ id: 'a', x: 3, y: 4 }]);
    assert.deepEqual(move, { from: [{ id: 'a', x: 1, y: 2 }], to: [{ id: 'a', x: 3, y: 4 }] });
    assert.deepEqual(stillThere(lab({ a: [3, 4] }), move), move.from);
    // The answer was quicker than the feed.
    assert.deepEqual(stillThere(lab({ a: [move.from[0]?.x ?? NaN, move.from[0]?.y ?? NaN] }), move), move.from);
    assert.deepEqual(stillThere(lab({ a: [3, 5] }), move), []);
  });
});
