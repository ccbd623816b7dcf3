import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import type { HttpDeps } from '../../src/http/server/server.ts';
import { type FeedClient, type Frame, listen } from '../support/feed-client.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';
import { nodeData, startedData } from '../support/events-of-node.ts';
import { feedFrame } from '../../src/http/v2/feeds.ts';
import { fakeFar } from './fake-computes.ts';
import { UNKNOWN } from './fake-records.ts';
import { FEED, type FeedLab, feedLab } from './feed-lab.ts';
import { waitFor } from '../support/wait-for.ts';

let lab: FeedLab;
const clients: FeedClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await lab.close();
});

const begin = async (over: Partial<HttpDeps> = {}): Promise<void> => {
  lab = await feedLab(over);
  await lab.append('project.created', projectData());
  await lab.append('project.opened', { project_id: PROJECT });
};
const hear = async (path = `${FEED}/ws`, headers: Record<string, string> = {}): Promise<FeedClient> => {
  const client = await listen(lab.url, path, headers);
  clients.push(client);
  return client;
};
const draw = (n: number, svg = '<svg></svg>') => lab.append('drawing.created', { ...drawingData(n), svg });
/** Resolves once the server has parted with a listener of the project. */
const left = async (): Promise<void> => {
  await waitFor('it has left', () => lab.fake.calls.some(([name]) => name === 'left'));
};
const brief = ({ action, position }: Frame): [string, number] => [action, position];

/** An endless answer: its lines as they come. */
const stream = async (path: string) => {
  const sent = request(`${lab.url}${path}`);
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const lines: Frame[] = [];
  let rest = '';
  let wake = (): void => undefined;
  answer.setEncoding('utf8');
  answer.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part) as Frame);
    wake();
  });
  const until = async (count: number): Promise<Frame[]> => {
    while (lines.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return lines;
  };
  return { answer, until, hangUp: () => sent.destroy() };
};

describe('a feed', { timeout: 60_000 }, () => {
  it('begins with a ping that tells the position and the load, and goes on with what happens', async () => {
    await begin();
    const client = await hear();
    const ping = await client.next('ping');
    assert.equal(ping.position, 2);
    assert.deepEqual(Object.keys(ping.event), ['cpu_usage_percent', 'memory_usage_percent']);
    await draw(1);
    const { position, event } = await client.next('drawing.created');
    assert.deepEqual([position, event['drawing_id']], [3, drawingData(1).drawing_id]);
    assert.deepEqual(Object.keys(client.said()[0] ?? {}), ['action', 'event', 'position']);
  });

  it('as an HTTP answer is a JSON object a line, and ends when the server closes', async () => {
    await begin();
    const { answer, until } = await stream(FEED);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.equal(answer.headers['x-route'], '/v2/projects/{project_id}/notifications');
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
    await until(1);
    await draw(1);
    assert.deepEqual((await until(2)).map(brief), [
      ['ping', 2],
      ['drawing.created', 3],
    ]);
    const ended = once(answer, 'end');
    await lab.app.close();
    await ended;
  });

  it('of the server tells of projects, and not of what is in them', async () => {
    await begin();
    const client = await hear('/v2/notifications/ws');
    const { until, hangUp } = await stream('/v2/notifications');
    await until(1);
    await client.next('ping');
    await draw(1);
    await lab.append('warning.raised', { message: 'of the project', node_id: null });
    await lab.append('warning.raised', { message: 'of the server', node_id: null }, null);
    await lab.append('project.closed', { project_id: PROJECT });
    await client.next('project.closed');
    assert.deepEqual(client.said().map(brief), [
      ['log.warning', 5],
      ['project.closed', 6],
    ]);
    assert.deepEqual((await until(3)).slice(1, 3).map(brief), client.said().map(brief));
    hangUp();
  });

  it('of the computes carries the records of the compute group and whose they are', async () => {
    await begin();
    const client = await hear('/v2/compute/notifications/ws');
    assert.equal((await client.next('ping')).project_id, null);
    await lab.append('node.created', nodeData());
    await lab.append('node.started', startedData());
    const frame = await client.next('node.updated');
    assert.equal(frame.project_id, PROJECT);
    assert.deepEqual([frame.event['status'], frame.event['node_type']], ['started', undefined]);
  });

  it('hears nothing of other projects', async () => {
    await begin();
    await lab.append('project.created', projectData(UNKNOWN), UNKNOWN);
    const client = await hear();
    await lab.append('drawing.created', drawingData(7, UNKNOWN), UNKNOWN);
    await draw(1);
    await client.next('drawing.created');
    assert.deepEqual(client.said().map(brief), [['drawing.created', 5]]);
  });

  it('says the names of kinds as answers do', async () => {
    await begin({ names: 'gns3' });
    const client = await hear();
    await lab.append('node.created', nodeData());
    assert.equal((await client.next('node.created')).event['node_type'], 'vpcs');
  });

  it('pings while nothing happens, that of the computes more often, and tells the load of the machine', async () => {
    await begin({ limits: { feedPingMs: 50 } });
    const [project, compute, controller] = await Promise.all([
      hear(),
      hear('/v2/compute/notifications/ws'),
      hear('/v2/notifications/ws'),
    ]);
    // The first is sent in any case, the next only when the load has changed.
    const { event } = await controller.next('compute.updated');
    assert.deepEqual([event['compute_id'], event['connected']], ['local', true]);
    for (const client of [project, compute, controller])
      for (let n = 0; n < 3; n++) assert.equal((await client.next('ping')).position, 2);
  });

  it('tells of other computes what happens to them, and their load', async () => {
    const { computes } = fakeFar(() => null);
    await begin({ computes, limits: { feedPingMs: 50 } });
    const controller = await hear('/v2/notifications/ws');
    const place = { name: 'far', protocol: 'http', host: '192.0.2.1', port: 3080, user: null } as const;
    await lab.append('compute.added', { compute_id: 'far', ...place }, null);
    feedFrame.parse(await controller.next('compute.created'));
    const told = { version: '2.2.60', topolog: null, node_types: ['vpcs'], platform: 'linux' };
    await lab.append('compute.connected', { compute_id: 'far', ...told }, null);
    const loaded = await controller.next(
      ({ action, event }) => action === 'compute.updated' && event['cpu_usage_percent'] === 3,
    );
    const { event } = feedFrame.parse(loaded) as { event: Record<string, unknown> };
    assert.deepEqual(event['capabilities'], { version: '2.2.60', node_types: ['simple_pc'], platform: 'linux' });
    await lab.append('compute.disconnected', { compute_id: 'far', reason: 'it is silent' }, null);
    await controller.next(({ event: { last_error } }) => last_error === 'it is silent');
    await lab.append('compute.removed', { compute_id: 'far' }, null);
    assert.equal((await controller.next('compute.deleted')).event['compute_id'], 'far');
  });

  it('of an unknown project is 404, with a wrong position 400, both before any frame', async () => {
    await begin();
    for (const suffix of ['', '/ws']) {
      const unknown = await fetch(`${lab.url}${FEED.replace(PROJECT, UNKNOWN)}${suffix}`);
      assert.equal(unknown.status, suffix === '' ? 404 : 400);
    }
    for (const since of ['x', '-1', '1.', '1.x', '9999999999999999']) {
      const answer = await fetch(`${lab.url}${FEED}?since=${since}`);
      assert.equal(answer.status, 400, since);
      assert.match(await answer.text(), /since must be a position/);
    }
    const header = await fetch(`${lab.url}${FEED}`, { headers: { 'Last-Event-ID': 'seven' } });
    assert.match(await header.text(), /Last-Event-ID must be a position/);
    await assert.rejects(hear(`${FEED.replace(PROJECT, UNKNOWN)}/ws`), /404/);
  });

  it('takes so many listeners and no more, and another when one has left', async () => {
    await begin({ limits: { listeners: 2 } });
    const first = await hear();
    const { hangUp } = await stream(FEED);
    const refused = await fetch(`${lab.url}${FEED}`);
    assert.equal(refused.status, 429);
    assert.match(await refused.text(), /2 clients listen or wait already/);
    await assert.rejects(hear(), /429/);
    await first.close();
    // The server may learn of it a moment later.
    for (;;) {
      const client = await hear().catch(() => null);
      if (client !== null) break;
    }
    hangUp();
  });

  it('tells the lab who listens, and who has left, but not that the server ended it', async () => {
    await begin();
    const attendance = () => lab.fake.calls.filter(([name]) => name === 'attend' || name === 'left');
    const [client] = [await hear(), await hear('/v2/notifications/ws')];
    await client.next('ping');
    assert.deepEqual(attendance(), [['attend', PROJECT]]);
    await client.close();
    await hear();
    assert.deepEqual(attendance().slice(0, 3), [
      ['attend', PROJECT],
      ['left', PROJECT],
      ['attend', PROJECT],
    ]);
    await lab.app.close();
    assert.equal(attendance().length, 3);
  });
});

describe('the end of a feed', { timeout: 60_000 }, () => {
  it('is 1000 after the last frame of a deleted project, and the end of the answer', async () => {
    await begin();
    const client = await hear();
    const { answer, until } = await stream(FEED);
    await until(1);
    const ended = once(answer, 'end');
    await lab.append('project.deleted', { project_id: PROJECT });
    assert.deepEqual(await client.closed, [1000, 'The project was deleted']);
    assert.equal(client.frames.at(-1)?.action, 'project.deleted');
    await ended;
    assert.equal((await until(2)).at(-1)?.action, 'project.deleted');
  });

  it('is 1001 when the server closes', async () => {
    await begin();
    const client = await hear();
    await lab.app.close();
    assert.equal((await client.closed)[0], 1001);
  });

  it('is 1011 when the log cannot be read', async () => {
    await begin();
    await lab.restart({
      changes: {
        ...lab.changes,
        missed: async () => 1,
        async *since() {
          throw new Error('no disk');
        },
      },
    });
    const client = await hear(`${FEED}/ws?since=1`);
    assert.deepEqual(await client.closed, [1011, 'The log could not be read']);
  });

  it('is 1013 for a listener that does not read, which has cost no more than the bound', async () => {
    const feedBytes = 64 * 1024;
    await begin({ limits: { feedBytes, feedSlowMs: 1500 } });
    const sockets: Socket[] = [];
    lab.app.server.on('connection', (socket: Socket) => sockets.push(socket));
    const client = await hear();
    await client.next('ping');
    const other = await hear();
    client.socket.pause();
    const svg = 'x'.repeat(32 * 1024);
    const count = 1000;
    let most = 0;
    // Far more than the sockets' own buffers take.
    for (let n = 0; n < count; n++) {
      await draw(n, svg);
      for (const { writableLength } of sockets) most = Math.max(most, writableLength);
      // A store in memory leaves the sockets no turn.
      await new Promise(setImmediate);
    }
    await other.next(({ event }) => event['drawing_id'] === drawingData(count - 1).drawing_id);
    assert.equal(other.said().length, count);
    await left();
    client.socket.resume();
    const [code] = await client.closed;
    // It may be cut before the code gets through all that it has not read.
    assert.ok(code === 1013 || code === 1006, String(code));
    assert.ok(client.said().length < count / 2, `${client.said().length} of ${count}`);
    // What waits here for one of them is never more than the bound and the frame that has passed it.
    assert.ok(most > feedBytes / 2 && most < feedBytes + 2 * svg.length, `${most} octets waited`);
  });

  it('comes to a client that has silently gone', async () => {
    await begin({ limits: { pingMs: 20 } });
    const client = await hear();
    await client.next('ping');
    client.socket.pause();
    await left();
  });
});
