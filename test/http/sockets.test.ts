import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { conflict } from '../../src/errors.ts';
import type { HttpDeps } from '../../src/http/server.ts';
import { DRAWING, fakeLab, LINK, link, NODE, node, PROJECT, serve, UNKNOWN } from './fake-lab.ts';

/** Where the socket itself is the point: what is on the wire, slow and vanished clients, streams, closing. */

let lab = fakeLab();
let app = serve(lab);
let port = 0;
const sockets: Socket[] = [];

const listen = async (over: Partial<HttpDeps> = {}): Promise<void> => {
  app = serve(lab, over);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
};
beforeEach(() => {
  lab = fakeLab();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

const open = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

/** `once` would throw at the error of a reset. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });

/** Everything until the server ends the connection. */
const untilEnd = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await closed(socket);
  return Buffer.concat(chunks).toString();
};

const exchange = async (request: string): Promise<string> => {
  const socket = await open();
  socket.write(request);
  return untilEnd(socket);
};

const DRAWING_PATH = `/v2/projects/${PROJECT}/drawings/${DRAWING}`;
const head = (method: string, path: string, ...headers: string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;

describe('on the wire', () => {
  it('a 204 has Content-Length 0 and not one byte of body', async () => {
    await listen();
    const answer = await exchange(head('DELETE', DRAWING_PATH, 'Connection: close'));
    assert.match(answer, /^HTTP\/1\.1 204 /);
    assert.match(answer, /\r\ncontent-length: 0\r\n/i);
    assert.match(answer, /\r\nx-route: \/v2\/projects\/\{project_id\}\/drawings\/\{drawing_id\}\r\n/i);
    assert.doesNotMatch(answer, /transfer-encoding|content-type/i);
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

  it('bytes that are no request are 400 in JSON, with X-Route', async () => {
    await listen();
    for (const bytes of ['GARBAGE\r\n\r\n', head('GET', '/v2/version', `X: ${'y'.repeat(100_000)}`)]) {
      const answer = await exchange(bytes);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /\r\nX-Route: \*\r\n/i);
      assert.match(answer, /"status":400/);
    }
  });

  it('a request without Host is 400', async () => {
    await listen();
    const answer = await exchange('GET /v2/version HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*the header Host is missing/);
    assert.match(await exchange('GET /v2/version HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
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

describe('the stream of a capture', () => {
  let directory = '';
  let file = '';
  const capture = () => ({
    file_name: 'a.pcap',
    path: file,
    data_link_type: 'DLT_EN10MB',
    node_id: NODE,
    adapter_number: 0,
    port_number: 0,
  });
  const capturing = (on: boolean) =>
    lab.records.put('link', LINK, link({ state: on ? 'capturing' : 'idle', capture: capture() }));
  const limits = { captureMs: 5 };
  const url = () => `http://127.0.0.1:${port}/v2/projects/${PROJECT}/links/${LINK}/pcap`;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'topolog-http-'));
    file = join(directory, 'a.pcap');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('follows the file, also one that is not there yet, to what was written last before the stop', async () => {
    capturing(true);
    await listen({ limits });
    const answer = await fetch(url());
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/vnd.tcpdump.pcap');
    assert.equal(answer.headers.get('x-route'), '/v2/projects/{project_id}/links/{link_id}/pcap');
    await writeFile(file, 'head');
    const reader = (answer.body ?? assert.fail('no body')).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    assert.equal(await next(), 'head');
    await appendFile(file, 'more');
    assert.equal(await next(), 'more');
    await appendFile(file, 'last');
    capturing(false);
    assert.equal(await next(), 'last');
    assert.equal((await reader.read()).done, true);
  });

  it('asks for a flush before it looks, and lives with one that fails', async () => {
    capturing(true);
    await writeFile(file, '');
    let flushes = 0;
    lab.commands.flushCapture = async () => {
      flushes++;
      if (flushes === 1) await appendFile(file, 'flushed');
      else throw new Error('fabric gone');
      capturing(false);
    };
    await listen({ limits });
    assert.equal(await (await fetch(url())).text(), 'flushed');
  });

  it('exists on the compute side as well', async () => {
    await writeFile(file, 'bytes');
    const { file_name, path, data_link_type } = capture();
    const on = { file_name, path, data_link_type, state: 'capturing' as const };
    lab.records.put('node', NODE, node('simple_pc', { captures: { '0/0': on } }));
    await listen({ limits });
    const answer = await fetch(
      `http://127.0.0.1:${port}/v2/compute/projects/${PROJECT}/vpcs/nodes/${NODE}/adapters/0/ports/0/pcap`,
    );
    lab.records.put('node', NODE, node('simple_pc'));
    assert.equal(await answer.text(), 'bytes');
  });

  it('ends when the client hangs up', async () => {
    capturing(true);
    await writeFile(file, 'head');
    await listen({ limits: { captureMs: 1 } });
    let looks = 0;
    lab.commands.flushCapture = async () => {
      looks++;
    };
    const request = once(app.server, 'request');
    const socket = await open();
    socket.write(head('GET', new URL(url()).pathname));
    await once(socket, 'data');
    socket.destroy();
    const [served] = (await request) as [{ socket: Socket }];
    await closed(served.socket);
    const version = () => fetch(`http://127.0.0.1:${port}/v2/version`);
    for (let i = 0; i < 3; i++) await version();
    const before = looks;
    for (let i = 0; i < 20; i++) await version();
    assert.equal(looks, before);
  });

  it('ends when the server closes', async () => {
    capturing(true);
    await writeFile(file, 'head');
    await listen({ limits });
    const socket = await open();
    const text = untilEnd(socket);
    socket.write(head('GET', new URL(url()).pathname));
    await once(socket, 'data');
    await app.close();
    // With its last chunk: ended, not cut.
    assert.match(await text, /^HTTP\/1\.1 200 [\s\S]*\r\n0\r\n\r\n$/);
  });
});

describe('the WebSocket of a console', () => {
  const url = (id = NODE, group = '/v2') => `ws://127.0.0.1:${port}${group}/projects/${PROJECT}/nodes/${id}/console/ws`;
  const opened = async (address: string): Promise<WebSocket> => {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return socket;
  };
  /** Status and body of the answer to a refused upgrade. */
  const refused = async (address: string): Promise<[number, string, string]> => {
    const socket = new WebSocket(address);
    socket.on('error', () => undefined);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    const chunks = (await answer.toArray()) as Buffer[];
    return [answer.statusCode ?? 0, String(answer.headers['x-route']), Buffer.concat(chunks).toString()];
  };

  it('carries raw bytes both ways, from text or binary frames into binary ones', async () => {
    await listen();
    for (const address of [
      url(),
      `ws://127.0.0.1:${port}/v2/compute/projects/${PROJECT}/vpcs/nodes/${NODE}/console/ws`,
    ]) {
      const socket = await opened(address);
      for (const sent of ['text ü', Buffer.from([0, 255, 13])]) {
        socket.send(sent);
        const [data, binary] = (await once(socket, 'message')) as [Buffer, boolean];
        assert.deepEqual([data, binary], [Buffer.from(sent as string), true]);
      }
      socket.close();
      await once(socket, 'close');
    }
    assert.deepEqual(lab.calls, [
      ['openConsole', PROJECT, NODE],
      ['openConsole', PROJECT, NODE],
    ]);
  });

  it('is refused before the upgrade as JSON', async () => {
    await listen();
    const route = '/v2/projects/{project_id}/nodes/{node_id}/console/ws';
    const [status, xRoute, body] = await refused(url(UNKNOWN));
    assert.deepEqual([status, xRoute, (JSON.parse(body) as { status: number }).status], [404, route, 404]);
    assert.equal((await refused(url('not-an-id')))[0], 400);
    lab.failNext(conflict('PC1 does not run'));
    assert.equal((await refused(url()))[0], 409);
    assert.equal((await refused(`ws://127.0.0.1:${port}/v2/projects`))[0], 400);
    assert.equal((await refused(`ws://127.0.0.1:${port}/nowhere`))[0], 404);
    const plain = await app.inject(`/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`);
    assert.equal(plain.statusCode, 400);
    assert.equal(plain.headers.upgrade, 'websocket');
    assert.equal(lab.consoles.length, 0);
  });

  it('refuses a handshake that cannot succeed before it opens a console', async () => {
    await listen();
    const bad = head(
      'GET',
      new URL(url()).pathname,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: short',
    );
    assert.match(await exchange(bad), /^HTTP\/1\.1 400 /);
    assert.deepEqual(lab.calls, []);
  });

  it('closes with a reason when the console ends or fails', async () => {
    await listen();
    const endings: [(console: (typeof lab.consoles)[number]) => void, number, string][] = [
      [(c) => c.end(), 1000, 'The console ended'],
      [(c) => c.destroy(), 1000, 'The console ended'],
      [(c) => c.destroy(new Error('x')), 1011, 'The console failed'],
    ];
    for (const [end, code, reason] of endings) {
      const socket = await opened(url());
      const console = lab.consoles.at(-1) ?? assert.fail('no console');
      end(console);
      const [gotCode, gotReason] = (await once(socket, 'close')) as [number, Buffer];
      assert.deepEqual([gotCode, String(gotReason)], [code, reason]);
    }
  });

  it('lets go of the console when the client goes', async () => {
    await listen();
    for (const leave of ['close', 'terminate'] as const) {
      const socket = await opened(url());
      const console = lab.consoles.at(-1) ?? assert.fail('no console');
      const gone = once(console, 'close');
      socket[leave]();
      await gone;
    }
  });

  it('pauses a console whose client does not read, and loses nothing', async () => {
    const consoleBytes = 64 * 1024;
    await listen({ limits: { consoleBytes } });
    const socket = await opened(url());
    const console = lab.consoles.at(-1) ?? assert.fail('no console');
    socket.pause();
    const chunk = Buffer.alloc(16 * 1024, 1);
    let written = 0;
    // Ends only if the console is really held back: the sockets' own buffers are finite.
    while (console.write(chunk)) {
      written += chunk.length;
      await new Promise(setImmediate);
      assert.ok(written < 256 << 20, 'the console was never paused');
    }
    written += chunk.length;
    assert.equal(console.isPaused(), true);
    let received = 0;
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        received += data.length;
        if (received === written) resolve();
      });
    });
    socket.resume();
    await all;
    socket.terminate();
  });

  it('cuts a client that has silently gone', async () => {
    await listen({ limits: { pingMs: 20 } });
    const socket = await opened(url());
    await once(socket, 'ping');
    const console = lab.consoles.at(-1) ?? assert.fail('no console');
    const gone = once(console, 'close');
    socket.pause();
    await gone;
    socket.terminate();
  });

  it('says goodbye when the server closes', async () => {
    await listen();
    const socket = await opened(url());
    const left = once(socket, 'close');
    await app.close();
    const [code] = (await left) as [number];
    assert.equal(code, 1001);
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
    await app.close();
    assert.equal(app.server.listening, false);
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
    const closing = app.close();
    socket.write(head('GET', '/v2/version'));
    await once(app.server, 'request');
    gate.emit('go');
    const text = await answers;
    assert.match(text, /^HTTP\/1\.1 201 /);
    assert.match(text, /HTTP\/1\.1 503 [\s\S]*"code":"shutting_down"/);
    await closing;
  });
});
