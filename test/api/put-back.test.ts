import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { id, KINDS, startApi, type Values } from './api.ts';

const NODES = '/v2/projects/{project_id}/nodes';
const NODE = `${NODES}/{node_id}`;
const COMPUTE = '/v2/compute/projects/{project_id}';
const START = `POST ${NODES}/start`;
const STOP = `POST ${NODES}/stop`;

const api = await startApi();
after(() => api.close());

/** Neither is about a change: a project file is written some time after one. */
const NO_CHANGE = new Set(['request.refused', 'project.file_written']);

/** Events of a project that change something. */
const events = async (project_id: string): Promise<string[]> => {
  const all: string[] = [];
  for (let from = 1; ;) {
    const answer = await api.server.request('GET', `/v2/projects/${project_id}/events?from=${from}&limit=1000`);
    const { events, next } = answer.body as { events: { type: string }[]; next: number | null };
    all.push(...events.map(({ type }) => type));
    if (next === null) return all.filter((type) => !NO_CHANGE.has(type));
    from = next;
  }
};

describe('a record put back as it was read', () => {
  let project_id = '';
  before(async () => {
    project_id = await api.project();
  });
  /** Puts what a read answers; the answer is the same, and no event was added. */
  const putBack = async (template: string, at: Values, code: number): Promise<void> => {
    const record = await api.get(200, `GET ${template}`, at);
    const before = await events(String(at['project_id']));
    assert.deepEqual(await api.get(code, `PUT ${template}`, at, record), record);
    assert.deepEqual(await api.get(200, `GET ${template}`, at), record);
    assert.deepEqual(await events(String(at['project_id'])), before);
  };

  it('is taken and changes nothing: a project', async () => {
    await putBack('/v2/projects/{project_id}', { project_id }, 200);
  });

  it('is taken and changes nothing: a drawing', async () => {
    const drawing = await api.get(201, 'POST /v2/projects/{project_id}/drawings', { project_id }, { x: 5 });
    const at = { project_id, drawing_id: id(drawing, 'drawing_id') };
    await putBack('/v2/projects/{project_id}/drawings/{drawing_id}', at, 201);
  });

  it('is taken and changes nothing: a link, plain and with filters, a label and a capture', async () => {
    const pcs = [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')];
    const nodes = pcs.map((n) => ({ node_id: n['node_id'], adapter_number: 0, port_number: 0 }));
    const link = await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    const at = { project_id, link_id: id(link, 'link_id') };
    const template = '/v2/projects/{project_id}/links/{link_id}';
    await putBack(template, at, 201);
    await api.get(204, START, { project_id });
    await api.get(201, `PUT ${template}`, at, {
      filters: { delay: [5, 1], packet_loss: [1] },
      link_style: { color: '#ff0000' },
      nodes: [{ node_id: pcs[0]?.['node_id'], label: { text: 'here', x: 4, y: 5 } }],
    });
    await api.get(201, `POST ${template}/start_capture`, at, {});
    await putBack(template, at, 201);
    await api.get(204, STOP, { project_id });
  });

  for (const kind of KINDS)
    it(`is taken and changes nothing: a ${kind}, in both groups, stopped and started`, async () => {
      const lab = await api.project();
      const given = kind === 'trace_tool' ? { default_destination: '169.254.1.1' } : {};
      const at = { project_id: lab, node_id: id(await api.node(lab, kind, given)) };
      for (const action of [START, STOP]) {
        await api.get(204, action, at);
        await putBack(NODE, at, 200);
        if (kind !== 'container' && kind !== 'cloud') await putBack(`${COMPUTE}/${kind}/nodes/{node_id}`, at, 200);
      }
    });

  it('is taken and changes nothing: nodes that have been named, moved and set', async () => {
    const switch_ = await api.node(project_id, 'ethernet_switch', {
      ports_mapping: [
        { name: 'Ethernet0', port_number: 0, type: 'access', vlan: 10 },
        { name: 'Ethernet1', port_number: 1, type: 'dot1q', vlan: 1 },
        { name: 'Ethernet2', port_number: 2, type: 'qinq', vlan: 5, ethertype: '0x88A8' },
      ],
    });
    const vm = await api.node(project_id, 'machine_emulator', {
      ...{ adapters: 2, custom_adapters: [{ adapter_number: 1, port_name: 'uplink' }], acpi_shutdown: true },
    });
    for (const node of [switch_, vm]) {
      const at = { project_id, node_id: id(node) };
      const changes = { x: -40, y: 12, z: 3, locked: true, label: { text: 'ignored', x: 1, y: 2, rotation: 90 } };
      await api.get(200, `PUT ${NODE}`, at, changes);
      await putBack(NODE, at, 200);
    }
    await putBack(`${COMPUTE}/machine_emulator/nodes/{node_id}`, { project_id, node_id: id(vm) }, 200);
  });
});
