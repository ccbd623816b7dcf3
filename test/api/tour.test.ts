import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import type { Client, Schemas } from '../../src/client/index.ts';
import { missing } from '../support/programs.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { connectConsole, type ConsoleClient } from './console-client.ts';
import { parsePcap } from './pcap.ts';

const run = promisify(execFile);

const NODES = '/v2/projects/{project_id}/nodes';
const LINK = '/v2/projects/{project_id}/links/{link_id}';
const USER = 'ada';

const noTshark = await missing('tshark');

/** What a user does on the first day, in order: each step goes on from the one before. */
describe('the first lab', () => {
  const dir: { path: string; remove: () => Promise<void> } = { path: '', remove: () => Promise.resolve() };
  let server: TestServer;
  let topolog: Client;
  let lab = { path: { project_id: '' } };
  let link = { path: { project_id: '', link_id: '' } };
  let pc1: ConsoleClient;
  let captured = '';

  before(async () => {
    Object.assign(dir, await tempDir());
    await cp(path.resolve('examples/labs/first-lab'), dir.path, { recursive: true });
    server = await testServer();
    topolog = server.client({ 'x-topolog-user': USER });
  });
  after(async () => {
    await server.close();
    await dir.remove();
  });

  const nodeNamed = async (name: string): Promise<Schemas['Node']> => {
    const node = (await topolog.get(NODES, lab)).find((n) => n.name === name);
    assert.ok(node, `no node is named ${name}`);
    return node;
  };
  const statuses = async (): Promise<string[]> => [
    ...new Set((await topolog.get(NODES, lab)).map(({ status }) => status)),
  ];
  /** What PC1 sees: one line for each probe. */
  const ping = async (address: string, options = '-c 3 -i 100 -w 5000'): Promise<string[]> => {
    const seen = await pc1.run(`ping ${address} ${options}`);
    return seen.split(/\r?\n/).filter((line) => line.includes('_seq=') || line.includes('not reachable'));
  };
  const assertReachable = async (address: string): Promise<void> => {
    const lines = await ping(address);
    assert.equal(lines.length, 3, lines.join('\n'));
    lines.forEach((line, i) =>
      assert.match(line, new RegExp(`^84 bytes from ${address} icmp_seq=${i + 1} ttl=64 time=`)),
    );
  };
  const assertUnreachable = async (address: string): Promise<void> => {
    const lines = await ping(address, '-c 2 -w 200 -i 100');
    assert.equal(lines.length, 2, lines.join('\n'));
    for (const line of lines) assert.match(line, /timeout$/);
  };

  it('is loaded from its file', async () => {
    const body = { path: path.join(dir.path, 'first-lab.gns3') };
    const { status, project_id } = await topolog.post('/v2/projects/load', { body });
    assert.equal(status, 'opened');
    lab = { path: { project_id } };
    const { node_id } = await nodeNamed('PC1');
    const [own] = await topolog.get(`${NODES}/{node_id}/links`, { path: { project_id, node_id } });
    assert.ok(own);
    link = { path: { project_id, link_id: own.link_id } };
  });

  it('is started by one request', async () => {
    await topolog.post(`${NODES}/start`, lab);
    assert.deepEqual(await statuses(), ['started']);
  });

  it('has a console on PC1 that any telnet client reaches, and both other PCs answer its ping', async () => {
    const { console } = await nodeNamed('PC1');
    pc1 = await connectConsole(Number(console), 'PC1> ');
    // Behind the switch, and behind the switch and the hub.
    await assertReachable('10.0.0.2');
    await assertReachable('10.0.0.3');
  });

  it('has nobody at an address that no PC has', async () => {
    assert.deepEqual(await ping('10.0.0.9', '-c 1'), ['host (10.0.0.9) not reachable']);
  });

  it('is one hop wide', async () => {
    const seen = await pc1.run('trace 10.0.0.3');
    assert.match(seen, /trace to 10\.0\.0\.3, 8 hops max/);
    assert.match(seen, /\n\s*1\s+\*?10\.0\.0\.3 /);
    assert.doesNotMatch(seen, /\n\s*2\s/);
  });

  it('is captured on a link while it is used', async () => {
    const started = await topolog.post(`${LINK}/start_capture`, link);
    assert.equal(started.capturing, true);
    captured = String(started.capture_file_path);
    // Every address has to be asked for again.
    await pc1.run('clear arp');
    const stream = await topolog.get(`${LINK}/pcap`, link);
    await assertReachable('10.0.0.2');
    await assertReachable('10.0.0.3');
    const stopped = await topolog.post(`${LINK}/stop_capture`, link);
    assert.equal(stopped.capturing, false);
    // The stream ends with the capture, and is the file.
    const streamed = Buffer.from(await new Response(stream).arrayBuffer());
    assert.ok(streamed.equals(await readFile(captured)));
  });

  it('has each question and answer in the capture file, in order', async () => {
    const frames = parsePcap(await readFile(captured));
    const count = (what: string): number => frames.filter((f) => f.what === what).length;
    assert.equal(count('echo request'), 6);
    assert.equal(count('echo reply'), 6);
    assert.ok(count('ARP') >= 4, `${count('ARP')} ARP frames`);
    const icmp = frames.filter((f) => f.what.startsWith('echo')).map((f) => f.what);
    assert.deepEqual(
      icmp,
      icmp.map((_, i) => (i % 2 === 0 ? 'echo request' : 'echo reply')),
    );
    for (const [i, { at }] of frames.entries()) assert.ok(at >= (frames[i - 1]?.at ?? 0), 'time goes on');
  });

  it('has a capture file that tshark reads', { skip: noTshark }, async () => {
    const { stdout } = await run('tshark', [
      '-r',
      captured,
      '-T',
      'fields',
      '-e',
      '_ws.col.Protocol',
      '-e',
      '_ws.malformed',
    ]);
    const protocols = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim());
    assert.equal(protocols.filter((p) => p === 'ICMP').length, 12, stdout);
    assert.ok(protocols.filter((p) => p === 'ARP').length >= 4, stdout);
    assert.deepEqual([...new Set(protocols)].sort(), ['ARP', 'ICMP']);
  });

  it('loses every packet on a link with a packet loss of 100, and none once the filter is gone', async () => {
    await topolog.put(LINK, { ...link, body: { filters: { packet_loss: [100] } } });
    await assertUnreachable('10.0.0.2');
    await topolog.put(LINK, { ...link, body: { filters: {} } });
    await assertReachable('10.0.0.2');
  });

  it('passes nothing over a suspended link, and everything once it is resumed', async () => {
    await topolog.put(LINK, { ...link, body: { suspend: true } });
    await assertUnreachable('10.0.0.3');
    await topolog.put(LINK, { ...link, body: { suspend: false } });
    await assertReachable('10.0.0.3');
  });

  it('is stopped by one request, which closes its consoles', async () => {
    await topolog.post(`${NODES}/stop`, lab);
    assert.deepEqual(await statuses(), ['stopped']);
    await pc1.closed;
  });

  it('has every change in its log: who, when, what, of what and why', async () => {
    const program = programFile('cli/topolog');
    const args = ['log', 'first-lab', '--data-dir', server.dataDir];
    const { stdout } = await run(process.execPath, [program, ...args]);
    const lines = stdout.trimEnd().split('\n');
    const { events } = await topolog.get('/v2/projects/{project_id}/events', { ...lab, query: { limit: 1000 } });
    assert.equal(lines.length, events.length);
    for (const [i, { position, at, type, by }] of events.entries()) {
      const [seenPosition, seenAt, who, what] = (lines[i] ?? '').trim().split(/\s+/);
      assert.deepEqual([seenPosition, seenAt, what], [String(position), at, type]);
      assert.equal(who, by.address === null ? by.principal : `${by.principal}@${by.address}`);
    }
    const has = (pattern: RegExp): void =>
      assert.ok(
        lines.some((line) => pattern.test(line)),
        `${String(pattern)}\n${stdout}`,
      );
    const byUser = new RegExp(`${USER}@\\S*127\\.0\\.0\\.1\\s`).source;
    has(new RegExp(`${byUser}+project\\.open_requested`));
    has(new RegExp(`${byUser}+project\\.nodes_requested\\s+start all nodes`));
    has(/node\.started\s+PC1\s+embedded, console \d+\s+\(because of \d+\)/);
    has(new RegExp(`${byUser}+capture\\.start_requested\\s+PC1 – Switch1\\s+.*\\.pcap`));
    has(/capture\.stopped\s+PC1 – Switch1/);
    has(new RegExp(`${byUser}+link\\.updated\\s+PC1 – Switch1\\s+filters = \\{"packet_loss":\\[100\\]\\}`));
    has(/link\.updated\s+PC1 – Switch1\s+filters = \{\}/);
    has(/link\.updated\s+PC1 – Switch1\s+suspend = true/);
    has(/link\.updated\s+PC1 – Switch1\s+suspend = false/);
    has(new RegExp(`${byUser}+project\\.nodes_requested\\s+stop all nodes`));
    has(/node\.stopped\s+PC3\s+\(because of \d+\)/);
    for (const name of ['PC1', 'PC2', 'PC3', 'Switch1', 'Hub1']) has(new RegExp(`node\\.created\\s+${name}\\s`));
    assert.equal(lines.filter((line) => line.includes('link.created')).length, 4);
    assert.equal(lines.filter((line) => line.includes('drawing.created')).length, 2);
  });
});
