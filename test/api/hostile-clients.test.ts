import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Bag } from './api.ts';
import { onDisk } from '../support/own-log.ts';
import { type HostileServer, hostileServer } from './hostile-server.ts';
import { head, rawClient } from './raw-client.ts';

const FIRST_LINE = /^HTTP\/1\.1 (\d{3}) /;

describe('a client that misbehaves', { skip: onDisk() }, () => {
  let server: HostileServer;
  let project_id = '';
  before(async () => {
    server = await hostileServer();
    project_id = server.project_id;
  });
  after(() => server.close());
  afterEach(() => server.assertUnharmed());

  it('hangs up in the middle of a head', async () => {
    for (const part of [
      'G',
      'GET /v2/proj',
      'GET /v2/projects HTTP/1.1\r\nHo',
      'POST /v2/projects HTTP/1.1\r\nHost: localhost\r\n',
    ]) {
      const client = await rawClient(server.url);
      client.write(part);
      client.vanish();
      await client.ended;
    }
  });

  it('hangs up in the middle of a body, which has no effect', async () => {
    const path = `/v2/projects/${project_id}/drawings`;
    const before = await server.get(200, 'GET', path);
    for (const body of ['', '{', '{"x": 1}', '{"x": 1, "svg": "<svg']) {
      const client = await rawClient(server.url);
      client.write(head(`POST ${path}`, { 'Content-Length': 1000 }) + body);
      client.vanish();
      const chunked = await rawClient(server.url);
      chunked.write(`${head(`POST ${path}`, { 'Transfer-Encoding': 'chunked' })}3e8\r\n${body}`);
      chunked.vanish();
      await Promise.all([client.ended, chunked.ended]);
      await server.assertUnharmed();
    }
    assert.deepEqual(await server.get(200, 'GET', path), before);
  });

  it('says no more after half a body: everybody else is answered meanwhile', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(server.url)));
    for (const client of clients)
      client.write(`${head(`POST /v2/projects/${project_id}/nodes/start`, { 'Content-Length': 100 })}{"a":`);
    for (let n = 0; n < 5; n += 1) await server.assertUnharmed();
    for (const client of clients) {
      assert.equal(client.received(), '');
      client.vanish();
    }
  });

  it('hangs up while its request is carried out: it is carried out all the same', async () => {
    const lab = await server.project('slow');
    const node = { name: 'slow', vmname: 'x', simulate: { delay_ms: 300 } };
    const { node_id } = await server.get(201, 'POST', `/v2/compute/projects/${lab}/desktop_vm_a/nodes`, node);
    const client = await rawClient(server.url);
    client.write(head(`POST /v2/projects/${lab}/nodes/start`));
    const history = `/v2/projects/${lab}/nodes/${String(node_id)}/history`;
    const types = async (): Promise<unknown[]> =>
      ((await server.get(200, 'GET', history))['events'] as Bag[]).map((e) => e['type']);
    while (!(await types()).includes('node.start_requested')) await server.assertUnharmed();
    client.vanish();
    // A second start waits for the first and finds it done.
    await server.get(204, 'POST', `/v2/projects/${lab}/nodes/start`);
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
    const lab = await server.project('large');
    const svg = `<svg>${'<!-- filling -->'.repeat(4000)}</svg>`;
    const many = Array.from({ length: 120 }, (_, x) =>
      server.get(201, 'POST', `/v2/projects/${lab}/drawings`, { x, svg }),
    );
    await Promise.all(many);
    const path = `/v2/projects/${lab}/drawings`;
    const slow = await Promise.all(Array.from({ length: 3 }, () => rawClient(server.url, false)));
    for (const client of slow) client.write(head(`GET ${path}`, { Connection: 'close' }));
    for (let n = 0; n < 5; n += 1) await server.assertUnharmed();
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
});
