import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { onDisk } from '../support/own-log.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { emptyProject, zipOf } from '../support/zip.ts';
import type { Bag } from './api.ts';

let dir: Awaited<ReturnType<typeof tempDir>>;
let data = '';
let server: ServerProcess;
const start = async (...flags: string[]): Promise<void> => {
  server = await spawnServer(data, flags);
};
beforeEach(async () => {
  dir = await tempDir();
  data = path.join(dir.path, 'data');
});
afterEach(async () => {
  await server.kill('SIGTERM');
  await dir.remove();
});

const ask = async (code: number, row: string, body: object = {}): Promise<Bag> => {
  const [method = '', at = ''] = row.split(' ');
  const answer = await request(server.url, method, at, method === 'GET' ? undefined : body);
  assert.equal(answer.status, code, `${row}: ${answer.text}`);
  return answer.body as Bag;
};
const project = async (body: object = {}): Promise<string> =>
  String((await ask(201, 'POST /v2/projects', { name: 'lab', ...body }))['project_id']);
const HOSTILE = '-drive file=/etc/shadow,format=raw';

describe('a server that is not local', { skip: onDisk() }, () => {
  it('makes and changes no node that would use its machine, by any route, and names the field', async () => {
    await start('--no-local');
    const nodes = `/v2/projects/${await project()}/nodes`;
    const compute = nodes.replace('/v2/', '/v2/compute/').replace(/nodes$/, '');
    const given = { name: 'VM', node_type: 'machine_emulator', compute_id: 'local' };
    const properties = { options: HOSTILE };
    for (const [row, body] of [
      [`POST ${nodes}`, { ...given, properties }],
      [`POST ${compute}machine_emulator/nodes`, { name: 'VM', ...properties }],
      [`POST ${compute}qemu/nodes`, { name: 'VM', qemu_path: '/bin/sh' }],
      [`POST ${compute}switch_router_emulator/nodes`, { name: 'IOU', path: '/bin/sh' }],
      [
        `POST ${nodes.replace(/nodes$/, 'batch')}`,
        { steps: [{ action: 'create', type: 'node', record: { ...given, properties } }] },
      ],
    ] as const) {
      const { code, message, field } = await ask(403, row, body);
      assert.equal(code, 'forbidden');
      assert.ok(String(message).includes(String(field)), String(message));
    }
    const { node_id } = await ask(201, `POST ${nodes}`, { ...given, properties: { options: '-nographic' } });
    await ask(403, `PUT ${nodes}/${String(node_id)}`, { properties });
    await ask(403, `PUT ${compute}machine_emulator/nodes/${String(node_id)}`, properties);
    assert.equal(((await ask(200, `GET ${nodes}`)) as unknown as Bag[]).length, 1);
  });

  it('keeps what a lab has from before, and does not start it', async () => {
    await start();
    const id = await project();
    const nodes = `/v2/projects/${id}/nodes`;
    const given = { name: 'VM', node_type: 'machine_emulator', properties: { options: HOSTILE, adapters: 0 } };
    const { node_id } = await ask(201, `POST ${nodes}`, given);
    await server.kill('SIGTERM');
    await start('--no-local');
    const node = `${nodes}/${String(node_id)}`;
    const record = await ask(200, `GET ${node}`);
    assert.equal((record['properties'] as Bag)['options'], HOSTILE);
    await ask(200, `PUT ${node}`, record);
    await ask(200, `PUT ${node}`, { properties: { ram: 512 } });
    const refused = await ask(403, `POST ${node}/start`);
    assert.match(String(refused['message']), /options: -drive/);
    assert.equal((await ask(200, `GET ${node}`))['status'], 'stopped');
    await ask(403, `POST ${node}/duplicate`, { x: 1, y: 1 });
    await ask(200, `PUT ${node}`, { properties: { options: '' } });
  });

  it('has projects only where it has them by itself, and loads none', async () => {
    await start('--no-local');
    const wished = path.join(dir.path, 'elsewhere');
    const other = path.join(data, 'projects', 'other');
    for (const at of [wished, other, `${data}/projects/../elsewhere`, '/etc/topolog', data]) {
      const refused = await ask(403, 'POST /v2/projects', { name: 'lab', path: at });
      assert.equal(refused['field'], 'path');
      await ask(403, 'POST /v2/compute/projects', { name: 'lab', path: at });
    }
    await assert.rejects(access(wished));
    const id = '6f4dbd2a-6b4e-4f0c-8d0e-0d8b5a0f1c11';
    const usual = path.join(data, 'projects', id);
    assert.equal(await project({ project_id: id, path: usual }), id);
    const file = path.join(usual, 'lab.gns3');
    assert.equal((await ask(403, 'POST /v2/projects/load', { path: file }))['code'], 'not_local');
  });
});

describe('a server that is not local, with labs from elsewhere,', { skip: onDisk() }, () => {
  const archive = (node: object): Buffer => {
    const common = {
      node_id: randomUUID(),
      name: 'VM',
      compute_id: 'local',
      node_type: 'qemu',
      console_type: 'telnet',
    };
    const topology = { nodes: [{ ...common, ...node }], links: [], drawings: [], computes: [] };
    return zipOf([{ name: 'project.gns3', data: emptyProject({ topology }) }]);
  };
  const upload = async (bytes: Buffer, query = ''): Promise<[number, string, Bag]> => {
    const id = randomUUID();
    const answer = await fetch(`${server.url}/v2/projects/${id}/import${query}`, { method: 'POST', body: bytes });
    return [answer.status, `/v2/projects/${id}`, (await answer.json()) as Bag];
  };

  it('puts an import and a copy only where it has them by itself', async () => {
    await start('--no-local');
    const wished = path.join(dir.path, 'elsewhere');
    const id = await project();
    for (const at of [wished, path.join(data, 'projects', 'other'), '/etc/topolog']) {
      const [status, , refused] = await upload(archive({}), `?path=${encodeURIComponent(at)}`);
      assert.deepEqual([status, refused['code']], [403, 'not_local'], at);
      assert.equal((await ask(403, `POST /v2/projects/${id}/duplicate`, { name: 'b', path: at }))['code'], 'not_local');
    }
    await assert.rejects(access(wished));
    assert.deepEqual(await readdir(path.join(data, 'projects')), [id]);
  });

  it('does not start what an import brings that would use its machine', async () => {
    await start('--no-local');
    const [status, at] = await upload(archive({ properties: { options: HOSTILE, adapters: 0 } }));
    assert.equal(status, 201);
    await ask(201, `POST ${at}/open`);
    const [node] = (await ask(200, `GET ${at}/nodes`)) as unknown as [Bag];
    const refused = await ask(403, `POST ${at}/nodes/${String(node['node_id'])}/start`);
    assert.match(String(refused['message']), /options: -drive/);
  });

  it('exports no file as an image that is none of its own', async () => {
    await start('--no-local');
    const secret = path.join(dir.path, 'secret');
    await writeFile(secret, 'secret');
    for (const image of [secret, '../../secret', '../../../secret']) {
      const [status, at] = await upload(archive({ properties: { hda_disk_image: image, adapters: 0 } }));
      assert.equal(status, 201);
      const refused = await ask(409, `GET ${at}/export?include_images=yes`);
      assert.match(String(refused['message']), /hda_disk_image/);
    }
  });
});

describe('a capture', { skip: onDisk() }, () => {
  it('is not written where a link leads out of its project', async () => {
    await start();
    const at = path.join(dir.path, 'lab');
    const outside = path.join(dir.path, 'outside');
    await Promise.all([mkdir(path.join(at, 'project-files'), { recursive: true }), mkdir(outside)]);
    await symlink(outside, path.join(at, 'project-files', 'captures'));
    const id = await project({ path: at });
    const nodes = `/v2/compute/projects/${id}/simple_pc/nodes`;
    const { node_id } = await ask(201, `POST ${nodes}`, { name: 'PC' });
    const start_capture = `POST ${nodes}/${String(node_id)}/adapters/0/ports/0/start_capture`;
    const refused = await ask(409, start_capture, { capture_file_name: 'a.pcap', data_link_type: 'DLT_EN10MB' });
    assert.match(String(refused['message']), /leads out of the project/);
    assert.deepEqual(await readdir(outside), []);
    for (const name of ['../a.pcap', '/etc/a.pcap', '..', 'a/b', 'a\\b', 'a\0b'])
      await ask(400, start_capture, { capture_file_name: name, data_link_type: 'DLT_EN10MB' });
  });
});

describe('texts of a node', { skip: onDisk() }, () => {
  it('are not written where a link leads out of its directory', async () => {
    await start();
    const at = path.join(dir.path, 'lab');
    const id = await project({ path: at });
    const node_id = '6f4dbd2a-6b4e-4f0c-8d0e-0d8b5a0f1c12';
    const own = path.join(at, 'project-files', 'vpcs', node_id);
    const outside = path.join(dir.path, 'outside');
    await mkdir(own, { recursive: true });
    await writeFile(outside, 'mine');
    await symlink(outside, path.join(own, 'startup.vpc'));
    const body = { name: 'PC', node_id, startup_script: 'set pcname x' };
    const refused = await ask(409, `POST /v2/compute/projects/${id}/simple_pc/nodes`, body);
    assert.match(String(refused['message']), /leads out of/);
  });
});
