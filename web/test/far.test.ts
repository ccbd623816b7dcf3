import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundsOf, heldNodes, nodeAt, nodesIn } from '../src/map/far/far-nodes.ts';
import { pathOfPointed } from '../src/map/far/far-picture.ts';
import type { MapEdge, MapNode } from '../src/map/flow/flow.ts';

const at = (id: string, x: number, y: number, more: Partial<MapNode> = {}): MapNode =>
  ({ id, type: 'lab', position: { x, y }, width: 50, height: 40, data: {}, ...more }) as MapNode;
const ids = (nodes: readonly MapNode[]): string[] => nodes.map(({ id }) => id);

describe('a large lab from far away', () => {
  const nodes = [at('a', 0, 0), at('b', 100, 0), at('c', 120, 20)];

  it('has the uppermost node under the pointer, or one that is near enough', () => {
    assert.equal(nodeAt(nodes, { x: 10, y: 10 }, 0), 'a');
    assert.equal(nodeAt(nodes, { x: 130, y: 30 }, 0), 'c');
    assert.equal(nodeAt(nodes, { x: 55, y: 10 }, 0), null);
    assert.equal(nodeAt(nodes, { x: 55, y: 10 }, 6), 'a');
  });

  it('has nodes that a box touches', () => {
    assert.deepEqual([...nodesIn(nodes, { x: 40, y: 30, width: 90, height: 5 })], ['a', 'b', 'c']);
    assert.deepEqual([...nodesIn(nodes, { x: 200, y: 200, width: 5, height: 5 })], []);
  });

  it('has elements for drawings, for what is under the pointer and for what is selected', () => {
    const drawing = at('d', 0, 0, { type: 'drawing' });
    const selected = at('s', 0, 0, { selected: true });
    assert.deepEqual(ids(heldNodes([drawing, ...nodes, selected], 'b')), ['d', 'b', 's']);
  });

  it('drags many selected nodes along without elements of their own', () => {
    const many = Array.from({ length: 40 }, (_, n) => at(`n${n}`, n, 0, { selected: true }));
    const held = heldNodes(many, 'n3');
    assert.equal(held.length, 40);
    assert.deepEqual(ids(held.filter(({ hidden }) => hidden !== true)), ['n3']);
    // The flow compares what it is given by identity.
    assert.equal(held[0], heldNodes(many, 'n3')[0]);
  });

  it('takes as much as all of it', () => {
    assert.deepEqual(boundsOf(nodes), { x: 0, y: 0, width: 170, height: 60 });
    assert.equal(boundsOf([]), null);
  });

  it('draws the link that another part of the page is about once more', () => {
    const edges = [{ id: 'l', source: 'a', target: 'b' } as MapEdge, { id: 'm', source: 'a', target: 'x' } as MapEdge];
    assert.equal(pathOfPointed(edges, nodes, 'l'), 'M25 20L125 20');
    for (const id of ['m', 'a', null]) assert.equal(pathOfPointed(edges, nodes, id), null);
  });
});
