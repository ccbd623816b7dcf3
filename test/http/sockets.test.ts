import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { DRAWING, NODE, PROJECT, UNKNOWN } from './fake-lab.ts';
import { app, close, closed, exchange, head, lab, listen, listenInEachTest, open, untilEnd } from './listening.ts';

listenInEachTest();

/** Where the socket itself is the point: what is on the wire, slow senders, closing. */

const DRAWING_PATH = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;

const HANDSHAKE = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('on the wire', () => {
  it('a 204 has Content-Length 0 and not one byte of body', async () => {
    await listen();
    const answer = await exchange(head('DELETE', DRAWING_PATH, 'Connection: close'));
    assert.match(answer, /^HTTP\/1\.1 204 /);
    assert.match(answer, /\r\ncontent-length: 0\r\n/i);
    assert.match(answer, /\r\nx-route: \/v2\/projects\/\{project_id\}\/drawings\/\{drawing_id\}\r\n/i);
    assert.doesNotMatch(answer, /transfer-encoding|\ncontent-type/i);
    assert.ok(answer.endsWith('\r\n\r\n'));
  });

  it('a POST without body and without any header about it is taken', async () => {
    await listen();
    assert.match(
      await exchange(head('POST', `/v2/projects/${PROJECT}/nodes/start`, 'Connection: close')),
      /^HTTP\/1\.1 204 /,
    );
  });

  it('a chunked body is taken, and 413 once it is too long', async () => {
    await listen({ bodyLimit: 100 });
    const chunked = ['Transfer-Encoding: chunked', 'Connection: close'];
    assert.match(
      await exchange(`${head('PUT', DRAWING_PATH, ...chunked)}7\r\n{"x":1}\r\n0\r\n\r\n`),
      /^HTTP\/1\.1 201 /,
    );
    const long = await exchange(`${head('PUT', DRAWING_PATH, ...chunked)}80\r\n${'x'.repeat(128)}\r\n0\r\n\r\n`);
    assert.match(long, /^HTTP\/1\.1 413 /);
    assert.match(long, /"message":"The body is larger than 100 bytes"/);
  });

  it('bytes that are no request are 400 in JSON, with X-Route and X-Request-Id', async () => {
    await listen();
    const answer = await exchange('GARBAGE\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /\r\nX-Route: \*\r\n/i);
    assert.match(answer, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i);
    assert.match(answer, /"status":400/);
  });

  it('every answer says that it is what its type says, errors and handshakes among them', async () => {
    await listen();
    const feed = head('GET', '/v2/notifications/ws', ...HANDSHAKE);
    for (const [text, code] of [
      [head('GET', '/v2/version', 'Connection: close'), 200],
      [head('GET', `/v2/projects/${PROJECT}`, 'Connection: close'), 200],
      [head('GET', '/v2/version?x=1', 'Connection: close', 'Accept: */*', 'DNT: 1'), 200],
      [head('DELETE', DRAWING_PATH, 'Connection: close'), 204],
      [head('GET', '/nowhere', 'Connection: close'), 404],
      [head('GET', '/v2/%zz', 'Connection: close'), 400],
      ['GARBAGE\r\n\r\n', 400],
      [feed.replace('/ws', '/nowhere'), 404],
    ] as const) {
      const answer = await exchange(text);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${code} `));
      assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/i, answer);
    }
    const socket = await open();
    socket.write(feed);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 101 [^]*\r\nX-Content-Type-Options: nosniff\r\n/i);
    socket.destroy();
  });

  it('a request without Host, or with two, is 400', async () => {
    await listen();
    const answer = await exchange('GET /v2/version HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*the header Host is missing/);
    assert.match(
      await exchange('GET /v2/version HTTP/1.0\r\n\r\n'),
      /^HTTP\/1\.1 400 [\s\S]*the header Host is missing/,
    );
    const twice = await exchange('GET /v2/version HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n');
    assert.match(twice, /^HTTP\/1\.1 400 [\s\S]*the header Host must be there once/);
    assert.match(await exchange('GET /v2/version HTTP/1.0\r\nHost: localhost\r\n\r\n'), /^HTTP\/1\.1 200 /);
  });

  it('an offer to upgrade to something else is passed over', async () => {
    await listen();
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const answer = await exchange(head('GET', '/v2/version', ...offer));
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.ok(answer.endsWith('{"version":"1.2.3","local":true}'));
    assert.match(await exchange(head('POST', `/v2/projects/${PROJECT}/open`, ...offer)), /^HTTP\/1\.1 201 /);
    assert.match(
      await exchange(`${head('PUT', DRAWING_PATH, ...offer, 'Content-Length: 7')}{"x":1}`),
      /^HTTP\/1\.1 400 /,
    );
    assert.match(await exchange(head('GET', `/v2/projects/${UNKNOWN}`, ...offer)), /^HTTP\/1\.1 404 /);
  });
});

describe('under names of existing tools', () => {
  const CLOSES = /\r\nconnection: close\r\n/i;
  const project = `/v2/projects/${PROJECT}`;

  it('each answer ends its connection, also one that no route makes', async () => {
    await listen({ names: 'gns3' });
    const asked = [
      [head('GET', '/v2/version'), 200],
      [head('GET', '/v2/version', 'X-Anything: 1'), 200],
      [head('GET', `/v2/projects/${UNKNOWN}`), 404],
      [head('GET', '/nowhere'), 404],
      [head('POST', `${project}/nodes/start`), 204],
      [head('POST', `${project}/nodes/start`, 'Content-Length: 0'), 204],
      [`${head('PUT', DRAWING_PATH, 'Content-Length: 7')}{"x":1}`, 201],
      [`${head('PUT', DRAWING_PATH, 'Transfer-Encoding: chunked')}7\r\n{"x":1}\r\n0\r\n\r\n`, 201],
      [head('GET', `${project}/files/some/file`), 200],
    ] as const;
    for (const [request, status] of asked) {
      const answer = await exchange(request);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), request);
      assert.match(answer, CLOSES, request);
    }
  });

  it('a stream says so from the beginning, and goes on', async () => {
    await listen({ names: 'gns3', limits: { feedPingMs: 20 } });
    const socket = await open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(head('GET', `${project}/notifications`));
    while ((text.match(/"action":"ping"/g) ?? []).length < 3) await once(socket, 'data');
    assert.match(text, CLOSES);
  });

  it('a client that still sends a body can read why it is refused, and ask again', async () => {
    await listen({ names: 'gns3' });
    const socket = await open();
    const body = 'x'.repeat(4 * 1024 ** 2);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(head('POST', `/v2/projects/${UNKNOWN}/import?name=`, `Content-Length: ${body.length}`));
    await once(socket, 'data');
    assert.match(text, /^HTTP\/1\.1 400 /);
    text = '';
    socket.write(body);
    socket.write(head('GET', '/v2/version'));
    await closed(socket);
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.match(text, CLOSES);
  });

  it('neutral names leave it open', async () => {
    await listen();
    const socket = await open();
    for (const path of ['/v2/version', '/nowhere']) {
      socket.write(head('GET', path));
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      assert.doesNotMatch(chunk.toString(), CLOSES);
    }
  });
});

describe('a slow sender', () => {
  const impatient = { headersMs: 150, requestMs: 200, checkMs: 50 };

  it('is dropped in the middle of its headers', async () => {
    await listen({ limits: impatient });
    assert.match(await exchange('GET /v2/version HTTP/1.1\r\nHost: '), /^HTTP\/1\.1 408 /);
  });

  it('is dropped in the middle of its body, and nothing is done', async () => {
    await listen({ limits: impatient });
    const answer = await exchange(`${head('PUT', DRAWING_PATH, 'Content-Length: 100')}{"x":`);
    assert.match(answer, /^HTTP\/1\.1 408 /);
    assert.match(answer, /"status":408/);
    assert.deepEqual(lab.calls, []);
    assert.deepEqual(lab.defects, []);
  });
});

describe('a WebSocket handshake', () => {
  it('that is refused ends its connection, and the answer says so, wherever it is refused', async () => {
    await listen();
    const refused = {
      [`/v2/projects/${UNKNOWN}/notifications/ws`]: 404,
      '/v2/notifications/ws?since=x': 400,
      '/v2/nothing': 404,
      '/v2/notifications/ws/%ff': 400,
    };
    for (const [path, status] of Object.entries(refused)) {
      const answer = await exchange(head('GET', path, ...HANDSHAKE));
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), path);
      assert.match(answer, /\r\nconnection: close\r\n/i, path);
    }
    assert.match(
      await exchange(head('GET', '/v2/version', ...HANDSHAKE, 'Origin: http://elsewhere.example')),
      /^HTTP\/1\.1 [\s\S]*\r\nconnection: close\r\n/i,
    );
  });

  it('is answered with the headers of every answer', async () => {
    await listen();
    const socket = await open();
    socket.write(head('GET', '/v2/notifications/ws', ...HANDSHAKE, 'X-Request-Id: mine'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 101 /);
    assert.match(answer.toString(), /\r\nX-Route: \/v2\/notifications\/ws\r\nX-Request-Id: mine\r\n/);
  });

  it('that fails does not keep a server from closing', async () => {
    await listen({ limits: { closeGraceMs: 50 } });
    lab.commands.openConsole = () => new Promise(() => undefined);
    const socket = await open();
    socket.write(head('GET', `/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`, ...HANDSHAKE));
    await once(app.server, 'upgrade');
    await close();
    await closed(socket);
  });
});

describe('closing', () => {
  it('waits for no idle, silent or half-sent connection', async () => {
    await listen({ limits: { closeGraceMs: 100 } });
    const idle = await open();
    idle.write(head('GET', '/v2/version'));
    await once(idle, 'data');
    await open();
    const half = await open();
    half.write(`${head('PUT', DRAWING_PATH, 'Content-Length: 100')}{`);
    await close();
    await Promise.all([idle, half].map(untilEnd));
  });

  it('lets a running request finish, and refuses the next on its connection', async () => {
    await listen();
    const gate = new EventEmitter();
    const { commands } = lab;
    const openProject = commands.openProject.bind(commands);
    commands.openProject = async (...args) => {
      const go = once(gate, 'go');
      gate.emit('begun');
      await go;
      return openProject(...args);
    };
    const begun = once(gate, 'begun');
    const socket = await open();
    const answers = untilEnd(socket);
    socket.write(head('POST', `/v2/projects/${PROJECT}/open`));
    await begun;
    const closing = close();
    socket.write(head('GET', '/v2/version'));
    await once(app.server, 'request');
    gate.emit('go');
    const text = await answers;
    assert.match(text, /^HTTP\/1\.1 201 /);
    assert.match(text, /HTTP\/1\.1 503 [\s\S]*"code":"shutting_down"/);
    await closing;
  });
});
