import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { type Bag, id } from './api.ts';
import { connectConsole } from './console-client.ts';
import { parsePcap } from './pcap.ts';
import { head, rawClient } from './raw-client.ts';

const FIRST_LINE = /^HTTP\/1\.1 (\d{3}) /;

describe('a client that misbehaves', () => {
  let dir = { path: '', remove: () => Promise.resolve() };
  let server: ServerProcess;
  let project_id = '';
  let quiet = '';

  const get = async (code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
    const answer = await request(server.url, method, path, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return answer.body as Bag;
  };
  const project = async (name: string): Promise<string> =>
    id(await get(201, 'POST', '/v2/projects', { name }), 'project_id');

  before(async () => {
    dir = await tempDir();
    server = await spawnServer(dir.path, ['--simulate']);
    project_id = await project('lab');
    quiet = server.output();
  });
  after(async () => {
    await server.kill('SIGTERM');
    await dir.remove();
    assert.equal(server.child.exitCode, 0, server.output());
  });

  /** Somebody else reads and writes, and the server has had nothing to say. */
  const assertUnharmed = async (): Promise<void> => {
    await get(200, 'GET', '/v2/compute/version');
    const { drawing_id } = await get(201, 'POST', `/v2/projects/${project_id}/drawings`, { x: 1 });
    await get(204, 'DELETE', `/v2/projects/${project_id}/drawings/${String(drawing_id)}`);
    assert.equal(server.child.exitCode, null, server.output());
    assert.equal(server.output().slice(quiet.length), '', 'a defect was reported');
  };
  afterEach(assertUnharmed);

  it('hangs up in the middle of a head', async () => {
    for (const part of [
      'G',
      'GET /v2/proj',
      'GET /v2/projects HTTP/1.1\r\nHo',
      'POST /v2/projects HTTP/1.1\r\nHost: x\r\n',
    ]) {
      const client = await rawClient(server.url);
      client.write(part);
      client.vanish();
      await client.ended;
    }
  });

  it('hangs up in the middle of a body, which has no effect', async () => {
    const path = `/v2/projects/${project_id}/drawings`;
    const before = await get(200, 'GET', path);
    for (const body of ['', '{', '{"x": 1}', '{"x": 1, "svg": "<svg']) {
      const client = await rawClient(server.url);
      client.write(head(`POST ${path}`, { 'Content-Length': 1000 }) + body);
      client.vanish();
      const chunked = await rawClient(server.url);
      chunked.write(`${head(`POST ${path}`, { 'Transfer-Encoding': 'chunked' })}3e8\r\n${body}`);
      chunked.vanish();
      await Promise.all([client.ended, chunked.ended]);
      await assertUnharmed();
    }
    assert.deepEqual(await get(200, 'GET', path), before);
  });

  it('says no more after half a body: everybody else is answered meanwhile', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(server.url)));
    for (const client of clients)
      client.write(`${head(`POST /v2/projects/${project_id}/nodes/start`, { 'Content-Length': 100 })}{"a":`);
    for (let n = 0; n < 5; n += 1) await assertUnharmed();
    for (const client of clients) {
      assert.equal(client.received(), '');
      client.vanish();
    }
  });

  it('hangs up while its request is carried out: it is carried out all the same', async () => {
    const lab = await project('slow');
    const node = { name: 'slow', vmname: 'x', simulate: { delay_ms: 300 } };
    const { node_id } = await get(201, 'POST', `/v2/compute/projects/${lab}/desktop_vm_a/nodes`, node);
    const client = await rawClient(server.url);
    client.write(head(`POST /v2/projects/${lab}/nodes/start`));
    const history = `/v2/projects/${lab}/nodes/${String(node_id)}/history`;
    const types = async (): Promise<unknown[]> =>
      ((await get(200, 'GET', history))['events'] as Bag[]).map((e) => e['type']);
    while (!(await types()).includes('node.start_requested')) await assertUnharmed();
    client.vanish();
    // A second start waits for the first and finds it done.
    await get(204, 'POST', `/v2/projects/${lab}/nodes/start`);
    assert.deepEqual(await types(), ['node.created', 'node.start_requested', 'node.started']);
  });

  it('sends what is not HTTP: it gets a 400 and its connection is closed', async () => {
    const texts: (string | Buffer)[] = [
      '\0\0\0\0\0\0\0\0\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'HELO example.org\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /v2/projects HTTP/1.1\r\nbad header\r\n\r\n',
      head('GET /v2/version', { 'Content-Length': 'ten' }),
      `${head('POST /v2/projects', { 'Transfer-Encoding': 'chunked' })}zz\r\n{}\r\n0\r\n\r\n`,
      `${head('POST /v2/projects', { 'Transfer-Encoding': 'chunked', 'Content-Length': 2 })}{}`,
      head('GET /v2/version', { 'X-Long': 'a'.repeat(100_000) }),
    ];
    for (const text of texts) {
      const client = await rawClient(server.url);
      client.write(text);
      const seen = await client.ended;
      assert.equal(FIRST_LINE.exec(seen)?.[1], '400', `${String(text).slice(0, 60)}: ${seen}`);
      assert.match(seen, /\r\nContent-Type: application\/json\r\n/i);
    }
  });

  it('sends a request and garbage behind it: the request is answered, then the connection is closed', async () => {
    for (const garbage of [
      randomBytes(2000),
      Buffer.from('}{\r\n\r\n'),
      Buffer.from('GET'.repeat(1000) + '\r\n\r\n'),
    ]) {
      const client = await rawClient(server.url);
      client.write(head('GET /v2/compute/version'));
      client.write(garbage);
      client.socket.end();
      const seen = await client.ended;
      const codes = [...seen.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code);
      assert.ok(codes.length <= 2, seen);
      for (const code of codes.slice(1)) assert.equal(code, '400', seen);
      assert.ok(codes[0] === '200' || codes[0] === '400', seen);
    }
  });

  it('sends many requests at once on one connection: each is answered, in order', async () => {
    const client = await rawClient(server.url);
    const paths = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? '/v2/compute/version' : `/v2/nothing/${n}`));
    client.write(paths.map((path) => head(`GET ${path}`)).join('') + head('GET /v2/version', { Connection: 'close' }));
    const seen = await client.ended;
    const codes = [...seen.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => code);
    assert.deepEqual(codes, [...paths.map((_, n) => (n % 2 === 0 ? '200' : '404')), '200']);
  });

  it('reads a large list as slowly as it likes: others are answered, and it gets all of it in the end', async () => {
    const lab = await project('large');
    const svg = `<svg>${'<!-- filling -->'.repeat(4000)}</svg>`;
    const many = Array.from({ length: 120 }, (_, x) => get(201, 'POST', `/v2/projects/${lab}/drawings`, { x, svg }));
    await Promise.all(many);
    const path = `/v2/projects/${lab}/drawings`;
    const slow = await Promise.all(Array.from({ length: 3 }, () => rawClient(server.url, false)));
    for (const client of slow) client.write(head(`GET ${path}`, { Connection: 'close' }));
    for (let n = 0; n < 5; n += 1) await assertUnharmed();
    const [reader, ...others] = slow;
    for (const client of others) client.vanish();
    assert.ok(reader);
    let text = '';
    reader.socket.on('data', (chunk: string) => (text += chunk));
    await once(reader.socket, 'close');
    const list = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Bag[];
    assert.equal(list.length, 120);
    for (const drawing of list) assert.equal(drawing['svg'], svg);
  });

  describe('at a running lab', () => {
    let lab = '';
    let pc = '';
    let console_ = 0;
    let link = '';

    before(async () => {
      lab = await project('running');
      const nodes: Bag[] = [];
      for (const n of [1, 2]) {
        const properties = { startup_script: `set pcname PC${n}\nip 10.9.0.${n}/24\n` };
        const body = { name: `PC${n}`, node_type: 'simple_pc', compute_id: 'local', properties };
        nodes.push(await get(201, 'POST', `/v2/projects/${lab}/nodes`, body));
      }
      const ends = nodes.map((node) => ({ node_id: node['node_id'], adapter_number: 0, port_number: 0 }));
      link = id(await get(201, 'POST', `/v2/projects/${lab}/links`, { nodes: ends }), 'link_id');
      await get(204, 'POST', `/v2/projects/${lab}/nodes/start`);
      pc = id(nodes[0] ?? {});
      console_ = Number((await get(200, 'GET', `/v2/projects/${lab}/nodes/${pc}`))['console']);
    });

    it('reads a capture not at all, or vanishes from it: others read it whole as it grows', async () => {
      const path = `/v2/projects/${lab}/links/${link}`;
      await get(201, 'POST', `${path}/start_capture`, {});
      const stuck = await rawClient(server.url, false);
      const gone = await rawClient(server.url);
      for (const client of [stuck, gone]) client.write(head(`GET ${path}/pcap`));
      await gone.until(/\r\n\r\n/);
      const reader = await fetch(`${server.url}${path}/pcap`);
      const console = await connectConsole(console_, 'PC1> ');
      // About 12 MB: more than all buffers between a capture and a client hold.
      const pinging = console.run('ping 10.9.0.2 -c 200 -i 1 -l 30000 -w 10000');
      gone.vanish();
      for (let n = 0; n < 5; n += 1) await assertUnharmed();
      const seen = await pinging;
      console.end();
      await get(201, 'POST', `${path}/stop_capture`);
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
      await assertUnharmed();
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
