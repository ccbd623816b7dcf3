import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { conflict } from '../../src/common/errors.ts';
import { NODE, PROJECT, UNKNOWN } from './fake-lab.ts';
import { app, close, exchange, head, lab, listen, listenInEachTest, port } from './listening.ts';

listenInEachTest();

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
    await close();
    const [code] = (await left) as [number];
    assert.equal(code, 1001);
  });
});
