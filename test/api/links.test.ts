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
import { assertFields, type FieldTable, without } from './fields.ts';

const LINK = '/v2/projects/{project_id}/links/{link_id}';
const GET = `GET ${LINK}`;
const PUT = `PUT ${LINK}`;
const DELETE = `DELETE ${LINK}`;
const POST = 'POST /v2/projects/{project_id}/links';

const TABLE: FieldTable = {
  link_id: 'uuid',
  project_id: 'uuid',
  link_type: ['ethernet', 'serial'],
  nodes: 'array',
  suspend: 'boolean',
  filters: 'object',
  capturing: 'boolean',
  capture_file_name: 'string|null',
  capture_file_path: 'string|null',
};

const api = await startApi();
after(() => api.close());

const end = (node: Bag, adapter_number = 0, port_number = 0): Bag => ({
  node_id: id(node),
  adapter_number,
  port_number,
});

describe('a link', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const joined = async (): Promise<{ record: Bag; at: Values; nodes: [Bag, Bag] }> => {
    const nodes: [Bag, Bag] = [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')];
    const record = await api.get(201, POST, { project_id }, { nodes: nodes.map((n) => end(n)) });
    return { record, nodes, at: { project_id, link_id: id(record, 'link_id') } };
  };

  it(`[${GET} 200] [rule 1] is read as it was made`, async () => {
    const { record, at, nodes } = await joined();
    const read = await api.get(200, GET, at);
    assert.deepEqual(read, record);
    const ends = read['nodes'] as Bag[];
    assert.deepEqual(
      ends.map((e) => e['node_id']),
      nodes.map((n) => n['node_id']),
    );
  });

  it('[fields link] has every field with its type; without a capture its file is null', async () => {
    const { at } = await joined();
    const read = await api.get(200, GET, at);
    assertFields(read, TABLE);
    assert.deepEqual([read['link_type'], read['suspend'], read['filters']], ['ethernet', false, {}]);
    assert.deepEqual([read['capturing'], read['capture_file_name'], read['capture_file_path']], [false, null, null]);
  });

  it('[fields link] names its capture while one runs, and takes what is read only without a change', async () => {
    const { at, nodes } = await joined();
    for (const { node_id } of nodes)
      await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', {
        project_id,
        node_id: String(node_id),
      });
    await api.get(201, `POST ${LINK}/start_capture`, at, { capture_file_name: 'read-only.pcap' });
    const capturing = await api.get(200, GET, at);
    assertFields(capturing, TABLE);
    assert.deepEqual([capturing['capturing'], capturing['capture_file_name']], [true, 'read-only.pcap']);
    assert.match(String(capturing['capture_file_path']), /captures.read-only\.pcap$/);
    const readOnly = { capturing: false, capture_file_name: 'other.pcap', capture_file_path: '/other.pcap' };
    assert.deepEqual(await api.get(201, PUT, at, readOnly), capturing);
    await api.get(201, `POST ${LINK}/stop_capture`, at);
    assert.deepEqual(
      without(await api.get(200, GET, at), 'capturing', 'capture_file_name', 'capture_file_path', 'capture_compute_id'),
      without(capturing, 'capturing', 'capture_file_name', 'capture_file_path', 'capture_compute_id'),
    );
  });

  it('[fields link] is serial between serial ports', async () => {
    const mappings = { '1:101': '2:202' };
    const nodes = [
      await api.node(project_id, 'frame_relay_switch', { mappings }),
      await api.node(project_id, 'frame_relay_switch', { mappings }),
    ];
    const record = await api.get(201, POST, { project_id }, { nodes: nodes.map((n) => end(n, 0, 1)) });
    assertFields(record, TABLE);
    assert.equal(record['link_type'], 'serial');
  });

  it(`[${GET} 400] [rule 1] is not read by an identifier that is none`, async () => {
    const { at } = await joined();
    await assertMalformedIds(api, GET, at);
  });

  it(`[${GET} 404] [rule 1] is not there under another id, in another project or in none`, async () => {
    const { at } = await joined();
    await api.get(404, GET, { ...at, link_id: randomUUID() });
    await api.get(404, GET, { ...at, project_id: await api.project() });
    await api.get(404, GET, { ...at, project_id: randomUUID() });
  });

  it(`[${PUT} 201] [rule 2] is updated by any subset of its fields and answered in full`, async () => {
    const { record, at } = await joined();
    const changes: Bag[] = [
      { suspend: true },
      { filters: { packet_loss: [50] } },
      { suspend: false, filters: {} },
      { filters: { delay: [10, 5], frequency_drop: [3] } },
      {},
    ];
    let expected = record;
    for (const change of changes) {
      expected = { ...expected, ...change };
      assert.deepEqual(await api.get(201, PUT, at, change), expected);
      assert.deepEqual(await api.get(200, GET, at), expected);
    }
  });

  it('[rule 2] has its ends where they are; an update changes their labels', async () => {
    const { record, at, nodes } = await joined();
    const label = { text: 'here', x: 1, y: 2, rotation: 0, style: null };
    const updated = await api.get(201, PUT, at, { nodes: [{ ...end(nodes[1]), label }] });
    const [first, second] = record['nodes'] as [Bag, Bag];
    assert.deepEqual(updated, { ...record, nodes: [first, { ...second, label }] });
  });

  it(`[${PUT} 400] refuses malformed ids, bodies that are no object and wrong or unknown fields, and changes nothing`, async () => {
    const { record, at } = await joined();
    await assertMalformedIds(api, PUT, at);
    await assertBrokenBodies(api, PUT, at);
    await assertWrongFields(api, PUT, at, {
      suspend: { suspend: 'yes' },
      filters: { filters: [] },
      packet_loss: { filters: { packet_loss: [101] } },
      slowness: { filters: { slowness: [1] } },
      nodes: { nodes: 'both' },
      colour: { colour: 'red' },
    });
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${DELETE} 204] [convention 204] is gone once deleted, and its ports are free again`, async () => {
    const { at, nodes } = await joined();
    await api.get(204, DELETE, at);
    await api.get(404, GET, at);
    await api.get(201, POST, { project_id }, { nodes: nodes.map((n) => end(n)) });
  });

  it(`[${DELETE} 400] is not deleted by a malformed id or with a body that is no object`, async () => {
    const { record, at } = await joined();
    await assertMalformedIds(api, DELETE, at);
    await assertBrokenBodies(api, DELETE, at);
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it('[error 404] cannot be updated or deleted when it is unknown', async () => {
    const at = { project_id, link_id: randomUUID() };
    await api.get(404, PUT, at, { suspend: true });
    await api.get(404, PUT, at, {});
    await api.get(404, DELETE, at);
    await api.get(404, DELETE, { ...at, project_id: randomUUID() });
  });
});
