import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  boxOfGroup,
  type Group,
  membersAfter,
  nextLook,
  withGroup,
  withMembers,
  withNodesIn,
  worstOf,
} from '../src/map/groups/groups.ts';
import { putGroups } from '../src/map/groups/group-actions.ts';
import { copiedOf, pasteSteps } from '../src/map/clipboard/clipboard.ts';
import { mergeEdges, mergeNodes } from '../src/map/flow/flow.ts';
import { arrange } from '../src/map/actions/arrange.ts';
import { placesOf, unitsOf } from '../src/map/groups/units.ts';
import { changesOfMembers, framesOf, linksTo, shownAs, withFrames } from '../src/map/groups/draw-groups.ts';
import type { Lab } from '../src/store/lab.ts';
import { type Link, type Node, type Project, type Records, recordsOf } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';

const group = (id: string, ...nodes: string[]): Group => ({
  ...{ group_id: id, name: id, color: '#0072b2', collapsed: false },
  nodes,
});
const at = (id: string, x: number, y = 0, was = { x, y }) => [id, { id, x, y, width: 60, height: 60, was }] as const;

describe('groups', () => {
  it('have a frame around their nodes, or a symbol in the middle', () => {
    const boxes = [
      { x: 0, y: 0, width: 60, height: 60 },
      { x: 200, y: 100, width: 60, height: 60 },
    ];
    const frame = boxOfGroup({ collapsed: false }, boxes);
    assert.ok(frame.x < 0 && frame.y < 0 && frame.x + frame.width > 260 && frame.y + frame.height > 160);
    const symbol = boxOfGroup({ collapsed: true }, boxes);
    assert.deepEqual([symbol.x + symbol.width / 2, symbol.y + symbol.height / 2], [130, 80]);
  });

  it('have a node once: a new group takes it from the one it was in, which is gone when it was the last', () => {
    const before = [group('a', '1', '2'), group('b', '3')];
    assert.deepEqual(
      withGroup(before, group('c', '2', '3')).map(({ group_id, nodes }) => [group_id, nodes]),
      [
        ['a', ['1']],
        ['c', ['2', '3']],
      ],
    );
    assert.deepEqual(
      withMembers(
        before,
        new Map([
          ['1', 'b'],
          ['3', null],
        ]),
      ).map(({ nodes }) => nodes),
      [['2'], ['1']],
    );
  });

  it('that have no node in the lab are dropped, and others keep those that may be there again', () => {
    const kept = withNodesIn([group('a', '1', 'gone'), group('b', 'gone')], new Map([['1', null]]));
    assert.deepEqual(kept, [group('a', '1', 'gone')]);
  });

  it('of nodes that the feed has not told of yet are kept', async () => {
    const put: unknown[] = [];
    const client = {
      request: () => Promise.resolve({ body: { groups: [group('a', '1'), group('b', 'gone')] }, etag: null }),
      get: () => Promise.resolve([{ node_id: '1' }, { node_id: '2' }]),
      put: (_: string, { body }: { body: { groups: Group[] } }) => Promise.resolve(put.push(body.groups)),
    };
    const lab = { projectId: 'p', client, state: createStore({ records: recordsOf({} as never, [], [], []) }) };
    await putGroups(lab as unknown as Lab, (now) => withGroup(now, group('c', '2')), { 'X-Request-Id': 'r' });
    assert.deepEqual(put, [[group('a', '1'), group('c', '2')]]);
  });

  it('get a name and a colour that no other has', () => {
    const say = (count: number): string => `Group ${count}`;
    const first = nextLook([], say);
    assert.equal(first.name, 'Group 1');
    const second = nextLook([{ ...group('a'), ...first }], say);
    assert.equal(second.name, 'Group 2');
    assert.notEqual(second.color, first.color);
  });

  it('are as badly off as their worst node', () => {
    const node = (status: Node['status'], failure?: string): Node =>
      ({ status, properties: failure === undefined ? {} : { failure: { message: failure } } }) as unknown as Node;
    assert.equal(worstOf([node('started')]), 'started');
    assert.equal(worstOf([node('started'), node('stopped')]), 'stopped');
    assert.equal(worstOf([node('suspended'), node('stopped')]), 'suspended');
  });
});

describe('dragging in and out of groups', () => {
  const groups = [group('a', '1', '2')];
  const still = [at('1', 0), at('2', 200)];
  it('takes in what is dropped within the frame', () => {
    const nodes = new Map([...still, at('3', 100, 0, { x: 600, y: 0 })]);
    assert.deepEqual([...membersAfter(groups, nodes, ['3'])], [['3', 'a']]);
  });
  it('lets go what is dropped outside of where the frame was', () => {
    const nodes = new Map([at('1', 0), at('2', 900, 0, { x: 200, y: 0 })]);
    assert.deepEqual([...membersAfter(groups, nodes, ['2'])], [['2', null]]);
  });
  it('keeps what is moved within it', () => {
    const nodes = new Map([at('1', 0), at('2', 120, 0, { x: 200, y: 0 })]);
    assert.equal(membersAfter(groups, nodes, ['2']).size, 0);
  });
  it('keeps a group together that is dragged as a whole', () => {
    const nodes = new Map([at('1', 900, 0, { x: 0, y: 0 }), at('2', 1100, 0, { x: 200, y: 0 })]);
    assert.equal(membersAfter(groups, nodes, ['1', '2']).size, 0);
  });
});

const node = (id: string, x: number): Node =>
  ({
    ...{ node_id: id, name: id, status: 'stopped', x, y: 0, z: 1, width: 60, height: 60, locked: false },
    ...{ properties: {}, compute_id: 'local', label: { text: id }, custom_adapters: [] },
  }) as unknown as Node;
const link = (link_id: string, ...ends: string[]): Link =>
  ({
    ...{ link_id, suspend: false, filters: {}, capturing: false, link_type: 'ethernet', link_style: {} },
    nodes: ends.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0, label: { text: 'e0', x: 0, y: 0 } })),
  }) as unknown as Link;
const lab: Records = {
  project: null,
  nodes: new Map(['1', '2', '3'].map((id, index) => [id, node(id, index * 200)])),
  links: new Map([link('l12', '1', '2'), link('l13', '1', '3'), link('l23', '2', '3')].map((l) => [l.link_id, l])),
  drawings: new Map(),
};
const seen = { marks: new Map(), isReadOnly: false };

describe('groups on the map', () => {
  const nodes = mergeNodes([], lab, seen);
  const edges = mergeEdges([], lab, new Map());
  const collapsed = framesOf([{ ...group('a', '1', '2'), collapsed: true }], nodes, []);

  it('stay the same objects until one of their nodes changes', () => {
    const groups = [group('a', '1', '2')];
    const first = framesOf(groups, nodes, []);
    assert.equal(framesOf(groups, [...nodes], first), first);
  });

  it('hide their nodes when collapsed; their links end at the symbol, beside each other', () => {
    assert.deepEqual(
      withFrames(nodes, collapsed).map(({ id, hidden = false }) => [id, hidden]),
      [
        ['1', true],
        ['2', true],
        ['3', false],
        ['a', false],
      ],
    );
    const links = linksTo(edges, collapsed);
    assert.deepEqual(
      links.map(({ id, source, target }) => [id, source, target]),
      [
        ['l13', 'a', '3'],
        ['l23', 'a', '3'],
      ],
    );
    assert.notEqual(links[0]?.data?.offset, links[1]?.data?.offset);
    assert.deepEqual(
      links[0]?.data?.link.nodes.map(({ label }) => label.text),
      ['', 'e0'],
    );
    assert.equal(shownAs(withFrames(nodes, collapsed), '1'), 'a');
  });

  it('pass on what is done to them to each of their nodes, once', () => {
    const moved = changesOfMembers(
      [
        {
          type: 'position',
          id: 'a',
          position: { x: (collapsed[0]?.position.x ?? 0) + 10, y: collapsed[0]?.position.y ?? 0 },
        },
        { type: 'position', id: '2', position: { x: 777, y: 0 } },
        { type: 'select', id: 'a', selected: true },
        { type: 'select', id: '1', selected: false },
      ],
      collapsed,
    );
    assert.deepEqual(moved, [
      { type: 'position', id: '1', position: { x: 10, y: 0 } },
      { type: 'position', id: '2', position: { x: 777, y: 0 } },
      { type: 'select', id: '1', selected: false },
      { type: 'select', id: '1', selected: true },
      { type: 'select', id: '2', selected: true },
    ]);
  });

  it('are arranged as one, and locked nodes stay', () => {
    const chosen = nodes.map((one) => ({ ...one, selected: true }));
    const frames = framesOf([{ ...group('a', '1', '2'), collapsed: true }], chosen, []);
    const units = unitsOf(withFrames(chosen, frames));
    assert.deepEqual(units.map(({ id }) => id).sort(), ['3', 'a']);
    const places = new Map(placesOf(units, arrange(units, 'bottom')).map((place) => [place.id, place]));
    const by = (id: string): number => (places.get(id)?.x ?? NaN) - (lab.nodes.get(id)?.x ?? NaN);
    assert.deepEqual([by('1'), by('2')], [by('1'), by('1')]);
    assert.deepEqual([...places.keys()].sort(), ['1', '2', '3']);
    const [first] = units;
    assert.ok(first !== undefined);
    assert.deepEqual(placesOf([{ ...first, isLocked: true }], [{ id: first.id, x: 7, y: 7 }]), []);
    // A frame alone: its nodes are what is meant. Of a symbol there is nothing to arrange.
    const open = framesOf([group('a', '1', '2', '3')], chosen, []);
    assert.equal(unitsOf(withFrames(chosen, open)).length, 3);
    const closed = framesOf([{ ...group('a', '1', '2', '3'), collapsed: true }], chosen, []);
    assert.equal(unitsOf(withFrames(chosen, closed)).length, 1);
  });

  it('have their frames around what is not hidden, and take all of their nodes along', () => {
    const seen = nodes.map((one) => (one.id === '2' ? { ...one, hidden: true } : one));
    const [frame] = framesOf([group('a', '1', '2')], seen, []);
    assert.equal(frame?.width, boxOfGroup({ collapsed: false }, [{ x: 0, y: 0, width: 60, height: 60 }]).width);
    assert.equal(frame?.data.members.length, 2);
    assert.deepEqual(
      changesOfMembers([{ type: 'select', id: 'a', selected: true }], frame === undefined ? [] : [frame]),
      [{ type: 'select', id: '1', selected: true }],
    );
    assert.deepEqual(framesOf([group('a', '2')], seen, []), []);
  });

  it('go along with what is copied when all of their nodes do', () => {
    const project = { project_id: 'p', groups: [group('a', '1', '2', 'gone')] } as unknown as Project;
    const records = { ...lab, project };
    const whole = copiedOf(records, { nodes: [...lab.nodes.values()], drawings: [], links: [] }, 'c');
    assert.deepEqual(whole.groups?.[0]?.nodes, ['1', '2']);
    let count = 0;
    const pasted = pasteSteps(whole, { records, at: null, newId: () => `new${(count += 1)}` });
    assert.deepEqual(pasted.groups[0]?.nodes, pasted.ids.slice(0, 2));
    const part = copiedOf(records, { nodes: [node('1', 0)], drawings: [], links: [] }, 'c');
    assert.equal(part.groups, undefined);
  });
});
