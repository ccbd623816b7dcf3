import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { readPackets } from '../../src/fabric/packets/read-packets.ts';
import { GREETING, greetingOf, startRfbServer } from '../support/rfb-server.ts';
import { address, type Bag, link, pc, type TwoServers, twoServers } from './two-servers.ts';

describe('what one does with a node at another Topolog', () => {
  let both: TwoServers;
  let one: Bag;
  let two: Bag;
  let cable: Bag;

  before(async () => {
    both = await twoServers([], ['--engine', 'machine_emulator=simulated']);
    one = await pc(both, 'PC1', 'far');
    two = await pc(both, 'PC2', 'far');
    cable = await link(both, one, two);
    await both.ask(200, 'PUT', `/projects/${both.project}`, { record_consoles: true });
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/start`);
    one = (await both.ask(200, 'GET', path(one))) as Bag;
    two = (await both.ask(200, 'GET', path(two))) as Bag;
  });
  after(() => both.close());

  const path = ({ node_id }: Bag): string => `/projects/${both.project}/nodes/${String(node_id)}`;

  it('types at its console through this server', async () => {
    const socket = new WebSocket(`${both.here.url.replace('http', 'ws')}/v2${path(one)}/console/ws`);
    let seen = '';
    const printed = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        seen += data.toString('latin1');
        if (/NAME +: PC1/.test(seen)) resolve();
      }),
    );
    await once(socket, 'open');
    socket.send('show ip\r');
    await printed;
    socket.terminate();
  });

  it('sees the screen of a node through this server, and is told why there is none', async () => {
    const vm = (await both.ask(201, 'POST', `/projects/${both.project}/nodes`, {
      name: 'VM1',
      node_type: 'machine_emulator',
      compute_id: 'far',
      console_type: 'vnc',
    })) as Bag;
    await both.ask(200, 'POST', `${path(vm)}/start`, {});
    const url = `${both.here.url.replace('http', 'ws')}/v2${path(vm)}/console/ws`;
    const refused = new WebSocket(url);
    const [, answer] = (await once(
      refused.on('error', () => undefined),
      'unexpected-response',
    )) as [unknown, IncomingMessage];
    assert.equal(answer.statusCode, 409);
    assert.match(await text(answer), /far: VM1: its screen at .* cannot be opened/);
    const { console } = (await both.ask(200, 'GET', path(vm))) as { console: number };
    const server = await startRfbServer(console);
    const socket = new WebSocket(url);
    assert.equal(await greetingOf(socket), GREETING);
    socket.send(GREETING);
    const [securities] = (await once(socket, 'message')) as [Buffer];
    assert.deepEqual([...securities], [1, 1]);
    socket.terminate();
    await server.close();
  });

  it('captures on a link between two nodes there, and has the packets here', async () => {
    const at = `/projects/${both.project}/links/${String(cable['link_id'])}`;
    const on = (await both.ask(201, 'POST', `${at}/start_capture`, {})) as Bag;
    assert.equal(on['capturing'], true);
    await address(two['console'], '10.0.0.2');
    await address(one['console'], '10.0.0.1', '10.0.0.2');
    await both.ask(201, 'POST', `${at}/stop_capture`);
    const reader = readPackets();
    const found = reader.push(await readFile(String(on['capture_file_path'])));
    const packets = found.map((packet) => reader.describe(packet).summary);
    assert.ok(
      packets.some((summary) => /echo/i.test(summary)),
      packets.join('\n'),
    );
  });

  it('records its console here', async () => {
    const list = (): Promise<unknown> => both.ask(200, 'GET', `${path(one)}/recordings`);
    const [recording] = (await list()) as Bag[];
    assert.ok(recording);
    await both.ask(204, 'POST', `/projects/${both.project}/nodes/stop`);
    const answer = await both.here.request('GET', `/v2${path(one)}/recordings/${String(recording['name'])}`);
    assert.match(answer.text, /10\.0\.0\.1/);
  });
});
