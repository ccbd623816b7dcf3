import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Viewport } from '@xyflow/react';
import { momentOf } from '../src/app/router.ts';
import type { MapNode } from '../src/map/flow/flow.ts';
import { type Drawing, type Link, type Node, type Project, type Records, recordsOf } from '../src/store/records.ts';
import { choicesOf } from '../src/timeline/beside/open-beside.ts';
import { differencesOf } from '../src/timeline/beside/differences.ts';
import { besideOf, withBeside } from '../src/timeline/address.ts';
import { createLinkedViews } from '../src/timeline/beside/linked-views.ts';

const node = (node_id: string, more: Partial<Node> = {}): Node =>
  ({ ...{ node_id, name: node_id.toUpperCase(), node_type: 'pc', x: 0, y: 0, console: 5000 }, ...more }) as Node;
const link = (link_id: string, ...ends: readonly [string, number][]): Link =>
  ({
    link_id,
    nodes: ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number })),
  }) as unknown as Link;
const drawing = (drawing_id: string, svg: string, x = 0): Drawing => ({ drawing_id, svg, x, y: 0 }) as Drawing;
const lab = (project_id: string, nodes: Node[], links: Link[] = [], drawings: Drawing[] = []): Records =>
  recordsOf({ project_id } as Project, nodes, links, drawings);
const told = (left: Records, right: Records): string[] =>
  differencesOf(left, right).diffs.map(
    (diff) =>
      `${diff.change} ${diff.collection} ${diff.left} ${diff.right} ${diff.fields.map(({ field }) => field).join()}`,
  );

describe('two moments of a lab beside each other', () => {
  it('differ by what was added, removed and changed, each marked on its side', () => {
    const left = lab('p', [node('a'), node('b')], [link('l', ['a', 0], ['b', 0])]);
    const right = lab('p', [node('a', { x: 9 }), node('c')]);
    assert.deepEqual(told(left, right), [
      'changed node a a x',
      'removed node b null ',
      'added node null c ',
      'removed link l null ',
    ]);
    const { left: marked, right: there } = differencesOf(left, right);
    assert.deepEqual(Object.fromEntries(marked), { a: 'changed', b: 'removed', l: 'removed' });
    assert.deepEqual(Object.fromEntries(there), { a: 'changed', c: 'added' });
  });

  it('do not differ where they say the same', () => {
    const of = (): Records => lab('p', [node('a')], [], [drawing('d', '<svg/>')]);
    assert.deepEqual(told(of(), of()), []);
  });
});

describe('a lab and its fork beside each other', () => {
  const original = lab(
    'p',
    [node('a', { name: 'PC1' }), node('b', { name: 'PC2', x: 50 }), node('c', { name: 'PC3' })],
    [link('l', ['a', 0], ['b', 1]), link('m', ['b', 0], ['c', 0])],
    [drawing('d', '<svg>1</svg>', 5)],
  );

  it('have ids of their own, which are no difference', () => {
    const fork = lab(
      'q',
      [
        node('x', { name: 'PC1', console: 5009 }),
        node('y', { name: 'PC2', x: 50, status: 'started' }),
        node('z', { name: 'PC3' }),
      ],
      [link('n', ['y', 1], ['x', 0]), link('o', ['y', 0], ['z', 0])],
      [drawing('e', '<svg>1</svg>', 5)],
    );
    assert.deepEqual(told(original, fork), []);
    assert.deepEqual(
      [...differencesOf(original, fork).matching.links],
      [
        ['l', 'n'],
        ['m', 'o'],
      ],
    );
  });

  it('know a renamed node by its place, and links by what they connect', () => {
    const fork = lab(
      'q',
      [node('x', { name: 'PC1', x: 7 }), node('y', { name: 'core', x: 50 })],
      [link('n', ['x', 0], ['y', 1])],
      [drawing('e', '<svg>1</svg>', 6), drawing('f', '<svg>2</svg>')],
    );
    assert.deepEqual(told(original, fork), [
      'changed node a x x',
      'changed node b y name',
      'removed node c null ',
      'removed link m null ',
      'changed drawing d e x',
      'added drawing null f ',
    ]);
  });
});

describe('the projects that can stand beside a lab', () => {
  const projects = ['lab', 'zoo', 'fork 2', 'fork 10', 'origin', 'sister', 'ant'].map((name) => ({
    project_id: name,
    name,
  }));
  const of = (project_id: string, forked_from: string | null, changed_at: string | null = null) => ({
    ...{ project_id, forked_from, changed_at },
  });

  it('are this one, its relatives by when they were changed, and the others by name', () => {
    const overviews = [
      of('lab', 'origin', '1'),
      ...[of('zoo', null, '9'), of('fork 2', 'lab', '3'), of('fork 10', 'lab', '5')],
      ...[of('origin', null, '4'), of('sister', 'origin', '2'), of('ant', 'zoo')],
    ];
    const choices = choicesOf('lab', projects, overviews);
    assert.deepEqual(
      choices.filter(({ isNear }) => isNear).map(({ id }) => id),
      ['lab', 'fork 10', 'origin', 'fork 2', 'sister'],
    );
    assert.deepEqual(
      choices.filter(({ isNear }) => !isNear).map(({ id }) => id),
      ['ant', 'zoo'],
    );
  });

  it('has no relatives where nothing was forked', () => {
    const choices = choicesOf(
      'lab',
      projects,
      projects.map(({ project_id }) => of(project_id, null)),
    );
    assert.deepEqual(
      choices.filter(({ isNear }) => isNear).map(({ id }) => id),
      ['lab'],
    );
  });
});

describe('the views of two maps', () => {
  const canvas = (width: number) => {
    const state = { viewport: { x: 0, y: 0, zoom: 1 } };
    return {
      ...{ state, getViewport: () => state.viewport, size: () => ({ width, height: 100 }) },
      setViewport: (viewport: Viewport) => void (state.viewport = viewport),
    };
  };

  it('go together, whichever is moved', () => {
    const views = createLinkedViews();
    const [left, right] = [canvas(200), canvas(100)];
    const leave = views.join(left);
    views.moved(left, (left.state.viewport = { x: 5, y: 6, zoom: 2 }));
    views.join(right);
    assert.deepEqual(right.state.viewport, { x: 5, y: 6, zoom: 2 });
    views.moved(right, (right.state.viewport = { x: 1, y: 1, zoom: 1 }));
    assert.deepEqual(left.state.viewport, { x: 1, y: 1, zoom: 1 });
    views.pan(10, -10);
    assert.deepEqual([left.state.viewport, right.state.viewport], Array(2).fill({ x: -9, y: 11, zoom: 1 }));
    views.zoom(2);
    assert.equal(left.state.viewport.zoom, 2);
    assert.deepEqual(left.state.viewport, right.state.viewport);
    leave();
    views.pan(1, 1);
    assert.notDeepEqual(left.state.viewport, right.state.viewport);
  });

  it('show all of both, in the smaller one as well', () => {
    const views = createLinkedViews();
    const [left, right] = [canvas(400), canvas(100)];
    views.join(left);
    views.join(right);
    const at = (x: number) => ({ position: { x, y: 0 }, width: 20, height: 20, data: {} }) as unknown as MapNode;
    views.fit([at(0), at(500)]);
    const { x, zoom } = right.state.viewport;
    assert.deepEqual(left.state.viewport, right.state.viewport);
    assert.ok(x >= 0 && x + 520 * zoom <= 100);
    views.fit([]);
    assert.equal(right.state.viewport.x, x);
  });
});

describe('two sides in the address', () => {
  const [own, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const page = `#/projects/${own}?at=2026-01-02T03:04:05.678Z`;
  const T = Date.parse('2026-02-03T04:05:06.789Z');

  it('are two moments of the lab, or of this lab and another one, and the rest of the address stays', () => {
    const moments = { left: { projectId: own, at: T }, right: { projectId: own, at: null } };
    const labs = { left: { projectId: own, at: null }, right: { projectId: other, at: T + 1 } };
    for (const beside of [moments, labs]) {
      const hash = withBeside(page, own, beside);
      assert.deepEqual(besideOf(hash, own), beside);
      assert.equal(momentOf(hash), momentOf(page));
      assert.equal(withBeside(hash, own, null), page);
    }
  });

  it('are none where one is missing, is no moment, or the address is that of another lab', () => {
    assert.equal(besideOf(page, own), null);
    for (const wishes of ['left=now', 'left=now&right=soon', 'left=now&right=now@x', 'left=%E0%A4%A&right=now'])
      assert.equal(besideOf(`#/projects/${own}?${wishes}`, own), null, wishes);
    assert.equal(besideOf(`#/projects/${other}?left=now&right=now`, own), null);
  });
});
