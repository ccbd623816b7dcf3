import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bag, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

describe('images and files of nodes at a GNS3 server', () => {
  let lab: Gns3Lab;
  before(async () => (lab = await gns3Lab()));
  after(() => lab.close());

  const there = ({ node_id }: Bag) => {
    const found = lab.fake.node(String(node_id));
    assert.ok(found, 'it is not there');
    return found;
  };
  const image = async (folder: string, name: string, content: string): Promise<string> => {
    const file = path.join(lab.here.dataDir, 'images', folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    return createHash('md5').update(content).digest('hex');
  };
  const uploads = (name: string): string[] =>
    lab.fake.asked(({ method, path: where }) => method === 'POST' && where.endsWith(`/images/${name}`));

  it('are sent once for many nodes that need them', async () => {
    const md5 = await image('QEMU', 'big.img', 'a disk '.repeat(100_000));
    const properties = { platform: 'x86_64', hda_disk_image: 'big.img' };
    const vms = await Promise.all(Array.from({ length: 6 }, () => lab.node('machine_emulator', { properties })));
    assert.deepEqual(uploads('big.img'), ['POST /qemu/images/big.img']);
    for (const vm of vms) assert.equal(there(vm).settings['hda_disk_image_md5sum'], md5);
    await lab.node('machine_emulator', { properties });
    assert.equal(uploads('big.img').length, 1);
  });

  it('are not sent where they are, and are where another one has the name', async () => {
    await image('QEMU', 'same.img', 'the same');
    const own = await image('QEMU', 'changed.img', 'ours');
    lab.fake.lab.imagesOf('qemu').set('same.img', Buffer.from('the same'));
    lab.fake.lab.imagesOf('qemu').set('changed.img', Buffer.from('theirs'));
    const properties = { platform: 'x86_64', hda_disk_image: 'same.img', hdb_disk_image: 'changed.img' };
    // What it has was asked for before.
    lab.fake.restart();
    await lab.fake.next('GET /notifications/ws');
    await lab.ask(200, 'POST', '/computes/gns3/connect');
    const vm = await lab.node('machine_emulator', { properties });
    assert.deepEqual([uploads('same.img').length, uploads('changed.img').length], [0, 1]);
    assert.equal(there(vm).settings['hdb_disk_image_md5sum'], own);
  });

  it('are sent once more when they were taken away meanwhile', async () => {
    lab.fake.lab.imagesOf('qemu').delete('big.img');
    const properties = { platform: 'x86_64', hda_disk_image: 'big.img' };
    const vm = await lab.node('machine_emulator', { properties });
    assert.equal(uploads('big.img').length, 2);
    await lab.act(200, vm, 'start');
    await lab.act(200, vm, 'stop');
  });

  it('are named where nobody has them', async () => {
    const cases: [kind: string, folder: string, properties: Bag][] = [
      ['machine_emulator', 'qemu', { platform: 'x86_64', hda_disk_image: 'none.img' }],
      ['router_emulator', 'dynamips', { platform: 'c3725', image: 'none.img' }],
      ['switch_router_emulator', 'iou', { path: 'none.img' }],
    ];
    for (const [kind, folder, properties] of cases) {
      const node = await lab.node(kind, { properties });
      assert.equal(lab.fake.node(String(node['node_id']))?.status ?? 'stopped', 'stopped');
      const refused = await lab.act(409, node, 'start');
      assert.match(String(refused['message']), /The image none\.img is missing/, kind);
      lab.fake.lab.imagesOf(folder).set('none.img', Buffer.from('found'));
      assert.equal((await lab.act(200, node, 'start'))['status'], 'started');
      await lab.act(200, node, 'stop');
    }
  });
  it('are start-up configurations that arrive', async () => {
    await image('IOS', 'c3725.image', 'a router');
    const properties = {
      ...{ platform: 'c3725', image: 'c3725.image' },
      ...{ startup_config_content: 'hostname R1\n', private_config_content: 'end\n' },
    };
    const router = await lab.node('router_emulator', { properties });
    const files = [...lab.fake.lab.filesOf(lab.project)].filter(([name]) => name.includes(String(router['node_id'])));
    const found = Object.fromEntries(files.map(([name, bytes]) => [path.basename(name), bytes.toString()]));
    assert.deepEqual(
      Object.values(found).sort(),
      ['end\n', 'hostname R1\n'],
      JSON.stringify(files.map(([name]) => name)),
    );
  });

  it('are fetched back with an export, and not when they have not changed', async () => {
    const pc = await lab.node('simple_pc', { properties: { startup_script: 'ip 10.0.0.1/24\n' } });
    const folder = `project-files/vpcs/${String(pc['node_id'])}`;
    const files = lab.fake.lab.filesOf(lab.project);
    files.set(`${folder}/startup.vpc`, Buffer.from('ip 10.0.0.9/24\n'));
    files.set(`${folder}/new.gz`, Buffer.from('no gzip at all'));
    files.set(`${folder}/vpcs.log`, Buffer.from('what ran where'));
    const archive = await lab.here.request('GET', `/v2/projects/${lab.project}/export`);
    assert.equal(archive.status, 200, archive.text.slice(0, 300));
    const own = String((await lab.read(pc))['node_directory']);
    assert.equal(await readFile(path.join(own, 'startup.vpc'), 'utf8'), 'ip 10.0.0.9/24\n');
    assert.equal(await readFile(path.join(own, 'new.gz'), 'utf8'), 'no gzip at all');
    await assert.rejects(readFile(path.join(own, 'vpcs.log')), /ENOENT/);
    const from = lab.fake.requests.length;
    assert.equal((await lab.here.request('GET', `/v2/projects/${lab.project}/export`)).status, 200);
    assert.deepEqual(
      lab.fake.requests.slice(from).filter(({ path: where }) => /\/files\/.+/.test(where)),
      [],
    );
  });

  it('come along when a node moves there and back', async () => {
    const pc = await lab.node('simple_pc', { compute_id: 'local', properties: { startup_script: 'first\n' } });
    const at = `/projects/${lab.project}/nodes/${String(pc['node_id'])}`;
    const from = lab.fake.requests.length;
    await lab.ask(200, 'PUT', at, { compute_id: 'gns3' });
    // Files first: a node that is there has them, wherever a move was cut off.
    const made = lab.fake.requests.slice(from).filter(({ method }) => method === 'POST');
    assert.deepEqual(
      made.flatMap(({ path: where }) => /startup\.vpc$|\/nodes$/.exec(where)?.[0] ?? []),
      ['startup.vpc', '/nodes'],
    );
    const name = `project-files/vpcs/${String(pc['node_id'])}/startup.vpc`;
    const files = lab.fake.lab.filesOf(lab.project);
    assert.equal(files.get(name)?.toString(), 'first\n');
    files.set(name, Buffer.from('second\n'));
    const back = await lab.ask(200, 'PUT', at, { compute_id: 'local' });
    assert.equal(lab.fake.node(String(pc['node_id'])), undefined);
    assert.equal(await readFile(path.join(String(back['node_directory']), 'startup.vpc'), 'utf8'), 'second\n');
    assert.equal(typeof back['console'], 'number');
  });

  it('are not left there with a node whose deletion there was cut off when it moved', async () => {
    const pc = await lab.node('simple_pc');
    const id = String(pc['node_id']);
    lab.fake.answerNext(({ method, path: where }) => method === 'DELETE' && where.endsWith(id), 500, 'it is broken');
    await lab.ask(200, 'PUT', `/projects/${lab.project}/nodes/${id}`, { compute_id: 'local' });
    assert.ok(lab.fake.node(id) !== undefined);
    const deleted = lab.fake.next(({ method, path: where }) => method === 'DELETE' && where.endsWith(id));
    lab.fake.dropFeed();
    await deleted;
    assert.equal(lab.fake.node(id), undefined);
  });

  it('are there with a node that moves back while what was left of it is taken away', async () => {
    const pc = await lab.node('simple_pc');
    const id = String(pc['node_id']);
    const at = `/projects/${lab.project}/nodes/${id}`;
    const isDeletion: Parameters<typeof lab.fake.next>[0] = ({ method, path: where }) =>
      method === 'DELETE' && where.endsWith(id);
    lab.fake.answerNext(isDeletion, 500, 'it is broken');
    await lab.ask(200, 'PUT', at, { compute_id: 'local' });
    const deletion = lab.fake.stall(isDeletion, { before: true });
    lab.fake.dropFeed();
    await deletion.arrived;
    const moved = lab.ask(200, 'PUT', at, { compute_id: 'gns3' });
    await Promise.race([moved, sleep(500)]);
    deletion.release();
    await moved;
    await lab.ask(200, 'POST', `${at}/start`);
    assert.equal(lab.fake.node(id)?.['status'], 'started');
  });
});
