import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { sendInTurn } from '../../src/http/routing/register.ts';
import { waitFor } from '../support/wait-for.ts';

const PIPELINED = 20;
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server whose answers are streams of so many blocks each; `read`: blocks that were asked of each stream. */
const serverOf = async (
  t: TestContext,
  blocks: number,
): Promise<{ port: number; streams: Readable[]; read: number[] }> => {
  const streams: Readable[] = [];
  const read: number[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const place = streams.length;
    read.push(0);
    const stream = new Readable({
      read() {
        const n = (read[place] ?? 0) + 1;
        read[place] = n;
        setImmediate(() => this.push(n > blocks ? null : Buffer.alloc(1 << 16)));
      },
    });
    // One that is being sent ends with an error.
    stream.on('error', () => undefined);
    streams.push(stream);
    response.writeHead(200);
    sendInTurn(request.socket, response, stream);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, streams, read };
};

describe('streams of one connection', () => {
  it('are read one after another, and end with the connection', async (t) => {
    const { port, streams, read } = await serverOf(t, 1_000_000);
    const socket = connect(port, '127.0.0.1').pause();
    await once(socket, 'connect');
    socket.write(GET.repeat(PIPELINED));
    await waitFor('all requests have a stream', () => streams.length >= PIPELINED);
    // What the system takes without a reader is some blocks of the first one.
    assert.deepEqual(read.slice(1), new Array(PIPELINED - 1).fill(0));
    const closed = streams.map((stream) => new Promise((resolve) => stream.once('close', resolve)));
    socket.destroy();
    await Promise.all(closed);
    assert.ok(streams.every(({ destroyed }) => destroyed));
  });

  it('come whole, in the order of their requests', async (t) => {
    const { port, read } = await serverOf(t, 3);
    const socket = connect(port, '127.0.0.1');
    socket.write(GET.repeat(PIPELINED - 1) + GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    let octets = 0;
    for await (const chunk of socket) octets += (chunk as Buffer).length;
    assert.ok(octets > PIPELINED * 3 * (1 << 16));
    assert.deepEqual(read, new Array(PIPELINED).fill(4));
  });
});
