import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { GREETING, greetingOf, startRfbServer } from '../support/rfb-server.ts';
import { type Bag, type Gns3Lab, gns3Lab } from './gns3-lab.ts';
import { waitFor } from '../support/wait-for.ts';

/** Octets of the header of a capture file. */
const HEADER = 24;

/** The file once it has so many octets. */
const fileOf = (file: string, octets: number): Promise<Buffer> =>
  waitFor(`${file} has ${octets} octets`, async () => {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    return bytes.length >= octets && bytes;
  });

describe('captures and consoles of nodes at a GNS3 server', () => {
  let lab: Gns3Lab;
  let pc: Bag;
  let link: string;
  before(async () => {
    lab = await gns3Lab();
    pc = await lab.node('simple_pc');
    const sw = await lab.node('ethernet_switch');
    const ends = [pc, sw].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const made = await lab.ask(201, 'POST', `/projects/${lab.project}/links`, { nodes: ends });
    link = `/projects/${lab.project}/links/${String(made['link_id'])}`;
  });
  after(() => lab.close());

  const console_ = (node: Bag): WebSocket =>
    new WebSocket(
      `${lab.here.url.replace('http', 'ws')}/v2/projects/${lab.project}/nodes/${String(node['node_id'])}/console/ws`,
    );

  /** The end of the link that is captured. */
  const end = () => [...lab.fake.lab.nodes.values()].find(({ captures }) => captures.size > 0);
  const capture = (record: Buffer): void => lab.fake.capture(end()?.node_id ?? '', '0/0', record);

  it('says of a console that its node is stopped', async () => {
    const refused = console_(pc);
    await assert.rejects(once(refused, 'open'), /409/);
  });

  it('passes text on, and answers the negotiation itself', async () => {
    await lab.act(200, pc, 'start');
    const socket = console_(pc);
    let seen = Buffer.alloc(0);
    socket.on('message', (data: Buffer) => (seen = Buffer.concat([seen, data])));
    const says = async (text: string): Promise<void> => {
      while (!seen.toString('latin1').includes(text)) await once(socket, 'message');
    };
    await says('vpcs> ');
    socket.send('show ip\r');
    await says('show ip');
    assert.ok(!seen.includes(0xff), seen.toString('latin1'));
    socket.terminate();
  });

  it('shows a screen that it reaches at the port there', async () => {
    const vm = await lab.node('machine_emulator', { console_type: 'vnc' });
    const server = await startRfbServer();
    const there = lab.fake.lab.nodes.get(String(vm['node_id'])) ?? assert.fail('the node is not there');
    there.console = server.port;
    await lab.act(200, vm, 'start');
    const socket = console_(vm);
    assert.equal(await greetingOf(socket), GREETING);
    socket.terminate();
    await server.close();
  });

  it('brings what is captured there into a file here, from its first frame on', async () => {
    const on = await lab.ask(201, 'POST', `${link}/start_capture`, {});
    assert.equal(on['capturing'], true);
    const record = Buffer.concat([Buffer.from('00000000000000000400000004000000', 'hex'), Buffer.from('abcd')]);
    capture(record);
    const file = String(on['capture_file_path']);
    const bytes = await fileOf(file, HEADER + record.length);
    assert.equal(bytes.readUInt32LE(0), 0xa1b2c3d4);
    assert.deepEqual(bytes.subarray(HEADER), record);
    const off = await lab.ask(201, 'POST', `${link}/stop_capture`);
    assert.equal(off['capturing'], false);
    assert.equal(end(), undefined);
    assert.deepEqual((await readFile(file)).subarray(HEADER), record);
  });

  it('goes on with a capture in the same file after the server was started again', async () => {
    const on = await lab.ask(201, 'POST', `${link}/start_capture`, {});
    const file = String(on['capture_file_path']);
    const record = Buffer.concat([Buffer.from('00000000000000000400000004000000', 'hex'), Buffer.from('abcd')]);
    capture(record);
    await fileOf(file, HEADER + record.length);
    lab.fake.restart();
    await lab.fake.next('POST /start_capture');
    await lab.event('node.started', ({ node_id }) => node_id === pc['node_id']);
    await waitFor('the capture has ended', () => end() !== undefined);
    const before_ = await readFile(file);
    assert.deepEqual(before_.subarray(HEADER, HEADER + record.length), record);
    capture(record);
    const bytes = await fileOf(file, HEADER + 2 * record.length);
    assert.deepEqual(bytes.subarray(HEADER), Buffer.concat([record, record]));
    await lab.ask(201, 'POST', `${link}/stop_capture`);
  });
});
