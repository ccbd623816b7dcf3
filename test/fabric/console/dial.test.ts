import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import { createOutsideConsoles, dial } from '../../../src/fabric/console/outside-consoles.ts';
import type { OutsideConsole, StartedNode } from '../../../src/fabric/protocol.ts';
import { noSeat } from '../../support/no-seat.ts';
import { createLab, PROJECT, temporaryDirectory } from '../lab.ts';

describe('a console that an HTTP service gives', () => {
  it('is asked for until it is given, first with what was before, and carries bytes as they are', async (t) => {
    const directory = await temporaryDirectory(t);
    const socket = join(directory, 'service');
    const asked: string[] = [];
    let given: (stream: Duplex) => void = () => undefined;
    const opened = new Promise<Duplex>((resolve) => (given = resolve));
    const server = createServer((_request, answer) => answer.writeHead(404).end());
    server.on('upgrade', (request, stream: Duplex) => {
      asked.push(`${request.method} ${request.url} ${request.headers.upgrade}`);
      if (asked.length === 1) return void stream.end('HTTP/1.1 409 Conflict\r\nConnection: close\r\n\r\n');
      stream.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nwelcome');
      given(stream);
    });
    server.listen(socket);
    await once(server, 'listening');
    t.after(() => server.close());

    const lab = createLab(t, { openConsole: createConsole });
    const spec: OutsideConsole = {
      node_id: 'box',
      project_id: PROJECT,
      name: 'Box',
      to: { http_upgrade: { socket, path: '/attach', first_path: '/attach?logs=1' } },
      console: { host: '127.0.0.1', port: 0, range: [22_000, 22_999] },
    };
    const { console: port } = (await lab.ok(lab.fabric.perform({ op: 'console.open', ...spec }))) as StartedNode;
    const again = (await lab.ok(lab.fabric.perform({ op: 'console.open', ...spec }))) as StartedNode;
    assert.equal(again.console, port);

    const stream = await opened;
    assert.deepEqual(asked, ['POST /attach?logs=1 tcp', 'POST /attach?logs=1 tcp']);
    const client = connect(port ?? 0, '127.0.0.1');
    t.after(() => client.destroy());
    let shown = '';
    while (!shown.includes('welcome')) shown += String(((await once(client, 'data')) as [Buffer])[0]);
    client.write('typed');
    let typed = '';
    while (!typed.includes('typed')) typed += String(((await once(stream, 'data')) as [Buffer])[0]);
    assert.equal(typed, 'typed');
    const closed = once(stream, 'close');
    await lab.ok(lab.fabric.perform({ op: 'console.close', node_id: 'box' }));
    stream.on('error', () => undefined);
    stream.resume();
    stream.end();
    await closed;
  });
});

describe('a console that another server gives', () => {
  it('gets what was typed while it was being reached, and nothing that was typed before', async (t) => {
    const server = createServer((_request, answer) => answer.writeHead(404).end());
    const calls = new PassThrough({ objectMode: true });
    server.on('upgrade', (...call) => calls.write(call));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const nextCall = async (): Promise<[IncomingMessage, Duplex, Buffer]> =>
      ((await once(calls, 'data')) as [[IncomingMessage, Duplex, Buffer]])[0];

    let type: (text: string) => void = () => undefined;
    const handle = { port: 1, attach: () => undefined, reset: () => undefined, record: () => undefined, join: noSeat };
    const consoles = createOutsideConsoles(({ sink }) => {
      type = (text) => sink.input(Buffer.from(text));
      return Promise.resolve({ ...handle, close: () => Promise.resolve() });
    });
    t.after(() => consoles.closeAll());
    const { port } = server.address() as AddressInfo;
    const to = { websocket: { url: `ws://127.0.0.1:${port}/console`, headers: {}, telnet: false } };
    const named = { node_id: 'pc', project_id: PROJECT, name: 'PC' };
    await consoles.open({ ...named, to, console: { host: '127.0.0.1', port: 0, range: [22_000, 22_999] } });

    const [, refused] = await nextCall();
    type('lost');
    refused.end('HTTP/1.1 409 Conflict\r\nConnection: close\r\n\r\n');
    const call = await nextCall();
    type('show');
    type(' ip');
    const sockets = new WebSocketServer({ noServer: true });
    const typed = new Promise<string>((resolve) =>
      sockets.handleUpgrade(...call, (socket) => {
        let seen = '';
        socket.on('message', (data: Buffer) => {
          seen += data.toString('latin1');
          if (seen.endsWith('\r')) resolve(seen);
        });
        socket.once('message', () => type('\r'));
      }),
    );
    assert.equal(await typed, 'show ip\r');
  });

  it('is not asked for at a name that leads to this machine, where it has to be elsewhere', async (t) => {
    const server = createServer();
    let asked = 0;
    server.on('connection', () => asked++);
    const sockets = new WebSocketServer({ server });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    t.after(() => {
      sockets.close();
      for (const one of sockets.clients) one.terminate();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const reached = (more: { elsewhere?: true }): Promise<boolean> =>
      new Promise((resolve) => {
        const websocket = { url: `ws://localhost:${port}/`, headers: {}, telnet: false, ...more };
        const hangUp = dial({ websocket }, true, {
          opened: () => (hangUp(), resolve(true)),
          output: () => undefined,
          lost: () => resolve(false),
        });
      });
    assert.equal(await reached({ elsewhere: true }), false);
    assert.equal(asked, 0);
    assert.equal(await reached({}), true);
    assert.equal(asked, 1);
  });
});
