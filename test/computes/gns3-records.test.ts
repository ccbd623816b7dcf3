import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { request } from '../support/server.ts';
import { type Bag, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

const TAKEN = 6000;

describe('what a GNS3 server makes of its nodes', () => {
  let lab: Gns3Lab;
  before(async () => {
    lab = await gns3Lab({ takenConsoles: [TAKEN] });
    lab.fake.faults.extraKeys = true;
    lab.fake.lab.imagesOf('qemu').set('disk.img', Buffer.from('an image'));
    lab.fake.lab.imagesOf('iou').set('l3.bin', Buffer.from('an image'));
  });
  after(() => lab.close());

  const pathOf = ({ node_id }: Bag): string => `/projects/${lab.project}/nodes/${String(node_id)}`;
  const there = ({ node_id }: Bag) => {
    const found = lab.fake.node(String(node_id));
    assert.ok(found, 'it is not there');
    return found;
  };

  it('suspends kinds that can, and goes on by a start', async () => {
    const vm = await lab.node('machine_emulator', { properties: { platform: 'x86_64' } });
    await lab.act(200, vm, 'start');
    await lab.act(200, vm, 'suspend');
    assert.deepEqual([there(vm).status, (await lab.read(vm))['status']], ['suspended', 'suspended']);
    await lab.act(200, vm, 'start');
    assert.deepEqual([there(vm).status, (await lab.read(vm))['status']], ['started', 'started']);
    await lab.act(200, vm, 'stop');
  });

  it('is not said to have suspended what it does not suspend', async () => {
    for (const [kind, properties, code] of [
      ['simple_pc', {}, 409],
      ['switch_router_emulator', { path: 'l3.bin' }, 200],
    ] as const) {
      const node = await lab.node(kind, { properties });
      await lab.act(200, node, 'start');
      await lab.act(code, node, 'suspend');
      assert.deepEqual([there(node).status, (await lab.read(node))['status']], ['started', 'started'], kind);
      await lab.act(200, node, 'stop');
    }
  });

  it('gives another console than a taken one, also when it was asked for', async () => {
    const pc = await lab.node('simple_pc', { console: TAKEN });
    assert.equal(pc['console'], there(pc).console);
    assert.notEqual(pc['console'], TAKEN);
    await lab.ask(200, 'PUT', pathOf(pc), { console: TAKEN });
    const started = await lab.act(200, pc, 'start');
    assert.equal(started['console'], there(pc).console);
    assert.notEqual(started['console'], TAKEN);
  });

  it('has no console for a switch, whatever its record says', async () => {
    const node = await lab.node('ethernet_switch');
    assert.equal(typeof there(node).console, 'number');
    assert.equal(node['console'], null);
    assert.equal((await lab.act(200, node, 'start'))['console'], null);
  });

  it('is changed by all that its record has, and by nothing else', async () => {
    const vm = await lab.node('machine_emulator', { properties: { platform: 'x86_64', hda_disk_image: 'disk.img' } });
    const changed = lab.fake.next(`PUT ${String(vm['node_id'])}`);
    await lab.ask(200, 'PUT', pathOf(vm), { properties: { ram: 1024 } });
    const body = (await changed).body as Bag;
    for (const key of ['name', 'console', 'console_type', 'ram', 'hda_disk_image', 'adapters', 'mac_address'])
      assert.ok(key in body, key);
    for (const key of ['node_id', 'linked_clone', 'acpi_shutdown', 'status', 'node_directory'])
      assert.ok(!(key in body), key);
    assert.equal(there(vm).settings['ram'], 1024);
  });

  it('gets start-up texts with the files of a node, and not in a change', async () => {
    const pc = await lab.node('simple_pc', { properties: { startup_script: 'ip 10.0.0.1/24\n' } });
    const name = `project-files/vpcs/${String(pc['node_id'])}/startup.vpc`;
    assert.equal(lab.fake.lab.filesOf(lab.project).get(name)?.toString(), 'ip 10.0.0.1/24\n');
    await lab.ask(200, 'PUT', pathOf(pc), { properties: { startup_script: 'ip 10.0.0.2/24\n' } });
    await lab.act(200, pc, 'start');
    assert.equal(lab.fake.lab.filesOf(lab.project).get(name)?.toString(), 'ip 10.0.0.2/24\n');
    await lab.act(200, pc, 'stop');
  });

  it('tells of a program that ends by itself, with what it says of that', async () => {
    const pc = await lab.node('simple_pc');
    await lab.act(200, pc, 'start');
    lab.fake.lab.exit(String(pc['node_id']), 3);
    const exited = await lab.event('node.exited', ({ node_id }) => node_id === pc['node_id']);
    assert.match(String(exited['output']), /gns3/);
    const told = await lab.event('warning.raised', ({ message }) => /return code: 3/.test(String(message)));
    assert.match(String(told['message']), /^gns3: vpcs process has stopped/);
    assert.equal((await lab.read(pc))['status'], 'stopped');
    await lab.act(200, pc, 'start');
    assert.equal(there(pc).status, 'started');
  });

  it('is left alone with frames that are none, and with nodes that nobody knows', async () => {
    const { fake } = lab;
    const pc = await lab.node('simple_pc');
    await lab.act(200, pc, 'start');
    const ghost = { node_id: randomUUID(), name: 'Ghost', status: 'stopped' };
    fake.emit('node.updated', ghost, lab.project);
    fake.emit('node.updated', { ...ghost, project_id: randomUUID() }, randomUUID());
    fake.emit('node.deleted', ghost, lab.project);
    fake.emit('nobody.knows', {}, lab.project);
    fake.emit('ping', { nothing: 1 });
    for (const text of ['no JSON', '[]', '{}', '{"action":1,"event":{}}']) fake.say(text);
    fake.say(Buffer.from([1, 2, 3]));
    fake.emit('log.error', { message: 'the last of them' }, lab.project);
    await lab.event('warning.raised', ({ message }) => String(message).endsWith('the last of them'));
    assert.equal((await lab.read(pc))['status'], 'started');
    assert.equal((await lab.ask(200, 'GET', '/computes/gns3'))['connected'], true);
  });

  it('may say three times that a node has stopped', async () => {
    const pc = await lab.node('simple_pc');
    for (let n = 0; n < 3; n++) {
      await lab.act(200, pc, 'start');
      await lab.act(200, pc, 'stop');
    }
    await lab.act(200, pc, 'start');
    assert.deepEqual(
      (await lab.events('node.exited')).filter(({ node_id }) => node_id === pc['node_id']),
      [],
    );
    assert.equal((await lab.read(pc))['status'], 'started');
  });

  it('says why a node does not start, and the node can be started again', async () => {
    const pc = await lab.node('simple_pc');
    const why = { message: 'VPCS executable is not found', exception: 'VPCSError', status: 409 };
    lab.fake.answerNext('POST /start', 409, why);
    const refused = await lab.act(409, pc, 'start');
    assert.match(String(refused['message']), /VPCS executable is not found/);
    assert.equal((await lab.read(pc))['status'], 'stopped');
    lab.fake.answerNext('POST /start', 500, { message: 'Traceback', status: 500 });
    assert.match(String((await lab.act(409, pc, 'start'))['message']), /Traceback/);
    await lab.act(200, pc, 'start');
  });

  it('is not taken for a compute that has a node of another project by the same id', async () => {
    const other = randomUUID();
    const node_id = randomUUID();
    const C = '/v2/compute/projects';
    await request(lab.fake.url, 'POST', C, { name: 'theirs', project_id: other });
    await request(lab.fake.url, 'POST', `${C}/${other}/vpcs/nodes`, { name: 'theirs', node_id });
    const mine = await lab.node('simple_pc', { node_id });
    assert.match(String((await lab.act(409, mine, 'start'))['message']), new RegExp(`in project ${other} already`));
    assert.equal(lab.fake.node(node_id)?.name, 'theirs');
    await lab.ask(204, 'DELETE', pathOf(mine));
    assert.equal(lab.fake.node(node_id)?.name, 'theirs');
  });

  it('makes again a node whose record it cannot tell', async () => {
    lab.fake.lab.imagesOf('dynamips').set('c3725.image', Buffer.from('an image'));
    const router = await lab.node('router_emulator', { properties: { platform: 'c3725', image: 'c3725.image' } });
    there(router).broken = true;
    await lab.here.restart();
    await lab.feed.closed;
    const before = there(router);
    assert.equal((await lab.act(200, router, 'start'))['status'], 'started');
    assert.notEqual(there(router), before);
    assert.equal(there(router).status, 'started');
  });
});
