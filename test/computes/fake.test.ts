import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { startClient } from '../clients/client.ts';
import { FakeCompute } from '../support/fake-compute.ts';
import { listen } from '../support/feed-client.ts';
import { freePort } from '../support/free-port.ts';
import { request } from '../support/server.ts';

const C = '/v2/compute';
type Bag = Record<string, unknown>;

/** What the dialogue hears: codes by the name of the step, `[existing server, Topolog]` where the two do not agree. */
const EXPECTED: readonly (readonly [step: string, ...codes: (number | [number, number])[]])[] = [
  ['capabilities', 200],
  ['interfaces, statistics, ports, images', 200, 200, 200, 200],
  ['project, twice', 201, 201],
  ['a PC and a switch', 201, 201],
  ['UDP ports', 201, 201],
  ['both NIOs', 201, 201],
  ['the NIO again, stopped', 201],
  ['start the PC, again, the switch', 200, 200, 204],
  ['filters, suspend, neither', 201, 201, 201],
  ['capture, again, stop, again, pcap', 200, 409, 204, 204, 409],
  ['change the PC, suspend, reload, reset', 200, 204, 204, 204],
  ['write a file, list, read, change the project', 201, 200, 200, 200],
  ['read a file that is not there', 404],
  ['stop both, close, again', 204, 204, 204, 404],
  ['project, node, again', 201, 201, 201],
  ['another node with that console', 201],
  ['no NIO to delete', [409, 404]],
  ['delete the node, again', 204, 404],
  ['delete the project, again', 204, 404],
  ['nothing there', 404, 404],
];

/** The calls of a controller, compute-protocol.md 6.1 and 6.2. Codes by step. */
const dialogue = async (url: string): Promise<Map<string, number[]>> => {
  const heard = new Map<string, number[]>();
  const ask = async (step: string, call: string, body?: unknown): Promise<Bag> => {
    const [method = '', where = ''] = call.split(' ');
    const answer = await request(url, method, `${C}${where}`, body, { 'content-type': 'application/json' });
    heard.set(step, [...(heard.get(step) ?? []), answer.status]);
    return (answer.body ?? {}) as Bag;
  };
  const [project_id, pc, sw] = [randomUUID(), randomUUID(), randomUUID()];
  const P = `/projects/${project_id}`;
  const N = `${P}/vpcs/nodes/${pc}`;
  const PORT = `${N}/adapters/0/ports/0`;
  await ask('capabilities', 'GET /capabilities');
  for (const what of ['network/interfaces', 'statistics', 'network/ports', 'qemu/images'])
    await ask('interfaces, statistics, ports, images', `GET /${what}`);
  for (let n = 0; n < 2; n++) await ask('project, twice', 'POST /projects', { name: 'lab', project_id });
  await ask('a PC and a switch', `POST ${P}/vpcs/nodes`, { name: 'PC1', node_id: pc });
  await ask('a PC and a switch', `POST ${P}/ethernet_switch/nodes`, { name: 'SW1', node_id: sw });
  const lports = [];
  for (let n = 0; n < 2; n++) lports.push((await ask('UDP ports', `POST ${P}/ports/udp`))['udp_port']);
  const nio = { type: 'nio_udp', rhost: '127.0.0.1', rport: await freePort(), filters: {}, suspend: false };
  await ask('both NIOs', `POST ${PORT}/nio`, { ...nio, lport: lports[0] });
  await ask('both NIOs', `POST ${P}/ethernet_switch/nodes/${sw}/adapters/0/ports/0/nio`, { ...nio, lport: lports[1] });
  await ask('the NIO again, stopped', `POST ${PORT}/nio`, { ...nio, lport: lports[0] });
  for (const node of [N, N, `${P}/ethernet_switch/nodes/${sw}`])
    await ask('start the PC, again, the switch', `POST ${node}/start`);
  for (const change of [{ filters: { delay: [5, 0] } }, { filters: { frequency_drop: [-1] }, suspend: true }, {}])
    await ask('filters, suspend, neither', `PUT ${PORT}/nio`, { ...nio, lport: lports[0], ...change });
  const capture = { capture_file_name: 'a.pcap', data_link_type: 'DLT_EN10MB' };
  for (const call of ['start_capture', 'start_capture', 'stop_capture', 'stop_capture'])
    await ask(
      'capture, again, stop, again, pcap',
      `POST ${PORT}/${call}`,
      call === 'start_capture' ? capture : undefined,
    );
  await ask('capture, again, stop, again, pcap', `GET ${PORT}/pcap`);
  const step = 'change the PC, suspend, reload, reset';
  const changed = await ask(step, `PUT ${N}`, { name: 'PC one', console_type: 'telnet' });
  for (const action of ['suspend', 'reload', 'console/reset']) await ask(step, `POST ${N}/${action}`);
  const file = `${P}/files/project-files/vpcs/${pc}/notes.txt`;
  await ask('write a file, list, read, change the project', `POST ${file}`, 'noted');
  for (const where of [`${P}/files`, file]) await ask('write a file, list, read, change the project', `GET ${where}`);
  await ask('write a file, list, read, change the project', `PUT ${P}`, { variables: null });
  await ask('read a file that is not there', `GET ${file}.old`);
  for (const where of [N, `${P}/ethernet_switch/nodes/${sw}`])
    await ask('stop both, close, again', `POST ${where}/stop`);
  for (let n = 0; n < 2; n++) await ask('stop both, close, again', `POST ${P}/close`);
  await ask('project, node, again', 'POST /projects', { name: 'lab', project_id });
  const again = { name: 'PC one', node_id: pc, console: changed['console'], console_type: 'telnet' };
  for (let n = 0; n < 2; n++) await ask('project, node, again', `POST ${P}/vpcs/nodes`, again);
  const other = await ask('another node with that console', `POST ${P}/vpcs/nodes`, {
    ...again,
    name: 'PC2',
    node_id: randomUUID(),
  });
  assert.equal(typeof other['console'], 'number');
  assert.notEqual(other['console'], changed['console']);
  const bare = String(other['node_id']);
  await ask('no NIO to delete', `DELETE ${P}/vpcs/nodes/${bare}/adapters/0/ports/0/nio`);
  for (let n = 0; n < 2; n++) await ask('delete the node, again', `DELETE ${P}/vpcs/nodes/${bare}`);
  for (let n = 0; n < 2; n++) await ask('delete the project, again', `DELETE ${P}`);
  await ask('nothing there', `GET ${P}`);
  await ask('nothing there', 'GET /nothing');
  return heard;
};

const expectedAt = (server: 0 | 1): [string, number[]][] =>
  EXPECTED.map(([step, ...codes]) => [step, codes.map((code) => (typeof code === 'number' ? code : code[server]))]);

describe('the dialogue of a controller', () => {
  it('has the codes of the existing server at the fake', async () => {
    const fake = await FakeCompute.start();
    try {
      assert.deepEqual([...(await dialogue(fake.url))], expectedAt(0));
      assert.equal(fake.asked('POST /start').length, 3);
    } finally {
      await fake.close();
    }
  });

  it('has the same at a Topolog with those names, but for what the table says', async () => {
    const topolog = await startClient({});
    try {
      assert.deepEqual([...(await dialogue(topolog.url))], expectedAt(1));
    } finally {
      await topolog.close();
    }
  });
});

// A server for each test, a project in it, and a short way to ask.
let fake: FakeCompute;
const project_id = randomUUID();
const P = `/projects/${project_id}`;
const ask = async (code: number, call: string, body?: unknown, headers: Record<string, string> = {}): Promise<Bag> => {
  const [method = '', where = ''] = call.split(' ');
  const answer = await request(fake.url, method, `${C}${where}`, body, headers);
  assert.equal(answer.status, code, `${call}: ${answer.text}`);
  return (answer.body ?? { text: answer.text }) as Bag;
};
const node = async (kind: string, body: Bag = {}): Promise<{ at: string; record: Bag }> => {
  const record = await ask(201, `POST ${P}/${kind}/nodes`, { name: kind, node_id: randomUUID(), ...body });
  return { at: `${P}/${kind}/nodes/${String(record['node_id'])}`, record };
};
const nio = (lport = 20000): Bag => ({
  type: 'nio_udp',
  lport,
  rhost: '127.0.0.1',
  rport: 30000,
  filters: {},
  suspend: false,
});

beforeEach(async () => {
  fake = await FakeCompute.start({ pingMs: 0 });
  await ask(201, 'POST /projects', { name: 'lab', project_id });
});
afterEach(() => fake.close());

describe('nodes of the fake', () => {
  it('start with the code of their kind, and tell it before', async () => {
    const feed = await listen(fake.url, `${C}/notifications/ws`);
    const bodies: Record<string, Bag> = {
      qemu: { platform: 'x86_64' },
      docker: { image: 'busybox' },
      virtualbox: { vmname: 'one' },
      vmware: { vmx_path: '/one.vmx', linked_clone: false },
    };
    const codes = { vpcs: 200, qemu: 200, docker: 204, virtualbox: 204, vmware: 204, traceng: 409 };
    for (const [kind, code] of Object.entries(codes)) {
      const { at } = await node(kind, bodies[kind]);
      await ask(code, `POST ${at}/start`);
      if (code === 409) continue;
      const frame = await feed.next('node.updated');
      assert.deepEqual([frame.event['status'], frame.project_id], ['started', project_id]);
      await ask(204, `POST ${at}/stop`);
      for (let n = 0; n < 3; n++) assert.equal((await feed.next('node.updated')).event['status'], 'stopped');
    }
    assert.equal('position' in (feed.frames[0] ?? {}), false);
    assert.equal('project_id' in (feed.frames[0] ?? {}), false);
    await feed.close();
  });

  it('that always run take start and stop, and have neither reload nor a console', async () => {
    for (const kind of ['cloud', 'nat', 'ethernet_switch', 'ethernet_hub', 'frame_relay_switch', 'atm_switch']) {
      const { at, record } = await node(kind);
      assert.equal(record['status'], 'started');
      for (const action of ['start', 'stop', 'suspend']) await ask(204, `POST ${at}/${action}`);
      for (const action of ['reload', 'console/reset'])
        assert.equal((await ask(404, `POST ${at}/${action}`))['text'], '404: Not Found');
      assert.equal((await ask(200, `GET ${at}`))['status'], 'started');
    }
    const { record } = await node('ethernet_switch', { name: 'SW2' });
    assert.deepEqual([record['console_type'], typeof record['console']], ['none', 'number']);
  });

  it('are refused with keys that are not theirs, and with the read-only ones of another kind', async () => {
    const refused = await ask(400, `POST ${P}/vpcs/nodes`, { name: 'PC1', acpi_shutdown: true });
    assert.deepEqual(refused['request'], { name: 'PC1', acpi_shutdown: true });
    const { at } = await node('qemu', { platform: 'x86_64', linked_clone: true });
    await ask(400, `PUT ${at}`, { acpi_shutdown: true });
    await ask(200, `PUT ${at}`, { name: 'VM', hda_disk_image_md5sum: null });
    const pc = await node('vpcs', { startup_script: 'ip 10.0.0.1' });
    await ask(400, `PUT ${pc.at}`, { name: 'PC', startup_script: 'ip 10.0.0.1' });
    assert.equal((await ask(404, `GET /nothing`))['text'], '404: Not Found');
    await ask(405, `DELETE ${P}/vpcs/nodes`);
    await ask(400, `GET /projects/x`);
  });

  it('are answered as they are when their id is known, of another project too', async () => {
    const { record } = await node('vpcs');
    assert.deepEqual(await ask(201, `POST ${P}/vpcs/nodes`, { name: 'other', node_id: record['node_id'] }), record);
    const other = randomUUID();
    await ask(201, 'POST /projects', { name: 'other', project_id: other });
    const known = await ask(201, `POST /projects/${other}/vpcs/nodes`, { name: 'x', node_id: record['node_id'] });
    assert.equal(known['project_id'], project_id);
    const vm = await node('qemu', { platform: 'x86_64' });
    const again = { name: 'x', node_id: vm.record['node_id'], ram: 512, platform: 'arm' };
    const applied = await ask(201, `POST ${P}/qemu/nodes`, again);
    assert.deepEqual([applied['ram'], applied['platform'], applied['name']], [512, 'x86_64', 'qemu']);
  });

  it('have what only their kind has', async () => {
    await ask(204, 'POST /dynamips/images/ios.image', 'image');
    const router = await node('dynamips', { platform: 'c3725', image: 'ios.image', ram: 128 });
    assert.match(String((await ask(200, `GET ${router.at}/auto_idlepc`))['idlepc']), /^0x[0-9a-f]{8}$/);
    await ask(200, `GET ${router.at}/idlepc_proposals`);
    await ask(404, `POST ${router.at}/resize_disk`, { drive_name: 'hda', extend: 1 });
    const vm = await node('qemu', { platform: 'x86_64' });
    await ask(201, `POST ${vm.at}/resize_disk`, { drive_name: 'hda', extend: 1 });
    await ask(404, `GET ${vm.at}/auto_idlepc`);
  });

  it('get another console than a taken one', async () => {
    const { record } = await node('vpcs', { console: 6000 });
    assert.equal(record['console'], 6000);
    assert.notEqual((await node('vpcs', { name: 'PC2', console: 6000 })).record['console'], 6000);
    assert.notEqual((await node('vpcs', { name: 'PC3', console: 80 })).record['console'], 80);
  });

  it('ask for images that are not there, and stay or not', async () => {
    const bodies: Record<string, Bag> = {
      qemu: { platform: 'x86_64', hda_disk_image: 'x.img' },
      dynamips: { platform: 'c3725', image: 'x.img', ram: 128 },
      iou: { path: 'x.img', application_id: 1 },
    };
    const after404 = { qemu: 200, dynamips: 400, iou: 404 };
    for (const [kind, code] of Object.entries(after404)) {
      const body = { name: kind, node_id: randomUUID(), ...bodies[kind] };
      const refused = await ask(409, `POST ${P}/${kind}/nodes`, body);
      assert.deepEqual(refused, {
        exception: 'ImageMissingError',
        image: 'x.img',
        message: 'The image x.img is missing',
        status: 409,
      });
      await ask(code, `GET ${P}/${kind}/nodes/${body.node_id}`);
      await ask(204, `POST /${kind}/images/x.img`, 'image');
      const made = await ask(201, `POST ${P}/${kind}/nodes`, body);
      const sum = { qemu: 'hda_disk_image_md5sum', dynamips: 'image_md5sum' }[kind] ?? 'md5sum';
      assert.equal(made[sum], '78805a221a988e79ef3f42d7c5bfd418');
    }
  });
});

describe('ports of the fake', () => {
  it('take a second NIO as their kind does', async () => {
    for (const [kind, code] of [
      ['vpcs', 201],
      ['ethernet_switch', 409],
      ['cloud', 409],
    ] as const) {
      const { at } = await node(kind);
      const PORT = `${at}/adapters/0/ports/0`;
      await ask(409, `DELETE ${PORT}/nio`);
      const made = await ask(201, `POST ${PORT}/nio`, nio());
      assert.deepEqual(made, { type: 'nio_udp', lport: 20000, rhost: '127.0.0.1', rport: 30000 });
      await ask(code, `POST ${PORT}/nio`, nio());
      await ask(kind === 'ethernet_switch' ? 405 : 201, `PUT ${PORT}/nio`, nio());
      await ask(204, `DELETE ${PORT}/nio`);
    }
    const { at } = await node('vpcs', { name: 'PC2' });
    await ask(201, `POST ${at}/adapters/0/ports/0/nio`, nio());
    await ask(200, `POST ${at}/start`);
    assert.equal((await ask(409, `POST ${at}/adapters/0/ports/0/nio`, nio()))['exception'], 'UbridgeError');
    await ask(409, `POST ${at}/adapters/3/ports/0/nio`, nio());
    await ask(400, `POST ${at}/adapters/0/ports/0/nio`, { ...nio(), more: 1 });
    const mapped = await node('frame_relay_switch', { mappings: { '1:101': '2:202' } });
    await ask(201, `POST ${mapped.at}/adapters/0/ports/1/nio`, nio());
    await ask(405, `PUT ${mapped.at}/adapters/0/ports/1/nio`, nio());
    await ask(409, `POST ${mapped.at}/adapters/0/ports/9/nio`, nio());
  });

  it('stream a capture until it ends', async () => {
    const { at, record } = await node('vpcs');
    const PORT = `${at}/adapters/0/ports/0`;
    await ask(201, `POST ${PORT}/nio`, nio());
    await ask(200, `POST ${PORT}/start_capture`, { capture_file_name: 'a.pcap', data_link_type: 'DLT_EN10MB' });
    const got = fetch(`${fake.url}${C}${PORT}/pcap`);
    const response = await got;
    fake.capture(String(record['node_id']), '0/0', Buffer.from('frame'));
    await ask(204, `POST ${PORT}/stop_capture`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([bytes.length, bytes.readUInt32LE(0), bytes.subarray(24).toString()], [29, 0xa1b2c3d4, 'frame']);
  });
});

describe('files of the fake', () => {
  it('stay when a project closes and the compute restarts, and go with the project', async () => {
    await ask(201, `POST ${P}/files/tmp/a`, 'a');
    await ask(201, `POST ${P}/files/project-files/vpcs/b`, 'b');
    await ask(204, `POST ${P}/close`);
    await ask(404, `POST ${P}/close`);
    fake.restart();
    await ask(404, `GET ${P}/files`);
    await ask(201, 'POST /projects', { name: 'lab', project_id });
    assert.deepEqual([...fake.lab.filesOf(project_id).keys()], ['project-files/vpcs/b']);
    await ask(403, `POST ${P}/files/..%2F..%2Fx`, 'x');
    await ask(204, `DELETE ${P}`);
    assert.deepEqual([...fake.lab.filesOf(project_id)], []);
  });

  it('that are compressed say that the answer is', async () => {
    await ask(201, `POST ${P}/files/a.gz`, 'no gzip');
    const sent = httpRequest(`${fake.url}${C}${P}/files/a.gz`).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(response.headers['content-encoding'], 'gzip');
    response.destroy();
  });
});

describe('faults of the fake', () => {
  it('hold an answer that is done, or a request that is not', async () => {
    const { at, record } = await node('vpcs');
    const held = fake.stall('POST /start');
    const answer = ask(200, `POST ${at}/start`);
    await held.arrived;
    assert.equal(fake.node(String(record['node_id']))?.status, 'started');
    held.release();
    await answer;
    const before_ = fake.stall('POST /stop', { before: true });
    const stopped = ask(204, `POST ${at}/stop`);
    await before_.arrived;
    assert.equal(fake.node(String(record['node_id']))?.status, 'started');
    before_.release();
    await stopped;
    assert.equal(fake.node(String(record['node_id']))?.status, 'stopped');
    fake.answerNext('POST /start', 500, { message: 'Traceback', status: 500 });
    await ask(500, `POST ${at}/start`);
    await ask(200, `POST ${at}/start`);
  });

  it('end the feed in both ways, and forget everything', async () => {
    const feed = await listen(fake.url, `${C}/notifications/ws`);
    fake.dropFeed();
    assert.equal((await feed.closed)[0], 1006);
    const other = await listen(fake.url, `${C}/notifications/ws`);
    fake.restart();
    assert.deepEqual(await other.closed, [1001, 'Server shutdown']);
    await ask(404, `GET ${P}`);
  });

  it('have versions, keys that nobody knows, and no answer at all', async () => {
    fake.version = '3.0.0';
    fake.faults.extraKeys = true;
    const capabilities = await ask(200, 'GET /capabilities');
    assert.deepEqual([capabilities['version'], capabilities['nobody_knows']], ['3.0.0', 1]);
    fake.faults.refuses = true;
    await assert.rejects(fetch(`${fake.url}${C}/capabilities`));
    fake.faults.refuses = false;
    fake.freeze();
    const late = ask(200, 'GET /capabilities');
    fake.thaw();
    await late;
    fake.faults.unauthorized = true;
    assert.equal((await ask(401, 'GET /capabilities'))['text'], '');
  });
});

describe('a fake with a password', () => {
  let closed: FakeCompute;
  const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`;
  before(async () => (closed = await FakeCompute.start({ user: 'admin', password: 'secret', pingMs: 5 })));
  after(() => closed.close());

  it('asks for it over HTTP and at the feed, and not at consoles, which begin with negotiation', async () => {
    const all = async (method: string, where: string, body?: unknown): Promise<number> =>
      (await request(closed.url, method, `${C}${where}`, body, { authorization })).status;
    assert.equal((await request(closed.url, 'GET', `${C}/capabilities`)).status, 401);
    await assert.rejects(listen(closed.url, `${C}/notifications/ws`));
    const feed = await listen(closed.url, `${C}/notifications/ws`, { authorization });
    for (let n = 0; n < 2; n++) await feed.next('ping');
    await feed.close();
    const node_id = randomUUID();
    await all('POST', '/projects', { name: 'lab', project_id });
    await all('POST', `${P}/vpcs/nodes`, { name: 'PC1', node_id });
    const at = `${closed.url.replace('http', 'ws')}${C}${P}/vpcs/nodes/${node_id}/console/ws`;
    const refused = new WebSocket(at);
    await assert.rejects(once(refused, 'open'), /409/);
    assert.equal(await all('POST', `${P}/vpcs/nodes/${node_id}/start`), 200);
    const console = new WebSocket(at);
    // Both frames can come in one turn.
    const said = on(console, 'message') as AsyncIterableIterator<[Buffer]>;
    const heard = async (): Promise<Buffer> => ((await said.next()).value as [Buffer])[0];
    assert.deepEqual([...(await heard()).subarray(0, 3)], [0xff, 0xfb, 0x01]);
    assert.equal(String(await heard()), 'vpcs> ');
    console.send('show ip\r');
    assert.equal(String(await heard()), 'show ip\r');
    console.terminate();
  });
});
