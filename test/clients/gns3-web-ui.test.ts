import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { Bag } from '../api/api.ts';
import { type FeedClient, listen } from '../support/feed-client.ts';
import { bag, bags, named, reads, startClient, text } from './client.ts';
import {
  CONSOLE_TYPES,
  readComputes,
  readDrawing,
  readLink,
  readNode,
  readProject,
  readTemplates,
} from './web-ui-fields.ts';

/** The first session of the web client, call by call; its fields are in web-ui-fields.ts. */
const client = await startClient({ accept: 'application/json, text/plain, */*' });
after(() => client.close());

const LABEL = { rotation: 0, style: 'font-family: TypeWriter;font-size: 10.0;', x: -20, y: -30 };

describe('the first session of the web client', () => {
  const project_id = randomUUID();
  const project = `/v2/projects/${project_id}`;
  let templates: readonly Bag[] = [];
  let feed: FeedClient;
  const made: Bag[] = [];
  after(() => feed.close());

  const nodeAt = (n: number): string => `${project}/nodes/${text(made[n] ?? {}, 'node_id')}`;
  const readNodes = async (): Promise<Bag[]> => (await client.list(200, `GET ${project}/nodes`)).map(readNode);

  /** As a template that is dropped on the map: its picture is measured, and one without a style gets one. */
  const addNode = async (type: string): Promise<Bag> => {
    const template = templates.find((t) => t['template_type'] === type);
    assert.ok(template, type);
    const symbol = await client.send(200, `GET /v2/symbols/${text(template, 'symbol').slice(1)}/raw`);
    assert.match(symbol.text.split('width="')[1] ?? '', /^\d+/);
    const place = { x: -120 + made.length * 90, y: 40, compute_id: 'local' };
    const created = readNode(
      await client.get(201, `POST ${project}/templates/${text(template, 'template_id')}`, place),
    );
    for (const node of await readNodes()) {
      const label = bag(node['label']);
      if (label['style'] !== null) continue;
      const path = `${project}/nodes/${text(node, 'node_id')}`;
      const changed = await client.get(200, `PUT ${path}`, { label: { ...LABEL, text: label['text'] } });
      assert.deepEqual(bag(readNode(changed)['label'])['style'], LABEL.style);
    }
    made.push(created);
    return created;
  };

  it('shows projects and the version, which must be of line 2.2', async () => {
    assert.deepEqual(await client.list(200, 'GET /v2/projects'), []);
    const { version } = await client.get(200, 'GET /v2/version');
    const [major = 0, minor = 0] = String(version).split('.').map(Number);
    assert.ok(major >= 2 && minor >= 2, String(version));
  });

  it('makes a project under an id of its own, and again over one of the same name', async () => {
    const old = randomUUID();
    readProject(await client.get(201, 'POST /v2/projects', { name: 'campus', project_id: old }));
    const [known] = await client.list(200, 'GET /v2/projects');
    assert.equal(text(known ?? {}, 'name'), 'campus');
    await client.send(204, `POST /v2/projects/${old}/close`);
    await client.send(204, `DELETE /v2/projects/${old}`);
    const created = readProject(await client.get(201, 'POST /v2/projects', { name: 'campus', project_id }));
    assert.deepEqual([created['name'], created['project_id'], created['status']], ['campus', project_id, 'opened']);
  });

  it('opens the map: the project, its records, the feed, and beside them stats, computes, templates and symbols', async () => {
    assert.equal((await client.send(201, `POST ${project}/open`, {})).headers.get('content-type'), 'application/json');
    (await client.list(200, 'GET /v2/projects')).map(readProject);
    assert.equal(readProject(await client.get(200, `GET ${project}`))['status'], 'opened');
    for (const what of ['nodes', 'links', 'drawings'])
      assert.deepEqual(await client.list(200, `GET ${project}/${what}`), []);
    feed = await listen(client.url, `${project}/notifications/ws`);
    await feed.next('ping');
    const [stats, computes] = await Promise.all([
      client.get(200, `GET ${project}/stats`),
      client.list(200, 'GET /v2/computes'),
    ]);
    assert.deepEqual(stats, { nodes: 0, links: 0, drawings: 0, snapshots: 0 });
    readComputes(computes);
    templates = readTemplates(await client.list(200, 'GET /v2/templates'));
    const symbols = await client.list(200, 'GET /v2/symbols');
    reads(symbols, { symbol_id: 'string', filename: 'string', builtin: 'boolean' });
  });

  it('adds nodes from templates, draws their symbols, and is told of them', async () => {
    for (const type of ['vpcs', 'vpcs', 'ethernet_switch']) {
      const node = await addNode(type);
      const image = await client.send(200, `GET /v2/symbols/${text(node, 'symbol')}/raw`);
      assert.equal(image.headers.get('content-type'), 'image/svg+xml');
      assert.equal(readNode((await feed.next('node.created')).event)['node_id'], node['node_id']);
    }
    assert.deepEqual(
      (await readNodes()).map((node) => node['node_type']),
      ['vpcs', 'vpcs', 'ethernet_switch'],
    );
    assert.equal((await client.get(404, `POST ${project}/templates/${randomUUID()}`, { x: 0, y: 0 }))['status'], 404);
  });

  it('moves, aligns and raises nodes', async () => {
    assert.equal(readNode(await client.get(200, `PUT ${nodeAt(0)}`, { x: 33, y: -44 }))['x'], 33);
    const moved = readNode(await client.get(200, `PUT ${nodeAt(0)}`, { x: 34, y: -45, z: 2 }));
    assert.deepEqual([moved['x'], moved['y'], moved['z']], [34, -45, 2]);
    const heard = await feed.next(({ action, event }) => action === 'node.updated' && event['z'] === 2);
    assert.equal(readNode(heard.event)['x'], 34);
  });

  it('draws links between ports that it has read', async () => {
    const [pc, other, hub] = await readNodes();
    const end = (node: Bag | undefined, n: number): Bag => {
      const port = bags(node?.['ports'])[n] ?? {};
      const style = 'font-size: 10; font-style: Verdana';
      return {
        ...{ node_id: node?.['node_id'], port_number: port['port_number'], adapter_number: port['adapter_number'] },
        label: { rotation: 0, style, text: port['short_name'], x: 4, y: 9 },
      };
    };
    for (const nodes of [
      [end(pc, 0), end(hub, 0)],
      [end(other, 0), end(hub, 1)],
    ]) {
      const link = readLink(await client.get(201, `POST ${project}/links`, { nodes }));
      assert.deepEqual(readLink((await feed.next('link.created')).event), link);
    }
    assert.equal((await client.list(200, `GET ${project}/links`)).map(readLink).length, 2);
  });

  it('starts, suspends, reloads and stops, one and all, and reads the state from the feed', async () => {
    const { frames } = feed;
    const states = (): unknown[] => [
      ...new Set(frames.filter((f) => f.action === 'node.updated').map((f) => f.event['status'])),
    ];
    for (const action of ['start', 'reload', 'suspend', 'start', 'stop', 'start'])
      readNode(await client.get(200, `POST ${nodeAt(0)}/${action}`, {}));
    for (const action of ['stop', 'start', 'reload', 'suspend', 'start'])
      await client.send(204, `POST ${project}/nodes/${action}`, {});
    assert.deepEqual(
      states().filter((state) => !['stopped', 'started', 'suspended'].includes(String(state))),
      [],
    );
    const [pc] = await readNodes();
    assert.equal(pc?.['status'], 'started');
    assert.ok(frames.some(({ event }) => event['status'] === 'started'));
  });

  it('types into a console in the page, as text and as bytes', async () => {
    const node = readNode(await client.get(200, `GET ${nodeAt(0)}`));
    assert.deepEqual([node['console_type'], node['status']], ['telnet', 'started']);
    const socket = new WebSocket(`${client.url.replace('http', 'ws')}${nodeAt(0)}/console/ws`);
    let shown = '';
    let look = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      shown += data.toString('latin1');
      look();
    });
    const until = (pattern: RegExp): Promise<void> =>
      new Promise((resolve) => {
        look = () => {
          if (pattern.test(shown)) resolve();
        };
        look();
      });
    await once(socket, 'open');
    socket.send('show ip\r');
    await until(/LPORT/);
    shown = '';
    socket.send(Buffer.from('ip 10.0.0.1/24\r'));
    await until(/PC1> $/);
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });

  it('hands a console to a program of the machine', async () => {
    const node = await client.get(200, `GET ${nodeAt(1)}`);
    reads(node, { console: 'integer', console_host: 'string', console_type: CONSOLE_TYPES, name: 'string' });
  });

  it('draws, and is told of it with the whole drawing', async () => {
    const svg = '<svg height="100" width="200"><rect fill="#fff" height="100" width="200" stroke="#000" /></svg>';
    const { drawing_id } = readDrawing(await client.get(201, `POST ${project}/drawings`, { svg, x: 5, y: 6, z: 1 }));
    assert.equal(readDrawing((await feed.next('drawing.created')).event)['drawing_id'], drawing_id);
    const one = `${project}/drawings/${String(drawing_id)}`;
    readDrawing(await client.get(201, `PUT ${one}`, { locked: true, svg, rotation: 0, x: 5, y: 6, z: 1 }));
    readDrawing(await client.get(201, `PUT ${one}`, { x: 15, y: 16 }));
    readDrawing(await client.get(201, `PUT ${one}`, { locked: false }));
    const { event } = await feed.next('drawing.updated');
    assert.equal(event['drawing_id'], drawing_id);
    await client.send(204, `DELETE ${one}`);
    assert.equal((await feed.next('drawing.deleted')).event['drawing_id'], drawing_id);
  });

  it('deletes, is told why it cannot, and closes', async () => {
    const [link] = await client.list(200, `GET ${project}/links`);
    await client.send(204, `DELETE ${project}/links/${text(link ?? {}, 'link_id')}`);
    assert.equal(readLink((await feed.next('link.deleted')).event)['link_id'], link?.['link_id']);
    await client.get(200, `PUT ${nodeAt(2)}`, { locked: true, name: named(await readNodes(), 'Switch1')['name'] });
    const refused = await client.get(409, `DELETE ${nodeAt(2)}`);
    assert.deepEqual([refused['status'], typeof refused['message']], [409, 'string']);
    await client.get(200, `PUT ${nodeAt(2)}`, { locked: false, name: 'Switch1' });
    await client.send(204, `DELETE ${nodeAt(2)}`);
    assert.equal((await feed.next('node.deleted')).event['node_id'], made[2]?.['node_id']);
    await client.send(204, `POST ${project}/close`);
    assert.equal(readProject(await client.get(200, `GET ${project}`))['status'], 'closed');
  });
});
