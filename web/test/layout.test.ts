import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeNodes } from '../src/map/flow/flow.ts';
import { framesOf, withFrames } from '../src/map/groups/draw-groups.ts';
import { placesOf } from '../src/map/groups/units.ts';
import {
  type Block,
  blocksOf,
  graphOf,
  gridOf,
  inPlace,
  type Pair,
  pairsOf,
  treeOf,
  unitsToLayOut,
} from '../src/map/layout/layout.ts';
import { type Link, type Node, type Project, recordsOf } from '../src/store/records.ts';

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

describe('a layout of a lab with a collapsed group', () => {
  const node = (node_id: string, x: number, y: number, locked = false): Node =>
    ({ node_id, name: node_id, x, y, z: 1, width: 60, height: 60, status: 'stopped', properties: {}, locked }) as Node;
  const link = (...ends: string[]): Link =>
    ({ link_id: ends.join(), nodes: ends.map((node_id) => ({ node_id })) }) as Link;
  const map = (chosen: readonly string[] = [], locked = false) => {
    const nodes = [node('a', 0, 0, locked), node('b', 200, 100), node('c', 500, 0), node('d', 900, 0)];
    const made = recordsOf({} as Project, nodes, [link('a', 'b'), link('b', 'c'), link('a', 'd')], []);
    const flow = mergeNodes([], made, { marks: new Map(), isReadOnly: false }).map((one) => ({
      ...one,
      selected: chosen.includes(one.id),
    }));
    const group = { group_id: 'g', name: 'g', color: '#0072b2', collapsed: true, nodes: ['a', 'b'] };
    return { made, all: withFrames(flow, framesOf([group], flow, [])) };
  };

  it('moves the group as one, and its nodes keep their places to each other', () => {
    const { made, all } = map();
    const units = unitsToLayOut(all);
    assert.deepEqual(
      blocksOf(units).map(({ id, width }) => [id, width]),
      [
        ['g', 84],
        ['c', 60],
        ['d', 60],
      ],
    );
    assert.deepEqual(pairsOf(units, made), [
      ['g', 'c'],
      ['g', 'd'],
    ]);
    const [group] = units;
    const to = { id: 'g', x: (group?.x ?? 0) + 10, y: (group?.y ?? 0) - 20 };
    assert.deepEqual(placesOf(units, [to]), [
      { id: 'a', x: 10, y: -20 },
      { id: 'b', x: 210, y: 80 },
    ]);
  });

  it('is of what is selected, and leaves a group with a locked node where it is', () => {
    const idsOf = (all: ReturnType<typeof map>): string[] => unitsToLayOut(all.all).map(({ id }) => id);
    assert.deepEqual(idsOf(map(['a', 'b', 'c'])), ['g', 'c']);
    assert.deepEqual(idsOf(map(['c'])), ['g', 'c', 'd']);
    assert.deepEqual(idsOf(map([], true)), ['c', 'd']);
  });

  it('is of the inside of the group if that is all that is selected', () => {
    const { made, all } = map(['a', 'b']);
    const units = unitsToLayOut(all);
    assert.deepEqual(
      units.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(pairsOf(units, made), [['a', 'b']]);
    assert.deepEqual(placesOf(units, [{ id: 'b', x: 9, y: 9 }]), [{ id: 'b', x: 9, y: 9 }]);
    assert.deepEqual(
      unitsToLayOut(map(['a', 'b'], true).all).map(({ id }) => id),
      ['b'],
    );
  });
});
