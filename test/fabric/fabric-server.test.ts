import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import type { FabricClient } from '../../src/fabric/client/client.ts';
import { CONTROL_HELLO, connectFabric, createClient, greet } from '../../src/fabric/client/connect.ts';
import type { ModelFactory } from '../../src/fabric/process/model.ts';
import type { FabricEvent, Op } from '../../src/fabric/protocol.ts';
import type { OpenConsole } from '../../src/fabric/console/console.ts';
import { serveFabric, type FabricServer } from '../../src/fabric/process/server.ts';
import { createLab, nodeSpec, quiet, temporaryDirectory, cableSpec, type Lab } from './lab.ts';
import { noSeat } from '../support/no-seat.ts';

interface Served {
  lab: Lab;
  path: string;
  server: FabricServer;
  shutdown: Promise<void>;
  client: () => Promise<FabricClient>;
  raw: () => Socket;
}

const echoing: ModelFactory = (context) => {
  const sink = {
    output: (_bytes: Uint8Array): void => undefined,
    input: (bytes: Uint8Array): void =>
      Buffer.from(bytes).toString() === 'quit' ? context.exit('typed quit') : sink.output(bytes),
  };
  return { receive: () => undefined, configure: () => undefined, console: sink, stop: () => undefined };
};

/** A console that greets each client with the node's name. */
const greeting: OpenConsole = ({ name, sink }) => {
  const clients = new Set<Duplex>();
  sink.output = (bytes) => clients.forEach((client) => client.write(bytes));
  return Promise.resolve({
    port: 1,
    attach: (client) => {
      clients.add(client);
      client.on('error', () => undefined);
      client.write(`${name}> `);
      client.on('data', (chunk: Buffer) => sink.input(chunk));
    },
    reset: () => clients.forEach((client) => client.destroy()),
    record: () => undefined,
    join: noSeat,
    close: () => Promise.resolve(clients.forEach((client) => client.destroy())),
  });
};

async function serve(t: TestContext): Promise<Served> {
  const lab = createLab(t, { models: { host: echoing }, openConsole: greeting });
  const path = join(await temporaryDirectory(t), 'fabric.sock');
  let down: () => void = () => undefined;
  const shutdown = new Promise<void>((resolve) => (down = resolve));
  const server = await serveFabric({ fabric: lab.fabric, socketPath: path, log: () => undefined, onShutdown: down });
  t.after(() => server.close());
  return {
    lab,
    path,
    server,
    shutdown,
    async client() {
      const client = await connectFabric(path);
      t.after(() => client.close());
      return client;
    },
    raw() {
      const socket = connect(path).on('error', () => undefined);
      t.after(() => void socket.destroy());
      return socket;
    },
  };
}

const put = (id: string): Op => ({ op: 'cable.put', cable: cableSpec(id, [`${id}a/0/0`, `${id}b/0/0`]) });
const text = async (stream: Duplex): Promise<string> => String(((await once(stream, 'data')) as [Buffer])[0]);

describe('a control connection', () => {
  it('is told that the fabric lives while an op is slow, and that the op is late', async (t) => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const lab = createLab(t, { models: { host: () => slow.then(() => quiet) } });
    const path = join(await temporaryDirectory(t), 'fabric.sock');
    const options = { fabric: lab.fabric, socketPath: path, log: () => undefined, onShutdown: () => undefined };
    const server = await serveFabric(options);
    t.after(() => server.close());
    const { socket, greeting } = await greet(path, CONTROL_HELLO);
    assert.equal(greeting.heartbeat, true);
    const client = createClient(path, socket, 50);
    const start: Op = { op: 'node.start', node: nodeSpec('h', { model: 'host' }) };
    const late = assert.rejects(client.one(start), {
      code: 'failed',
      message: 'node.start was not answered within 0.05 s',
    });
    await client.beat();
    await late;
    await client.beat();
    client.close();
    release();
  });

  it('is private to the user', async (t) => {
    const { path } = await serve(t);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('answers each op in order, failed ones between good ones', async (t) => {
    const client = await (await serve(t)).client();
    const results = await client.run([
      put('x'),
      { op: 'node.suspend', node_id: 'nobody' },
      { op: 'cable.put', cable: cableSpec('y', ['xa/0/0', 'c/0/0']) },
      put('z'),
    ]);
    assert.deepEqual(
      results.map((result) => (result.ok ? 'ok' : result.code)),
      ['ok', 'not_found', 'exists', 'ok'],
    );
    assert.deepEqual(
      (await client.inventory()).cables.map(({ cable_id }) => cable_id),
      ['x', 'z'],
    );
    await assert.rejects(client.one({ op: 'node.resume', node_id: 'nobody' }), {
      name: 'FabricError',
      code: 'not_found',
    });
  });

  it('takes thousands of ops at once', async (t) => {
    const client = await (await serve(t)).client();
    const results = await client.run(Array.from({ length: 3000 }, (_, n) => put(`w${n}`)));
    assert.ok(results.length === 3000 && results.every(({ ok }) => ok));
    assert.equal((await client.inventory()).cables.length, 3000);
  });

  it('replaces the older one, whose owner learns of it', async (t) => {
    const served = await serve(t);
    const older = await served.client();
    const lost = new Promise<void>((resolve) => older.onLost(resolve));
    const newer = await served.client();
    await lost;
    await assert.rejects(older.inventory(), { code: 'lost' });
    assert.deepEqual(await newer.run([put('x')]), [{ ok: true }]);
    const late = new Promise<void>((resolve) => older.onLost(resolve));
    await late;
  });

  it('rejects what was not answered when the fabric goes away', async (t) => {
    const served = await serve(t);
    const client = await served.client();
    const unanswered = client.inventory();
    await served.server.close();
    await assert.rejects(unanswered, { code: 'lost' });
    await assert.rejects(connectFabric(served.path), { code: 'lost' });
  });

  it('takes lines in halves, answers on, and survives garbage', async (t) => {
    const { raw, client, lab } = await serve(t);
    const socket = raw();
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
    socket.write('{"hello":"contr');
    socket.write('ol","version":3}\n{"id":1,"ops":[{"op":"inven');
    assert.equal(((await next()) as { ok: boolean }).ok, true);
    socket.write(
      'tory"}]}\nnot JSON\n[]\n{"id":2}\n{"id":3,"ops":[null]}\n{"id":4,"ops":[{"op":"no.such"},{"op":"node.start"}]}\n',
    );
    assert.equal(((await next()) as { id: number }).id, 1);
    assert.deepEqual(await next(), { id: 2, results: [] });
    assert.deepEqual(await next(), { id: 3, results: [] });
    const { id, results } = (await next()) as { id: number; results: { ok: boolean }[] };
    assert.deepEqual([id, results.map(({ ok }) => ok)], [4, [false, false]]);
    socket.destroy();
    assert.deepEqual((await (await client()).inventory()).nodes, []);
    assert.deepEqual(lab.events, []);
  });

  it('that says nothing we know is told so and closed', async (t) => {
    const { raw, server } = await serve(t);
    for (const [hello, expected] of [
      ['GET / HTTP/1.1\r\n', /"ok":false/],
      ['{"hello":"control","version":99}\n', /"ok":false.*"version":3,"pid":\d+/],
      ['{"hello":"console","node_id":"nobody"}\n', /"code":"not_found"/],
      ['{"hello":"console"}\n', /"code":"invalid"/],
    ] as const) {
      const socket = raw();
      socket.write(hello);
      assert.match(await text(socket), expected);
      socket.resume();
      if (!socket.readableEnded) await once(socket, 'end');
    }
    assert.equal(server.controlled, false);
  });

  it('gets the events that happened while nobody listened', async (t) => {
    const served = await serve(t);
    const node = nodeSpec('a', { model: 'host', console: { host: '127.0.0.1', port: 1, range: [1, 1] } });
    await (await served.client()).one({ op: 'node.start', node });
    const console = await (await served.client()).console('a');
    t.after(() => console.destroy());
    (await served.client()).close();
    while (served.server.controlled) await new Promise((resolve) => setImmediate(resolve));
    console.write('quit');
    while (served.lab.events.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const client = await served.client();
    await client.inventory();
    const event = await new Promise<FabricEvent>((resolve) => client.onEvent(resolve));
    assert.ok(event.type === 'node.exited' && event.output === 'typed quit');
  });

  it('ends the fabric when it asks to, after the answer', async (t) => {
    const served = await serve(t);
    assert.deepEqual(await (await served.client()).run([{ op: 'shutdown' }]), [{ ok: true }]);
    await served.shutdown;
  });
});

describe('a console connection', () => {
  it('carries raw bytes both ways', async (t) => {
    const client = await (await serve(t)).client();
    const node = nodeSpec('PC1', { model: 'host', console: { host: '127.0.0.1', port: 1, range: [1, 1] } });
    await client.one({ op: 'node.start', node });
    const console = await client.console('PC1');
    assert.equal(await text(console), 'PC1> ');
    console.write('ping');
    assert.equal(await text(console), 'ping');
    const closed = once(console.resume(), 'close');
    await client.one({ op: 'console.reset', node_id: 'PC1' });
    await closed;
    await assert.rejects(client.console('nobody'), { code: 'not_found' });
  });
});
