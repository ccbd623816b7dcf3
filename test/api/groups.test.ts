import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { type Bag, id, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';
const api = await startApi();
after(() => api.close());

interface Group {
  group_id: string;
  name: string;
  color: string;
  collapsed: boolean;
  nodes: string[];
}

const groupOf = (...nodes: Bag[]): Group => ({
  ...{ group_id: randomUUID(), name: 'Core', color: '#0072b2', collapsed: false },
  nodes: nodes.map((node) => id(node)),
});
const lab = async (): Promise<{ at: { project_id: string }; nodes: [Bag, Bag] }> => {
  const project_id = await api.project();
  return {
    at: { project_id },
    nodes: [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')],
  };
};
const groupsOf = async (at: { project_id: string }): Promise<unknown> => (await api.get(200, `GET ${P}`, at))['groups'];
const put = (at: { project_id: string }, ...groups: Group[]): Promise<Bag> => api.get(200, `PUT ${P}`, at, { groups });

/** Names of the nodes in each group, by the lab's own ids. */
const named = async (at: { project_id: string }): Promise<unknown[]> => {
  const names = new Map((await api.list(at.project_id, 'nodes')).map((node) => [node['node_id'], node['name']]));
  return ((await groupsOf(at)) as Group[]).map(({ name, collapsed, nodes }) => ({
    ...{ name, collapsed },
    nodes: nodes.map((one) => names.get(one)),
  }));
};

describe('groups of a project', () => {
  it('are none at first, kept as they were put, and taken back and made again like any edit', async () => {
    const { at, nodes } = await lab();
    assert.deepEqual(await groupsOf(at), []);
    const group = groupOf(...nodes);
    assert.deepEqual((await put(at, group))['groups'], [group]);
    await put(at, { ...group, collapsed: true });
    await api.get(200, `POST ${P}/undo`, at);
    assert.deepEqual(await groupsOf(at), [group]);
    await api.get(200, `POST ${P}/undo`, at);
    assert.deepEqual(await groupsOf(at), []);
    await api.get(200, `POST ${P}/redo`, at);
    assert.deepEqual(await groupsOf(at), [group]);
    await api.server.restart();
    await api.get(201, `POST ${P}/open`, at);
    assert.deepEqual(await groupsOf(at), [group]);
  });

  it('are refused with the field that is wrong', async () => {
    const { at, nodes } = await lab();
    const group = groupOf(...nodes);
    const refused: [groups: unknown, field: RegExp][] = [
      [[{ ...group, color: 'red' }], /groups\[0\]\.color/],
      [[{ ...group, name: '' }], /groups\[0\]\.name/],
      [[{ ...group, nodes: ['PC1'] }], /groups\[0\]\.nodes\[0\]/],
      [[{ ...group, more: 1 }], /groups\[0\]/],
      [[group, { ...group, nodes: [] }], /groups must not have a group twice/],
      [[group, { ...group, group_id: randomUUID() }], /groups must not have a node twice/],
    ];
    for (const [groups, field] of refused) {
      const { message } = await api.get(400, `PUT ${P}`, at, { groups });
      assert.match(String(message), field);
    }
    assert.deepEqual(await groupsOf(at), []);
  });

  it('go along with a copy, a fork, an archive and a snapshot, with the ids of the nodes there', async () => {
    const { at, nodes } = await lab();
    await put(at, { ...groupOf(...nodes), collapsed: true });
    const was = await named(at);
    const copy = await api.get(201, `POST ${P}/duplicate`, at, { name: randomUUID() });
    const fork = await api.get(201, `POST ${P}/fork`, at, { name: randomUUID() });
    const archive = await fetch(`${api.url}/v2/projects/${at.project_id}/export`);
    const imported = { project_id: randomUUID() };
    const body = Buffer.from(await archive.arrayBuffer());
    const answer = await fetch(`${api.url}/v2/projects/${imported.project_id}/import`, { method: 'POST', body });
    assert.equal(answer.status, 201);
    for (const { project_id } of [copy, fork, imported]) {
      const there = { project_id: String(project_id) };
      await api.get(201, `POST ${P}/open`, there);
      assert.deepEqual(await named(there), was);
      assert.notDeepEqual(await groupsOf(there), await groupsOf(at));
    }
    const { snapshot_id } = await api.get(201, `POST ${P}/snapshots`, at, { name: 'grouped' });
    await put(at);
    await api.get(201, `POST ${P}/snapshots/{snapshot_id}/restore`, { ...at, snapshot_id: String(snapshot_id) });
    assert.deepEqual(await named(at), was);
  });
});
