import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Bag, startApi } from './api.ts';

const api = await startApi();
const { server } = api;
after(() => api.close());

const overviews = async (): Promise<Bag[]> => (await server.request('GET', '/v2/projects/overview')).body as Bag[];

describe('the list of projects', () => {
  it('tells of each what it has, what runs and when it was changed, also after a restart', async () => {
    const { project_id } = await api.get(201, 'POST /v2/projects', {}, { name: 'lab', auto_close: false });
    const at = { project_id: String(project_id) };
    const [first] = await overviews();
    const changed = String(first?.['changed_at']);
    assert.ok(Math.abs(Date.now() - Date.parse(changed)) < 60_000);
    assert.deepEqual(
      { ...first, changed_at: null },
      {
        ...{ project_id, nodes: 0, running: 0, busy: 0, failed: 0, unreachable: 0, links: 0 },
        ...{ changed_at: null, viewers: [], forked_from: null },
      },
    );
    for (const node_type of ['simple_pc', 'simple_pc', 'ethernet_switch'])
      await api.get(201, 'POST /v2/projects/{project_id}/nodes', at, { name: node_type, node_type });
    await api.get(204, 'POST /v2/projects/{project_id}/nodes/start', at);
    const { nodes, running, busy, changed_at } = (await overviews())[0] ?? {};
    // A switch always runs, and keeps no files that change.
    assert.deepEqual([nodes, running, busy], [3, 3, 2]);
    assert.ok(String(changed_at) > changed);
    await server.restart();
    assert.deepEqual(
      (await overviews()).map(({ project_id: id, nodes: count }) => [id, count]),
      [[project_id, 3]],
    );
  });

  it('knows what a fork is of, and that a copy of it is none', async () => {
    const { project_id } = await api.get(201, 'POST /v2/projects', {}, { name: 'origin' });
    const at = { project_id: String(project_id) };
    const fork = await api.get(201, 'POST /v2/projects/{project_id}/fork', at, { name: 'a fork' });
    const forked = { project_id: String(fork['project_id']) };
    const copy = await api.get(201, 'POST /v2/projects/{project_id}/duplicate', forked, { name: 'a copy' });
    const found = new Map((await overviews()).map((one) => [one['project_id'], one['forked_from']]));
    assert.deepEqual(
      [project_id, fork['project_id'], copy['project_id']].map((id) => found.get(id)),
      [null, project_id, null],
    );
  });

  it('has folders and tags, which are kept and go along into a project file', async () => {
    const labels = { folder: ['Course', 'Week 1'], tags: ['ospf'] };
    const made = await api.get(201, 'POST /v2/projects', {}, { name: 'labelled', ...labels });
    assert.deepEqual({ folder: made['folder'], tags: made['tags'] }, labels);
    const at = { project_id: String(made['project_id']) };
    const moved = await api.get(200, 'PUT /v2/projects/{project_id}', at, { folder: [], tags: ['ospf', 'exam'] });
    assert.deepEqual([moved['folder'], moved['tags']], [[], ['ospf', 'exam']]);
    await api.get(204, 'POST /v2/projects/{project_id}/close', at);
    const file = `${String(made['path'])}/labelled.gns3`;
    const answer = await server.request('POST', '/v2/projects/load?new_id=true', { path: file });
    const copy = answer.body as Bag;
    assert.deepEqual([answer.status, copy['folder'], copy['tags']], [201, [], ['ospf', 'exam']]);
    const refused = [
      { tags: ['a', 'a'] },
      { tags: [' a'] },
      { tags: [''] },
      { folder: 'Course' },
      { folder: ['a\nb'] },
    ];
    for (const body of refused) await api.get(400, 'PUT /v2/projects/{project_id}', at, body);
  });
});
