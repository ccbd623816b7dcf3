import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { missing } from '../support/programs.ts';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

type Bag = Record<string, unknown>;

/** A GET that has a body, as some clients send it and fetch does not. */
const withBody = async (url: string, where: string, body: object): Promise<{ status: number; text: string }> => {
  const payload = JSON.stringify(body);
  const asked = httpRequest(`${url}${where}`, { headers: { 'content-length': payload.length }, agent: false });
  asked.end(payload);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
};

const [noImages, noPipe] = [await missing('qemu-img'), await missing('mkfifo')];

describe('the service operations', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer(['--simulate', '--engine', 'router_emulator=simulated']);
  });
  after(() => server.close());
  const ask = (method: string, where: string, body?: unknown): Promise<Answer> =>
    server.request(method, `/v2${where}`, body);
  const project = async (): Promise<string> => {
    const { body } = await ask('POST', '/projects', { name: `p${Math.random()}` });
    return String((body as Bag)['project_id']);
  };
  const node = async (project_id: string, kind: string, more: Bag = {}): Promise<string> => {
    const { status, body, text } = await ask('POST', `/compute/projects/${project_id}/${kind}/nodes`, {
      name: `n${Math.random()}`,
      ...more,
    });
    assert.equal(status, 201, text);
    return String((body as Bag)['node_id']);
  };

  it('this server is a compute that can be named, not changed or removed; others are added and removed', async () => {
    const { port } = new URL(server.url);
    const here = { protocol: 'http', host: '127.0.0.1', port: Number(port) };
    const added = await ask('POST', '/computes', here);
    assert.deepEqual([added.status, (added.body as Bag)['compute_id']], [201, 'local']);
    assert.equal((await ask('POST', '/computes', { ...here, compute_id: 'local', port: 1 })).status, 201);
    const other = await ask('POST', '/computes', { ...here, compute_id: 'away', port: await freePort() });
    assert.deepEqual([other.status, (other.body as Bag)['connected']], [201, false], other.text);
    assert.equal((await ask('DELETE', '/computes/away')).status, 204);
    assert.equal((await ask('PUT', '/computes/local', { ...here, host: 'localhost', name: 'local' })).status, 200);
    assert.equal((await ask('PUT', '/computes/local', { name: 'renamed' })).status, 409);
    assert.equal((await ask('PUT', '/computes/other', {})).status, 404);
    assert.equal((await ask('DELETE', '/computes/local')).status, 409);
    assert.equal((await ask('DELETE', '/computes/other')).status, 204);
  });

  it('forwards to the compute what it is asked, with the codes of the controller', async () => {
    const endpoint = await ask('GET', '/computes/endpoint/local/qemu/images/a/b.img');
    assert.deepEqual(endpoint.body, { endpoint: `${server.url}/v2/compute/qemu/images/a/b.img` });
    const ports = await ask('GET', '/computes/local/ports');
    assert.deepEqual((await ask('GET', '/computes/local/network/ports')).body, ports.body);
    assert.equal((await ask('GET', '/computes/other/qemu/images')).status, 404);
    assert.equal((await ask('GET', '/computes/local/qemu/nothing')).status, 404);
    assert.equal((await ask('PUT', '/computes/local/qemu/binaries', {})).status, 405);
    const id = await project();
    const made = await ask('POST', `/computes/local/projects/${id}/ports/udp`, {});
    assert.equal(made.status, 200);
    assert.ok(Number((made.body as Bag)['udp_port']) >= 20000);
    const bad = await ask('POST', '/computes/local/qemu/img', '{broken');
    assert.equal(bad.status, 400);
  });

  it('tells which ports are in use: of consoles, of NIOs, and reserved ones', async () => {
    const id = await project();
    const pc = await node(id, 'simple_pc');
    const nio = { type: 'nio_udp', lport: 20777, rhost: '127.0.0.1', rport: 20778 };
    await ask('POST', `/compute/projects/${id}/simple_pc/nodes/${pc}/adapters/0/ports/0/nio`, nio);
    const { udp_port } = (await ask('POST', `/compute/projects/${id}/ports/udp`)).body as { udp_port: number };
    const ports = (await ask('GET', '/compute/network/ports')).body as Record<string, number[]>;
    const { console } = (await ask('GET', `/projects/${id}/nodes/${pc}`)).body as { console: number };
    assert.ok(ports['console_ports']?.includes(console));
    assert.ok(ports['udp_ports']?.includes(20777) && ports['udp_ports'].includes(udp_port));
    assert.deepEqual(ports['udp_port_range'], [20000, 30000]);
  });

  it('records nothing for a NIO that is put again as it is', async () => {
    const id = await project();
    const pc = await node(id, 'simple_pc');
    const { udp_port } = (await ask('POST', `/compute/projects/${id}/ports/udp`)).body as { udp_port: number };
    const nio = { type: 'nio_udp', lport: udp_port, rhost: '127.0.0.1', rport: 9, filters: { delay: [5, 0] } };
    const port = `/compute/projects/${id}/simple_pc/nodes/${pc}/adapters/0/ports/0/nio`;
    assert.equal((await ask('POST', port, nio)).status, 201);
    for (const rport of [9, 9, 10, 10]) assert.equal((await ask('PUT', port, { ...nio, rport })).status, 201);
    const { body } = await ask('GET', `/projects/${id}/events?type=node.nio_added,node.nio_updated`);
    const { events } = body as { events: { type: string; data: { nio: typeof nio } }[] };
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.nio.rport]),
      [
        ['node.nio_added', 9],
        ['node.nio_updated', 10],
      ],
    );
  });

  it('tells how busy the machine is, and its interfaces', async () => {
    const own = (await ask('GET', '/compute/statistics')).body as Record<string, number>;
    assert.ok(Number(own['memory_total']) > 0 && Number(own['memory_used']) < Number(own['memory_total']));
    assert.ok(
      Object.values(own)
        .flat()
        .every((n) => Number.isInteger(n)),
    );
    const all = (await ask('GET', '/statistics')).body as { compute_id: string; statistics: Bag }[];
    assert.deepEqual(Object.keys(all[0]?.statistics ?? {}), Object.keys(own));
    const interfaces = (await ask('GET', '/compute/network/interfaces')).body as { name: string; type: string }[];
    assert.equal(
      interfaces.some(({ name }) => name === 'lo'),
      false,
    );
  });

  it('writes a text for those who look for a fault, without settings of nodes', async () => {
    const id = await project();
    await node(id, 'simple_pc', { name: 'Seen', startup_script: 'hidden words' });
    const { text, headers } = await ask('GET', '/compute/debug');
    assert.match(String(headers.get('content-type')), /^text\/plain/);
    assert.match(text, /"Seen" \(simple_pc/);
    assert.doesNotMatch(text, /hidden words/);
    assert.equal((await ask('POST', '/debug')).status, 201);
    assert.match(await readFile(path.join(server.dataDir, 'debug/debug.txt'), 'utf8'), /"Seen"/);
  });

  it('opens on reload what is to be open', async () => {
    const id = await project();
    await ask('PUT', `/projects/${id}`, { auto_open: true });
    await ask('POST', `/projects/${id}/close`);
    assert.equal((await ask('POST', '/reload')).status, 200);
    assert.equal(((await ask('GET', `/projects/${id}`)).body as Bag)['status'], 'opened');
  });

  it('tells after a shutdown was asked for, and refuses it to others than local clients', async () => {
    assert.equal((await ask('POST', '/shutdown')).status, 201);
    assert.equal(await server.running.shutdownRequested, 'anonymous at 127.0.0.1, by POST /v2/shutdown,');
    const far = await testServer(['--no-local']);
    try {
      for (const where of ['/v2/shutdown', '/v2/debug']) assert.equal((await far.request('POST', where)).status, 403);
    } finally {
      await far.close();
    }
  });

  it('says what an idle-PC value needs, for a node, for the controller and for an image', async () => {
    const id = await project();
    const router = await node(id, 'router_emulator', { platform: 'c3725', image: 'a.image', ram: 128 });
    const of = `/projects/${id}/nodes/${router}/dynamips/auto_idlepc`;
    assert.match((await ask('GET', of)).text, /must be started/);
    await ask('POST', `/projects/${id}/nodes/${router}/start`);
    for (const where of [
      of,
      `/projects/${id}/nodes/${router}/router_emulator/idlepc_proposals`,
      `/compute/projects/${id}/router_emulator/nodes/${router}/auto_idlepc`,
      `/compute/projects/${id}/dynamips/nodes/${router}/idlepc_proposals`,
    ]) {
      const { status, text } = await ask('GET', where);
      assert.equal(status, 409, where);
      assert.match(text, /needs?.*Dynamips|Dynamips runs/);
    }
    const before = ((await ask('GET', '/projects')).body as Bag[]).length;
    const wish = { platform: 'c3725', image: 'a.image', ram: 128 };
    assert.equal((await ask('POST', '/computes/local/auto_idlepc', wish)).status, 409);
    assert.equal((await ask('POST', '/computes/local/auto_idlepc', { ...wish, ram: 'much' })).status, 400);
    assert.equal(((await ask('GET', '/projects')).body as Bag[]).length, before);
    const pc = await node(id, 'simple_pc');
    assert.equal((await ask('GET', `/projects/${id}/nodes/${pc}/dynamips/auto_idlepc`)).status, 404);
  });

  it('puts the files of one node into the place of another’s', async () => {
    const id = await project();
    const from = await node(id, 'simple_pc', { startup_script: 'set pcname first\n' });
    const to = await node(id, 'simple_pc', { startup_script: 'set pcname second\n' });
    const where = `/compute/projects/${id}/simple_pc/nodes/${from}/duplicate`;
    const done = await ask('POST', where, { destination_node_id: to });
    assert.deepEqual([done.status, (done.body as Bag)['node_id']], [201, to]);
    const read = await ask('GET', `/projects/${id}/nodes/${to}/files/startup.vpc`);
    assert.equal(read.text, 'set pcname first\n');
    assert.equal((await ask('POST', where, {})).status, 400);
    assert.equal((await ask('POST', where, { destination_node_id: from })).status, 409);
    await ask('POST', `/projects/${id}/nodes/${to}/start`);
    assert.match((await ask('POST', where, { destination_node_id: to })).text, /must be stopped/);
  });

  it(
    'grows no disk that leads to a network, to files of the machine, or to what nobody writes',
    { skip: noPipe || noImages },
    async (t) => {
      // What follows the image asks there, or waits for a writer.
      const asked: string[] = [];
      const elsewhere = createServer((request, answer) => {
        asked.push(request.url ?? '');
        answer.end();
      }).listen(0, '127.0.0.1');
      t.after(() => elsewhere.close());
      await once(elsewhere, 'listening');
      const { port } = elsewhere.address() as AddressInfo;
      const folder = path.join(server.dataDir, 'images', 'QEMU');
      await mkdir(folder, { recursive: true });
      execFileSync('mkfifo', [path.join(folder, 'fifo')]);
      for (const backing of [`http://127.0.0.1:${port}/disk`, '/etc/passwd', path.join(folder, 'fifo')]) {
        execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', path.join(folder, 'led.qcow2'), '1M']);
        execFileSync('qemu-img', [
          'rebase',
          '-u',
          '-f',
          'qcow2',
          '-F',
          'raw',
          '-b',
          backing,
          path.join(folder, 'led.qcow2'),
        ]);
        const led = await ask('PUT', '/compute/qemu/img', { qemu_img: 'qemu-img', path: 'led.qcow2', extend: 5 });
        assert.equal(led.status, 409);
        assert.match(led.text, new RegExp(`led\\.qcow2 refers to ${backing}`));
      }
      assert.deepEqual(asked, []);
    },
  );

  it('makes and grows disks, only among the images, and puts it on record', { skip: noImages }, async () => {
    const img = '/compute/qemu/img';
    const disk = { qemu_img: '/usr/bin/qemu-img', path: 'made/new.qcow2', format: 'qcow2', size: 10 };
    assert.equal((await ask('POST', img, disk)).status, 201);
    assert.equal((await ask('POST', img, disk)).status, 409);
    assert.equal((await ask('POST', img, { ...disk, path: 'other', static: 'on' })).status, 400);
    assert.equal((await ask('PUT', img, { qemu_img: 'qemu-img', path: 'made/new.qcow2', extend: 5 })).status, 201);
    const file = path.join(server.dataDir, 'images/QEMU/made/new.qcow2');
    const size = (where: string): number => {
      const told = execFileSync('qemu-img', ['info', '--output=json', where], { encoding: 'utf8' });
      return (JSON.parse(told) as { 'virtual-size': number })['virtual-size'] / 1024 ** 2;
    };
    assert.equal(size(file), 15);
    assert.equal((await ask('POST', img, { ...disk, path: '../../out.qcow2' })).status, 403);
    const { body } = await ask('GET', '/events?type=operation.&limit=100');
    const logged = (body as { events: { type: string; data: Bag }[] }).events.filter(
      ({ data }) => data['operation'] === 'img',
    );
    assert.ok(logged.some(({ type, data }) => type === 'operation.finished' && data['failure'] === null));
    assert.ok(logged.some(({ type, data }) => type === 'operation.finished' && data['failure'] !== null));

    const id = await project();
    const vm = await node(id, 'machine_emulator', { hda_disk_image: 'new.qcow2', platform: 'x86_64' });
    const grown = await ask('POST', `/projects/${id}/nodes/${vm}/resize_disk`, { drive_name: 'hda', extend: 7 });
    assert.equal(grown.status, 201, grown.text);
    assert.equal(size(path.join(server.dataDir, 'projects', id, 'project-files/qemu', vm, 'hda_disk.qcow2')), 22);
    assert.equal(size(file), 15);
    const none = await ask('POST', `/projects/${id}/nodes/${vm}/resize_disk`, { drive_name: 'hdb', extend: 7 });
    assert.match(none.text, /has no disk hdb/);
  });

  it('lists the programs of this machine, those of some architectures by a body', async () => {
    const { status, body } = await ask('GET', '/compute/qemu/binaries');
    assert.equal(status, 200);
    assert.ok(
      (body as Bag[]).every((one) => path.isAbsolute(String(one['path'])) && /^\d/.test(String(one['version']))),
    );
    assert.equal((await ask('GET', '/compute/qemu/img-binaries')).status, 200);
    const some = await withBody(server.url, '/v2/computes/local/qemu/binaries', { archs: ['no_such'] });
    assert.deepEqual([some.status, JSON.parse(some.text)], [200, []]);
    const wrong = await withBody(server.url, '/v2/compute/qemu/binaries', { archs: 'x86_64' });
    assert.deepEqual([wrong.status, /archs must be an array/.test(wrong.text)], [400, true]);
    const { kvm } = (await ask('GET', '/compute/qemu/capabilities')).body as { kvm: string[] };
    assert.ok(Array.isArray(kvm));
  });
});
