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
import { assertFields, type FieldTable, NODE_STATUS } from './fields.ts';

const NODES = '/v2/compute/projects/{project_id}/nat/nodes';
const POST = `POST ${NODES}`;
const GET = `GET ${NODES}/{node_id}`;
const PUT = `PUT ${NODES}/{node_id}`;
const DELETE = `DELETE ${NODES}/{node_id}`;

const TABLE: FieldTable = {
  name: 'string',
  node_id: 'uuid',
  project_id: 'uuid',
  status: NODE_STATUS,
  ports_mapping: 'array',
};
const PORT: FieldTable = { interface: 'string', name: 'string', port_number: 'integer', type: 'string' };

const assertNat = (record: Bag): void => {
  assertFields(record, TABLE);
  const ports = record['ports_mapping'] as Bag[];
  assert.ok(ports.length > 0);
  for (const port of ports) {
    assertFields(port, PORT);
    assert.deepEqual(Object.keys(port).sort(), Object.keys(PORT));
  }
};

const api = await startApi();
after(() => api.close());

describe('a NAT node', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  const made = async (body: Bag = {}): Promise<{ record: Bag; at: Values }> => {
    const record = await api.node(project_id, 'nat', body);
    return { record, at: { project_id, node_id: id(record) } };
  };

  it(`[${POST} 201] [fields nat] is created from any of its fields, as none is mandatory`, async () => {
    const bodies: Bag[] = [
      {},
      { name: 'outside' },
      { node_id: randomUUID() },
      { ports_mapping: [{ interface: 'nat0', name: 'nat0', port_number: 0, type: 'ethernet' }] },
      { status: 'stopped', project_id },
    ];
    for (const body of bodies) {
      const record = await api.get(201, POST, { project_id }, body);
      assertNat(record);
      for (const field of ['name', 'node_id', 'ports_mapping'])
        if (body[field] !== undefined) assert.deepEqual(record[field], body[field], field);
      assert.deepEqual(await api.get(200, GET, { project_id, node_id: id(record) }), record);
    }
    assertNat(await api.get(201, POST, { project_id }));
  });

  it('[fields nat port] has a descriptor for each port, filled up where fields are left out', async () => {
    const { record } = await made({ ports_mapping: [{}, { name: 'second' }] });
    assertNat(record);
    const ports = record['ports_mapping'] as Bag[];
    assert.deepEqual(
      ports.map((p) => [p['name'], p['port_number']]),
      [
        ['nat0', 0],
        ['second', 1],
      ],
    );
  });

  it('[fields nat] has every field with its type, made, read, updated, started and stopped', async () => {
    const { record, at } = await made();
    assertNat(record);
    assertNat(await api.get(200, GET, at));
    assertNat(await api.get(200, PUT, at, { name: 'typed' }));
    for (const action of ['stop', 'start']) {
      await api.get(204, `POST ${NODES}/{node_id}/${action}`, at);
      assertNat(await api.get(200, GET, at));
    }
  });

  it(`[${POST} 400] [rule 1] is not created in a malformed project, or from wrong or unknown fields`, async () => {
    await assertMalformedIds(api, POST, { project_id });
    await assertBrokenBodies(api, POST, { project_id });
    await assertWrongFields(
      api,
      POST,
      { project_id },
      {
        name: { name: 7 },
        node_id: { node_id: 'one' },
        ports_mapping: { ports_mapping: {} },
        'ports_mapping[0].port_number': { ports_mapping: [{ port_number: 'first' }] },
        colour: { colour: 'red' },
      },
    );
  });

  it(`[${POST} 409] [rule 3] [error 409] is not created with an id or a name that another node has`, async () => {
    const { record } = await made();
    await api.get(409, POST, { project_id }, { node_id: record['node_id'] });
    await api.get(409, POST, { project_id }, { name: record['name'] });
  });

  it(`[${GET} 200] [rule 1] is read as it was made`, async () => {
    const { record, at } = await made({ name: 'read' });
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${GET} 400] [rule 1] is not read by an identifier that is none`, async () => {
    const { at } = await made();
    await assertMalformedIds(api, GET, at);
  });

  it(`[${GET} 404] [rule 1] is not there under another id, in another project or in none`, async () => {
    const { at } = await made();
    await api.get(404, GET, { ...at, node_id: randomUUID() });
    await api.get(404, GET, { ...at, project_id: await api.project() });
    await api.get(404, GET, { ...at, project_id: randomUUID() });
  });

  it(`[${PUT} 200] [rule 2] is updated by any subset of its fields and answered in full`, async () => {
    const { record, at } = await made();
    const ports_mapping = [
      { interface: 'nat0', name: 'first', port_number: 0, type: 'ethernet' },
      { interface: 'nat0', name: 'second', port_number: 1, type: 'ethernet' },
    ];
    let expected = record;
    for (const change of [{ name: 'renamed' }, { ports_mapping }, {}, { status: record['status'] }]) {
      expected = { ...expected, ...change };
      assert.deepEqual(await api.get(200, PUT, at, change), expected);
      assert.deepEqual(await api.get(200, GET, at), expected);
    }
  });

  it(`[${PUT} 400] refuses malformed ids, bodies that are no object and wrong or unknown fields, and changes nothing`, async () => {
    const { record, at } = await made();
    await assertMalformedIds(api, PUT, at);
    await assertBrokenBodies(api, PUT, at);
    await assertWrongFields(api, PUT, at, {
      name: { name: 7 },
      ports_mapping: { ports_mapping: 'all' },
      colour: { colour: 'red' },
    });
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${PUT} 404] does not update what is not there`, async () => {
    await api.get(404, PUT, { project_id, node_id: randomUUID() }, { name: 'nobody' });
    await api.get(404, PUT, { project_id: randomUUID(), node_id: randomUUID() }, {});
  });

  it(`[${PUT} 409] [rule 3] refuses a name that another node has, and changes nothing`, async () => {
    const { record: other } = await made();
    const { record, at } = await made();
    await api.get(409, PUT, at, { name: other['name'] });
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${DELETE} 204] [convention 204] is gone once deleted`, async () => {
    const { at } = await made();
    await api.get(204, DELETE, at);
    await api.get(404, GET, at);
  });

  it(`[${DELETE} 400] is not deleted by a malformed id or with a body that is no object`, async () => {
    const { record, at } = await made();
    await assertMalformedIds(api, DELETE, at);
    await assertBrokenBodies(api, DELETE, at);
    assert.deepEqual(await api.get(200, GET, at), record);
  });

  it(`[${DELETE} 404] is not deleted twice, nor in a project that is not its own`, async () => {
    const { at } = await made();
    await api.get(404, DELETE, { ...at, project_id: randomUUID() });
    await api.get(204, DELETE, at);
    await api.get(404, DELETE, at);
  });
});
