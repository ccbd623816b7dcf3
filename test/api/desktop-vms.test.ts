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
import { freePort } from '../support/free-port.ts';

const COMMON: FieldTable = {
  acpi_shutdown: 'boolean',
  adapter_type: 'string',
  adapters: 'integer',
  console: 'integer',
  console_type: ['telnet'],
  headless: 'boolean',
  linked_clone: 'boolean',
  name: 'string',
  node_directory: 'string|null',
  node_id: 'uuid',
  project_id: 'uuid',
  status: NODE_STATUS,
  use_any_adapter: 'boolean',
};
const TABLES: Readonly<Record<string, FieldTable>> = {
  desktop_vm_a: { ...COMMON, ram: 'integer', vmname: 'string' },
  desktop_vm_b: { ...COMMON, vmx_path: 'string' },
};

const api = await startApi();
after(() => api.close());

for (const kind of ['desktop_vm_a', 'desktop_vm_b'] as const) {
  const GET = `GET /v2/compute/projects/{project_id}/${kind}/nodes/{node_id}`;
  const PUT = `PUT /v2/compute/projects/{project_id}/${kind}/nodes/{node_id}`;
  const DELETE = `DELETE /v2/compute/projects/{project_id}/${kind}/nodes/{node_id}`;
  const table = TABLES[kind] ?? {};

  describe(`a ${kind}`, () => {
    let project_id = '';
    before(async () => {
      project_id = await api.project();
    });
    const made = async (body: Bag = {}): Promise<{ record: Bag; at: Values }> => {
      const record = await api.node(project_id, kind, body);
      return { record, at: { project_id, node_id: id(record) } };
    };
    const act = (at: Values, action: string): Promise<Bag> =>
      api.get(204, `POST /v2/compute/projects/{project_id}/${kind}/nodes/{node_id}/${action}`, at);

    it(`[${GET} 200] [rule 1] is read as it was made`, async () => {
      const { record, at } = await made({ headless: true, adapters: 3 });
      const read = await api.get(200, GET, at);
      assert.deepEqual(read, record);
      assert.deepEqual([read['headless'], read['adapters'], read['status']], [true, 3, 'stopped']);
    });

    it(`[fields ${kind}] has every field with its type, stopped, started and suspended`, async () => {
      const { record, at } = await made();
      assertFields(record, table);
      for (const [action, status] of Object.entries({ start: 'started', suspend: 'suspended', stop: 'stopped' })) {
        await act(at, action);
        const read = await api.get(200, GET, at);
        assertFields(read, table);
        assert.equal(read['status'], status);
      }
    });

    it(`[fields ${kind}] takes each of its fields alone in an update, as none is mandatory`, async () => {
      const { record, at } = await made();
      let expected = record;
      const values: Bag = {
        acpi_shutdown: true,
        adapter_type: 'e1000',
        adapters: 5,
        console: await freePort(),
        console_type: 'telnet',
        headless: true,
        linked_clone: true,
        name: `renamed ${kind}`,
        use_any_adapter: true,
        ...(kind === 'desktop_vm_a' ? { ram: 512, vmname: 'another' } : { vmx_path: '/another.vmx' }),
      };
      for (const [field, value] of Object.entries(values)) {
        // `on_close` is the other name of what acpi_shutdown says.
        const also = field === 'acpi_shutdown' ? { on_close: 'shutdown_signal' } : {};
        expected = { ...expected, ...also, [field]: value };
        assert.deepEqual(await api.get(200, PUT, at, { [field]: value }), expected, field);
      }
      assert.deepEqual(Object.keys(without(table, ...Object.keys(values))).sort(), [
        ...['node_directory', 'node_id', 'project_id', 'status'],
      ]);
    });

    it(`[${GET} 400] [rule 1] is not read by an identifier that is none`, async () => {
      const { at } = await made();
      await assertMalformedIds(api, GET, at);
    });

    it(`[${GET} 404] [rule 1] is not there under another id, in another project, in none, or as another kind`, async () => {
      const { at } = await made();
      await api.get(404, GET, { ...at, node_id: randomUUID() });
      await api.get(404, GET, { ...at, project_id: await api.project() });
      await api.get(404, GET, { ...at, project_id: randomUUID() });
      const pc = await api.node(project_id, 'simple_pc');
      await api.get(404, GET, { project_id, node_id: id(pc) });
    });

    it(`[${PUT} 200] [rule 2] keeps everything else when only console and name are sent`, async () => {
      const { record, at } = await made({ adapters: 4, headless: true });
      const change = { console: await freePort(), name: `only these ${kind}` };
      const updated = await api.get(200, PUT, at, change);
      assert.deepEqual(updated, { ...record, ...change });
      assert.deepEqual(await api.get(200, GET, at), updated);
      assert.deepEqual(await api.get(200, PUT, at, {}), updated);
    });

    it(`[${PUT} 400] refuses malformed ids, bodies that are no object and wrong or unknown fields, and changes nothing`, async () => {
      const { record, at } = await made();
      await assertMalformedIds(api, PUT, at);
      await assertBrokenBodies(api, PUT, at);
      await assertWrongFields(api, PUT, at, {
        adapters: { adapters: 'two' },
        headless: { headless: 1 },
        name: { name: '' },
        console: { console: 70_000 },
        console_type: { console_type: 'vnc' },
        colour: { colour: 'red' },
      });
      assert.deepEqual(await api.get(200, GET, at), record);
    });

    it(`[${PUT} 404] does not update what is not there`, async () => {
      await api.get(404, PUT, { project_id, node_id: randomUUID() }, { name: 'nobody' });
      await api.get(404, PUT, { project_id: randomUUID(), node_id: randomUUID() }, {});
    });

    it(`[${PUT} 409] [rule 3] [error 409] refuses a name or a console another node has, and changes nothing`, async () => {
      const { record: other } = await made();
      const { record, at } = await made();
      await api.get(409, PUT, at, { name: other['name'] });
      await api.get(409, PUT, at, { console: other['console'] });
      await api.get(409, PUT, at, { name: `free ${kind}`, console: other['console'] });
      assert.deepEqual(await api.get(200, GET, at), record);
    });

    it(`[${PUT} 409] [rule 3] refuses what cannot change while the machine runs, and takes it once it is stopped`, async () => {
      const { record, at } = await made();
      await act(at, 'start');
      const { message } = await api.get(409, PUT, at, { adapters: 6 });
      assert.match(String(message), /adapters/);
      assert.equal((await api.get(200, PUT, at, { acpi_shutdown: true }))['acpi_shutdown'], true);
      await act(at, 'stop');
      assert.equal(record['adapters'], 1);
      assert.equal((await api.get(200, PUT, at, { adapters: 6 }))['adapters'], 6);
    });

    it(`[${DELETE} 204] [convention 204] is gone once deleted, also from the project`, async () => {
      const { at } = await made();
      await act(at, 'start');
      await api.get(204, DELETE, at);
      await api.get(404, GET, at);
      const left = await api.list(project_id, 'nodes');
      assert.equal(
        left.some((n) => n['node_id'] === at['node_id']),
        false,
      );
    });

    it(`[${DELETE} 400] is not deleted by a malformed id or with a body that is no object`, async () => {
      const { record, at } = await made();
      await assertMalformedIds(api, DELETE, at);
      await assertBrokenBodies(api, DELETE, at);
      assert.deepEqual(await api.get(200, GET, at), record);
    });

    it(`[${DELETE} 404] [error 404] is not deleted twice, nor in a project that is not its own`, async () => {
      const { at } = await made();
      await api.get(404, DELETE, { ...at, project_id: randomUUID() });
      await api.get(404, DELETE, { ...at, project_id: await api.project() });
      await api.get(204, DELETE, at);
      await api.get(404, DELETE, at);
    });
  });
}
