import assert from 'node:assert/strict';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/server/config.ts';
import { VERSION } from '../../src/common/package.ts';
import { topolog } from '../cli/run.ts';
import { listen } from '../support/feed-client.ts';
import { onDisk } from '../support/own-log.ts';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { type Bag, id, startApi } from './api.ts';

const ALIASES = {
  ...{ machine_emulator: 'qemu', container: 'docker', router_emulator: 'dynamips', switch_router_emulator: 'iou' },
  ...{ desktop_vm_a: 'virtualbox', desktop_vm_b: 'vmware', simple_pc: 'vpcs', trace_tool: 'traceng' },
};
const SIMULATED = ['--simulate', ...Object.values(ALIASES).flatMap((name) => ['--engine', `${name}=simulated`])];

const api = await startApi([...SIMULATED, '--gns3-port', '0']);
after(() => api.close());
const second = api.server.running.gns3Url ?? '';
const there = async (method: string, path: string, body?: unknown): Promise<Bag> =>
  (await request(second, method, path, body)).body as Bag;

describe('the second listener', () => {
  it('serves the same lab, with the names and the version that existing tools know', async () => {
    const project_id = await api.project();
    const made = await there('POST', `/v2/projects/${project_id}/nodes`, {
      ...{ name: 'PC', node_type: 'simple_pc', compute_id: 'local' },
    });
    assert.equal(made['node_type'], 'vpcs');
    const [node] = await api.list(project_id, 'nodes');
    assert.deepEqual(node, { ...made, node_type: 'simple_pc' });

    assert.deepEqual(await there('GET', '/v2/version'), { version: '2.2.60', local: true });
    assert.deepEqual(await there('GET', '/v2/compute/version'), { version: '2.2.60', local: true });
    assert.equal((await request(second, 'POST', '/v2/version', { version: '2.2.60' })).status, 200);
    assert.equal((await request(second, 'POST', '/v2/version', { version: VERSION })).status, 409);
    for (const path of ['/v2/version', '/v2/health'])
      assert.equal((await api.get(200, `GET ${path}`))['version'], VERSION);
    assert.equal((await there('GET', '/v2/health'))['version'], VERSION);

    const { capabilities } = (await there('GET', '/v2/computes/local')) as { capabilities: Bag };
    assert.equal(capabilities['version'], '2.2.60');
    for (const name of Object.values(ALIASES)) assert.ok((capabilities['node_types'] as string[]).includes(name), name);
    const here = await there('GET', '/v2/compute/capabilities');
    for (const types of [capabilities['node_types'], here['node_types']])
      assert.deepEqual(types, [...new Set(types as string[])], 'each kind once');
    assert.deepEqual(here['node_types'], capabilities['node_types']);
    const templates = (await there('GET', '/v2/templates')) as unknown as Bag[];
    assert.ok(templates.some((template) => template['template_type'] === 'vpcs'));
  });

  it('has feeds of its own names, for what happens on either', async () => {
    const project_id = await api.project();
    const feed = `/v2/projects/${project_id}/notifications/ws`;
    const [ours, theirs] = [await listen(api.url, feed), await listen(second, feed)];
    await api.node(project_id, 'simple_pc');
    assert.equal((await ours.next('node.created')).event['node_type'], 'simple_pc');
    assert.equal((await theirs.next('node.created')).event['node_type'], 'vpcs');
    await Promise.all([ours.close(), theirs.close()]);
  });

  it('makes projects that close with their last viewer, as its clients expect; ours stay open', async () => {
    const dir = await tempDir();
    const names = [api.url, second].map((_, i) => `auto-close ${i}`);
    const archive = await (await fetch(`${api.url}/v2/projects/${await api.project()}/export`)).arrayBuffer();
    for (const [i, url] of [api.url, second].entries()) {
      const ask = async (method: string, path: string, body?: unknown): Promise<unknown> =>
        ((await request(url, method, path, body)).body as Bag)['auto_close'];
      const isOn = url === second;
      assert.equal(await ask('POST', '/v2/projects', { name: names[i] }), isOn);
      assert.equal(await ask('POST', '/v2/projects', { name: `${names[i]} said`, auto_close: !isOn }), !isOn);

      const file = path.join(dir.path, `${i}.gns3`);
      const topology = { nodes: [], links: [], drawings: [], computes: [] };
      const empty = { name: `file ${i}`, project_id: randomUUID(), type: 'topology', revision: 9, topology };
      await writeFile(file, JSON.stringify(empty));
      assert.equal(await ask('POST', '/v2/projects/load', { path: file }), isOn);
      const said = { ...empty, name: `${empty.name} said`, project_id: randomUUID(), auto_close: !isOn };
      await writeFile(file, JSON.stringify(said));
      assert.equal(await ask('POST', '/v2/projects/load', { path: file }), !isOn);

      const imported = await fetch(`${url}/v2/projects/${randomUUID()}/import`, { method: 'POST', body: archive });
      assert.equal(((await imported.json()) as Bag)['auto_close'], isOn);

      // A controller closes its projects itself.
      const project_id = randomUUID();
      await ask('POST', '/v2/compute/projects', { name: `controller ${i}`, project_id });
      assert.equal(await ask('GET', `/v2/projects/${project_id}`), false);
    }
    await dir.remove();
  });

  it('takes empty texts of an adapter, and has none in its record', async () => {
    const project_id = await api.project();
    const nodes = `/v2/projects/${project_id}/nodes`;
    const custom_adapters = [{ adapter_number: 0, port_name: '', adapter_type: 'e1000', mac_address: '' }];
    const vm = { name: 'VM', node_type: 'qemu', compute_id: 'local', port_name_format: 'Gi{0:02d}' };
    const made = await there('POST', nodes, { ...vm, custom_adapters });
    const tidy = [{ adapter_number: 0, adapter_type: 'e1000' }];
    assert.deepEqual(made['custom_adapters'], tidy);
    assert.equal((made['ports'] as Bag[])[0]?.['name'], 'Gi00');
    const named = await there('PUT', `${nodes}/${id(made)}`, {
      custom_adapters: [{ adapter_number: 0, port_name: 'a' }],
    });
    assert.equal((named['ports'] as Bag[])[0]?.['name'], 'a');
    const put = await there('PUT', `${nodes}/${id(made)}`, { custom_adapters });
    assert.deepEqual(put['custom_adapters'], tidy);
    const log = (await there('GET', `/v2/projects/${project_id}/history`)) as unknown as { events: Bag[] };
    assert.equal(JSON.stringify(log).includes('"port_name":""'), false);
  });

  it('gives routers of a file that says nothing of their memory what the existing server gives them', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    // nvram in KB, disk0 in MB.
    const usual = {
      c1700: [32, 0],
      c2600: [128, 0],
      c2691: [112, 16],
      c3600: [128, 0],
      c3725: [112, 16],
      c3745: [304, 16],
      c7200: [128, 64],
    };
    const nodes = Object.keys(usual).map((platform) => ({
      ...{ node_id: randomUUID(), name: platform, node_type: 'dynamips', compute_id: 'local', x: 0, y: 0 },
      properties: {
        platform,
        image: 'a.bin',
        ram: 128,
        dynamips_id: 1,
        ...(platform === 'c2691' ? { nvram: null } : {}),
      },
    }));
    const topology = { computes: [], drawings: [], links: [], nodes };
    const head = { name: 'routers', project_id: randomUUID(), revision: 9, type: 'topology', version: '2.2.50' };
    const file = path.join(dir.path, 'routers.gns3');
    await writeFile(file, JSON.stringify({ ...head, topology }));
    const { project_id } = await there('POST', '/v2/projects/load', { path: file });
    const loaded = (await there('GET', `/v2/projects/${String(project_id)}/nodes`)) as unknown as Bag[];
    const memory = loaded.map(({ name, properties }) => {
      const { nvram, disk0, ram } = properties as Bag;
      assert.equal(ram, 128);
      return [name, [nvram, disk0]];
    });
    assert.deepEqual(Object.fromEntries(memory), usual);
  });

  it('adds no key to the records of nodes and links', async () => {
    const project_id = await api.project();
    const pcs = [await api.node(project_id, 'simple_pc'), await api.node(project_id, 'simple_pc')];
    const nodes = pcs.map((node) => ({ node_id: id(node), adapter_number: 0, port_number: 0 }));
    const link = await there('POST', `/v2/projects/${project_id}/links`, { nodes });
    const node = await there('GET', `/v2/projects/${project_id}/nodes/${id(pcs[0] ?? {})}`);
    assert.deepEqual(
      Object.keys(link).filter((key) => !LINK.includes(key)),
      [],
    );
    assert.deepEqual(
      Object.keys(node).filter((key) => !NODE.includes(key)),
      [],
    );
  });
});

describe('both names of a kind', () => {
  // A controller that drives this server as its compute sends an image that is not there before it makes the node.
  before(async () => {
    for (const image of ['IOS/c3725.image', 'IOU/l3.bin']) {
      const file = path.join(api.server.dataDir, 'images', image);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, 'an image');
    }
  });
  const NEEDED: Readonly<Record<string, Bag>> = {
    virtualbox: { vmname: 'vm' },
    vmware: { vmx_path: '/one.vmx', linked_clone: false },
    docker: { image: 'busybox' },
    // What lies elsewhere is looked for when a node starts.
    dynamips: { platform: 'c3725', image: '/images/c3725.image', ram: 128 },
    iou: { path: '/images/l3.bin' },
  };
  for (const [token, alias] of Object.entries(ALIASES))
    it(`are taken in every path and every body, on either listener: ${token} and ${alias}`, async () => {
      const project_id = await api.project();
      const properties = NEEDED[alias] ?? {};
      for (const [url, emitted] of [
        [api.url, token],
        [second, alias],
      ] as const)
        for (const name of [token, alias]) {
          const ask = async (code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
            const answer = await request(url, method, path, body);
            assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
            return answer.body as Bag;
          };
          const base = `/v2/projects/${project_id}`;
          const given = { name: `n-${name}`, node_type: name, compute_id: 'local', properties };
          assert.equal((await ask(201, 'POST', `${base}/nodes`, given))['node_type'], emitted);
          const steps = [{ action: 'create', type: 'node', record: given }];
          const { results } = (await ask(200, 'POST', `${base}/batch`, { steps })) as { results: Bag[] };
          assert.equal(results[0]?.['node_type'], emitted);
          const compute = `/v2/compute/projects/${project_id}/${name}/nodes`;
          const of_compute = { name: `c-${name}-${emitted}`, ...properties };
          const node_id = id(await ask(201, 'POST', compute, of_compute));
          assert.equal((await ask(200, 'GET', `${base}/nodes/${node_id}`))['node_type'], emitted);
          await ask(204, 'DELETE', `${compute}/${node_id}`);
          const template = { name: `t-${name}`, template_type: name, compute_id: 'local', ...properties };
          assert.equal((await ask(201, 'POST', '/v2/templates', template))['template_type'], emitted);
        }
    });
});

describe('--gns3-port', () => {
  it('must be a port', () => {
    for (const wrong of ['x', '-1', '65536', ''])
      assert.throws(() => readConfig([`--gns3-port=${wrong}`], {}), {
        code: 'invalid_request',
        message: /--gns3-port/,
      });
    assert.equal(readConfig([], {})?.gns3Port, null);
  });

  it('is in the line that says where the server listens', { skip: onDisk() }, async () => {
    const dir = await tempDir();
    const server = await spawnServer(dir.path, ['--gns3-port', '0']);
    try {
      const [, url = ''] = /^topolog \S+ listens on \S+, names gns3 on (\S+), data in /m.exec(server.output()) ?? [];
      assert.equal(((await request(url, 'GET', '/v2/version')).body as Bag)['version'], '2.2.60');
    } finally {
      await server.kill('SIGTERM');
      assert.equal(server.child.exitCode, 0, server.output());
      await dir.remove();
    }
  });

  it('that is taken ends the start with a sentence', async () => {
    const dir = await tempDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as { port: number };
      const flags = ['--port', '0', '--gns3-port', String(port), '--data-dir', dir.path];
      const { code, stdout, stderr } = await topolog('serve', ...flags);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`port ${port} of 127\\.0\\.0\\.1 is in use by another program`));
    } finally {
      other.close();
      await dir.remove();
    }
  });
});

/** All keys that clients with closed records know. */
const LINK = [
  ...['link_id', 'link_type', 'link_style', 'project_id', 'suspend', 'nodes', 'filters'],
  ...['capturing', 'capture_file_path', 'capture_file_name', 'capture_compute_id'],
];
const NODE = [
  ...[
    'name',
    'project_id',
    'node_id',
    'compute_id',
    'node_type',
    'node_directory',
    'status',
    'ports',
    'port_name_format',
  ],
  ...['port_segment_size', 'first_port_name', 'locked', 'label', 'console', 'console_host', 'console_type'],
  ...[
    'console_auto_start',
    'command_line',
    'custom_adapters',
    'height',
    'width',
    'symbol',
    'x',
    'y',
    'z',
    'template_id',
  ],
  'properties',
];
