import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Bag } from '../api/api.ts';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../support/free-port.ts';
import { bag, startClient, text } from './client.ts';

/**
 * A controller of the existing server that has this one as a compute, call by call. It sends `application/json` with every call, leaves
 * empty bodies out, and makes every node again when it opens a project.
 */
const client = await startClient({ accept: '*/*', 'accept-encoding': 'gzip, deflate' });
after(() => client.close());
/** One that is not local, and has the version of its controller. */
const remote = await startClient({}, [
  ...['--no-local', '--told-version', '2.2.54'],
  ...['--allow-interface', 'lab0', '--allow-interface', 'lab1'],
]);
after(() => remote.close());

const C = '/v2/compute';
const UDP = { type: 'nio_udp', rhost: '127.0.0.1', filters: {}, suspend: false };
const newProject = async (name: string): Promise<string> => {
  const project_id = randomUUID();
  const made = await client.get(201, `POST ${C}/projects`, { name, project_id });
  assert.deepEqual(Object.keys(made).sort(), ['name', 'project_id', 'variables']);
  return `${C}/projects/${project_id}`;
};
const idOf = (project: string): string => project.split('/').at(-1) ?? '';

describe('a controller', () => {
  it('connects: it breaks on a key that it does not know', async () => {
    const capabilities = await client.get(200, `GET ${C}/capabilities`);
    assert.deepEqual(Object.keys(capabilities).sort(), ['node_types', 'platform', 'version']);
    assert.equal(capabilities['version'], '2.2.60');
  });

  it('makes nodes and a link, closes the project, and opens it again with the nodes as it knows them', async () => {
    const project = await newProject('lab');
    assert.equal(
      (await client.get(201, `POST ${C}/projects`, { name: 'lab', project_id: idOf(project) }))['name'],
      'lab',
    );
    const pc = { name: 'PC1', node_id: randomUUID() };
    const first = await client.get(201, `POST ${project}/vpcs/nodes`, pc);
    await client.get(201, `POST ${project}/ethernet_switch/nodes`, { name: 'SW1', node_id: randomUUID() });
    const port = `${project}/vpcs/nodes/${pc.node_id}/adapters/0/ports/0`;
    const { udp_port: lport } = await client.get(201, `POST ${project}/ports/udp`);
    await client.get(201, `POST ${port}/nio`, { ...UDP, lport, rport: await freePort() });
    assert.equal((await client.get(200, `POST ${project}/vpcs/nodes/${pc.node_id}/start`))['status'], 'started');
    await client.send(204, `POST ${project}/vpcs/nodes/${pc.node_id}/stop`);
    await client.send(204, `POST ${project}/close`);

    await client.get(201, `POST ${C}/projects`, { name: 'lab', project_id: idOf(project) });
    const body = { ...pc, name: 'PC one', console: first['console'], console_type: 'telnet' };
    const again = await client.get(201, `POST ${project}/vpcs/nodes`, body);
    assert.deepEqual(again, { ...first, name: 'PC one', command_line: again['command_line'] });
    // The link's end of before is still there.
    const rport = await freePort();
    const other = await client.get(201, `POST ${project}/ports/udp`);
    const nio = await client.get(201, `POST ${port}/nio`, { ...UDP, lport: other['udp_port'], rport });
    assert.deepEqual([nio['lport'], nio['rport']], [other['udp_port'], rport]);
    await client.send(204, `DELETE ${port}/nio`);
    await client.send(404, `DELETE ${port}/nio`);
  });

  it('comes back after its crash: a node that runs is answered as it is', async () => {
    const project = await newProject('crash');
    const pc = { name: 'PC1', node_id: randomUUID() };
    await client.get(201, `POST ${project}/vpcs/nodes`, pc);
    const started = await client.get(200, `POST ${project}/vpcs/nodes/${pc.node_id}/start`);
    assert.deepEqual(await client.get(201, `POST ${project}/vpcs/nodes`, pc), started);
    const none = { ...pc, console_type: 'none' };
    assert.deepEqual(await client.get(201, `POST ${project}/vpcs/nodes`, none), started);
    // The node of another project is another thing.
    await client.send(409, `POST ${await newProject('other')}/vpcs/nodes`, pc);
  });

  it('wishes for console ports', async () => {
    const taken = await freePort();
    const holder = createServer().listen(taken, '127.0.0.1');
    await once(holder, 'listening');
    const project = await newProject('consoles');
    const one = await client.get(201, `POST ${project}/vpcs/nodes`, { name: 'A', console: await freePort() });
    for (const console of [one['console'], taken]) {
      const { console: got } = await client.get(201, `POST ${project}/vpcs/nodes`, {
        name: `B${String(console)}`,
        console,
      });
      assert.equal(typeof got, 'number');
      assert.notEqual(got, console);
    }
    holder.close();
  });

  it('has projects of names that others have too', async () => {
    const [one, two] = [await newProject('same'), await newProject('same')];
    assert.equal((await client.get(200, `GET ${one}`))['name'], 'same');
    assert.equal((await client.get(200, `GET ${two}`))['name'], 'same-1');
  });

  it('is told of an image that is missing in words by which it sends it, and asks again', async () => {
    const project = await newProject('images');
    const vm = { name: 'VM1', node_id: randomUUID(), hda_disk_image: 'small.img' };
    const refused = await client.get(409, `POST ${project}/qemu/nodes`, vm);
    assert.deepEqual([refused['exception'], refused['image']], ['ImageMissingError', 'small.img']);
    await client.send(404, `GET ${project}/qemu/nodes/${vm.node_id}`);
    await client.send(204, `POST ${C}/qemu/images/small.img`, Buffer.alloc(512));
    const made = await client.get(201, `POST ${project}/qemu/nodes`, vm);
    assert.deepEqual([text(made, 'node_id'), made['hda_disk_image']], [vm.node_id, 'small.img']);
  });

  it('suspends all nodes of a project, of which a PC goes on', async () => {
    const project = await newProject('suspends');
    const pc = await client.get(201, `POST ${project}/vpcs/nodes`, { name: 'PC1' });
    const node = `${project}/vpcs/nodes/${text(pc, 'node_id')}`;
    await client.get(200, `POST ${node}/start`);
    await client.send(204, `POST ${node}/suspend`);
    assert.equal((await client.get(200, `GET ${node}`))['status'], 'started');
    const vm = await client.get(201, `POST ${project}/qemu/nodes`, { name: 'VM1' });
    const machine = `${project}/qemu/nodes/${text(vm, 'node_id')}`;
    await client.get(200, `POST ${machine}/start`);
    await client.send(204, `POST ${machine}/suspend`);
    assert.equal((await client.get(200, `GET ${machine}`))['status'], 'suspended');
  });

  /** Of images whose bytes say what they are. */
  const image = async (kind: string, name: string, ...head: number[]): Promise<string> => {
    const content = Buffer.alloc(64);
    content.set([0x7f, 0x45, 0x4c, 0x46, ...head]);
    await client.send(204, `POST ${C}/${kind}/images/${name}`, content);
    return name;
  };

  it('keeps what a record has for later creates and project files, so that it has nothing that these refuse', async () => {
    const project = await newProject('records');
    const made = (kind: string, body: object): Promise<Bag> =>
      client.get(201, `POST ${project}/${kind}/nodes`, { name: `${kind}1`, node_id: randomUUID(), ...body });
    const lacks = (record: Bag, ...keys: string[]): void => {
      for (const key of keys) assert.ok(!(key in record), `${key} of ${JSON.stringify(record)}`);
    };
    const vm = await made('qemu', { on_close: 'shutdown_signal' });
    lacks(vm, 'acpi_shutdown', 'qemu_path');
    assert.equal(vm['on_close'], 'shutdown_signal');
    assert.equal((await made('qemu', { name: 'VM2', qemu_path: 'qemu-system-arm' }))['qemu_path'], 'qemu-system-arm');
    lacks(await made('virtualbox', { vmname: 'one' }), 'acpi_shutdown');
    lacks(await made('vmware', { vmx_path: '/machines/one.vmx', linked_clone: true }), 'acpi_shutdown');
    lacks(await made('docker', { image: 'busybox' }), 'container_id');
    const ios = await image('dynamips', 'ios.image', 1, 2, 1);
    for (const platform of ['c2691', 'c3725', 'c3745', 'c7200'])
      lacks(await made('dynamips', { name: platform, platform, image: ios }), 'chassis');
    assert.equal((await made('dynamips', { platform: 'c3600', image: ios }))['chassis'], '3640');

    // The same where it hears of it later: settings of this server's own are for its own clients.
    const node = `${project}/qemu/nodes/${text(vm, 'node_id')}`;
    const own = node.replace('/compute', '').replace('/qemu', '');
    await client.get(200, `PUT ${own}`, { properties: { engine: 'simulated', simulate: { delay_ms: 1 } } });
    assert.equal(bag((await client.get(200, `GET ${own}`))['properties'])['engine'], 'simulated');
    lacks(await client.get(200, `GET ${node}`), 'acpi_shutdown', 'qemu_path', 'engine', 'simulate');
  });

  it('says nothing of what is as the existing server has it by itself', async () => {
    const project = await newProject('defaults');
    const got = async (kind: string, body: object, ...keys: string[]): Promise<unknown[]> => {
      const record = await client.get(201, `POST ${project}/${kind}/nodes`, { name: 'a-{0}', ...body });
      return keys.map((key) => record[key]);
    };
    const path = await image('iou', 'l3.bin', 1, 1, 1);
    const memory = ['ram', 'nvram', 'use_default_iou_values'];
    assert.deepEqual(await got('iou', { name: 'I1', path, application_id: 1 }, ...memory), [1024, 256, false]);
    const own = { name: 'I2', path, application_id: 2, ram: 512, nvram: 64, use_default_iou_values: true };
    assert.deepEqual(await got('iou', own, ...memory), [512, 64, true]);
    const ios = { platform: 'c3725', image: await image('dynamips', 'c3725.image', 1, 2, 1) };
    assert.deepEqual(await got('dynamips', { ...ios, name: 'R1' }, 'ram', 'nvram', 'disk0'), [128, 112, 16]);
    assert.deepEqual(await got('dynamips', { ...ios, name: 'R2', disk0: 0 }, 'nvram', 'disk0'), [112, 0]);
    assert.deepEqual(await got('qemu', { name: 'VM1' }, 'hda_disk_interface'), ['none']);
    assert.deepEqual(await got('qemu', { name: 'VM2', hda_disk_interface: 'virtio' }, 'hda_disk_interface'), [
      'virtio',
    ]);
  });

  it('hears that a project is closed already', async () => {
    const project = await newProject('closed');
    await client.send(204, `POST ${project}/close`);
    await client.send(404, `POST ${project}/close`);
  });

  it('deletes what it made', async () => {
    const projects = await client.list(200, `GET ${C}/projects`);
    for (const { project_id } of projects as readonly Bag[]) {
      await client.send(204, `DELETE ${C}/projects/${String(project_id)}`);
      await client.send(404, `DELETE ${C}/projects/${String(project_id)}`);
    }
  });
});

describe('a controller whose compute is not local', () => {
  const project = `${C}/projects/${randomUUID()}`;
  before(() => remote.get(201, `POST ${C}/projects`, { name: 'far', project_id: idOf(project) }));

  it('is told the version that it wants', async () => {
    assert.equal((await remote.get(200, `GET ${C}/capabilities`))['version'], '2.2.54');
    await remote.send(200, 'POST /v2/version', { version: '2.2.54' });
    await remote.send(409, 'POST /v2/version', { version: '2.2.60' });
  });

  it('has clouds at the interfaces that this one was told to give, and at no other', async () => {
    const port = (name: string, type = 'ethernet'): Bag => ({ name, port_number: 0, type, interface: name });
    const elsewhere = [{ name: 'eth7', type: 'ethernet', special: false }];
    const cloud = { name: 'C1', node_id: randomUUID(), ports_mapping: [port('lab0')], interfaces: elsewhere };
    const made = await remote.get(201, `POST ${project}/cloud/nodes`, cloud);
    assert.deepEqual(made['ports_mapping'], cloud.ports_mapping);
    // Those of this machine: it has none of these names.
    assert.deepEqual(made['interfaces'], []);
    const node = `${project}/cloud/nodes/${cloud.node_id}`;
    const other = await remote.get(200, `PUT ${node}`, { ports_mapping: [port('lab1', 'tap')], interfaces: elsewhere });
    assert.deepEqual([other['ports_mapping'], other['interfaces']], [[port('lab1', 'tap')], []]);
    for (const ports_mapping of [[port('eth0')], [port('lab0'), { ...port('eth0'), port_number: 1 }]]) {
      const refused = await remote.get(403, `PUT ${node}`, { ports_mapping });
      assert.match(
        text(refused, 'message'),
        /^ports_mapping: port eth0 .* --local or --allow-interface eth0 does that$/,
      );
    }
    // A cloud that asks for nothing gets no port that nobody allowed.
    const bare = await remote.get(201, `POST ${project}/cloud/nodes`, { name: 'C2' });
    assert.deepEqual([bare['ports_mapping'], bare['interfaces']], [[], []]);
  });

  it('has machines of programs that lie elsewhere here, and none of other programs', async () => {
    const made = async (qemu_path: string): Promise<unknown> =>
      (await remote.get(201, `POST ${project}/qemu/nodes`, { name: `VM${qemu_path.length}`, qemu_path }))['qemu_path'];
    assert.equal(await made('/bin/qemu-system-x86_64'), '/bin/qemu-system-x86_64');
    assert.equal(await made('/opt/qemu-9/bin/qemu-system-arm'), 'qemu-system-arm');
    assert.equal(await made(String.raw`C:\Program Files\qemu\qemu-system-i386w.exe`), 'qemu-system-i386');
    await remote.send(403, `POST ${project}/qemu/nodes`, { name: 'sh', qemu_path: '/bin/sh' });
    const vmware = { name: 'VW', vmx_path: '/machines/one.vmx', linked_clone: true };
    const { message } = await remote.get(403, `POST ${project}/vmware/nodes`, vmware);
    assert.equal(
      message,
      'vmx_path: it is a file of the server’s machine; only a server started with --local does that',
    );
  });
});
