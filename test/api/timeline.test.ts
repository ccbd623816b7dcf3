import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schemas } from '../../src/client/index.ts';
import { testServer } from '../support/server.ts';

type Overview = Schemas['TimeLine'];

describe('GET /v2/projects/{project_id}/timeline', () => {
  it('tells what happened, also after a restart and of a deleted project', async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const { body } = await server.request('POST', '/v2/projects', { name: 'lab' });
    const { project_id } = body as { project_id: string };
    const at = `/v2/projects/${project_id}`;
    const made = await server.request('POST', `${at}/nodes`, { name: 'PC3', node_type: 'vpcs', compute_id: 'local' });
    const { node_id } = made.body as { node_id: string };
    await server.request('PUT', `${at}/nodes/${node_id}`, { name: 'host124' });
    await server.request('PUT', `${at}/nodes/${node_id}`, { x: 5, y: 7 });
    const look = async (): Promise<unknown[]> => {
      const page = await server.request('GET', `${at}/timeline/entries?object=${node_id}`);
      const { entries } = page.body as Schemas['TimeLineEntries'];
      return entries.map(({ kind, name, former }) => [kind, name, former]);
    };
    const expected = [
      ['add', 'PC3', null],
      ['change', 'host124', 'PC3'],
      ['move', 'host124', null],
    ];
    assert.deepEqual(await look(), expected);
    const before = (await server.request('GET', `${at}/timeline?to=${new Date().toISOString()}`)).body as Overview;
    assert.equal(before.indexed, before.of);
    assert.equal(before.marks?.length, before.shown);
    await server.restart();
    assert.deepEqual(await look(), expected);
    assert.deepEqual((await server.request('GET', `${at}/timeline/objects`)).body, [
      { collection: 'node', id: node_id, name: 'host124' },
    ]);
    await server.request('DELETE', at);
    assert.deepEqual(await look(), [...expected]);
  });

  it('refuses what is not there or cannot be, and names the field', async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const { body } = await server.request('POST', '/v2/projects', { name: 'lab' });
    const at = `/v2/projects/${(body as { project_id: string }).project_id}/timeline`;
    for (const [query, field] of [
      ['?from=yesterday', /from/],
      ['?kinds=start,nonsense', /kinds/],
      ['?buckets=0', /buckets/],
      ['/entries?limit=5000', /limit/],
      ['/entries?order=up', /order/],
    ] as const) {
      const answer = await server.request('GET', `${at}${query}`);
      assert.equal(answer.status, 400, query);
      assert.match(answer.text, field);
    }
    const none = '/v2/projects/99999999-9999-4999-8999-999999999999/timeline';
    assert.equal((await server.request('GET', none)).status, 404);
    assert.equal((await server.request('GET', `${none}/entries`)).status, 404);
  });
});
