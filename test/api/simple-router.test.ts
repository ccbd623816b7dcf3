import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { type Bag, id, startApi } from './api.ts';

const api = await startApi();
after(() => api.close());

const NODES = 'GET /v2/projects/{project_id}/nodes';

describe('an embedded router', () => {
  it('is a switch that joins nothing in the project file, and a router again when that is opened', async () => {
    const project_id = await api.project();
    const node = await api.node(project_id, 'simple_router', {
      ...{ port_count: 3, startup_config: 'interface 0 ip 10.0.0.1/24\n' },
    });
    await api.get(204, 'POST /v2/projects/{project_id}/close', { project_id });
    const project = await api.get(200, 'GET /v2/projects/{project_id}', { project_id });
    const file = `${String(project['path'])}/${String(project['filename'])}`;
    const written = JSON.parse(await readFile(file, 'utf8')) as { topology: { nodes: Bag[] } };
    const [entry] = written.topology.nodes;
    assert.equal(entry?.['node_type'], 'ethernet_switch');
    const ports = (entry['properties'] as { ports_mapping: Bag[] }).ports_mapping;
    assert.deepEqual(
      ports.map(({ name, vlan }) => [name, vlan]),
      [
        ['Ethernet0', 1],
        ['Ethernet1', 2],
        ['Ethernet2', 3],
      ],
    );
    const beside = JSON.parse(await readFile(`${file}.topolog.json`, 'utf8')) as Bag;
    assert.deepEqual(beside['kinds'], { [id(node)]: 'simple_router' });

    const copy = await api.get(201, 'POST /v2/projects/{project_id}/duplicate', { project_id }, { name: 'copy' });
    const [again] = (await api.get(200, NODES, { project_id: id(copy, 'project_id') })) as unknown as Bag[];
    assert.equal(again?.['node_type'], 'simple_router');
    assert.equal((again['properties'] as Bag)['port_count'], 3);
    assert.equal('ports_mapping' in (again['properties'] as Bag), false);
  });

  it('starts, and forwards what its startup configuration says', async () => {
    const project_id = await api.project();
    const node = await api.node(project_id, 'simple_router', {});
    const at = { project_id, node_id: id(node) };
    const start = 'POST /v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/start';
    const started = await api.get(200, start, at);
    assert.equal(started['status'], 'started');
    await api.get(204, 'POST /v2/compute/projects/{project_id}/simple_router/nodes/{node_id}/stop', at);
  });
});
