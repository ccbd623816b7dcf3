import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { ApiError, type Client, connect, cursorOf, type Schemas } from '../../src/client/index.ts';
import { computeFrame, feedFrame } from '../../src/http/v2/feeds.ts';
import { testServer, type TestServer } from '../support/server.ts';

const FEED = '/v2/projects/{project_id}/notifications';
type Frame = Schemas['Frame'];

/** Where clients reach the server wherever it is now; `cut` ends every connection. */
const gateway = async (server: TestServer): Promise<{ url: string; cut(): void; close(): void }> => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const listener = createServer((near) => {
    const far = keep(connectTcp(Number(new URL(server.url).port), '127.0.0.1'));
    keep(near).pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const close = (): void => {
    listener.close();
    cut();
  };
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, cut, close };
};

let server: TestServer;
let gate: Awaited<ReturnType<typeof gateway>>;
let topolog: Client;
let project_id = '';
before(async () => {
  server = await testServer();
  gate = await gateway(server);
  topolog = connect({ url: gate.url, WebSocket });
  ({ project_id } = await topolog.post('/v2/projects', { body: { name: 'heard' } }));
});
after(async () => {
  gate.close();
  await server.close();
});

/** Writes do not go through the gate: what is cut under a write fails, as it should. */
const writer = (): Client => connect({ url: server.url });
const draw = (x: number): Promise<Schemas['Drawing']> =>
  writer().post('/v2/projects/{project_id}/drawings', { path: { project_id }, body: { x } });
/** The next frame that tells of a drawing: its x. */
const nextX = async (feed: AsyncIterator<Frame, void>): Promise<number | 'end'> => {
  for (;;) {
    const { done, value } = await feed.next();
    if (done === true) return 'end';
    if (value.action === 'drawing.created') return value.event.x;
  }
};
/** The first ping says that the listener hears everything from now on. */
const upToDate = async (feed: AsyncIterator<Frame, void>): Promise<void> => {
  for (;;) {
    const { done, value } = await feed.next();
    assert.ok(done !== true);
    if (value.action === 'ping') return;
  }
};

for (const over of ['http', 'websocket'] as const)
  describe(`a feed over ${over}`, () => {
    it('goes on where it was when the connection breaks and the server is restarted', async () => {
      const told: boolean[] = [];
      const onConnection = (stands: boolean): void => void told.push(stands);
      const feed = topolog.feed(FEED, { path: { project_id }, over, onConnection });
      await upToDate(feed);
      await draw(1);
      assert.equal(await nextX(feed), 1);
      gate.cut();
      await draw(2);
      assert.equal(await nextX(feed), 2);
      await server.restart();
      await draw(3);
      await draw(4);
      assert.deepEqual([await nextX(feed), await nextX(feed)], [3, 4]);
      assert.deepEqual(told, [true, false, true, false, true]);
      await feed.return();
    });

    it('begins where it is told to', async () => {
      const feed = topolog.feed(FEED, { path: { project_id }, over });
      await upToDate(feed);
      await draw(5);
      const { value } = await feed.next();
      assert.ok(value);
      await feed.return();
      await draw(6);
      assert.equal(await nextX(topolog.feed(FEED, { path: { project_id }, over, since: cursorOf(value) })), 6);
      const before = topolog.feed(FEED, { path: { project_id }, over, since: value.position - 1 });
      assert.deepEqual([await nextX(before), await nextX(before)], [5, 6]);
      await before.return();
    });

    it('ends with its signal, also while it waits', async () => {
      const abort = new AbortController();
      const feed = topolog.feed(FEED, { path: { project_id }, over, signal: abort.signal });
      await upToDate(feed);
      const end = nextX(feed);
      abort.abort(new Error('enough'));
      await assert.rejects(end, /enough/);
    });

    it('ends when its project is deleted', async () => {
      const other = await writer().post('/v2/projects', { body: { name: 'short' } });
      const path = { project_id: other.project_id };
      const feed = topolog.feed(FEED, { path, over });
      await upToDate(feed);
      await writer().delete('/v2/projects/{project_id}', { path });
      const actions: string[] = [];
      for await (const { action } of feed) actions.push(action);
      assert.equal(actions.at(-1), 'project.deleted');
    });

    it('says so when it cannot begin', async () => {
      const path = { project_id: '00000000-0000-4000-8000-000000000000' };
      const first = topolog.feed(FEED, { path, over }).next();
      await assert.rejects(first, (error) => error instanceof ApiError && error.status === 404);
      const nobody = connect({ url: 'http://127.0.0.1:1', WebSocket });
      await assert.rejects(nobody.feed('/v2/notifications', { over }).next(), TypeError);
    });
  });

describe('a feed of a user', () => {
  it('has the name and the password over a WebSocket too, in UTF-8', async () => {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(sockets, 'listening');
    const seen: (string | undefined)[] = [];
    sockets.on('connection', (socket, request) => {
      seen.push(request.headers.authorization);
      socket.send(JSON.stringify({ action: 'ping', event: {}, position: 1 }));
    });
    const url = `http://127.0.0.1:${(sockets.address() as AddressInfo).port}`;
    const ada = connect({ url, user: 'zoë', password: 'pä:@/ß', WebSocket });
    const feed = ada.feed('/v2/compute/notifications');
    assert.equal((await feed.next()).value?.action, 'ping');
    await feed.return();
    assert.deepEqual(seen, [`Basic ${Buffer.from('zoë:pä:@/ß').toString('base64')}`]);
    const path = { project_id: 'p' };
    assert.ok(!ada.socketUrl('/v2/projects/{project_id}/notifications/ws', { path }).includes('@'));
    sockets.close();
  });
});

describe('frames', () => {
  it('are as the document has them', async () => {
    const { project_id: id } = await topolog.post('/v2/projects', { body: { name: 'all of it' } });
    const path = { project_id: id };
    const [server_, own, compute] = [
      topolog.feed('/v2/notifications', { since: 0 }),
      topolog.feed(FEED, { path, since: 0 }),
      topolog.feed('/v2/compute/notifications', { since: 0 }),
    ];
    // A feed is asked for with its first frame; that of a deleted project is gone.
    const first = await own.next();
    const NODES = '/v2/projects/{project_id}/nodes';
    const pc = (name: string) => topolog.post(NODES, { path, body: { name, node_type: 'simple_pc' } });
    const nodes = [await pc('a'), await pc('b')].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await topolog.post('/v2/projects/{project_id}/links', { path, body: { nodes } });
    const drawing = await topolog.post('/v2/projects/{project_id}/drawings', { path, body: { x: 1 } });
    const at = { ...path, drawing_id: drawing.drawing_id };
    await topolog.put('/v2/projects/{project_id}/drawings/{drawing_id}', { path: at, body: { x: 2 } });
    await topolog.post(`${NODES}/start`, { path });
    await topolog.post(`${NODES}/stop`, { path });
    await topolog.post('/v2/templates', { body: { name: 't', template_type: 'simple_pc' } });
    const snapshot = await topolog.post('/v2/projects/{project_id}/snapshots', { path, body: { name: 's' } });
    await topolog.post('/v2/projects/{project_id}/snapshots/{snapshot_id}/restore', {
      path: { ...path, snapshot_id: snapshot.snapshot_id },
    });
    await topolog.delete('/v2/projects/{project_id}', { path });
    const seen = new Set<string>([feedFrame.parse(first.value).action]);
    for await (const frame of own) seen.add(feedFrame.parse(frame).action);
    for await (const frame of server_) {
      seen.add(feedFrame.parse(frame).action);
      if (frame.action === 'project.deleted' && frame.event.project_id === id) break;
    }
    for await (const frame of compute) {
      computeFrame.parse(frame);
      if (frame.action === 'node.deleted' || frame.action === 'ping') break;
    }
    const wanted = ['node.created', 'node.updated', 'link.created', 'drawing.created', 'drawing.updated'];
    wanted.push('template.created', 'snapshot.restored', 'project.created', 'project.deleted', 'ping');
    assert.deepEqual(
      wanted.filter((action) => !seen.has(action)),
      [],
    );
  });
});
