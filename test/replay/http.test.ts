import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replayRecord } from '../../src/http/v2/events/replays.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { eventsIn, type Made, makeProject } from './lab.ts';

type Replay = ReturnType<typeof replayRecord.parse>;

let server: TestServer;
let lab: Made;
before(async () => {
  server = await testServer();
  lab = await makeProject(server, 'lab');
  const { node_id } = await lab.post('/nodes', { name: 'A', node_type: 'simple_pc' });
  await lab.post(`/nodes/${String(node_id)}/start`);
  await lab.refused(400, 'POST', '/nodes', { name: 'x', node_type: 'nothing', password: 'hidden' });
  await lab.put(`/nodes/${String(node_id)}`, { x: 7 });
});
after(() => server.close());

const begin = async (body: object): Promise<Replay> => {
  const answer = await server.request('POST', `/v2/projects/${lab.id}/replay`, body, { 'x-topolog-user': 'ada' });
  assert.equal(answer.status, 201, answer.text);
  return replayRecord.parse(answer.body);
};
const read = async ({ replay_id }: Replay): Promise<Replay> =>
  replayRecord.parse((await server.request('GET', `/v2/projects/${lab.id}/replays/${replay_id}`)).body);
const ended = async (replay: Replay): Promise<Replay> => {
  let now = replay;
  while (now.state === 'running') now = await read(replay);
  return now;
};
const remove = async ({ replay_id }: Replay): Promise<void> => {
  assert.equal((await server.request('DELETE', `/v2/projects/${lab.id}/replays/${replay_id}`)).status, 204);
};

describe('POST replay', () => {
  it('answers while it runs; its state and its differences can be read', async () => {
    const replay = await begin({ as_fast: true, keep: true });
    assert.deepEqual([replay.state, replay.source_project_id, replay.progress.of], ['running', lab.id, 4]);
    const done = await ended(replay);
    assert.deepEqual([done.state, done.differences, done.performed, done.notes], ['done', [], 4, []]);
    assert.deepEqual([done.progress.step, done.progress.left_ms], [4, 0]);
    const events = await eventsIn(server, replay.project_id);
    assert.deepEqual([...new Set(events.map((f) => f.by.principal))].sort(), ['ada', 'system']);
    const { body } = await server.request('GET', `/v2/projects/${lab.id}/replays`);
    assert.deepEqual(
      (body as Replay[]).map((r) => r.replay_id),
      [replay.replay_id],
    );
    await remove(done);
    assert.deepEqual((await server.request('GET', `/v2/projects/${lab.id}/replays`)).body, []);
  });

  it('is cancelled by DELETE, and its project is gone then', async () => {
    const replay = await begin({ speed: 0.01 });
    await remove(replay);
    assert.equal((await read(replay)).state, 'cancelled');
    assert.equal((await server.request('GET', `/v2/projects/${replay.project_id}`)).status, 404);
  });

  it('runs two at once and refuses a third', async () => {
    const two = [await begin({ speed: 0.01 }), await begin({ speed: 0.01 })];
    await lab.refused(409, 'POST', '/replay', {});
    for (const replay of two) await remove(replay);
    const third = await ended(await begin({ as_fast: true }));
    assert.equal(third.state, 'done');
  });

  it('keeps the last twenty', async () => {
    for (let n = 0; n < 22; n++) await ended(await begin({ as_fast: true, to: 1 }));
    const { body } = await server.request('GET', `/v2/projects/${lab.id}/replays`);
    assert.equal((body as Replay[]).length, 20);
  });

  it('refuses what contradicts itself or is not known', async () => {
    for (const body of [{ speed: 2, as_fast: true }, { from: 9, to: 2 }, { engine: 'other' }, { speed: 0 }, { x: 1 }])
      await lab.refused(400, 'POST', '/replay', body);
    const unknown = '00000000-0000-4000-8000-000000000000';
    await lab.refused(404, 'POST', `/v2/projects/${unknown}/replay`, {});
    await lab.refused(404, 'GET', `/replays/${unknown}`);
    await lab.refused(404, 'DELETE', `/replays/${unknown}`);
  });

  it('replays a project that has been deleted since', async () => {
    const gone = await makeProject(server, 'gone');
    await gone.post('/drawings', {});
    await gone.remove('');
    const { body, status, text } = await server.request('POST', `/v2/projects/${gone.id}/replay`, { as_fast: true });
    assert.equal(status, 201, text);
    const replay = replayRecord.parse(body);
    let now = replay;
    while (now.state === 'running')
      now = replayRecord.parse(
        (await server.request('GET', `/v2/projects/${gone.id}/replays/${replay.replay_id}`)).body,
      );
    assert.deepEqual([now.state, now.performed, now.differences], ['done', 1, []]);
    assert.match(now.notes[0] ?? '', /the project was deleted/);
  });

  it('takes and restores snapshots again', async () => {
    const kept = await makeProject(server, 'kept');
    const { node_id } = await kept.post('/nodes', { name: 'A', node_type: 'simple_pc', x: 1 });
    const { snapshot_id } = await kept.post('/snapshots', { name: 'before' });
    await kept.put(`/nodes/${String(node_id)}`, { x: 2 });
    await kept.post('/drawings', {});
    await kept.post(`/snapshots/${String(snapshot_id)}/restore`);
    await kept.post(`/nodes/${String(node_id)}/start`);
    const { body } = await server.request('POST', `/v2/projects/${kept.id}/replay`, { as_fast: true, keep: true });
    const replay = replayRecord.parse(body);
    const now = async (): Promise<Replay> =>
      replayRecord.parse((await server.request('GET', `/v2/projects/${kept.id}/replays/${replay.replay_id}`)).body);
    let done = await now();
    while (done.state === 'running') done = await now();
    assert.deepEqual([done.state, done.differences, done.performed, done.notes], ['done', [], 6, []]);
    const nodes = (await server.request('GET', `/v2/projects/${replay.project_id}/nodes`)).body as { x: number }[];
    assert.deepEqual(
      nodes.map(({ x }) => x),
      [1],
    );
  });

  it('that still runs when the server is closed is cancelled, and leaves no project', async () => {
    const replay = await begin({ speed: 0.01 });
    await server.restart();
    assert.equal((await server.request('GET', `/v2/projects/${replay.project_id}`)).status, 404);
  });
});
