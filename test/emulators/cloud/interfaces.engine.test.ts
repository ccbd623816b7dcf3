import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { machinePorts } from '../../../src/emulators/cloud/requirements.ts';
import { networkLacks } from '../../../src/emulators/shared/network/privileges.ts';
import { type Api, type Bag, id, startApi } from '../../api/api.ts';
import { makePair, type Pair } from '../../support/cloud-ports.ts';
import { type Console, openConsole } from '../../support/console.ts';
import { peer, type Peer } from '../datagrams.ts';
import { freePorts } from '../../support/free-port.ts';
import { waitFor } from '../../support/wait-for.ts';

const lacks = await networkLacks({ ip: 'iproute2', socat: 'socat' }, 'this test', 'leave it out');
const skip = lacks === null ? false : `${lacks.needs} is missing`;
const PROMPT = /> $/;
const TAP = `tlab${process.pid % 100_000}t`;
const VETH = `tlab${process.pid % 100_000}v`;
const ip = (...args: string[]) => promisify(execFile)('ip', args);

describe('PCs at a cloud with a TAP device, an interface and a UDP port', { skip }, () => {
  let api: Api;
  let pair: Pair;
  let outside: Peer;
  let lport = 0;
  let cloud: { project_id: string; node_id: string };
  const consoles: Console[] = [];
  /** The PC at each port of the cloud. */
  const pc = (port: number): Console => {
    const console = consoles[port];
    assert.ok(console);
    return console;
  };
  const mapping = (): Bag[] => [
    { name: 'tap', port_number: 0, type: 'tap', interface: TAP },
    { name: 'ethernet', port_number: 1, type: 'ethernet', interface: VETH },
    { name: 'udp', port_number: 2, type: 'udp', lport, rhost: '127.0.0.1', rport: outside.port },
  ];

  before(async () => {
    pair = await makePair(VETH, '198.51.100.10/30');
    outside = await peer();
    [lport = 0] = await freePorts(1);
    api = await startApi([]);
    const project_id = await api.project();
    const make = async (name: string, node_type: string, more: Bag = {}): Promise<string> => {
      const body = { compute_id: 'local', name, node_type, ...more };
      return id(await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body));
    };
    cloud = { project_id, node_id: await make('Cloud', 'cloud', { properties: { ports_mapping: mapping() } }) };
    for (const port_number of [0, 1, 2]) {
      const node_id = await make(`PC${port_number}`, 'vpcs');
      const nodes = [
        { node_id: cloud.node_id, adapter_number: 0, port_number },
        { node_id, adapter_number: 0, port_number: 0 },
      ];
      await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
      const at = { project_id, node_id };
      const started = await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', at);
      const console = await openConsole(Number(started['console']));
      await console.until(PROMPT);
      consoles.push(console);
    }
  });
  after(async () => {
    for (const console of consoles) console.close();
    await api.close();
    await outside.close();
    await pair.remove();
  });
  const status = async (): Promise<unknown> =>
    (await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', cloud))['status'];

  it('reach the host by the TAP device, and the host reaches them', async () => {
    await ip('address', 'add', '198.51.100.13/30', 'dev', TAP);
    await pc(0).type('ip 198.51.100.14/30', PROMPT);
    assert.match(await pc(0).type('ping 198.51.100.13 -c 1', PROMPT), /bytes from 198\.51\.100\.13 icmp_seq=1/);
  });

  it('reach what is behind the interface, which hears no echo of what the host sends on it', async () => {
    await pc(1).type('ip 198.51.100.9/30', PROMPT);
    assert.match(await pc(1).type('ping 198.51.100.10 -c 3', PROMPT), /icmp_seq=3/);
    // Nobody answers to the host's own address: only the far end would hear the question.
    await ip('address', 'add', '203.0.113.77/32', 'dev', VETH);
    assert.match(await pc(1).type('ping 203.0.113.77 -c 1', PROMPT), /not reachable|timeout|No gateway/i);
  });

  it('reach a peer over UDP, beside the others', async () => {
    const console = pc(2);
    await console.type('ip 198.51.100.17/30', PROMPT);
    const asked = console.type('ping 198.51.100.18 -c 1', PROMPT);
    let frame = await outside.next();
    // An ARP request for the address; others are of its own start.
    while (!frame.subarray(38, 42).equals(Buffer.from([198, 51, 100, 18]))) frame = await outside.next();
    await asked;
  });

  it('go on when the interface is taken down and up again, and when a frame is too long for it', async () => {
    await ip('link', 'set', 'dev', VETH, 'down');
    await ip('link', 'set', 'dev', VETH, 'up');
    await answers(pc(1), '198.51.100.10');
    await pc(1).type('set mtu 5000', PROMPT);
    assert.match(await pc(1).type('ping 198.51.100.10 -l 4000 -c 1', PROMPT), /timeout/);
    await answers(pc(1), '198.51.100.10');
    assert.equal(await status(), 'started');
  });

  it('keep their ways while another port comes and goes', async () => {
    const put = (ports_mapping: Bag[]) =>
      api.get(200, 'PUT /v2/projects/{project_id}/nodes/{node_id}', cloud, { properties: { ports_mapping } });
    await put([...mapping(), { name: 'another', port_number: 3, type: 'tap', interface: `${TAP}2` }]);
    // Nothing is linked to it.
    await assert.rejects(ip('link', 'show', 'dev', `${TAP}2`), /does not exist/);
    const { project_id } = cloud;
    const body = { compute_id: 'local', name: 'PC3', node_type: 'vpcs' };
    const node_id = id(await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body));
    const nodes = [
      { node_id: cloud.node_id, adapter_number: 0, port_number: 3 },
      { node_id, adapter_number: 0, port_number: 0 },
    ];
    const link = await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    await ip('link', 'show', 'dev', `${TAP}2`);
    const at = { project_id, link_id: String(link['link_id']) };
    await api.get(204, 'DELETE /v2/projects/{project_id}/links/{link_id}', at);
    await assert.rejects(ip('link', 'show', 'dev', `${TAP}2`), /does not exist/);
    await api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
    await ip('link', 'show', 'dev', `${TAP}2`);
    await api.get(204, 'DELETE /v2/projects/{project_id}/nodes/{node_id}', { project_id, node_id });
    await put(mapping());
    await assert.rejects(ip('link', 'show', 'dev', `${TAP}2`), /does not exist/);
    // The address is still on the first one, so it is the same device.
    assert.match(await pc(0).type('ping 198.51.100.13 -c 1', PROMPT), /bytes from/);
  });

  it('are told when an interface is gone: the cloud stops and says which', async () => {
    await ip('link', 'delete', VETH);
    await waitFor('the cloud stops', async () => (await status()) === 'stopped');
    const log = await readFile(path.join(api.server.dataDir, 'cloud', `${cloud.node_id}.log`), 'utf8');
    assert.match(log, new RegExp(`the interface ${VETH} is gone`));
    await assert.rejects(ip('link', 'show', 'dev', TAP), /does not exist/);
    const { message } = await api.get(409, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', cloud);
    assert.match(String(message), new RegExp(`interface ${VETH} for port ethernet`));
  });
});

/** Until the first answer: a while after the interface has come back. */
const answers = async (console: Console, address: string): Promise<void> => {
  const ping = (): Promise<string> => console.type(`ping ${address} -c 1`, PROMPT);
  await waitFor(`${address} answers`, async () => /icmp_seq=\d/.test(await ping()));
};

const CLOUD = { name: 'Cloud', node_type: 'cloud', compute_id: 'local' };
const portsOf = ({ properties }: Bag): Bag[] => (properties as { ports_mapping: Bag[] }).ports_mapping;

describe('a new cloud', () => {
  it('has a port for each interface that it can lead to, however it is made, and none where none is wanted', async (t) => {
    const pair = lacks === null ? await makePair(`${VETH}n`) : null;
    t.after(() => pair?.remove());
    const api = await startApi([]);
    t.after(() => api.close());
    const project_id = await api.project();
    const POST = 'POST /v2/projects/{project_id}/nodes';
    const made = await api.get(201, POST, { project_id }, CLOUD);
    const ports = portsOf(made);
    assert.deepEqual(ports, await machinePorts('any'));
    assert.equal(made['status'], 'started');
    if (pair !== null) assert.ok(ports.some((port) => port['interface'] === pair.name && port['type'] === 'ethernet'));
    assert.deepEqual(
      ports.map((port) => port['port_number']),
      ports.map((_, i) => i),
    );
    const templates = (await api.ask('GET /v2/templates')).body as unknown as Bag[];
    const template_id = id(templates.find((t) => t['template_type'] === 'cloud') ?? {}, 'template_id');
    const place = { project_id, template_id };
    const ofTemplate = 'POST /v2/projects/{project_id}/templates/{template_id}';
    assert.deepEqual(portsOf(await api.get(201, ofTemplate, place, { x: 0, y: 0 })), ports);
    const COMPUTE = 'POST /v2/compute/projects/{project_id}/cloud/nodes';
    const byController = await api.get(201, COMPUTE, { project_id }, { name: 'one', ports_mapping: [] });
    assert.deepEqual(byController['ports_mapping'], ports);
    const none = { ...CLOUD, properties: { ports_mapping: [] } };
    assert.deepEqual(portsOf(await api.get(201, POST, { project_id }, none)), []);
  });

  it('has none on a server that keeps its interfaces from clients', async (t) => {
    const api = await startApi(['--no-local']);
    t.after(() => api.close());
    const made = await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id: await api.project() }, CLOUD);
    assert.deepEqual([portsOf(made), made['status']], [[], 'started']);
  });

  it('has those that such a server was told to give', { skip }, async (t) => {
    const pair = await makePair(`${VETH}a`);
    t.after(() => pair.remove());
    const api = await startApi(['--no-local', '--allow-interface', pair.name, '--allow-interface', 'not-there']);
    t.after(() => api.close());
    const made = await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id: await api.project() }, CLOUD);
    const port = { name: pair.name, port_number: 0, type: 'ethernet', interface: pair.name };
    assert.deepEqual([portsOf(made), made['status']], [[port], 'started']);
    const { interfaces } = made['properties'] as Bag;
    assert.deepEqual(
      (interfaces as Bag[]).map(({ name }) => name),
      [pair.name],
    );
  });

  it('takes all its properties back while it runs, with where its remote console is', async (t) => {
    const api = await startApi([]);
    t.after(() => api.close());
    const project_id = await api.project();
    const made = await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, CLOUD);
    const at = { project_id, node_id: id(made) };
    const given = made['properties'] as Bag;
    const remote = { remote_console_host: '192.0.2.1', remote_console_port: 23, remote_console_type: 'telnet' };
    for (const properties of [given, { ...given, ...remote }]) {
      const put = await api.get(200, 'PUT /v2/projects/{project_id}/nodes/{node_id}', at, { properties });
      assert.deepEqual([put['properties'], put['status']], [properties, 'started']);
    }
  });
});
