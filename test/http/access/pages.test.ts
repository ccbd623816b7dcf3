import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { type Access, hostCheck, OPEN } from '../../../src/http/access/admission.ts';
import { DRAWING, fakeLab, NODE, PROJECT, serve } from '../fake-lab.ts';

let lab = fakeLab();
let app = serve(lab);
const start = (access: Partial<Access> = {}): void => {
  lab = fakeLab();
  app = serve(lab, { access: { ...OPEN, ...access } });
};
beforeEach(() => start());
afterEach(() => app.close());

const URL_ = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
const write = (headers: Record<string, string>) => app.inject({ method: 'PUT', url: URL_, payload: { x: 1 }, headers });
const read = (headers: Record<string, string>) => app.inject({ url: URL_, headers });

describe('the header Host', () => {
  it('must be a name of this server: a name that somebody else has resolve to it is 403', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil',
      'a:b:c',
      ':80',
    ]) {
      for (const answer of [await write({ host }), await read({ host })]) {
        assert.equal(answer.statusCode, 403, host);
        assert.equal(answer.json<{ header: string }>().header, 'Host');
      }
    }
    assert.deepEqual(lab.calls, []);
  });

  it('may be any name of the loopback, with and without a port, the name of the machine, and names that are allowed', async () => {
    await app.close();
    start({ hosts: ['lab.example.org', 'fd00::7'] });
    const names = ['localhost', 'LOCALHOST:3080', 'localhost.', '127.0.0.1:1', '127.8.9.1', '[::1]', '[::1]:3080'];
    for (const host of [...names, hostname(), 'lab.example.org', 'Lab.Example.org:443', '[fd00::7]:3080'])
      assert.equal((await write({ host })).statusCode, 201, host);
  });

  it('must not be empty', () => {
    assert.equal(hostCheck([])('', '127.0.0.1'), false);
  });

  it('may be the address that the request came to, and no other', () => {
    const isOwn = hostCheck([]);
    for (const [host, address] of [
      ['192.0.2.4:3080', '192.0.2.4'],
      ['192.0.2.4', '::ffff:192.0.2.4'],
      ['[2001:db8::4]:3080', '2001:db8::4'],
    ] as const) {
      assert.equal(isOwn(host, address), true, host);
      assert.equal(isOwn(host, '192.0.2.5'), false, host);
    }
  });
});

describe('a page of another origin', () => {
  const foreign = [
    'https://evil.example',
    'http://localhost:8000',
    'http://127.0.0.1',
    'http://localhost.evil.example',
    'null',
  ];

  it('cannot write, whatever it sends', async () => {
    for (const origin of [...foreign, 'nonsense', '', 'file://', 'http://localhost:80@evil.example']) {
      const answer = await write({ host: 'localhost', origin, 'content-type': 'text/plain' });
      assert.equal(answer.statusCode, 403, origin);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
    assert.deepEqual(lab.calls, []);
  });

  it('cannot read, neither by script nor as a part of itself', async () => {
    for (const origin of foreign) assert.equal((await read({ host: 'localhost', origin })).statusCode, 403, origin);
    for (const site of ['cross-site', 'same-site'])
      for (const mode of ['no-cors', 'cors', 'websocket'])
        assert.equal((await read({ 'sec-fetch-site': site, 'sec-fetch-mode': mode })).statusCode, 403, site);
  });

  it('may link to an answer, and a page of the server itself may do all', async () => {
    assert.equal((await read({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).statusCode, 200);
    assert.equal((await read({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).statusCode, 200);
    for (const [host, origin] of [
      ['localhost:3080', 'http://localhost:3080'],
      ['LocalHost', 'http://localhost'],
      ['localhost:80', 'http://localhost'],
      ['[::1]:3080', 'http://[::1]:3080'],
      ['localhost', 'https://localhost'],
    ] as const) {
      const answer = await write({ host, origin });
      assert.equal(answer.statusCode, 201, `${host} ${origin}`);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });

  it('cannot ask what it may do', async () => {
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
    const answer = await app.inject({ method: 'OPTIONS', url: URL_, headers: { host: 'localhost', ...asked } });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers['access-control-allow-methods'], undefined);
  });

  it('cannot join a console', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const url = `ws://127.0.0.1:${port}/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`;
    for (const headers of [{ origin: 'https://evil.example' }, { host: `evil.example:${port}` }]) {
      const socket = new WebSocket(url, { headers });
      socket.on('error', () => undefined);
      const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      assert.equal(answer.statusCode, 403);
      answer.resume();
    }
    assert.deepEqual(lab.consoles, []);
    const own = new WebSocket(url, { origin: `http://127.0.0.1:${port}` });
    await once(own, 'open');
    own.terminate();
  });
});

describe('a page of another origin at the feeds', () => {
  it('gets nothing, neither as an answer nor by a WebSocket', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const feeds = ['/v2/notifications', `/v2/projects/${PROJECT}/notifications`];
    for (const headers of [{ origin: 'https://evil.example' }, { host: `evil.example:${port}` }]) {
      for (const url of feeds) assert.equal((await app.inject({ url, headers })).statusCode, 403, url);
      for (const url of [...feeds.map((feed) => `${feed}/ws`), '/v2/compute/notifications/ws']) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${url}`, { headers });
        socket.on('error', () => undefined);
        const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
        assert.equal(answer.statusCode, 403, url);
        answer.resume();
      }
    }
  });
});

describe('a page of an allowed origin', () => {
  const origin = 'https://lab.example.org';
  beforeEach(async () => {
    await app.close();
    start({ origins: [origin] });
  });

  it('is answered with what lets its browser hand the answer on, errors included', async () => {
    for (const answer of [
      await write({ origin }),
      await app.inject({ url: '/v2/nowhere', headers: { origin } }),
      await app.inject({ method: 'PUT', url: URL_, payload: 'x', headers: { origin } }),
    ]) {
      assert.equal(answer.headers['access-control-allow-origin'], origin);
      assert.equal(answer.headers['access-control-allow-credentials'], 'true');
      assert.match(String(answer.headers['access-control-expose-headers']), /X-Request-Id/);
      assert.match(String(answer.headers.vary), /Origin/);
    }
    assert.equal(lab.calls.length, 1);
  });

  it('is told before it asks which methods and headers it may use', async () => {
    const headers = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    };
    const answer = await app.inject({ method: 'OPTIONS', url: URL_, headers });
    assert.equal(answer.statusCode, 204);
    assert.equal(answer.body, '');
    assert.equal(answer.headers['content-length'], '0');
    assert.equal(answer.headers['access-control-allow-origin'], origin);
    assert.match(String(answer.headers['access-control-allow-methods']), /PUT/);
    assert.match(String(answer.headers['access-control-allow-headers']), /Authorization/);
    assert.deepEqual(lab.calls, []);
  });

  it('may embed pictures, which have no Origin', async () => {
    const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    assert.equal((await read({ ...embedded, referer: `${origin}/server/1` })).statusCode, 200);
    for (const referer of [
      'https://evil.example/',
      `https://evil.example/?${origin}`,
      `${origin}.evil.example/`,
      'x',
      '',
    ])
      assert.equal((await read({ ...embedded, referer })).statusCode, 403, referer);
  });

  it('makes no other origin welcome', async () => {
    for (const other of ['https://lab.example.org:444', 'http://lab.example.org', 'https://x.lab.example.org'])
      assert.equal((await write({ origin: other })).statusCode, 403, other);
  });
});
