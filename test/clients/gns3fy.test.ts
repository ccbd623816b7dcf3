import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Bag } from '../api/api.ts';
import { bag, bags, named, reads, startClient, text } from './client.ts';
import { asLink, asNode, asProject, DRAWING, TEMPLATE } from './gns3fy-fields.ts';

/** The scripting library, method by method. It sends what it wants as JSON, and POSTs without a body where there is nothing to say. */
const client = await startClient({ accept: 'application/json' });
after(() => client.close());

let id = '';
const project = (): string => `/v2/projects/${id}`;
const listNodes = async (): Promise<Bag[]> => (await client.list(200, `GET ${project()}/nodes`)).map(asNode);
const listLinks = async (): Promise<Bag[]> => (await client.list(200, `GET ${project()}/links`)).map(asLink);
const nodeNamed = async (name: string): Promise<string> => {
  const { node_id } = named(await listNodes(), name);
  return `${project()}/nodes/${String(node_id)}`;
};

/** Project.get: by name, then everything of it. */
const getProject = async (name: string): Promise<{ nodes: Bag[]; links: Bag[] }> => {
  const found = named(await client.list(200, 'GET /v2/projects'), name);
  id = text(found, 'project_id');
  asProject(await client.get(200, `GET ${project()}`));
  const stats = await client.get(200, `GET ${project()}/stats`);
  reads(stats, { nodes: 'integer', links: 'integer', drawings: 'integer', snapshots: 'integer' });
  if (Number(stats['snapshots']) > 0)
    reads(await client.list(200, `GET ${project()}/snapshots`), { snapshot_id: 'uuid', name: 'string' });
  if (Number(stats['drawings']) > 0) reads(await client.list(200, `GET ${project()}/drawings`), DRAWING);
  const [nodes, links] = [await listNodes(), await listLinks()];
  assert.deepEqual([nodes.length, links.length], [stats['nodes'], stats['links']]);
  return { nodes, links };
};

/** Project.create_node: it looks for the name and the template, makes the node, and then gives it what was asked for. */
const createNode = async (name: string, template: string, given: Bag = {}): Promise<Bag> => {
  await listNodes();
  await client.list(200, 'GET /v2/templates');
  const { template_id } = named(await client.list(200, 'GET /v2/templates'), template);
  const place = { x: 0, y: 0, compute_id: 'local' };
  const made = asNode(await client.get(201, `POST ${project()}/templates/${String(template_id)}`, place));
  const wanted = { name, compute_id: 'local', ...given };
  return asNode(await client.get(200, `PUT ${project()}/nodes/${text(made, 'node_id')}`, wanted));
};

/** Project.create_link: ends are chosen by the names of ports. */
const createLink = async (...ends: [string, string][]): Promise<Bag> => {
  const nodes = await listNodes();
  await listLinks();
  const end = ([name, portName]: [string, string]): Bag => {
    const node = named(nodes, name);
    const { adapter_number, port_number } = named(bags(node['ports']), portName);
    return { node_id: node['node_id'], adapter_number, port_number, label: { text: portName } };
  };
  const body = { project_id: id, nodes: ends.map(end) };
  return asLink(await client.get(201, `POST ${project()}/links`, body));
};

describe('the connector', () => {
  it('reads version, projects, templates and computes', async () => {
    reads(await client.get(200, 'GET /v2/version'), { version: 'string', local: 'boolean' });
    assert.deepEqual(await client.list(200, 'GET /v2/projects'), []);
    const templates = await client.list(200, 'GET /v2/templates');
    reads(templates, TEMPLATE);
    const one = await client.get(200, `GET /v2/templates/${text(named(templates, 'VPCS'), 'template_id')}`);
    reads(one, { ...TEMPLATE, console_type: 'string' });
    const [compute] = await client.list(200, 'GET /v2/computes');
    assert.equal(compute?.['compute_id'], 'local');
    assert.deepEqual(Object.keys(await client.get(200, 'GET /v2/computes/local')), Object.keys(compute));
    reads(await client.get(200, 'GET /v2/computes/local/ports'), {
      ...{ console_port_range: 'array', console_ports: 'array', udp_port_range: 'array', udp_ports: 'array' },
    });
  });

  it('uploads an image, forwarded, and finds it in the list', async () => {
    assert.deepEqual(await client.list(200, 'GET /v2/computes/local/qemu/images'), []);
    await client.send(200, 'POST /v2/computes/local/qemu/images/disk.img', Buffer.alloc(2048, 1));
    const [image] = await client.list(200, 'GET /v2/computes/local/qemu/images');
    assert.deepEqual([image?.['filename'], image?.['filesize']], ['disk.img', 2048]);
    reads(image ?? {}, { path: 'string', md5sum: 'string' });
  });

  it('makes, changes and deletes a template', async () => {
    const given = { name: 'own switch', template_type: 'ethernet_switch', compute_id: 'local', console_type: 'none' };
    const made = await client.get(201, 'POST /v2/templates', given);
    const path = `/v2/templates/${text(made, 'template_id')}`;
    const changed = { ...(await client.get(200, `GET ${path}`)), category: 'router' };
    assert.equal((await client.get(200, `PUT ${path}`, changed))['category'], 'router');
    await client.send(204, `DELETE ${path}`);
  });

  it('is told of every failure by status and message', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    const calls: [number, string, object?][] = [
      [404, `GET /v2/projects/${none}`],
      [404, `GET /v2/templates/${none}`],
      [404, 'GET /v2/nothing'],
      [405, 'DELETE /v2/version'],
      [404, 'GET /v2/computes/elsewhere'],
      [400, 'POST /v2/projects', { name: 7 }],
    ];
    for (const [code, call, body] of calls) {
      const { status, message } = await client.get(code, call, body);
      assert.deepEqual([status, typeof message], [code, 'string'], call);
    }
  });
});

describe('a project', () => {
  before(async () => {
    // With every attribute that is not null.
    const given = { name: 'lab', auto_close: false, auto_open: false, auto_start: false, scene_width: 1500, zoom: 90 };
    id = text(asProject(await client.get(201, 'POST /v2/projects', given)), 'project_id');
  });

  it('is created, changed, closed and opened', async () => {
    assert.equal(asProject(await client.get(200, `PUT ${project()}`, { show_grid: true }))['show_grid'], true);
    assert.equal((await client.send(204, `POST ${project()}/close`)).text, '');
    await getProject('lab');
    assert.equal(asProject(await client.get(201, `POST ${project()}/open`))['status'], 'opened');
    const again = await client.get(409, 'POST /v2/projects', { name: 'lab' });
    reads(again, { status: 'integer', message: 'string' });
  });

  it('has nodes made of templates, with what was asked for', async () => {
    const first = await createNode('PC-A', 'VPCS', { x: 50, y: 60, console_type: 'telnet' });
    assert.deepEqual([first['name'], first['x'], first['y']], ['PC-A', 50, 60]);
    await createNode('PC-B', 'VPCS');
    await createNode('alpine', 'Ethernet switch', { symbol: ':/symbols/ethernet_switch.svg' });
    await client.get(404, `POST ${project()}/templates/00000000-0000-4000-8000-000000000000`, { x: 0, y: 0 });
  });

  it('has links made by the names of ports', async () => {
    await createLink(['PC-A', 'Ethernet0'], ['alpine', 'Ethernet0']);
    const link = await createLink(['PC-B', 'Ethernet0'], ['alpine', 'Ethernet1']);
    const path = `${project()}/links/${text(link, 'link_id')}`;
    assert.deepEqual(asLink(await client.get(200, `GET ${path}`)), link);
    assert.equal(asLink(await client.get(201, `PUT ${path}`, { suspend: true }))['suspend'], true);
    assert.equal(asLink(await client.get(201, `PUT ${path}`, { suspend: false, filters: {} }))['suspend'], false);
    await client.send(204, `DELETE ${path}`);
    // Link.create sends every attribute that it has.
    asLink(await client.get(201, `POST ${project()}/links`, { ...link, suspend: false }));
    reads((await listLinks())[0] ?? {}, { link_id: 'uuid', link_type: 'string' });
    const node = await nodeNamed('PC-B');
    assert.equal((await client.list(200, `GET ${node}/links`)).map(asLink).length, 1);
  });

  it('starts, reloads, suspends and stops as a whole', async () => {
    const seen = async (): Promise<unknown> => named(await listNodes(), 'PC-A')['status'];
    for (const [action, state] of [
      ['start', 'started'],
      ['reload', 'started'],
      ['stop', 'stopped'],
      ['start', 'started'],
    ]) {
      await client.send(204, `POST ${project()}/nodes/${String(action)}`);
      assert.equal(await seen(), state);
    }
    await client.send(204, `POST ${project()}/nodes/suspend`);
    assert.match(String(await seen()), /^(started|suspended)$/);
    await client.send(204, `POST ${project()}/nodes/stop`);
  });

  it('is summed up: states, consoles, ports and links', async () => {
    const { nodes, links } = await getProject('lab');
    reads(nodes, {
      name: 'string',
      status: 'string',
      console: 'integer|null',
      node_id: 'uuid',
      console_type: 'string',
    });
    for (const end of links.flatMap((link) => bags(link['nodes']))) {
      const node = nodes.find((n) => n['node_id'] === end['node_id']);
      const at = (port: Bag): boolean =>
        port['port_number'] === end['port_number'] && port['adapter_number'] === end['adapter_number'];
      assert.ok(bags(node?.['ports']).some(at), JSON.stringify(end));
    }
  });

  it('has its nodes arranged in a circle', async () => {
    const { nodes } = await getProject('lab');
    for (const [n, node] of nodes.entries()) {
      const angle = (2 * Math.PI * n) / nodes.length;
      const at = { x: Math.trunc(120 * Math.cos(angle)), y: Math.trunc(120 * Math.sin(angle)) };
      const moved = asNode(await client.get(200, `PUT ${project()}/nodes/${text(node, 'node_id')}`, at));
      assert.deepEqual([moved['x'], moved['y']], [at.x, at.y]);
    }
  });

  it('has drawings', async () => {
    const given = { svg: '<svg height="20" width="90"><text>A</text></svg>', locked: false, x: 10, y: 20, z: 0 };
    const made = await client.get(201, `POST ${project()}/drawings`, given);
    reads(made, DRAWING);
    const path = `${project()}/drawings/${text(made, 'drawing_id')}`;
    reads(await client.list(200, `GET ${project()}/drawings`), DRAWING);
    const changed = await client.get(201, `PUT ${path}`, { ...given, x: 11, z: 1 });
    assert.deepEqual([changed['x'], changed['z']], [11, 1]);
    await client.send(204, `DELETE ${path}`);
  });

  it('has snapshots', async () => {
    assert.deepEqual(await client.list(200, `GET ${project()}/snapshots`), []);
    await client.get(201, `POST ${project()}/snapshots`, { name: 'one' });
    const [snapshot] = await client.list(200, `GET ${project()}/snapshots`);
    reads(snapshot ?? {}, { snapshot_id: 'uuid', name: 'string', created_at: 'integer' });
    const path = `${project()}/snapshots/${text(snapshot ?? {}, 'snapshot_id')}`;
    const before = await listNodes();
    await client.send(204, `DELETE ${await nodeNamed('PC-B')}`);
    await client.send(201, `POST ${path}/restore`);
    // What always runs is started when a project opens.
    const stopped = (await getProject('lab')).nodes.map((node) => ({ ...node, status: 'stopped' }));
    assert.deepEqual(stopped, before);
    await client.send(204, `DELETE ${path}`);
  });

  it('has files, by names that begin with a slash as well', async () => {
    for (const name of ['notes.txt', '/sub//deep.txt']) {
      await client.send(201, `POST ${project()}/files/${name}`, `the text of ${name}`);
      assert.equal((await client.send(200, `GET ${project()}/files/${name}`)).text, `the text of ${name}`);
    }
    await client.get(404, `GET ${project()}/files/none.txt`);
  });
});

describe('a node', () => {
  it('answers each action with the state that it has reached', async () => {
    const node = await nodeNamed('PC-A');
    assert.equal(asNode(await client.get(200, `GET ${node}`))['name'], 'PC-A');
    for (const [action, state] of [
      ['start', 'started'],
      ['reload', 'started'],
      ['stop', 'stopped'],
      ['start', 'started'],
    ]) {
      const answered = asNode(await client.get(200, `POST ${node}/${String(action)}`));
      assert.equal(answered['status'], state, action);
      assert.equal((await client.get(200, `GET ${node}`))['status'], state);
    }
    assert.match(String((await client.get(200, `POST ${node}/suspend`))['status']), /^(started|suspended)$/);
    await client.list(200, `GET ${node}/links`);
  });

  it('is changed by what is named, its files written and read, and deleted', async () => {
    const node = await nodeNamed('PC-B');
    const changed = asNode(await client.get(200, `PUT ${node}`, { name: 'PC-C', z: 4 }));
    assert.deepEqual([changed['name'], changed['z'], bag(changed['label'])['text']], ['PC-C', 4, 'PC-C']);
    for (const name of ['startup.vpc', '/etc/notes'])
      for (const content of ['set pcname C\n', '']) {
        await client.send(201, `POST ${node}/files/${name}`, content);
        assert.equal((await client.send(200, `GET ${node}/files/${name}`)).text, content);
      }
    await client.send(204, `DELETE ${node}`);
    await client.get(404, `GET ${node}`);
  });
});

describe('the end of a project', () => {
  it('comes with its deletion, opened or closed', async () => {
    await client.send(204, `POST ${project()}/close`);
    const { nodes, links } = await getProject('lab');
    assert.ok(nodes.length > 0 && links.length > 0);
    await client.send(204, `DELETE ${project()}`);
    assert.deepEqual(await client.list(200, 'GET /v2/projects'), []);
  });
});
