import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Api, type Bag, id, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';

let api: Api;
let other: Api;
before(async () => {
  [api, other] = await Promise.all([startApi(), startApi()]);
});
after(() => Promise.all([api.close(), other.close()]));

const end = (node: Bag, port_number: number) => ({ node_id: node['node_id'], adapter_number: 0, port_number });

/** A lab with every sort of content, not running. */
const lab = async (): Promise<{ project_id: string; pc: Bag; directory: string }> => {
  const project_id = await api.project();
  const at = { project_id };
  const pc = await api.node(project_id, 'simple_pc', { startup_script: 'ip 10.0.0.1/24\n' });
  const router = await api.node(project_id, 'router_emulator', { startup_config_content: 'hostname R1\n' });
  const hub = await api.get(201, `POST ${P}/nodes`, at, {
    ...{ name: 'SW', node_type: 'ethernet_switch', compute_id: 'local', x: -100, y: 50 },
  });
  await api.get(201, `POST ${P}/links`, at, { nodes: [end(pc, 0), end(hub, 0)], filters: { delay: [10, 1] } });
  await api.get(201, `POST ${P}/links`, at, { nodes: [end(router, 0), end(hub, 1)], suspend: true });
  await api.get(201, `POST ${P}/drawings`, at, { svg: '<svg width="5" height="5"><rect/></svg>', x: 7 });
  await api.get(200, `PUT ${P}`, at, { scene_width: 1234, show_grid: true, variables: [{ name: 'a', value: 'b' }] });
  const { path: directory } = await api.get(200, `GET ${P}`, at);
  return { project_id, pc, directory: String(directory) };
};

const download = async (project_id: string, query = ''): Promise<{ bytes: Buffer; headers: Headers }> => {
  const answer = await fetch(`${api.url}/v2/projects/${project_id}/export${query}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.status, 200, bytes.toString().slice(0, 500));
  return { bytes, headers: answer.headers };
};

const upload = async (
  to: Api,
  project_id: string,
  body: Buffer | FormData,
  query = '',
): Promise<{ status: number; body: Bag }> => {
  const answer = await fetch(`${to.url}/v2/projects/${project_id}/import${query}`, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Bag };
};

/** What a lab is, without ids and what belongs to the server: nodes by name, links by the names at their ends. */
const essence = async (of: Api, project_id: string): Promise<unknown> => {
  const nodes = await of.list(project_id, 'nodes');
  const names = new Map(nodes.map((n) => [n['node_id'], n['name']]));
  const without = (record: Bag, keys: string[]): Bag =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
  const links = await of.list(project_id, 'links');
  const project = await of.get(200, `GET ${P}`, { project_id });
  return {
    project: without(project, ['project_id', 'path', 'filename', 'name', 'status', 'auto_close']),
    nodes: nodes.map((n) =>
      without(n, ['node_id', 'project_id', 'node_directory', 'console', 'status', 'command_line']),
    ),
    links: links.map((l) => ({
      ...without(l, ['link_id', 'project_id', 'nodes']),
      ends: (l['nodes'] as Bag[]).map((e) => ({ ...e, node_id: names.get(e['node_id']) })),
    })),
    drawings: (await of.list(project_id, 'drawings')).map((d) => without(d, ['drawing_id', 'project_id'])),
  };
};

const idsOf = async (of: Api, project_id: string): Promise<string[]> => {
  const lists = await Promise.all((['nodes', 'links', 'drawings'] as const).map((what) => of.list(project_id, what)));
  return lists.flat().map((r) => String(r['drawing_id'] ?? r['link_id'] ?? r['node_id']));
};

describe('an archive', () => {
  it('of a stopped lab, imported elsewhere, is the same lab with new ids and its files', async () => {
    const { project_id } = await lab();
    const was = await essence(api, project_id);
    const { bytes, headers } = await download(project_id);
    assert.equal(headers.get('content-type'), 'application/gns3project');
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="lab \d+\.gns3project"/);

    const new_id = randomUUID();
    const { status, body } = await upload(other, new_id, bytes);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(
      [body['project_id'], body['status'], body['auto_close'], body['auto_open'], body['auto_start']],
      [new_id, 'closed', false, false, false],
    );
    await other.get(201, `POST ${P}/open`, { project_id: new_id });
    assert.deepEqual(await essence(other, new_id), was);
    const [before, now] = [await idsOf(api, project_id), await idsOf(other, new_id)];
    assert.equal(now.length, 6);
    assert.ok(now.every((one) => !before.includes(one)));
    for (const node of await other.list(new_id, 'nodes')) {
      const file = { simple_pc: 'startup.vpc', router_emulator: 'configs' }[String(node['node_type'])];
      if (file !== undefined)
        assert.ok((await readdir(String(node['node_directory']))).includes(file), String(node['name']));
    }
    await other.get(204, `POST ${P}/nodes/start`, { project_id: new_id });
  });

  it('can be imported again, with a name that is made unique, and never under an id in use', async () => {
    const { project_id } = await lab();
    const { bytes } = await download(project_id, '?compression=none');
    const names: unknown[] = [];
    for (let n = 0; n < 2; n++) names.push((await upload(api, randomUUID(), bytes, '?name=twin')).body['name']);
    assert.deepEqual(names, ['twin', 'twin-1']);
    const taken = await upload(api, project_id, bytes);
    assert.equal(taken.status, 409);
    assert.equal((await upload(api, 'not-an-id', bytes)).status, 400);
    assert.equal((await upload(other, randomUUID(), bytes, '?path=relative')).status, 400);
  });

  it('comes as a form of a browser as well', async () => {
    const { project_id } = await lab();
    const { bytes } = await download(project_id);
    const form = new FormData();
    form.append('note', 'before it');
    form.append('file', new Blob([bytes]), 'lab.gns3project');
    const { status, body } = await upload(other, randomUUID(), form, '?name=form');
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body['name'], 'form');
  });

  it('is refused while a node runs, by name, and made of a closed project', async () => {
    const { project_id, pc } = await lab();
    await api.get(200, `POST ${P}/nodes/{node_id}/start`, { project_id, node_id: id(pc) });
    const { message } = await api.get(409, `GET ${P}/export`, { project_id });
    assert.match(String(message), new RegExp(String(pc['name'])));
    await api.get(204, `POST ${P}/close`, { project_id });
    await download(project_id);
  });

  it('is refused for a node that lies in a hypervisor, and for a compression that is not possible', async () => {
    const { project_id } = await lab();
    for (const query of ['compression=bzip2', 'compression=lzma', 'include_images=true']) {
      const answer = await fetch(`${api.url}/v2/projects/${project_id}/export?${query}`);
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), query.startsWith('comp') ? /zip or none/ : /yes or no/);
    }
    const vm = await api.node(project_id, 'desktop_vm_a');
    const { message } = await api.get(409, `GET ${P}/export`, { project_id });
    assert.match(String(message), new RegExp(String(vm['name'])));
  });

  it('has images when they are asked for; one here with other content gets another name', async () => {
    const { project_id } = await lab();
    const store = (of: Api): string => path.join(of.server.dataDir, 'images', 'IOS');
    await mkdir(store(api), { recursive: true });
    await writeFile(path.join(store(api), 'c3725.image'), 'ours');
    const { bytes } = await download(project_id, '?include_images=yes');
    const imageOf = async (query: string): Promise<unknown> => {
      const new_id = randomUUID();
      assert.equal((await upload(other, new_id, bytes, query)).status, 201);
      const router = (await other.list(new_id, 'nodes')).find((n) => n['node_type'] === 'router_emulator');
      return (router?.['properties'] as Bag)['image'];
    };
    assert.equal(await imageOf('?name=a'), 'c3725.image');
    assert.equal(await readFile(path.join(store(other), 'c3725.image'), 'utf8'), 'ours');
    assert.equal(await imageOf('?name=b'), 'c3725.image');
    assert.deepEqual(await readdir(store(other)), ['c3725.image']);
    await writeFile(path.join(store(other), 'c3725.image'), 'theirs');
    assert.equal(await imageOf('?name=c'), 'c3725-1.image');
    assert.equal(await readFile(path.join(store(other), 'c3725-1.image'), 'utf8'), 'ours');
    assert.equal(await readFile(path.join(store(other), 'c3725.image'), 'utf8'), 'theirs');
  });

  it('brings its snapshots along, to be restored where it was imported', async () => {
    const { project_id, pc } = await lab();
    await api.get(201, `POST ${P}/snapshots`, { project_id }, { name: 'early' });
    const early = await essence(api, project_id);
    await api.get(204, `DELETE ${P}/nodes/{node_id}`, { project_id, node_id: id(pc) });
    await api.get(201, `POST ${P}/snapshots`, { project_id }, { name: 'late' });
    const late = await essence(api, project_id);
    await api.get(201, `POST ${P}/drawings`, { project_id }, { svg: '<svg></svg>' });
    const last = await essence(api, project_id);
    const { bytes } = await download(project_id, '?include_snapshots=yes');

    const to = { project_id: randomUUID() };
    assert.equal((await upload(other, to.project_id, bytes)).status, 201);
    await other.get(201, `POST ${P}/open`, to);
    assert.deepEqual(await essence(other, to.project_id), last);
    const list = (await other.ask(`GET ${P}/snapshots`, to)).body as unknown as Bag[];
    assert.deepEqual(
      list.map(({ name }) => name),
      ['early', 'late'],
    );
    for (const [n, expected] of [early, late].entries()) {
      const snapshot_id = id(list[n] ?? {}, 'snapshot_id');
      await other.get(201, `POST ${P}/snapshots/{snapshot_id}/restore`, { ...to, snapshot_id });
      assert.deepEqual(await essence(other, to.project_id), expected);
    }
  });

  it('has no logs, captures or links out of the project, and keeps links inside it', async () => {
    const { project_id, pc, directory } = await lab();
    const own = String(pc['node_directory']);
    await writeFile(path.join(own, 'vpcs.log'), 'log');
    await mkdir(path.join(directory, 'project-files', 'captures'), { recursive: true });
    await writeFile(path.join(directory, 'project-files', 'captures', 'a.pcap'), 'frames');
    await symlink('startup.vpc', path.join(own, 'inside'));
    await symlink('/etc/passwd', path.join(own, 'out'));
    await symlink('../../../../x', path.join(own, 'up'));
    const { bytes } = await download(project_id);
    const new_id = randomUUID();
    assert.equal((await upload(other, new_id, bytes)).status, 201);
    const [copy] = await other.list(new_id, 'nodes');
    assert.deepEqual((await readdir(String(copy?.['node_directory']))).sort(), ['inside', 'startup.vpc']);
    assert.equal(await readFile(path.join(String(copy?.['node_directory']), 'inside'), 'utf8'), 'ip 10.0.0.1/24\n');
  });

  it('can be without the MAC addresses of its nodes', async () => {
    const project_id = await api.project();
    await api.node(project_id, 'machine_emulator', { mac_address: '0c:aa:bb:cc:00:00' });
    const imported = async (query: string): Promise<unknown> => {
      const { bytes } = await download(project_id, query);
      const new_id = randomUUID();
      assert.equal((await upload(other, new_id, bytes)).status, 201);
      const [node] = await other.list(new_id, 'nodes');
      return (node?.['properties'] as Bag)['mac_address'];
    };
    assert.equal(await imported(''), '0c:aa:bb:cc:00:00');
    assert.notEqual(await imported('?reset_mac_addresses=yes'), '0c:aa:bb:cc:00:00');
  });
});

describe('a duplicate of a project', () => {
  it('has everything with ids of its own, closed, and files that are its own', async () => {
    const { project_id, pc, directory } = await lab();
    await writeFile(path.join(directory, 'README.txt'), 'read me');
    const copy = await api.get(201, `POST ${P}/duplicate`, { project_id }, { name: `copy of ${project_id}` });
    const new_id = id(copy, 'project_id');
    assert.equal(copy['status'], 'closed');
    await api.get(201, `POST ${P}/open`, { project_id: new_id });
    assert.deepEqual(await essence(api, new_id), await essence(api, project_id));
    const before = await idsOf(api, project_id);
    assert.ok((await idsOf(api, new_id)).every((one) => !before.includes(one)));
    assert.equal(await readFile(path.join(String(copy['path']), 'README.txt'), 'utf8'), 'read me');
    const own = (await api.list(new_id, 'nodes')).find((n) => n['name'] === pc['name']);
    await writeFile(path.join(String(own?.['node_directory']), 'startup.vpc'), 'changed');
    assert.equal(await readFile(path.join(String(pc['node_directory']), 'startup.vpc'), 'utf8'), 'ip 10.0.0.1/24\n');
    await api.get(409, `POST ${P}/duplicate`, { project_id }, { name: `copy of ${project_id}` });
    await api.get(400, `POST ${P}/duplicate`, { project_id }, {});
    await api.get(404, `POST ${P}/duplicate`, { project_id: randomUUID() }, { name: 'x' });
  });

  it('goes where a local server is told to, when nothing is there, and has other MAC addresses when asked', async () => {
    const project_id = await api.project();
    await api.node(project_id, 'machine_emulator', { mac_address: '0c:aa:bb:cc:00:00' });
    const place = path.join(api.server.dataDir, 'elsewhere');
    const body = { name: null, path: place, reset_mac_addresses: true };
    const copy = await api.get(201, `POST ${P}/duplicate`, { project_id }, body);
    assert.equal(copy['path'], place);
    assert.match(String(copy['name']), /-1$/);
    const [node] = await api.list(id(copy, 'project_id'), 'nodes');
    assert.notEqual((node?.['properties'] as Bag)['mac_address'], '0c:aa:bb:cc:00:00');
    await api.get(409, `POST ${P}/duplicate`, { project_id }, body);
  });
});
