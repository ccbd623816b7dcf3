import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { PAGE_SIZE } from '../../src/projections/past/past.ts';
import { fakeLab, kinds, PROJECT, fakePast, serve, UNKNOWN } from './fake-lab.ts';
import { computeRecord } from '../../src/http/v2/computes/compute-record.ts';

const lab = fakeLab();
const app = serve(lab);
after(() => app.close());

const BASE = `/v2/projects/${PROJECT}`;
const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });

describe('the server itself', () => {
  it('tells what it can run, and what installs the rest', async () => {
    const { node_types, ...found } = (await app.inject('/v2/compute/capabilities')).json<Record<string, unknown>>();
    assert.deepEqual(new Set(node_types as string[]), new Set(kinds.all().map(({ name }) => name)));
    assert.deepEqual(found, {
      ...{ version: '1.2.3', platform: process.platform },
      engines: [
        { node_type: 'machine_emulator', engine: 'qemu', available: true, version: '7.2.22', missing: null },
        {
          ...{ node_type: 'simple_pc', engine: 'vpcs', available: false, version: null },
          missing: { needs: 'vpcs', install: 'apt-get install vpcs' },
        },
      ],
    });
  });

  it('tells its version in both groups and checks that of a client', async () => {
    const version = { version: '1.2.3', local: true };
    assert.deepEqual((await app.inject('/v2/version')).json(), version);
    assert.deepEqual((await app.inject('/v2/compute/version')).json(), version);
    assert.deepEqual((await post('/v2/version', { version: '1.2.3' })).json(), version);
    assert.equal((await post('/v2/version', { version: '1.2.4' })).statusCode, 409);
    assert.deepEqual((await app.inject('/v2/health')).json(), { log: 'ok' });
  });

  it('is its only compute', async () => {
    const [only, ...more] = (await app.inject('/v2/computes')).json<unknown[]>();
    const { compute_id, capabilities } = computeRecord.parse(only);
    assert.equal(compute_id, 'local');
    assert.equal(capabilities.node_types.length, 15);
    assert.deepEqual(more, []);
    assert.equal((await app.inject('/v2/computes/local')).statusCode, 200);
    assert.equal((await app.inject('/v2/computes/far')).statusCode, 404);
  });

  it('answers HEAD like GET without the body', async () => {
    const answer = await app.inject({ method: 'HEAD', url: BASE });
    const { headers, body } = await app.inject(BASE);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-length'], String(body.length));
    assert.equal(answer.headers['content-type'], headers['content-type']);
    assert.equal(answer.body, '');
  });
});

describe('events', () => {
  const events = ['{"position":1,  "hash":"as stored"}', '{"position":2}'];
  const asked: object[] = [];
  const past = {
    ...fakePast(lab),
    history: async (query: { project_id?: string | null; limit?: number; from?: number }) => {
      asked.push(query);
      const found = query.project_id !== UNKNOWN && (query.from ?? 0) <= 5;
      return { texts: found ? events : [], next: null };
    },
  };

  it('come as they were stored, as a page or a line each', async () => {
    const server = serve(lab, { past });
    const answer = await server.inject('/v2/events?from=5&limit=1000&type=node.,link.created&node=x');
    assert.equal(answer.body, `{"events":[${events.join(',')}],"next":null}`);
    assert.equal(answer.headers['content-type'], 'application/json');
    const lines = await server.inject({ url: `${BASE}/events`, headers: { accept: 'application/x-ndjson' } });
    assert.equal(lines.body, `${events.join('\n')}\n`);
    assert.equal(lines.headers['content-type'], 'application/x-ndjson');
    assert.deepEqual(asked.splice(0), [
      { from: 5, types: ['node.', 'link.created'], object: 'x', limit: 1000, size: PAGE_SIZE },
      { project_id: PROJECT, from: 1, limit: 1000, size: PAGE_SIZE },
    ]);
    for (const query of ['limit=1001', 'limit=0', 'limit=x', 'from=-1'])
      assert.equal((await server.inject(`/v2/events?${query}`)).statusCode, 400, query);
    assert.equal((await server.inject(`/v2/projects/${UNKNOWN}/events`)).statusCode, 404);
    await server.close();
  });
});
