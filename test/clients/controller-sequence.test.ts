import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { Bag } from '../api/api.ts';
import { type FeedClient, listen } from '../support/feed-client.ts';
import { freePort } from '../support/free-port.ts';
import { bag, bags, type Client, startClient } from './client.ts';

/**
 * What a controller of the existing server asks of a remote compute, in its order and with its headers: a connection for each call,
 * `application/json` with every one, also where there is no body, and files in chunks without a length.
 */
const C = '/v2/compute';
const P = randomUUID();
const [A, B, SW] = [randomUUID(), randomUUID(), randomUUID()];

describe('a controller with this server as its remote compute', () => {
  let client: Client;
  let feed: FeedClient;
  before(async () => {
    client = await startClient({});
    feed = await listen(client.url, `${C}/notifications/ws`);
  });
  after(async () => {
    await feed.close();
    await client.close();
  });

  interface Heard {
    code: number;
    headers: IncomingMessage['headers'];
    bytes: Buffer;
  }

  /** One call on a connection of its own. A Buffer is sent in chunks. */
  const call = async (what: string, body?: Bag | Buffer): Promise<Heard> => {
    const [method = '', where = ''] = what.split(' ');
    const text = body === undefined || Buffer.isBuffer(body) ? '' : JSON.stringify(body);
    const isBytes = Buffer.isBuffer(body);
    const sent = httpRequest(`${client.url}${where}`, {
      method,
      agent: false,
      headers: {
        ...{ accept: '*/*', 'accept-encoding': 'gzip, deflate', connection: 'close' },
        'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        // A controller names the host alone.
        host: '127.0.0.1',
        ...(isBytes ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(text) }),
      },
    });
    if (isBytes) for (let at = 0; at < body.length; at += 1000) sent.write(body.subarray(at, at + 1000));
    sent.end(text === '' ? undefined : text);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { code: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
  };
  const ask = async (code: number, what: string, body?: Bag | Buffer): Promise<Bag> => {
    const heard = await call(what, body);
    assert.equal(heard.code, code, `${what}: ${heard.bytes.toString()}`);
    return heard.bytes.length === 0 ? {} : (JSON.parse(heard.bytes.toString()) as Bag);
  };
  const project = `${C}/projects/${P}`;
  const [nodeA, nodeB, nodeSW] = [
    `${project}/vpcs/nodes/${A}`,
    `${project}/vpcs/nodes/${B}`,
    `${project}/ethernet_switch/nodes/${SW}`,
  ];
  const port = `${nodeB}/adapters/0/ports/0`;
  let first: Bag;
  let nio: Bag;
  /** The frame about a node that reads so. */
  const frame = (node_id: string, status: string) =>
    feed.next(
      ({ action, event }) => action === 'node.updated' && event['node_id'] === node_id && event['status'] === status,
    );

  it('adds it: what it is, and its feed, which begins with a ping', async () => {
    const { node_types } = await ask(200, `GET ${C}/capabilities`);
    for (const type of ['vpcs', 'ethernet_switch', 'qemu', 'dynamips'])
      assert.ok((node_types as string[]).includes(type));
    const ping = feed.frames[0] ?? (await feed.next('ping'));
    assert.equal(ping.action, 'ping');
    for (const key of ['cpu_usage_percent', 'memory_usage_percent']) assert.equal(typeof ping.event[key], 'number');
  });

  it('makes a project with its first node, and the node', async () => {
    const made = await ask(201, `POST ${C}/projects`, { name: 'lab1', project_id: P });
    assert.deepEqual(made, { name: 'lab1', project_id: P, variables: null });
    first = await ask(201, `POST ${project}/vpcs/nodes`, { name: 'PC2', node_id: B });
    assert.deepEqual(
      [first['name'], first['node_id'], first['project_id'], first['status'], first['console_type']],
      ['PC2', B, P, 'stopped', 'telnet'],
    );
    assert.equal(typeof first['console'], 'number');
    await ask(201, `POST ${project}/ethernet_switch/nodes`, { name: 'SW1', node_id: SW });
  });

  it('links it: interfaces, a UDP port, a NIO with the filters of the other end', async () => {
    const interfaces = bags(await ask(200, `GET ${C}/network/interfaces`));
    for (const one of interfaces)
      assert.deepEqual(
        [typeof one['name'], typeof one['ip_address'], typeof one['netmask'], typeof one['special']],
        ['string', 'string', 'string', 'boolean'],
      );
    const { udp_port: lport } = await ask(201, `POST ${project}/ports/udp`);
    const address = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: await freePort() };
    nio = { ...address, filters: {}, suspend: false };
    assert.deepEqual(await ask(201, `POST ${port}/nio`, nio), address);
  });

  it('starts it, and hears so', async () => {
    const [heard, started] = await Promise.all([frame(B, 'started'), ask(200, `POST ${nodeB}/start`)]);
    assert.equal(started['status'], 'started');
    assert.equal(heard.project_id, P);
    for (const key of ['name', 'console', 'console_type', 'node_directory', 'command_line'])
      assert.deepEqual(heard.event[key], started[key], key);
    assert.deepEqual((await call(`POST ${nodeSW}/start`)).code, 204);
  });

  it('sets filters, suspends the link and lets it go on, in place', async () => {
    for (const change of [{ filters: { delay: [5, 0] } }, { filters: { frequency_drop: [-1] }, suspend: true }, {}])
      assert.deepEqual(await ask(201, `PUT ${port}/nio`, { ...nio, ...change }), { ...nio, ...change });
  });

  it('captures, and follows the file until the capture stops', async () => {
    const wish = { capture_file_name: 'PC1_0-0_to_PC2_0-0.pcap', data_link_type: 'DLT_EN10MB' };
    assert.match(
      String((await ask(200, `POST ${port}/start_capture`, wish))['pcap_file_path']),
      /PC1_0-0_to_PC2_0-0\.pcap$/,
    );
    await ask(409, `POST ${port}/start_capture`, wish);
    const sent = httpRequest(`${client.url}${port}/pcap`, { agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    assert.equal((await call(`POST ${port}/stop_capture`)).code, 204);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    assert.equal(Buffer.concat(chunks).readUInt32LE(0), 0xa1b2c3d4);
    assert.equal((await call(`POST ${port}/stop_capture`)).code, 204);
  });

  it('opens the console that it bridges, and resets it', async () => {
    const socket = new WebSocket(`${client.url.replace('http', 'ws')}${nodeB}/console/ws`);
    await once(socket, 'open');
    socket.send('\r');
    const [data] = (await once(socket, 'message')) as [Buffer];
    assert.ok(data.length > 0);
    socket.terminate();
    assert.equal((await call(`POST ${nodeB}/console/reset`)).code, 204);
  });

  it('renames it with all that its record had, and has its own variables told', async () => {
    const { node_id: _, project_id: _p, status: _s, ...record } = await ask(200, `GET ${nodeB}`);
    const { command_line: _c, node_directory: _d, ...settings } = record;
    const renamed = await ask(200, `PUT ${nodeB}`, { ...settings, name: 'PC2x' });
    assert.deepEqual([renamed['name'], renamed['console']], ['PC2x', first['console']]);
    assert.deepEqual(await ask(200, `PUT ${project}`, { variables: null }), {
      ...{ name: 'lab1', project_id: P, variables: null },
    });
    const variables = [{ name: 'SITE', value: 'Oslo' }];
    assert.deepEqual((await ask(200, `PUT ${project}`, { variables }))['variables'], variables);
  });

  it('writes and reads files of its project in chunks', async () => {
    const bytes = Buffer.from('a line of it\n'.repeat(1000));
    const file = `${project}/files/project-files/vpcs/${B}/notes.txt`;
    assert.equal((await call(`POST ${file}`, bytes)).code, 201);
    assert.deepEqual((await call(`GET ${file}`)).bytes, bytes);
    const listed = bags(await ask(200, `GET ${project}/files`));
    const found = listed.find(({ path }) => path === `project-files/vpcs/${B}/notes.txt`);
    assert.match(String(found?.['md5sum']), /^[0-9a-f]{32}$/);
    assert.equal((await call(`GET ${file}.old`)).code, 404);
  });

  it('forwards what its clients ask of an emulator as octets', async () => {
    const disk = Buffer.from(JSON.stringify({ path: 'forwarded.img' }));
    const { code } = await call(`POST ${C}/qemu/img`, disk);
    assert.equal(code, 400, 'what is missing in it is told');
    for (const where of ['statistics', 'network/ports', 'qemu/images', 'iou/images'])
      await ask(200, `GET ${C}/${where}`);
  });

  it('stops it, and ends a capture meanwhile', async () => {
    const stopping = call(`POST ${nodeB}/stop`);
    await frame(B, 'stopped');
    assert.equal((await call(`POST ${port}/stop_capture`)).code, 204);
    assert.equal((await stopping).code, 204);
  });

  it('duplicates it: a copy that wishes for the console of the first, and its files', async () => {
    const body = { name: 'PC3', node_id: A, console: first['console'], console_type: 'telnet' };
    const copy = await ask(201, `POST ${project}/vpcs/nodes`, body);
    assert.notEqual(copy['console'], first['console']);
    assert.equal((await call(`POST ${nodeB}/duplicate`, { destination_node_id: A })).code, 201);
    const file = `${project}/files/project-files/vpcs/${A}/notes.txt`;
    assert.match((await call(`GET ${file}`)).bytes.toString(), /^a line of it/);
  });

  it('closes, and makes everything once more when it opens again, node by node and link by link', async () => {
    for (const node of [nodeA, nodeB, nodeSW]) assert.equal((await call(`POST ${node}/stop`)).code, 204);
    assert.equal((await call(`POST ${project}/close`)).code, 204);
    assert.equal((await call(`POST ${project}/close`)).code, 404);
    await ask(201, `POST ${C}/projects`, { name: 'lab1', project_id: P, variables: null });
    const again = { name: 'PC2x', node_id: B, console: first['console'], console_type: 'telnet' };
    const made = await ask(201, `POST ${project}/vpcs/nodes`, again);
    assert.deepEqual([made['name'], made['console'], made['status']], ['PC2x', first['console'], 'stopped']);
    await ask(201, `POST ${project}/ethernet_switch/nodes`, { name: 'SW1', node_id: SW });
    for (const node of [nodeB, nodeSW]) {
      const { udp_port: lport } = await ask(201, `POST ${project}/ports/udp`);
      await ask(201, `POST ${node}/adapters/0/ports/0/nio`, { ...nio, lport, rport: await freePort() });
    }
    assert.equal((await ask(200, `POST ${nodeB}/start`))['status'], 'started');
  });

  it('takes links and nodes away, whatever is left of them', async () => {
    for (const node of [nodeB, nodeSW]) {
      assert.equal((await call(`DELETE ${node}/adapters/0/ports/0/nio`)).code, 204);
      assert.ok([404, 409].includes((await call(`DELETE ${node}/adapters/0/ports/0/nio`)).code));
    }
    for (const code of [204, 404]) assert.equal((await call(`DELETE ${nodeB}`)).code, code);
    const gone = await feed.next('node.deleted');
    assert.equal(gone.event['node_id'], B);
  });

  it('answers a start by the group of its kind, and has nothing to reload where it always runs', async () => {
    const bodies: Record<string, [code: number, reload: number, body: Bag]> = {
      vpcs: [200, 204, {}],
      traceng: [200, 204, { ip_address: '10.0.0.9/24', default_destination: '10.0.0.1' }],
      qemu: [200, 204, {}],
      virtualbox: [204, 204, { vmname: 'one' }],
      docker: [204, 204, { image: 'alpine' }],
      ethernet_switch: [204, 404, {}],
      ethernet_hub: [204, 404, {}],
      frame_relay_switch: [204, 404, { mappings: { '1:101': '2:202' } }],
      atm_switch: [204, 404, { mappings: { '1:10': '2:20' } }],
      cloud: [204, 404, {}],
      nat: [204, 404, {}],
    };
    for (const [kind, [code, reload, body]] of Object.entries(bodies)) {
      const node_id = randomUUID();
      await ask(201, `POST ${project}/${kind}/nodes`, { name: `of-${kind}`, node_id, ...body });
      const node = `${project}/${kind}/nodes/${node_id}`;
      const start = kind === 'traceng' ? { destination: '10.0.0.1' } : undefined;
      assert.equal((await call(`POST ${node}/start`, start)).code, code, kind);
      assert.equal((await call(`POST ${node}/reload`)).code, reload, kind);
      assert.equal((await call(`POST ${node}/suspend`)).code, 204, kind);
      assert.equal((await call(`POST ${node}/stop`)).code, 204, kind);
    }
  });

  it('deletes the project, and stops its nodes only then', async () => {
    assert.equal((await call(`DELETE ${project}`)).code, 204);
    assert.equal((await call(`POST ${nodeSW}/stop`)).code, 404);
    assert.equal((await call(`DELETE ${project}`)).code, 404);
    assert.equal(bag(await ask(200, `GET ${C}/capabilities`))['version'], '2.2.60');
  });
});
