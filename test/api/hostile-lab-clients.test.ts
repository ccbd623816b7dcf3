import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { type Bag, id } from './api.ts';
import { connectConsole } from './console-client.ts';
import { onDisk } from '../support/own-log.ts';
import { type HostileServer, hostileServer } from './hostile-server.ts';
import { parsePcap } from './pcap.ts';
import { head, rawClient } from './raw-client.ts';

describe('a client that misbehaves at a running lab', { skip: onDisk() }, () => {
  let server: HostileServer;
  let lab = '';
  let pc = '';
  let console_ = 0;
  let link = '';

  before(async () => {
    server = await hostileServer();
    lab = await server.project('running');
    const nodes: Bag[] = [];
    for (const n of [1, 2]) {
      const properties = { startup_script: `set pcname PC${n}\nip 10.9.0.${n}/24\n` };
      const body = { name: `PC${n}`, node_type: 'simple_pc', compute_id: 'local', properties };
      nodes.push(await server.get(201, 'POST', `/v2/projects/${lab}/nodes`, body));
    }
    const ends = nodes.map((node) => ({ node_id: node['node_id'], adapter_number: 0, port_number: 0 }));
    link = id(await server.get(201, 'POST', `/v2/projects/${lab}/links`, { nodes: ends }), 'link_id');
    await server.get(204, 'POST', `/v2/projects/${lab}/nodes/start`);
    pc = id(nodes[0] ?? {});
    console_ = Number((await server.get(200, 'GET', `/v2/projects/${lab}/nodes/${pc}`))['console']);
  });

  after(() => server.close());
  afterEach(() => server.assertUnharmed());

  it('reads a capture not at all, or vanishes from it: others read it whole as it grows', async () => {
    const path = `/v2/projects/${lab}/links/${link}`;
    await server.get(201, 'POST', `${path}/start_capture`, {});
    const stuck = await rawClient(server.url, false);
    const gone = await rawClient(server.url);
    for (const client of [stuck, gone]) client.write(head(`GET ${path}/pcap`));
    await gone.until(/\r\n\r\n/);
    const reader = await fetch(`${server.url}${path}/pcap`);
    const console = await connectConsole(console_, 'PC1> ');
    // About 12 MB: more than all buffers between a capture and a client hold.
    const pinging = console.run('ping 10.9.0.2 -c 200 -i 1 -l 30000 -w 10000');
    gone.vanish();
    for (let n = 0; n < 5; n += 1) await server.assertUnharmed();
    const seen = await pinging;
    console.end();
    await server.get(201, 'POST', `${path}/stop_capture`);
    const whole = Buffer.from(await reader.arrayBuffer());
    assert.ok(whole.length > 10e6, `${whole.length} bytes`);
    assert.ok(parsePcap(whole).length >= 200 * 2 * 20, seen);
    // The one that did not read is still there, and gets the same once it does.
    const late: Buffer[] = [];
    stuck.socket.on('data', (chunk: string) => late.push(Buffer.from(chunk, 'latin1')));
    await waitFor(stuck.socket, 'data', () => Buffer.concat(late).includes('\r\n0\r\n\r\n', -8));
    assert.ok(unchunked(Buffer.concat(late)).equals(whole));
    stuck.vanish();
  });

  const upgrade = (key = randomBytes(16).toString('base64')): string =>
    head(`GET /v2/projects/${lab}/nodes/${pc}/console/ws`, {
      ...{ Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': key },
    });

  it('breaks the rules of its console WebSocket: it is cut, and who else is at that console stays', async () => {
    const other = new WebSocket(`${server.url.replace('http', 'ws')}/v2/projects/${lab}/nodes/${pc}/console/ws`);
    await once(other, 'open');
    const telnet = await connectConsole(console_, 'PC1> ');
    const broken = [
      Buffer.from([0x82, 0x05, 1, 2, 3, 4, 5]), // not masked
      Buffer.from([0xf2, 0x80, 0, 0, 0, 0]), // reserved bits
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]), // reserved opcode
      Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), // longer than can be
      Buffer.from([0x09, 0x80, 0, 0, 0, 0]), // a ping in fragments
      Buffer.from([0x80, 0x80, 0, 0, 0, 0]), // the end of nothing
      Buffer.from([0x88, 0x81, 0, 0, 0, 0, 1]), // a close with half a code
      Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]), // text that is not UTF-8
      randomBytes(500).fill(0xff, 0, 1),
    ];
    for (const bytes of broken) {
      const client = await rawClient(server.url);
      client.write(upgrade());
      await client.until(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n/);
      client.write(bytes);
      await client.ended;
    }
    const said = new Promise<void>((resolve) => {
      let text = '';
      other.on('message', (data: Buffer) => {
        text += data.toString('latin1');
        if (text.includes('10.9.0.1/24')) resolve();
      });
    });
    assert.match(await telnet.run('show ip'), /10\.9\.0\.1\/24/);
    await said;
    telnet.end();
    other.terminate();
  });

  it('vanishes in a handshake, in a frame, or between two: its console goes on', async () => {
    for (const after of ['', '\x82', '\x82\xfe\x01', '\x82\x85\0\0\0\0ab']) {
      const client = await rawClient(server.url);
      client.write(upgrade());
      if (after !== '') await client.until(/^HTTP\/1\.1 101 /);
      client.write(Buffer.from(after, 'latin1'));
      client.vanish();
      await client.ended;
    }
    const telnet = await connectConsole(console_, 'PC1> ');
    assert.match(await telnet.run('ping 10.9.0.2 -c 1 -w 5000'), /bytes from 10\.9\.0\.2/);
    telnet.end();
  });

  it('asks for a WebSocket in a wrong way, or where there is none: it gets an answer as everybody', async () => {
    const wrong = [
      upgrade('short'),
      upgrade().replace('Version: 13', 'Version: 7'),
      upgrade().replace(pc, randomUUID()),
      upgrade().replace(`/nodes/${pc}/console/ws`, ''),
      upgrade().replace('Upgrade: websocket', 'Upgrade: h2c'),
    ];
    for (const text of wrong) {
      const client = await rawClient(server.url);
      client.write(text);
      await client.until(/^HTTP\/1\.1 (400|404) [\s\S]*\r\n\r\n\{.*\}$/);
      client.vanish();
    }
  });

  it('types into a console without end and never reads: the console answers who does', async () => {
    const flood = await rawClient(`http://127.0.0.1:${console_}`, false);
    for (let n = 0; n < 200; n += 1) flood.write(`${'x'.repeat(5000)}\r`);
    const telnet = await connectConsole(console_, 'PC1> ');
    await server.assertUnharmed();
    flood.vanish();
    await flood.ended;
    // The line is shared, as a serial one: half a command of that client may still be on it.
    const fresh = await connectConsole(console_, 'PC1> ');
    await fresh.interrupt();
    assert.match(await fresh.run('show ip'), /10\.9\.0\.1\/24/);
    fresh.end();
    telnet.end();
  });
});

/** Resolves once a condition holds, looked at after each event. */
const waitFor = async (socket: NodeJS.EventEmitter, event: string, holds: () => boolean): Promise<void> => {
  while (!holds()) await once(socket, event);
};

/** Body of an answer in chunks (RFC 9112, section 7.1). */
const unchunked = (answer: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = answer.indexOf('\r\n\r\n') + 4; ;) {
    const end = answer.indexOf('\r\n', at);
    const length = parseInt(answer.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(answer.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
};
