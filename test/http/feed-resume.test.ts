import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ForwardVerifier, ForwardSigner } from '../../src/cluster/signature.ts';
import type { HttpDeps } from '../../src/http/server/server.ts';
import { type FeedClient, type Frame, listen } from '../support/feed-client.ts';
import { draftOf, drawingData, PROJECT, projectData } from '../support/events.ts';
import { LINK, linkData, NODE, nodeData, startedData } from '../support/events-of-node.ts';
import { UNKNOWN } from './fake-records.ts';
import { FEED, type FeedLab, feedLab } from './feed-lab.ts';

let lab: FeedLab;
const clients: FeedClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await lab.close();
});

const begin = async (over: Partial<HttpDeps> = {}): Promise<void> => {
  lab = await feedLab(over);
};
const hear = async (path = `${FEED}/ws`, headers: Record<string, string> = {}): Promise<FeedClient> => {
  const client = await listen(lab.url, path, headers);
  clients.push(client);
  return client;
};
const ofNode = { node_id: NODE, project_id: PROJECT };
const { drawing_id } = drawingData(1);
const move = (x: number) => lab.append('drawing.updated', { drawing_id, project_id: PROJECT, changes: { x } });

/** A lab's life, with events of one, several and no frames, and another project between them. */
const live = async (): Promise<void> => {
  await lab.append('project.opened', { project_id: PROJECT });
  await lab.append('project.created', projectData(UNKNOWN), UNKNOWN);
  await lab.append('node.created', nodeData());
  await lab.append('link.created', linkData());
  await lab.append('node.start_requested', { ...ofNode, arguments: {} });
  await lab.append('node.started', startedData());
  await lab.append('drawing.created', drawingData(1));
  await lab.append('node.exited', { ...ofNode, code: 1, signal: null, output: 'panic' });
  await lab.append('drawing.created', drawingData(2, UNKNOWN), UNKNOWN);
  await move(50);
  await lab.append('link.deleted', { link_id: LINK, project_id: PROJECT });
  await lab.append('node.deleted', ofNode);
  await lab.append('project.closed', { project_id: PROJECT });
};

/** Each feed with the last frame of that life. */
const FEEDS = [
  [`${FEED}/ws`, 'project.closed'],
  ['/v2/notifications/ws', 'project.closed'],
  ['/v2/compute/notifications/ws', 'node.deleted'],
] as const;

/** What a resumed listener hears until it is live, which a ping says. */
const resumed = async (path: string, since: string): Promise<Frame[]> => {
  const client = await hear(`${path}?since=${since}`);
  const { position } = await client.next('ping');
  assert.equal(position, lab.log.status().position);
  const said = client.said();
  await client.close();
  return said;
};

const cursor = ({ position, more }: Frame): string => (more === undefined ? `${position}` : `${position}.${more}`);

describe('a resumed feed', () => {
  for (const restarted of [false, true])
    it(`says again what came after any frame, ${restarted ? 'from the log of an earlier server' : 'from memory'}`, async () => {
      await begin();
      await lab.append('project.created', projectData());
      const listeners = await Promise.all(
        FEEDS.map(async ([path, last]) => ({ path, last, client: await hear(path) })),
      );
      await live();
      const heard = await Promise.all(
        listeners.map(async ({ path, last, client }) => {
          await client.next(last);
          return { path, frames: client.said() };
        }),
      );
      assert.deepEqual(
        heard.map(({ frames }) => frames.length),
        [11, 3, 4],
      );
      if (restarted) await lab.restart();
      for (const { path, frames } of heard) {
        assert.deepEqual(await resumed(path, '1'), frames, path);
        for (const [i, frame] of frames.entries())
          assert.deepEqual(await resumed(path, cursor(frame)), frames.slice(i + 1), `${path} after ${cursor(frame)}`);
      }
    });

  it('takes its position from Last-Event-ID too, though the query counts before it', async () => {
    await begin();
    await lab.append('project.created', projectData());
    await live();
    const [byHeader, byBoth] = await Promise.all([
      hear(`${FEED}/ws`, { 'Last-Event-ID': '12' }),
      hear(`${FEED}/ws?since=13`, { 'Last-Event-ID': '2' }),
    ]);
    for (const client of [byHeader, byBoth]) await client.next('ping');
    assert.deepEqual(
      byHeader.said().map(({ action }) => action),
      ['node.deleted', 'project.closed'],
    );
    assert.deepEqual(
      byBoth.said().map(({ action }) => action),
      ['project.closed'],
    );
  });

  it('goes on live in the middle of writing, without a gap and without a repetition', async () => {
    await begin();
    await lab.append('project.created', projectData());
    await lab.append('drawing.created', drawingData(1));
    const writing = (async () => {
      for (let x = 0; x < 400; x++) await move(x + 10);
    })();
    const many = await Promise.all(Array.from({ length: 8 }, () => hear(`${FEED}/ws?since=2`)));
    await writing;
    for (const client of many) {
      await client.next(({ event }) => event['x'] === 409);
      assert.deepEqual(
        client.said().map(({ event }) => event['x']),
        Array.from({ length: 400 }, (_, x) => x + 10),
      );
    }
  });

  it('of a position that is too long ago, or that never was, is told to reload and goes on from now', async () => {
    await begin({ limits: { feedReplay: 5 } });
    await lab.append('project.created', projectData());
    await live();
    for (const since of ['2', '1000']) {
      const client = await hear(`${FEED}/ws?since=${since}`);
      const reload = await client.next('reload');
      assert.equal(reload.position, lab.log.status().position);
      assert.match(String(reload.event['reason']), /read everything again/);
      const { position } = await lab.append('warning.raised', { message: 'look', node_id: null });
      assert.equal((await client.next('log.warning')).position, position);
      assert.deepEqual(
        client.said().map(({ action }) => action),
        ['reload', 'log.warning'],
      );
    }
  });

  it('of a position that another server of the cell knows already waits for it, but not for ever', async () => {
    const writer = (): Promise<never> => Promise.reject(new Error('nobody is asked'));
    const key = Buffer.alloc(32);
    const signing = { signer: new ForwardSigner(key), verifier: new ForwardVerifier(key, 1) };
    const cell = { position: () => 0, ...signing, epoch: 1, redirect: false, writer };
    await begin({ cell });
    const { position } = await lab.append('project.created', projectData());
    const client = await hear(`${FEED}/ws?since=${position + 1}`);
    await lab.append('drawing.created', drawingData(1));
    await move(50);
    assert.equal((await client.next('drawing.updated')).position, position + 2);
    assert.deepEqual(
      client.said().map(({ action }) => action),
      ['drawing.updated'],
    );
    await lab.restart({ cell, limits: { behindMs: 1 } });
    const lost = await hear(`${FEED}/ws?since=${position + 1_000}`);
    assert.equal((await lost.next('reload')).position, position + 2);
  });

  it('of a listener that has fallen behind a burst brings it every frame, as long as it reads', async () => {
    await begin({ limits: { feedBytes: 20_000 } });
    await lab.append('project.created', projectData());
    const client = await hear();
    await client.next('ping');
    const drafts = Array.from({ length: 3_000 }, (_, n) => draftOf('drawing.created', drawingData(n)));
    await lab.log.append(drafts);
    await client.next(({ event }) => event['drawing_id'] === drawingData(2_999).drawing_id);
    assert.deepEqual(
      client.said().map(({ position }) => position),
      drafts.map((_, i) => i + 2),
    );
  });

  it('of a project that was deleted meanwhile is 404', async () => {
    await begin();
    await lab.append('project.created', projectData());
    await lab.append('project.deleted', { project_id: PROJECT });
    await assert.rejects(hear(`${FEED}/ws?since=1`), /404/);
  });
});
