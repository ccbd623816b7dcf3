import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrange, type Box } from '../src/map/actions/arrange.ts';
import { sizeOf } from '../src/map/flow/drawing-size.ts';
import { besideNode, isOutside, lineStyle } from '../src/map/flow/link-line.ts';
import { pathsOf } from '../src/map/far/far-picture.ts';
import { mergeEdges, mergeNodes, resetNodes, type Seen, short } from '../src/map/flow/flow.ts';
import { labelStyle } from '../src/map/flow/label-style.ts';
import { meaningOf } from '../src/map/map-keys.ts';
import { freePorts, linkable, portsInUse } from '../src/map/actions/ports.ts';
import { svgOf } from '../src/map/draw/shapes.ts';
import type { Mark } from '../src/store/lab.ts';
import { type Drawing, type Link, type Node, type Port, type Records, recordsOf } from '../src/store/records.ts';

const port = (port_number: number, link_type: Port['link_type'] = 'ethernet'): Port =>
  ({ name: `p${port_number}`, short_name: `${port_number}`, adapter_number: 0, port_number, link_type }) as Port;
const node = (node_id: string, more: Partial<Node> = {}): Node =>
  ({
    node_id,
    name: node_id,
    x: 0,
    y: 0,
    z: 1,
    width: 60,
    height: 40,
    status: 'stopped',
    locked: false,
    label: { text: node_id },
    properties: {},
    ports: [port(0), port(1)],
    ...more,
  }) as Node;
const link = (
  link_id: string,
  a: string,
  b: string,
  ports: [number, number] = [0, 0],
  more: Partial<Link> = {},
): Link =>
  ({
    link_id,
    link_type: 'ethernet',
    filters: {},
    suspend: false,
    capturing: false,
    nodes: [a, b].map((node_id, index) => ({ node_id, adapter_number: 0, port_number: ports[index], label: {} })),
    ...more,
  }) as Link;
const drawing = (drawing_id: string, more: Partial<Drawing> = {}): Drawing =>
  ({
    drawing_id,
    x: 0,
    y: 0,
    z: 0,
    rotation: 0,
    locked: false,
    svg: '<svg width="10" height="20"/>',
    ...more,
  }) as Drawing;
const lab = (nodes: Node[], links: Link[] = [], drawings: Drawing[] = []): Records =>
  recordsOf({} as never, nodes, links, drawings);
const NONE: ReadonlyMap<string, Mark> = new Map();
const SEEN: Seen = { marks: NONE, isReadOnly: false };

describe('nodes of the map', () => {
  it('stay the same objects when their records do, and keep their choice when those change', () => {
    const [a, b] = [node('a'), node('b')];
    const first = mergeNodes([], lab([a, b]), SEEN).map((one) => ({ ...one, selected: true }));
    const second = mergeNodes(first, lab([a, { ...b, x: 9 }]), SEEN);
    assert.equal(second[0], first[0]);
    assert.deepEqual([second[1]?.position, second[1]?.selected], [{ x: 9, y: 0 }, true]);
  });

  it('stay under the hand that drags them, until they are put back', () => {
    const held = mergeNodes([], lab([node('a')]), SEEN).map((one) => ({
      ...one,
      dragging: true,
      position: { x: 70, y: 70 },
    }));
    const moved = lab([node('a', { x: 5 })]);
    assert.deepEqual(mergeNodes(held, moved, SEEN)[0]?.position, { x: 70, y: 70 });
    assert.deepEqual(resetNodes(held, moved, SEEN)[0]?.position, { x: 5, y: 0 });
  });

  it('cannot be moved when they are locked, or nothing can be changed', () => {
    const records = lab([node('a', { locked: true }), node('b')], [], [drawing('d')]);
    const draggable = (isReadOnly: boolean): unknown[] =>
      mergeNodes([], records, { marks: NONE, isReadOnly }).map((one) => [one.id, one.draggable]);
    assert.deepEqual(draggable(false), [
      ['d', true],
      ['a', false],
      ['b', true],
    ]);
    assert.deepEqual(draggable(true), [
      ['d', false],
      ['a', false],
      ['b', false],
    ]);
  });

  it('tell their state in words, and the mark of a comparison', () => {
    const [one] = mergeNodes([], lab([node('PC1', { status: 'started', locked: true })]), {
      marks: new Map([['PC1', 'added']]),
      isReadOnly: true,
    });
    assert.equal(one?.ariaLabel, 'PC1, started, locked, added');
  });

  it('have names that are cut, and lie over links, which lie over drawings below', () => {
    const long = mergeNodes([], lab([node('a', { name: 'x'.repeat(1_000_000) })], [], [drawing('d')]), SEEN);
    assert.ok((long[1]?.ariaLabel?.length ?? 0) < 200);
    assert.ok((long[0]?.zIndex ?? 0) < 0 && (long[1]?.zIndex ?? 0) > 0);
    assert.equal(short('PC1'), 'PC1');
  });
});

describe('links of the map', () => {
  const nodes = [node('a'), node('b', { x: 100 })];

  it('lie beside each other between the same nodes, however they were drawn', () => {
    const offsets = (links: Link[]): unknown[] =>
      mergeEdges([], lab(nodes, links), NONE).map(({ data }) => data?.offset);
    assert.deepEqual(offsets([link('1', 'a', 'b')]), [0]);
    const [first, second] = offsets([link('1', 'a', 'b'), link('2', 'b', 'a')]) as number[];
    assert.notEqual(first, 0);
    // The second runs the other way, so the same sign is the other side.
    assert.equal(first, second);
  });

  it('are left out where a node is missing, and follow their nodes', () => {
    assert.deepEqual(mergeEdges([], lab(nodes, [link('1', 'a', 'gone')]), NONE), []);
    const links = [link('1', 'a', 'b')];
    const before = mergeEdges([], lab(nodes, links), NONE);
    assert.equal(mergeEdges(before, lab(nodes, links), NONE)[0], before[0]);
    const moved = mergeEdges(before, lab([node('a', { x: 50 }), ...nodes.slice(1)], links), NONE);
    assert.equal(moved[0]?.data?.ends[0].x, 50);
  });

  it('say what is special about them', () => {
    const special = link('1', 'a', 'b', [0, 0], { suspend: true, filters: { delay: [50, 0] }, capturing: true });
    const [edge] = mergeEdges([], lab(nodes, [special]), NONE);
    assert.equal(edge?.ariaLabel, 'Link between a and b, suspended, filtered, capturing');
  });

  it('know which names of ports would cover each other', () => {
    const place = (x: number): Link['nodes'][number]['label'] => ({ text: 'e0', x, y: 30 });
    const labelled = (id: string, ports: [number, number], atA: number, atB: number): Link => {
      const one = link(id, 'a', 'b', ports);
      return { ...one, nodes: one.nodes.map((end, index) => ({ ...end, label: place(index === 0 ? atA : atB) })) };
    };
    const links = [labelled('1', [0, 0], 30, 30), labelled('2', [1, 1], 30, 40)];
    const hidden = mergeEdges([], lab(nodes, links), NONE).map(({ data }) => data?.hidden);
    assert.deepEqual(hidden, [
      [true, false],
      [true, false],
    ]);
  });

  it('are one path for each kind from far away', () => {
    const links = [link('1', 'a', 'b'), link('2', 'a', 'b', [1, 1]), link('3', 'a', 'b', [2, 2], { suspend: true })];
    const records = lab(nodes, links);
    const paths = pathsOf(mergeEdges([], records, NONE), mergeNodes([], records, { marks: NONE, isReadOnly: false }));
    assert.deepEqual([...paths.keys()], ['ethernet', 'suspended']);
    assert.equal(paths.get('suspended'), 'M30 20L130 20');
  });
});

describe('ports for a new link', () => {
  it('are those that no link has, of the same type as the one it comes from', () => {
    const router = node('r', { ports: [port(0), port(1, 'serial'), port(2)] });
    const used = portsInUse([link('1', 'r', 'x')]);
    assert.deepEqual(
      freePorts(router, used).map(({ key }) => key),
      ['0/1', '0/2'],
    );
    assert.deepEqual(
      freePorts(router, used, port(9, 'serial')).map(({ key }) => key),
      ['0/1'],
    );
  });

  it('are on other nodes only, which are offered by name', () => {
    const [a, b, full] = [node('PC10'), node('PC9'), node('PC1', { ports: [port(0)] })];
    const records = lab([a, b, full], [link('1', 'PC1', 'PC9')]);
    const used = portsInUse(records.links.values());
    assert.deepEqual(
      linkable(records, used).map(({ name }) => name),
      ['PC9', 'PC10'],
    );
    assert.deepEqual(
      linkable(records, used, { node: a, port: port(0) }).map(({ name }) => name),
      ['PC9'],
    );
    assert.deepEqual(linkable(records, used, { node: a, port: port(0, 'serial') }), []);
  });
});

describe('arranging', () => {
  const boxes: Box[] = [
    { id: 'a', x: 0, y: 0, width: 10, height: 10 },
    { id: 'b', x: 50, y: 31, width: 20, height: 20 },
    { id: 'c', x: 90, y: 80, width: 10, height: 10 },
  ];
  const xs = (places: readonly { x: number }[]): number[] => places.map(({ x }) => x);

  it('aligns edges and middles', () => {
    assert.deepEqual(xs(arrange(boxes, 'left')), [0, 0, 0]);
    assert.deepEqual(xs(arrange(boxes, 'right')), [90, 80, 90]);
    assert.deepEqual(xs(arrange(boxes, 'middle')), [45, 40, 45]);
    assert.deepEqual(
      arrange(boxes, 'bottom').map(({ y }) => y),
      [80, 70, 80],
    );
  });

  it('spaces out with the same gap, the outer ones where they are', () => {
    assert.deepEqual(xs(arrange(boxes, 'across')), [0, 40, 90]);
    assert.deepEqual(arrange([], 'across'), []);
  });

  it('has no two of a circle at one place', () => {
    const places = arrange(
      Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, x: 0, y: 0, width: 60, height: 60 })),
      'circle',
    );
    assert.equal(new Set(places.map(({ x, y }) => `${x} ${y}`)).size, 40);
  });
});

describe('what comes with files', () => {
  it('has the size that its first tag says, within bounds', () => {
    assert.deepEqual(sizeOf('<svg width="850" height="500"><rect width="1"/></svg>'), { width: 850, height: 500 });
    assert.deepEqual(sizeOf("<?xml version='1.0'?><svg viewBox='0 0 30 40'>"), { width: 30, height: 40 });
    assert.deepEqual(sizeOf('<svg width="100%" height="1e99">'), { width: 100, height: 100 });
    assert.deepEqual(sizeOf(`<svg width="99999999" height="0.1">${'x'.repeat(1_000_000)}`), {
      width: 20_000,
      height: 8,
    });
    assert.deepEqual(sizeOf('nothing'), { width: 100, height: 100 });
  });

  it('gives labels a typeface, a size, a weight and a colour that can be read, and nothing else', () => {
    const { fontFamily, ...look } = labelStyle(
      'font-family: Courier New;font-size: 12;font-weight: bold;fill: #ff0000;position: fixed;background: url(//x)',
    );
    assert.match(String(fontFamily), /^'Courier New', .*monospace$/);
    assert.deepEqual(look, { fontSize: '16px', fontWeight: 700, color: '#ff0000' });
    const sizeIn = (style: string | null): unknown => labelStyle(style).fontSize;
    assert.equal(sizeIn('fill: #000000; font-size: 99999'), '266.67px');
    assert.equal(sizeIn('fill: url(http://x); font-size: x'), '13.33px');
    assert.equal(labelStyle('fill: url(http://x)').color, undefined);
    assert.doesNotMatch(String(labelStyle("font-family: a'), url(x").fontFamily), /url\(|a'/);
    assert.deepEqual(labelStyle(null), { ...labelStyle('font-family: TypeWriter; font-weight: bold') });
  });

  it('says how a link is drawn, in widths of its line', () => {
    const styled = (link_style: Record<string, unknown>): object =>
      lineStyle(link('1', 'a', 'b', [0, 0], { link_style }));
    assert.deepEqual(styled({}), {});
    assert.deepEqual(styled({ color: '#000000', width: 2, type: 1 }), {});
    assert.deepEqual(styled({ color: '#00ff00', width: 4, type: 2 }), {
      '--link-colour': '#00ff00',
      '--link-width': 4,
      '--link-dashes': '16 8',
    });
    assert.deepEqual(styled({ color: 'url(x)', width: -1, type: 0 }), { '--link-colour': 'transparent' });
  });

  it('puts names of ports outside of their nodes', () => {
    const one = node('a', { x: 0, y: 0, width: 60, height: 40 });
    const end = (label: Partial<Link['nodes'][number]['label']>): Link['nodes'][number] => ({
      ...{ node_id: 'a', adapter_number: 0, port_number: 0 },
      label: { text: 'e0', ...label },
    });
    assert.equal(isOutside(end({ x: 70, y: 10 }), one), true);
    assert.equal(isOutside(end({ x: 10, y: 10 }), one), false);
    assert.equal(isOutside(end({}), one), false);
    const place = besideNode(one, [
      { x: 30, y: 20 },
      { x: 230, y: 20 },
    ]);
    assert.deepEqual(place, { x: 76, y: 20 });
  });

  it('cannot get out of the text of a drawing', () => {
    const look = {
      width: 9,
      height: 9,
      stroke: '#000',
      fill: null,
      text: '</text><script>alert(1)</script>\u0000',
      fontSize: 12,
    };
    assert.doesNotMatch(svgOf('text', look), /<script|\u0000/);
    assert.match(svgOf('rectangle', { ...look, stroke: '"><script>' }), /stroke="&#34;&#62;&#60;script&#62;"/);
  });
});

describe('keys of the map', () => {
  const press = (key: string, more: object = {}): unknown =>
    meaningOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

  it('move, by more with Shift', () => {
    assert.deepEqual(press('ArrowLeft'), { do: 'move', dx: -10, dy: 0 });
    assert.deepEqual(press('ArrowDown', { shiftKey: true }), { do: 'move', dx: 0, dy: 50 });
  });

  it('leave to the browser what is its own', () => {
    for (const key of ['Tab', 'F5', 'r']) assert.equal(press(key), null);
    assert.equal(press('c', { ctrlKey: true }), null);
    assert.equal(press('ArrowLeft', { altKey: true }), null);
  });

  it('open the menu in each way that people know', () => {
    for (const pressed of [press('Enter'), press('ContextMenu'), press('F10', { shiftKey: true })])
      assert.deepEqual(pressed, { do: 'menu' });
    assert.deepEqual(press('z', { metaKey: true }), { do: 'undo' });
  });
});
