import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOf, subnetOf, withAddress } from '../src/map/actions/addresses.ts';
import { freePlace } from '../src/map/actions/free-place.ts';
import { linksOfAll, nextPorts } from '../src/map/actions/links.ts';
import { startUpsOf } from '../src/map/actions/start-up.ts';
import { copiedOf, pasteSteps, readCopied, uniqueName } from '../src/map/clipboard/clipboard.ts';
import { guidesOf } from '../src/map/drag/guides.tsx';
import {
  recentTemplates,
  rememberTemplate,
  shelvesOf,
  shownName,
  type Template,
} from '../src/map/palette/templates.ts';
import { type Drawing, type Link, type Node, type Project, recordsOf } from '../src/store/records.ts';
import { speak } from '../src/words/words.ts';

const PROJECT = '00000000-0000-4000-8000-00000000000a';
const port = (number: number, link_type: 'ethernet' | 'serial' = 'ethernet') =>
  ({
    name: `e${number}`,
    short_name: `e${number}`,
    adapter_number: 0,
    port_number: number,
    link_type,
  }) as Node['ports'][number];
const node = (id: string, ports: Node['ports'], more: Partial<Node> = {}): Node =>
  ({
    node_id: id,
    name: id,
    node_type: 'thing',
    project_id: PROJECT,
    compute_id: 'local',
    x: 0,
    y: 0,
    z: 1,
    width: 60,
    height: 60,
    status: 'started',
    console: 5000,
    label: { text: id, style: null, x: null, y: -25, rotation: 0 },
    custom_adapters: [],
    properties: {},
    ports,
    ...more,
  }) as unknown as Node;
const link = (id: string, ...ends: [string, number][]): Link =>
  ({
    link_id: id,
    nodes: ends.map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number, label: { text: 'e' } })),
    suspend: false,
    filters: {},
    link_style: {},
  }) as unknown as Link;
const project = { project_id: PROJECT } as Project;

describe('where a new node goes', () => {
  const box = { width: 60, height: 60 };
  it('is where it is wanted when nothing is there', () => {
    assert.deepEqual(freePlace([], { x: 5, y: 7, ...box }, 120), { x: 5, y: 7 });
  });

  it('is the nearest place that is free, and never on another node', () => {
    const taken = [{ x: 0, y: 0, ...box }];
    for (let count = 0; count < 60; count++) {
      const place = freePlace(taken, { x: 10, y: 3, ...box }, 12);
      for (const one of taken)
        assert.ok(Math.abs(place.x - one.x) >= 60 || Math.abs(place.y - one.y) >= 60, JSON.stringify([place, one]));
      taken.push({ ...place, ...box });
    }
    assert.ok(Math.max(...taken.map(({ x, y }) => Math.hypot(x, y))) < 600);
  });

  it('is in what is seen as long as there is room', () => {
    const view = { x: -200, y: -100, width: 400, height: 200 };
    const taken: { x: number; y: number; width: number; height: number }[] = [];
    for (let count = 0; count < 3; count++) {
      const place = freePlace(taken, { x: -30, y: -30, ...box }, 120, view);
      assert.ok(place.x >= view.x && place.x + 60 <= 200 && place.y >= view.y && place.y + 60 <= 100);
      taken.push({ ...place, ...box });
    }
    for (let count = 0; count < 9; count++)
      taken.push({ ...freePlace(taken, { x: -30, y: -30, ...box }, 120, view), ...box });
    assert.equal(new Set(taken.map(({ x, y }) => `${x} ${y}`)).size, 12);
  });
});

describe('a link by one drag', () => {
  const a = node('a', [port(0), port(1)]);
  const b = node('b', [port(0, 'serial'), port(1)]);

  it('takes the next free ports of the same type', () => {
    const ends = nextPorts(new Set(['a 0/0']), a, b);
    assert.ok(typeof ends !== 'string');
    assert.deepEqual(
      ends.map((end) => [end.node.node_id, end.port.port_number]),
      [
        ['a', 1],
        ['b', 1],
      ],
    );
  });

  it('says why there is none', () => {
    assert.equal(nextPorts(new Set(), a, a), 'A link needs two nodes.');
    assert.match(JSON.stringify(nextPorts(new Set(['a 0/0', 'a 0/1']), a, b)), /^"a has no free port/);
    assert.match(JSON.stringify(nextPorts(new Set(['b 0/1']), a, b)), /^"a and b have no free ports of the same type/);
  });

  it('links many with the one that has the most ports, or none of them', () => {
    const hub = node('hub', [port(0), port(1), port(2), port(3)]);
    const c = node('c', [port(0)]);
    const links = linksOfAll({ links: new Map([['l', link('l', ['hub', 0], ['x', 0])]]) }, [a, hub, c]);
    assert.ok(typeof links !== 'string');
    assert.deepEqual(
      links.map((ends) => ends.map((end) => `${end.node.node_id}${end.port.port_number}`).join()),
      ['a0,hub1', 'c0,hub2'],
    );
    const many = ['d', 'e', 'f'].map((id) => node(id, [port(0)]));
    assert.match(JSON.stringify(linksOfAll({ links: new Map() }, [hub, a, c, ...many])), /hub has no free port/);
  });
});

describe('addresses', () => {
  it('are counted in a network', () => {
    const subnet = subnetOf(' 10.0.3.77/22 ');
    assert.ok(subnet !== null);
    assert.equal(addressOf(subnet, 1), '10.0.0.1');
    assert.equal(addressOf(subnet, 300), '10.0.1.44');
    const high = subnetOf('255.255.255.0/24');
    assert.ok(high !== null);
    assert.equal(addressOf(high, 254), '255.255.255.254');
  });

  it('are in no network that has no room, or is none', () => {
    for (const text of ['', '10.0.0.0', '10.0.0.256/24', '10.0.0.0/31', '10.0.0.0/0', '10.0.0/24', 'a.b.c.d/8'])
      assert.equal(subnetOf(text), null, text);
  });

  it('replace the line that is there, or come first', () => {
    const line = 'ip {address}/{prefix}';
    const subnet = { network: 0, prefix: 24 };
    assert.equal(withAddress('', line, subnet, '1.2.3.4'), 'ip 1.2.3.4/24\n');
    assert.equal(withAddress('ping 1.1.1.1\n', line, subnet, '1.2.3.4'), 'ip 1.2.3.4/24\nping 1.1.1.1\n');
    assert.equal(
      withAddress('set x\nip 9.9.9.9/8\nip dns 8.8.8.8\nping a\n', line, subnet, '1.2.3.4'),
      'set x\nip 1.2.3.4/24\nip dns 8.8.8.8\nping a\n',
    );
    assert.equal(withAddress('ip dhcp\n', line, subnet, '1.2.3.4'), 'ip 1.2.3.4/24\n');
  });

  it('are for the kinds whose schema says how', () => {
    const schema = (properties: object) => ({
      post: { requestBody: { content: { 'application/json': { schema: { properties } } } } },
    });
    const found = startUpsOf({
      paths: {
        '/v2/compute/projects/{project_id}/pc/nodes': schema({
          script: { 'x-file': 'a.txt', 'x-address-line': 'ip {address}' },
        }),
        '/v2/compute/projects/{project_id}/router/nodes': schema({ config: { 'x-file': 'b.txt' }, ram: {} }),
        '/v2/compute/projects/{project_id}/hub/nodes': schema({ ram: {} }),
      },
    } as unknown as Parameters<typeof startUpsOf>[0]);
    assert.deepEqual(
      [...found],
      [
        ['pc', [{ property: 'script', file: 'a.txt', addressLine: 'ip {address}' }]],
        ['router', [{ property: 'config', file: 'b.txt', addressLine: null }]],
      ],
    );
  });
});

describe('the clipboard', () => {
  const drawing = { drawing_id: 'd', x: 10, y: 20, z: 0, rotation: 0, locked: true, svg: '<svg/>' } as Drawing;
  const nodes = [
    node('PC1', [], { x: 100, y: 100, properties: { ram: 1, mac_address: '00:00:00:00:00:01' } }),
    node('SW', [], { x: 300, y: 200 }),
    node('other', []),
  ];
  const links = [link('in', ['PC1', 0], ['SW', 0]), link('out', ['PC1', 1], ['other', 0])];
  const records = recordsOf(project, nodes, links, [drawing]);
  const selected = { nodes: nodes.slice(0, 2), links: [], drawings: [drawing] };
  const copied = copiedOf(records, selected, 'copy');
  let last = 0;
  const newId = (): string => `new${++last}`;

  it('has nodes, the links between them and drawings, as text that can be read again', () => {
    assert.deepEqual(readCopied(JSON.stringify(copied)), JSON.parse(JSON.stringify(copied)));
    assert.equal(copied.links.length, 1);
    assert.equal(copied.what, 'PC1, SW');
    assert.doesNotMatch(JSON.stringify(copied), /mac_address|"status"|"console":|drawing_id/);
  });

  it('is not taken for objects when it has something else', () => {
    for (const text of [
      '',
      'topolog objects',
      '{"type":"topolog objects"}',
      JSON.stringify({ ...copied, version: 2 }),
      JSON.stringify({ ...copied, nodes: [{ x: 1 }] }),
      JSON.stringify({ ...copied, links: [{ nodes: [] }] }),
      JSON.stringify({ ...copied, project_id: '../../x' }),
    ])
      assert.equal(readCopied(text), null, text);
  });

  it('is pasted with new ids, free names and the links to the copies, beside the originals', () => {
    const { steps, ids } = pasteSteps(copied, { records, at: null, newId });
    assert.equal(ids.length, 3);
    const made = steps.map((step) => (step.action === 'create' ? step.record : {}));
    assert.deepEqual(
      made.map((record) => record['name']),
      ['PC2', 'SW-1', undefined, undefined],
    );
    // All of it by the same, and none on another one.
    const [dx, dy] = [Number(made[0]?.['x']) - 100, Number(made[0]?.['y']) - 100];
    assert.deepEqual([made[1]?.['x'], made[1]?.['y'], made[3]?.['x']], [300 + dx, 200 + dy, 10 + dx]);
    const boxes = [...records.nodes.values(), ...made.slice(0, 2)].map(({ x, y }) => ({ x: Number(x), y: Number(y) }));
    for (const [index, a] of boxes.entries())
      for (const b of boxes.slice(index + 1))
        assert.ok(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 60, JSON.stringify([a, b]));
    const ends = (made[2]?.['nodes'] as { node_id: string }[]).map(({ node_id }) => node_id);
    assert.deepEqual(ends, [made[0]?.['node_id'], made[1]?.['node_id']]);
    assert.equal((made[0]?.['label'] as { text: string }).text, 'PC2');
  });

  it('is pasted with its middle at the pointer, or as near to it as no node is under it', () => {
    const at = { x: 1000, y: 1000 };
    const first = pasteSteps(copiedOf(records, { ...selected, drawings: [] }, 'c'), { records, at, newId });
    const places = first.steps.flatMap((step) =>
      step.action === 'create' && step.type === 'node' ? [step.record] : [],
    );
    assert.deepEqual(
      places.map(({ x, y }) => [x, y]),
      [
        [870, 920],
        [1070, 1020],
      ],
    );
    const taken = recordsOf(project, [...nodes, node('x', [], { x: 870, y: 920 })], [], []);
    const again = pasteSteps(copiedOf(records, { ...selected, drawings: [] }, 'c'), { records: taken, at, newId });
    const moved = again.steps.flatMap((step) =>
      step.action === 'create' && step.type === 'node' ? [step.record] : [],
    );
    for (const { x, y } of moved)
      assert.ok(Math.abs(Number(x) - 870) >= 60 || Math.abs(Number(y) - 920) >= 60, JSON.stringify([x, y]));
    assert.ok(Math.hypot(Number(moved[0]?.['x']) - 870, Number(moved[0]?.['y']) - 920) < 400);
  });

  it('names machines and templates only in the lab that has them', () => {
    const elsewhere = recordsOf({ project_id: 'other' } as Project, [], [], []);
    const [first] = pasteSteps(copied, { records: elsewhere, at: null, newId }).steps;
    assert.ok(first?.action === 'create');
    assert.ok(!('compute_id' in first.record));
    assert.equal(first.record['name'], 'PC1');
  });

  it('counts names up', () => {
    assert.equal(uniqueName('PC9', new Set(['PC9', 'PC10'])), 'PC11');
    assert.equal(uniqueName('web', new Set(['web', 'web-1'])), 'web-2');
    assert.equal(uniqueName('', new Set([''])), '-1');
  });
});

describe('alignment while dragging', () => {
  const other = { x: 0, y: 0, width: 60, height: 60 };
  it('draws to a middle or an edge that is near, with the line', () => {
    const found = guidesOf({ x: 203, y: 4, width: 40, height: 60 }, [other], 6);
    assert.deepEqual([found.dx, found.dy], [0, -4]);
    assert.deepEqual(found.guides[0], { axis: 'y', at: 0, from: 0, to: 243 });
  });

  it('leaves alone what is far', () => {
    assert.deepEqual(guidesOf({ x: 200, y: 100, width: 60, height: 60 }, [other], 6), { guides: [], dx: 0, dy: 0 });
  });
});

describe('the templates', () => {
  const template = (template_id: string, name: string, category: Template['category']): Template =>
    ({ template_id, name, category }) as Template;
  const all = [
    template('1', 'VPCS', 'guest'),
    template('2', 'Ethernet switch', 'switch'),
    template('3', 'Alpine', 'guest'),
    ...Array.from({ length: 6 }, (_, index) => template(`r${index}`, `Router ${index}`, 'router')),
  ];

  it('stand by category, those used last before them', () => {
    const shelves = shelvesOf(all, '', ['2', 'gone']);
    assert.deepEqual(
      shelves.map(({ what, templates }) => [what, templates.length]),
      [
        ['recent', 1],
        ['guest', 2],
        ['switch', 1],
        ['router', 6],
      ],
    );
    assert.equal(shelves[1]?.templates[0]?.name, 'Alpine');
  });

  it('are found by name and category', () => {
    assert.deepEqual(
      shelvesOf(all, 'SWITCH eth', []).map(({ what }) => what),
      ['switch'],
    );
    assert.deepEqual(shelvesOf(all, 'nothing', []), []);
  });

  it('that are built in have names in the language of the page, and are found by both', async () => {
    const own = template('1', 'Ethernet switch', 'switch');
    const builtin = { ...template('2', 'Ethernet switch', 'switch'), builtin: true };
    Object.assign(globalThis, { document: { documentElement: {} } });
    await speak('de');
    assert.deepEqual([own, builtin].map(shownName), ['Ethernet switch', 'Ethernet-Switch']);
    assert.deepEqual(shelvesOf([own, builtin], 'ethernet-switch', [])[0]?.templates, [builtin]);
    assert.equal(shelvesOf([own, builtin], 'ethernet switch', [])[0]?.templates.length, 2);
    await speak('en');
    assert.equal(shownName(builtin), 'Ethernet switch');
  });

  it('are remembered, whatever was kept before', () => {
    const kept = new Map<string, string>([['topolog.templates', '{broken']]);
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    rememberTemplate(storage, '1');
    rememberTemplate(storage, '2');
    rememberTemplate(storage, '1');
    assert.deepEqual(recentTemplates(storage), ['1', '2']);
  });
});
