import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Block, graphOf, gridOf, inPlace, type Pair, treeOf } from '../src/map/layout/layout.ts';

const block = (id: string, x = 0, y = 0): Block => ({ id, x, y, width: 60, height: 60 });
const ring: Block[] = ['a', 'b', 'c', 'd'].map((id) => block(id));
const links: Pair[] = [
  ['a', 'b'],
  ['b', 'c'],
  ['c', 'd'],
  ['d', 'a'],
  ['a', 'elsewhere'],
  ['a', 'a'],
];

describe('an automatic layout', () => {
  it('is asked for the links between its nodes, and for a tree only for those that reach each node once', () => {
    assert.equal(graphOf('layers', ring, links).edges?.length, 4);
    assert.equal(graphOf('radial', ring, links).edges?.length, 3);
    const tree = treeOf([...ring, block('alone')], links.slice(0, 4));
    assert.equal(tree.length, 3);
    assert.deepEqual(new Set(tree.flat()), new Set(['a', 'b', 'c', 'd']));
  });

  it('in a grid has no two nodes at one place, and keeps their order', () => {
    const blocks = Array.from({ length: 10 }, (_, i) => block(`${i}`, (i % 5) * 100, Math.floor(i / 5) * 200));
    const places = gridOf(blocks);
    assert.equal(new Set(places.map(({ x, y }) => `${x} ${y}`)).size, 10);
    assert.deepEqual(
      places.map(({ id }) => id),
      blocks.map(({ id }) => id),
    );
  });

  it('stays where the nodes were', () => {
    const blocks = [block('a', 1000, 1000), block('b', 1200, 1000)];
    const places = inPlace(blocks, [
      { id: 'a', x: 0, y: 0 },
      { id: 'b', x: 0, y: 300 },
    ]);
    assert.deepEqual(places, [
      { id: 'a', x: 1100, y: 850 },
      { id: 'b', x: 1100, y: 1150 },
    ]);
    assert.deepEqual(inPlace([], []), []);
  });
});
