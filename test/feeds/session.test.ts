import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type FeedClient, type Frame, listen } from '../support/feed-client.ts';
import { request, type ServerProcess, spawnServer, testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

type Bag = Record<string, unknown>;

const ask = async (url: string, code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
  const answer = await request(url, method, path, body);
  assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
  return answer.body as Bag;
};
const end = (node: Bag, port_number: number) => ({
  node_id: node['node_id'],
  adapter_number: 0,
  port_number,
  label: { text: `e${port_number}`, x: 0, y: 0, rotation: 0, style: 'font-size: 10; font-style: Verdana' },
});

describe('the session of a web client', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer(['--simulate', '--names', 'gns3'], { autoCloseGraceMs: 50 });
  });
  after(() => server.close());
  const call = (code: number, method: string, path: string, body?: unknown) =>
    ask(server.url, code, method, path, body);

  it('hears one frame for each change, with the records that are read', async () => {
    const controller = await listen(server.url, '/v2/notifications/ws');
    await controller.next('ping');
    const { project_id } = await call(201, 'POST', '/v2/projects', { name: 'web', auto_close: false });
    const project = `/v2/projects/${String(project_id)}`;
    await call(201, 'POST', `${project}/open`, {});
    const client = await listen(server.url, `${project}/notifications/ws`);
    await client.next('ping');

    const node = (name: string, node_type: string) =>
      call(201, 'POST', `${project}/nodes`, { name, node_type, compute_id: 'local', x: 1, y: 2 });
    const pc = await node('PC1', 'vpcs');
    const other = await node('PC2', 'vpcs');
    const first = await client.next('node.created');
    assert.deepEqual(first.event, pc);
    assert.deepEqual((await client.next('node.created')).event, other);
    const read = async (what: string, id: unknown) => call(200, 'GET', `${project}/${what}/${String(id)}`);
    const heard = async (action: string, record: Bag): Promise<void> =>
      assert.deepEqual((await client.next((frame) => frame.action !== 'ping')).action, action, JSON.stringify(record));

    const moved = await call(200, 'PUT', `${project}/nodes/${String(pc['node_id'])}`, { x: 50, y: 60 });
    assert.deepEqual((await client.next('node.updated')).event, moved);
    const link = await call(201, 'POST', `${project}/links`, { nodes: [end(pc, 0), end(other, 0)] });
    assert.deepEqual((await client.next('link.created')).event, link);
    const started = await call(200, 'POST', `${project}/nodes/${String(pc['node_id'])}/start`, {});
    assert.equal(started['status'], 'started');
    assert.deepEqual((await client.next('node.updated')).event, started);
    const capture = `${project}/links/${String(link['link_id'])}`;
    await call(201, 'POST', `${capture}/start_capture`, { capture_file_name: 'a', data_link_type: 'DLT_EN10MB' });
    const capturing = await client.next(({ event }) => event['capturing'] === true);
    assert.deepEqual(capturing.event, await read('links', link['link_id']));
    await call(201, 'POST', `${capture}/stop_capture`, {});
    assert.equal((await client.next('link.updated')).event['capturing'], false);
    const suspended = await call(201, 'PUT', capture, { ...link, suspend: true });
    assert.deepEqual((await client.next('link.updated')).event, suspended);
    const drawing = await call(201, 'POST', `${project}/drawings`, { svg: '<svg/>', x: 1, y: 2, z: 1 });
    assert.deepEqual((await client.next('drawing.created')).event, drawing);
    const id = String(drawing['drawing_id']);
    await call(201, 'PUT', `${project}/drawings/${id}`, { x: 9 });
    await heard('drawing.updated', drawing);
    await call(204, 'DELETE', `${project}/drawings/${id}`);
    await heard('drawing.deleted', drawing);
    await call(200, 'PUT', project, { scene_width: 700 });
    await heard('project.updated', {});
    // A change to what it is already is none.
    await call(200, 'PUT', project, { scene_width: 700 });
    await call(204, 'DELETE', `${project}/nodes/${String(pc['node_id'])}`);
    await heard('node.updated', pc);
    await heard('link.deleted', link);
    const { event } = await client.next('node.deleted');
    assert.deepEqual([event['node_id'], event['node_type'], event['x']], [pc['node_id'], 'vpcs', 50]);
    await call(204, 'POST', `${project}/close`);
    await heard('project.closed', {});
    await call(204, 'DELETE', project);
    assert.deepEqual(await client.closed, [1000, 'The project was deleted']);
    assert.equal(client.said().filter(({ action }) => action === 'node.deleted').length, 1);
    const positions = client.said().map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
    );

    await controller.next('project.deleted');
    assert.deepEqual(
      controller.said().map(({ action }) => action),
      ['project.created', 'project.opened', 'project.updated', 'project.closed', 'project.deleted'],
    );
    await controller.close();
  });

  it('ends with its project closed by itself, and a listener that comes back in time keeps it open', async () => {
    const { project_id } = await call(201, 'POST', '/v2/projects', { name: 'left alone' });
    const project = `/v2/projects/${String(project_id)}`;
    const controller = await listen(server.url, '/v2/notifications/ws');
    const client = await listen(server.url, `${project}/notifications/ws`);
    await client.next('ping');
    const sent = httpRequest(`${server.url}${project}/notifications`);
    sent.end();
    await once(sent, 'response');
    await client.close();
    // Somebody still listens over HTTP.
    await call(200, 'GET', `${project}/wait?all=true&status=stopped`);
    assert.equal((await call(200, 'GET', project))['status'], 'opened');
    sent.on('error', () => undefined);
    sent.destroy();
    const { event } = await controller.next('project.closed');
    assert.equal(event['project_id'], project_id);
    const answer = await request(server.url, 'GET', `${project}/events?type=project.close_requested`);
    const [{ by, cause }] = (answer.body as { events: [{ by: Bag; cause: number }] }).events;
    assert.equal(by['principal'], 'system');
    assert.ok(cause > 0);
    await controller.close();
  });

  it('can wait for what it has started', async () => {
    const { project_id } = await call(201, 'POST', '/v2/projects', { name: 'waiting' });
    const project = `/v2/projects/${String(project_id)}`;
    const pc = await call(201, 'POST', `${project}/nodes`, { name: 'PC1', node_type: 'vpcs', compute_id: 'local' });
    const waiting = call(200, 'GET', `${project}/wait?node=PC1&status=started&timeout=60`);
    const started = await call(200, 'POST', `${project}/nodes/${String(pc['node_id'])}/start`, {});
    assert.deepEqual(await waiting, [started]);
  });
});

describe('a feed over the death of its server', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: ServerProcess;
  before(async () => {
    dir = await tempDir();
    server = await spawnServer(dir.path, ['--simulate']);
  });
  after(async () => {
    await server.kill('SIGTERM');
    await dir.remove();
  });

  it('goes on where it was, and tells what the next server found', async () => {
    const { project_id } = await ask(server.url, 201, 'POST', '/v2/projects', { name: 'killed' });
    const project = `/v2/projects/${String(project_id)}`;
    const feed = `${project}/notifications/ws`;
    const client: FeedClient = await listen(server.url, feed);
    const made = { name: 'PC{0}', node_type: 'simple_pc', compute_id: 'local' };
    for (let n = 0; n < 3; n++) await ask(server.url, 201, 'POST', `${project}/nodes`, made);
    await ask(server.url, 204, 'POST', `${project}/nodes/start`, {});
    const seen: Frame[] = [];
    while (seen.length < 4) seen.push(await client.next((frame) => frame.action.startsWith('node.')));
    await server.kill('SIGKILL');
    assert.equal((await client.closed)[0], 1006);

    server = await spawnServer(dir.path, ['--simulate']);
    const last = seen.at(-1)?.position ?? 0;
    const next = await listen(server.url, `${feed}?since=${last}`);
    await next.next('ping');
    const missed = next.said().filter(({ action }) => action.startsWith('node.'));
    // What the killed server had done and not yet said comes first, then what the next one has found: they run on.
    assert.deepEqual(
      missed.slice(0, 2).map(({ action, event }) => [action, event['status']]),
      [
        ['node.updated', 'started'],
        ['node.updated', 'started'],
      ],
    );
    const nodes = (await request(server.url, 'GET', `${project}/nodes`)).body as Bag[];
    const told = new Map<unknown, Bag>();
    for (const { event } of [...client.said(), ...next.said()])
      if ('node_id' in event) told.set(event['node_id'], event);
    assert.deepEqual(
      nodes.map((node) => told.get(node['node_id'])),
      nodes,
    );
    const all = await listen(server.url, `${feed}?since=1`);
    await all.next('ping');
    const positions = all.said().map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...positions].sort((a, b) => a - b),
    );
    for (const frame of [...client.said(), ...next.said()])
      assert.deepEqual(
        all.said().find((f) => f.position === frame.position && f.more === frame.more),
        frame,
      );
    await Promise.all([next.close(), all.close()]);
  });
});
