import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundsOf, heldNodes, inHand, nodeAt, nodesIn } from '../src/map/far/far-nodes.ts';
import { pathOfPointed } from '../src/map/far/far-picture.ts';
import { isEnough, partOf, placeOf, type View } from '../src/map/far/far-view.ts';
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

  it('has elements for what has arrived', () => {
    assert.deepEqual(ids(heldNodes(nodes, 'a', new Set(['c']))), ['a', 'c']);
  });

  it('draws what is dragged, and what follows it, apart from what lies still', () => {
    const [a, b, c] = [at('a', 0, 0), at('b', 100, 0, { dragging: true }), at('c', 120, 20)];
    const edges = ['a c', 'a b', 'b b'].map((id) => ({ id, source: id[0], target: id[2] }) as MapEdge);
    const { held, heldEdges, ends, ...rest } = inHand([a, b, c], edges);
    assert.deepEqual([ids(rest.nodes), rest.edges.map(({ id }) => id)], [['a', 'c'], ['a c']]);
    assert.deepEqual([ids(held), heldEdges.map(({ id }) => id), ids(ends)], [['b'], ['a b', 'b b'], ['a', 'b']]);
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

describe('the picture of a large lab', () => {
  const lab = { x: 0, y: 0, width: 10_000, height: 1_000 };
  const view = (x: number, y: number, zoom: number): View => ({ x, y, zoom, width: 1_000, height: 500 });

  it('has what is seen and some more, but nothing beside the lab', () => {
    const { left, top, width, height } = partOf(lab, view(0, 0, 1));
    assert.deepEqual({ left, top, width, height }, { left: -60, top: -60, width: 1_360, height: 710 });
    assert.equal(partOf(null, view(0, 0, 1)).width, 1);
    assert.equal(partOf(lab, view(0, 9_000, 1)).height, 1);
  });

  it('goes along with the view', () => {
    const part = partOf(lab, view(0, 0, 0.1));
    assert.deepEqual(placeOf(part, view(0, 0, 0.1)), { left: -6, top: -6, scale: 1 });
    // 60 pixels of the lab are 12 now.
    assert.deepEqual(placeOf(part, view(300, 20, 0.2)), { left: 288, top: 8, scale: 2 });
  });

  it('is enough while it has all that is seen', () => {
    const all = partOf(lab, view(0, 0, 0.1));
    assert.ok(isEnough(all, lab, view(400, 400, 0.1)));
    assert.ok(isEnough(all, lab, view(-5_000, 90_000, 0.1)));
    const piece = partOf(lab, view(0, 0, 1));
    assert.ok(isEnough(piece, lab, view(-299, 0, 1)));
    assert.ok(!isEnough(piece, lab, view(-310, 0, 1)));
    assert.ok(!isEnough(piece, lab, view(0, -160, 1)));
    assert.ok(isEnough(piece, lab, view(500, 0, 1)));
  });

  it('is drawn again when it would be seen too small or too large', () => {
    const all = partOf(lab, view(0, 0, 0.1));
    assert.ok(isEnough(all, lab, view(0, 0, 0.05)) && isEnough(all, lab, view(0, 0, 0.19)));
    assert.ok(!isEnough(all, lab, view(0, 0, 0.03)) && !isEnough(all, lab, view(0, 0, 0.21)));
  });
});
