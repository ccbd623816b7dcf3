import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Bag } from '../api/api.ts';
import { bag, bags, named, reads, startClient, text } from './client.ts';
import { readDrawing, readLink, readNode, readProject, readTemplates } from './web-ui-fields.ts';

/** What the menus and dialogs of the web client send after its first session. */
const client = await startClient({ accept: 'application/json, text/plain, */*' });
after(() => client.close());

const NEEDED: Readonly<Record<string, Bag>> = {
  docker: { image: 'busybox:latest' },
  dynamips: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  iou: { path: 'l3.bin' },
  virtualbox: { vmname: 'a machine' },
  vmware: { vmx_path: '/machines/one.vmx' },
  qemu: { ram: 256, adapters: 2, platform: 'x86_64' },
};
const KINDS = [
  'vpcs',
  'ethernet_switch',
  'ethernet_hub',
  'cloud',
  'nat',
  'frame_relay_switch',
  'atm_switch',
  'traceng',
];

let project = '';
before(async () => {
  const { project_id } = await client.get(201, 'POST /v2/projects', { name: 'menus', project_id: randomUUID() });
  project = `/v2/projects/${String(project_id)}`;
});

const addNode = async (type: string): Promise<Bag> => {
  const body = { name: `${type}-{0}`, node_type: type, compute_id: 'local', properties: NEEDED[type] ?? {} };
  return readNode(await client.get(201, `POST ${project}/nodes`, body));
};
const pathOf = (node: Bag): string => `${project}/nodes/${text(node, 'node_id')}`;
const addLink = async (): Promise<[string, Bag, Bag[]]> => {
  const pcs = [await addNode('vpcs'), await addNode('vpcs')];
  const nodes = pcs.map((node) => ({
    ...{ node_id: node['node_id'], adapter_number: 0, port_number: 0 },
    label: { rotation: 0, style: 'font-size: 10; font-style: Verdana', text: 'e0', x: 1, y: 2 },
  }));
  const link = readLink(await client.get(201, `POST ${project}/links`, { nodes }));
  return [`${project}/links/${text(link, 'link_id')}`, link, pcs];
};
/** The link as the client keeps it. */
const whole = (link: Bag): Bag => {
  const kept = ['link_id', 'capture_file_name', 'capture_file_path', 'capturing', 'filters', 'link_type'];
  return Object.fromEntries([...kept, 'nodes', 'project_id', 'suspend'].map((key) => [key, link[key]]));
};

describe('the menu of a link', () => {
  it('sets filters, suspends and resumes, each with the whole link', async () => {
    const [path] = await addLink();
    const filters = await client.list(200, `GET ${path}/available_filters`);
    reads(filters, { type: 'string', name: 'string', description: 'string', parameters: 'array' });
    const read = readLink(await client.get(200, `GET ${path}`));
    const delayed = { ...whole(read), filters: { delay: [20, 2], packet_loss: [0], bpf: [''] } };
    assert.deepEqual(readLink(await client.get(201, `PUT ${path}`, delayed))['filters'], { delay: [20, 2] });
    for (const suspend of [true, false]) {
      const now = await client.get(200, `GET ${path}`);
      assert.equal(readLink(await client.get(201, `PUT ${path}`, { ...whole(now), suspend }))['suspend'], suspend);
    }
  });

  it('drags the label of an interface, to fractions of a pixel', async () => {
    const [path, link] = await addLink();
    const [first, second] = bags(link['nodes']);
    const label = { rotation: 0, style: 'font-size: 10', text: 'e0', x: 12.4, y: -7.6 };
    const nodes = [{ ...first, label }, second];
    const [dragged] = bags(readLink(await client.get(201, `PUT ${path}`, { nodes }))['nodes']);
    assert.deepEqual(dragged?.['label'], { ...label, x: 12, y: -8 });
  });

  it('starts and stops a capture', async () => {
    const [path, , pcs] = await addLink();
    await client.get(200, `POST ${pathOf(pcs[0] ?? {})}/start`, {});
    const started = await client.get(201, `POST ${path}/start_capture`, {
      ...{ capture_file_name: 'vpcs-1_to_vpcs-2', data_link_type: 'DLT_EN10MB' },
    });
    assert.equal(readLink(started)['capturing'], true);
    reads(started, { capture_file_name: 'string', capture_file_path: 'string' });
    assert.equal(readLink(await client.get(201, `POST ${path}/stop_capture`, {}))['capturing'], false);
    await client.send(204, `DELETE ${path}`);
  });
});

describe('the menu of a node', () => {
  for (const type of [...KINDS, ...Object.keys(NEEDED)])
    it(`reads a node and puts its dialog back with every property: ${type}`, async () => {
      const path = pathOf(await addNode(type));
      const node = readNode(await client.get(200, `GET ${path}`));
      const { console_type, console_auto_start, locked, name, properties, custom_adapters } = node;
      const dialog = { console_type, console_auto_start, locked, name, properties };
      assert.deepEqual(readNode(await client.get(200, `PUT ${path}`, dialog))['properties'], properties);
      readNode(await client.get(200, `PUT ${path}`, { ...dialog, custom_adapters }));
      const renamed = await client.get(200, `PUT ${path}`, { ...dialog, name: `renamed-${type}` });
      assert.equal(readNode(renamed)['name'], `renamed-${type}`);
      const symbol = ':/symbols/cloud.svg';
      assert.equal(readNode(await client.get(200, `PUT ${path}`, { symbol }))['symbol'], symbol);
      assert.equal(
        readNode(await client.get(200, `PUT ${path}`, { locked: true, name: `renamed-${type}` }))['locked'],
        true,
      );
      await client.get(200, `PUT ${path}`, { locked: false, name: `renamed-${type}` });
      await client.send(204, `DELETE ${path}`);
    });

  it('duplicates a node beside it', async () => {
    const node = await addNode('vpcs');
    const copy = await client.get(201, `POST ${pathOf(node)}/duplicate`, { x: 10, y: 10, z: 1 });
    assert.deepEqual([readNode(copy)['x'], copy['y'], copy['z']], [10, 10, 1]);
    assert.notEqual(copy['name'], node['name']);
  });

  it('writes and reads the texts of a node under the names that it knows', async () => {
    const write = async (node: Bag, name: string, content: string): Promise<void> => {
      await client.send(201, `POST ${pathOf(node)}/files/${name}`, content);
      assert.equal((await client.send(200, `GET ${pathOf(node)}/files/${name}`)).text, content);
    };
    await write(await addNode('vpcs'), 'startup.vpc', 'set pcname one\n');
    const iou = await addNode('iou');
    await write(iou, 'startup-config.cfg', 'hostname iou\n');
    await write(iou, 'private-config.cfg', 'end\n');
    const router = await addNode('dynamips');
    await write(router, `configs/i${text(router, 'node_id')}_startup-config.cfg`, 'hostname r1\n');
    await write(await addNode('docker'), 'etc/network/interfaces', 'auto eth0\n');
  });

  it('finds the second console of a node, if it has one', async () => {
    const router = await addNode('docker');
    reads(bag(router['properties']), { aux: 'integer|null' });
  });
});

describe('the menus of a project', () => {
  it('draw texts and shapes', async () => {
    const inner = ['<text font-size="10">a &amp; b</text>', '<ellipse cx="5" cy="5" rx="5" ry="5" />'];
    for (const shape of [...inner, '<line x1="0" x2="9" y1="0" y2="9" />', '<rect width="5" height="5" />']) {
      const svg = `<svg height="50" width="50">${shape}</svg>`;
      const drawing = readDrawing(await client.get(201, `POST ${project}/drawings`, { svg, x: 1, y: 2, z: 1 }));
      const path = `${project}/drawings/${text(drawing, 'drawing_id')}`;
      assert.equal(readDrawing(await client.get(201, `PUT ${path}`, { svg, rotation: 15, z: 2 }))['rotation'], 15);
    }
  });

  it('take, restore and delete a snapshot', async () => {
    await client.send(204, `POST ${project}/nodes/stop`, {});
    const before = await client.list(200, `GET ${project}/nodes`);
    const snapshot = await client.get(201, `POST ${project}/snapshots`, { name: 'before' });
    const [listed] = await client.list(200, `GET ${project}/snapshots`);
    assert.deepEqual(listed, snapshot);
    reads(snapshot, { snapshot_id: 'uuid', name: 'string', created_at: 'integer' });
    const path = `${project}/snapshots/${text(snapshot, 'snapshot_id')}`;
    readProject(await client.get(201, `POST ${path}/restore`, {}));
    assert.deepEqual(await client.list(200, `GET ${project}/nodes`), before);
    reads(await client.get(200, `GET ${project}/stats`), {
      ...{ nodes: 'integer', links: 'integer', drawings: 'integer', snapshots: 'integer' },
    });
    await client.send(204, `DELETE ${path}`);
  });

  it('change its settings', async () => {
    const settings = {
      ...{
        auto_close: false,
        auto_open: true,
        auto_start: true,
        drawing_grid_size: 20,
        grid_size: 50,
        name: 'menus-2',
      },
      ...{ scene_width: 3000, scene_height: 1500, show_interface_labels: true },
    };
    const changed = readProject(await client.get(200, `PUT ${project}`, settings));
    assert.deepEqual({ ...changed, ...settings }, changed);
  });

  it('copy, export and import it, the last as a form', async () => {
    for (const node of await client.list(200, `GET ${project}/nodes`))
      if (['virtualbox', 'vmware'].includes(text(node, 'node_type'))) await client.send(204, `DELETE ${pathOf(node)}`);
    assert.equal(readProject(await client.get(201, `POST ${project}/duplicate`, { name: 'copy' }))['name'], 'copy');
    const { bytes } = await client.send(200, `GET ${project}/export`);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'menus.gns3project');
    const imported = randomUUID();
    const answer = await fetch(`${client.url}/v2/projects/${imported}/import?name=again`, {
      method: 'POST',
      body: form,
    });
    assert.equal(answer.status, 201);
    assert.equal(readProject((await answer.json()) as Bag)['name'], 'again');
    await client.get(201, `POST /v2/projects/${imported}/open`, {});
    const nodes = (await client.list(200, `GET /v2/projects/${imported}/nodes`)).map(readNode);
    assert.equal(nodes.length, (await client.list(200, `GET ${project}/nodes`)).length);
    named(nodes, text(nodes[0] ?? {}, 'name'));
  });

  it('show how busy the server is', async () => {
    const [entry] = await client.list(200, 'GET /v2/statistics');
    reads(entry ?? {}, { compute_id: 'string', compute_name: 'string', statistics: 'object' });
    reads(bag(entry?.['statistics']), {
      ...{ memory_total: 'integer', memory_free: 'integer', memory_used: 'integer', swap_total: 'integer' },
      ...{ swap_free: 'integer', swap_used: 'integer', cpu_usage_percent: 'integer', memory_usage_percent: 'integer' },
      ...{ swap_usage_percent: 'integer', disk_usage_percent: 'integer', load_average_percent: 'array' },
    });
  });
});

describe('the preferences', () => {
  for (const type of ['vpcs', 'ethernet_switch', 'ethernet_hub', 'cloud', ...Object.keys(NEEDED)])
    it(`make, change and delete a template: ${type}`, async () => {
      const given = {
        ...NEEDED[type],
        name: `own ${type}`,
        template_type: type,
        compute_id: 'local',
        symbol: ':/symbols/computer.svg',
      };
      const made = await client.get(201, 'POST /v2/templates', {
        ...given,
        category: 'guest',
        template_id: randomUUID(),
      });
      readTemplates([made]);
      const path = `/v2/templates/${text(made, 'template_id')}`;
      const changed = { ...made, default_name_format: 'own-{0}' };
      assert.deepEqual(await client.get(200, `PUT ${path}`, changed), changed);
      assert.deepEqual(await client.get(200, `GET ${path}`), changed);
      named(readTemplates(await client.list(200, 'GET /v2/templates')), `own ${type}`);
      await client.send(204, `DELETE ${path}`);
    });

  it('list appliances, images, machines and binaries, whether there are any or not', async () => {
    for (const query of ['', '?update=yes']) await client.list(200, `GET /v2/appliances${query}`);
    await client.send(
      204,
      'POST /v2/compute/qemu/images/disk.qcow2',
      Buffer.from('QFI\u00fb\u0000\u0000\u0000\u0003 and so on'),
    );
    const images = await client.list(200, 'GET /v2/compute/qemu/images');
    reads(images, { filename: 'string', path: 'string', filesize: 'integer', md5sum: 'string' });
    for (const kind of ['iou', 'dynamips']) await client.list(200, `GET /v2/compute/${kind}/images`);
    await client.send(204, 'POST /v2/compute/iou/images/l3.bin', Buffer.from('\u007fELF\u0001\u0001\u0001', 'latin1'));
    const binaries = await client.list(200, 'GET /v2/computes/local/qemu/binaries');
    if (binaries.length > 0) reads(binaries, { path: 'string', version: 'string' });
    assert.equal((await client.get(404, 'POST /v2/iou/images/l3.bin', {}))['status'], 404);
  });

  it('ask for what needs a program, and are told which where it is not there', async () => {
    for (const call of [
      'GET /v2/compute/docker/images',
      'GET /v2/compute/virtualbox/vms',
      'GET /v2/compute/vmware/vms',
      'POST /v2/compute/qemu/img',
    ]) {
      const [method = '', path = ''] = call.split(' ');
      const body = { qemu_img: '/usr/bin/qemu-img', path: 'new.qcow2', format: 'qcow2', size: 1 };
      const answer = await fetch(
        `${client.url}${path}`,
        method === 'GET' ? {} : { method, body: JSON.stringify(body) },
      );
      const found: unknown = answer.status === 201 ? null : await answer.json();
      if (answer.status === 409) reads(bag(found), { status: 'integer', message: 'string' });
      else
        assert.ok(
          answer.status === (method === 'GET' ? 200 : 201),
          `${call}: ${answer.status} ${JSON.stringify(found)}`,
        );
    }
  });

  it('show the helper machine, which is off', async () => {
    const settings = await client.get(200, 'GET /v2/gns3vm');
    reads(settings, { enable: 'boolean', engine: 'string', vmname: 'string|null', when_exit: 'string' });
    const engines = await client.list(200, 'GET /v2/gns3vm/engines');
    for (const engine of engines) await client.list(200, `GET /v2/gns3vm/engines/${text(engine, 'engine_id')}/vms`);
    await client.send(201, 'PUT /v2/gns3vm', settings);
  });
});
