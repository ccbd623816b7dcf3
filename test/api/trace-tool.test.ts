import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  assertBrokenBodies,
  assertMalformedIds,
  assertWrongFields,
  type Bag,
  id,
  startApi,
  type Values,
} from './api.ts';
import { assertFields, type FieldTable, NODE_STATUS, without } from './fields.ts';

const START = 'POST /v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/start';
const STOP = 'POST /v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}/stop';
const GET = 'GET /v2/compute/projects/{project_id}/trace_tool/nodes/{node_id}';

const TABLE: FieldTable = {
  command_line: 'string',
  console: 'integer|null',
  console_type: ['none'],
  default_destination: 'string',
  ip_address: 'string',
  name: 'string',
  node_directory: 'string',
  node_id: 'uuid',
  project_id: 'uuid',
  status: NODE_STATUS,
};

const api = await startApi();
after(() => api.close());

describe('a trace tool', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const made = async (body: Bag = {}): Promise<{ record: Bag; at: Values }> => {
    const record = await api.node(project_id, 'trace_tool', { ip_address: '10.0.0.5/24', ...body });
    return { record, at: { project_id, node_id: id(record) } };
  };

  it('[fields trace_tool] has every field with its type, new, started and stopped', async () => {
    const { record, at } = await made({ default_destination: '10.0.0.9' });
    assertFields(record, TABLE);
    assert.deepEqual([record['ip_address'], record['default_destination']], ['10.0.0.5/24', '10.0.0.9']);
    assertFields(await api.get(200, START, at, { destination: '10.0.0.1' }), TABLE);
    await api.get(204, STOP, at);
    assertFields(await api.get(200, GET, at), TABLE);
    assertFields(await api.node(project_id, 'trace_tool'), TABLE);
  });

  it(`[${START} 200] [rule 9] is started towards the destination of the body, and answered as a record`, async () => {
    const { record, at } = await made();
    const started = await api.get(200, START, at, { destination: '10.0.0.1' });
    assert.equal(started['status'], 'started');
    assert.deepEqual(without(started, 'status', 'command_line'), without(record, 'status', 'command_line'));
    assert.deepEqual(await api.get(200, GET, at), started);
    const { events } = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}/history', at);
    const asked = (events as { type: string; data: Bag }[]).find(({ type }) => type === 'node.start_requested');
    assert.deepEqual(asked?.data['arguments'], { destination: '10.0.0.1' });
  });

  it('[rule 9] traces the destination of the start, not the one that it has by default', async () => {
    const { at } = await made({ default_destination: '10.0.0.99' });
    const pc = await api.node(project_id, 'simple_pc', { startup_script: 'ip 10.0.0.1/24' });
    const nodes = [at['node_id'], pc['node_id']].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', { project_id, node_id: id(pc) });
    await api.get(200, START, at, { destination: '10.0.0.1' });
    const finished = async (): Promise<Bag | undefined> => {
      const { events } = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}/history', at);
      return (events as Bag[]).find(({ type }) => type === 'node.trace_finished')?.['data'] as Bag | undefined;
    };
    let trace = await finished();
    while (trace === undefined) trace = await finished();
    assert.deepEqual([trace['destination'], trace['reached']], ['10.0.0.1', true]);
    assert.equal((trace['hops'] as Bag[]).length, 1);
  });

  it('[rule 9] takes a host name, and goes to its default destination when the start has none', async () => {
    const named = await made();
    assert.equal((await api.get(200, START, named.at, { destination: 'host.example' }))['status'], 'started');
    const preset = await made({ default_destination: '10.0.0.9' });
    assert.equal((await api.get(200, START, preset.at, {}))['status'], 'started');
    const nothing = await made();
    await api.get(409, START, nothing.at, {});
    assert.equal((await api.get(200, GET, nothing.at))['status'], 'stopped');
  });

  it(`[${START} 400] [rule 10] is not started by a malformed id, a wrong destination or with anything else`, async () => {
    const { at } = await made();
    await assertMalformedIds(api, START, at);
    await assertBrokenBodies(api, START, at);
    await assertWrongFields(api, START, at, {
      destination: { destination: 7 },
      hops: { destination: '10.0.0.1', hops: 3 },
    });
    await api.get(400, START, at, { destination: null });
    assert.equal((await api.get(200, GET, at))['status'], 'stopped');
  });

  it(`[${START} 404] is not started when it is not there`, async () => {
    const { at } = await made();
    const body = { destination: '10.0.0.1' };
    await api.get(404, START, { ...at, node_id: randomUUID() }, body);
    await api.get(404, START, { ...at, project_id: randomUUID() }, body);
    await api.get(404, START, { project_id, node_id: id(await api.node(project_id, 'simple_pc')) }, body);
  });
});
