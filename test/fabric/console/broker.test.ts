import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import type { ConsoleHandle, ConsoleSink } from '../../../src/fabric/console/console.ts';
import { TELNET_GREETING } from '../../../src/fabric/console/telnet.ts';

const GREETING = Buffer.from(TELNET_GREETING).toString('latin1');
const RANGE: [number, number] = [21_400, 21_499];

class FakeSink implements ConsoleSink {
  typed = '';
  attachments = 0;
  output: (bytes: Uint8Array) => void = () => undefined;
  #watchers: (() => void)[] = [];
  input(bytes: Uint8Array): void {
    this.typed += Buffer.from(bytes).toString('latin1');
    for (const watch of this.#watchers) watch();
  }
  attached(): void {
    this.attachments += 1;
    for (const watch of this.#watchers) watch();
  }
  print(text: string): void {
    this.output(Buffer.from(text, 'latin1'));
  }
  until(reached: (sink: FakeSink) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watch = (): void => {
        if (reached(this)) resolve();
      };
      this.#watchers.push(watch);
      watch();
    });
  }
}

/** Reads until `text` has come in all. */
async function read(stream: Duplex, text: string): Promise<void> {
  let seen = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    seen += Buffer.from(chunk as Uint8Array).toString('latin1');
    if (seen.length >= text.length) break;
  }
  assert.equal(seen, text);
}

let sink: FakeSink;
let handle: ConsoleHandle;
const sockets: Socket[] = [];

const open = (port = 0): Promise<ConsoleHandle> =>
  createConsole({ nodeId: 'n1', name: 'PC1', sink, host: '127.0.0.1', port, range: RANGE });

function telnet(): Socket {
  const socket = connect(handle.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Takes nothing until it is told to read. */
function slowReader(): { stream: Duplex; read: () => void; received: () => string } {
  let taken = '';
  let reading = false;
  let waiting: () => void = () => undefined;
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      taken += chunk.toString('latin1');
      if (reading) done();
      else waiting = done;
    },
  });
  return {
    stream,
    received: () => taken,
    read() {
      reading = true;
      waiting();
    },
  };
}

beforeEach(async () => {
  sink = new FakeSink();
  handle = await open();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await handle.close();
});

describe('the console broker', () => {
  it('sends output to all clients and the input of any to the node', async () => {
    const [a, b] = [telnet(), telnet()];
    await sink.until((s) => s.attachments === 2);
    sink.print('hello \xff');
    await Promise.all([read(a, `${GREETING}hello \xff\xff`), read(b, `${GREETING}hello \xff\xff`)]);
    a.write('from a\r\n');
    await sink.until((s) => s.typed === 'from a\r');
    b.write(Buffer.from([255, 244]));
    await sink.until((s) => s.typed === 'from a\r\x03');
  });

  it('shows a screen of the past to a telnet client, and more to a raw one', async () => {
    const past = Array.from({ length: 30 }, (_, i) => `answer ${i}\r\n`);
    sink.print(`${past.join('')}PC1> `);
    await read(telnet(), `${GREETING}${past.slice(-23).join('')}PC1> `);
    const raw = slowReader();
    raw.read();
    handle.attach(raw.stream);
    assert.equal(raw.received(), `${past.join('')}PC1> `);
  });

  it('shows the prompt to a client that comes late', async () => {
    sink.print('Welcome\r\nPC1> ');
    await read(telnet(), `${GREETING}Welcome\r\nPC1> `);
  });

  it('speaks raw bytes with attached streams', async () => {
    sink.print('PC1> \xff');
    const client = rawClient();
    handle.attach(client.stream);
    assert.equal(client.received(), 'PC1> \xff');
    client.stream.push(Buffer.from([255, 244, 13, 10]));
    await sink.until((s) => s.typed === '\xff\xf4\r\n');
    sink.print('x\xff');
    assert.equal(client.received(), 'PC1> \xffx\xff');
    const closed = once(client.stream, 'close');
    client.stream.destroy(new Error('the browser was closed'));
    await assert.rejects(closed, /the browser was closed/);
    sink.print('y');
  });

  it('answers negotiation to the one who asks', async () => {
    const client = telnet();
    await read(client, GREETING);
    client.write(Buffer.from([255, 251, 31]));
    await read(client, '\xff\xfe\x1f');
    assert.equal(sink.typed, '');
  });

  it('leaves out what a raw client does not read, and goes on with the last output once it has', async () => {
    const reader = slowReader();
    const good = rawClient();
    handle.attach(reader.stream);
    handle.attach(good.stream);
    for (let i = 0; i < 300; i += 1) sink.print('x'.repeat(1024));
    assert.ok(reader.stream.writableLength <= 256 * 1024);
    assert.equal(good.received().length, 300 * 1024);
    sink.print('\r\nPC1> ');
    const drained = once(reader.stream, 'drain');
    reader.read();
    await drained;
    sink.print('y');
    assert.match(reader.received(), /x\r\n\[this client reads too slowly: output was left out\]\r\n[^]*PC1> y$/);
  });

  it('closes a telnet client that does not read, and only that one', async () => {
    const good = rawClient();
    handle.attach(good.stream);
    const stuck = telnet();
    await sink.until((s) => s.attachments === 2);
    stuck.pause();
    const gone = new Promise<void>((resolve) => stuck.once('close', resolve));
    // More than the system takes for both ends of a connection.
    for (let i = 0; i < 300; i += 1) {
      sink.print('x'.repeat(64 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(good.received().length, 300 * 64 * 1024);
    stuck.resume();
    await gone;
  });

  it('takes what is typed and pasted in pieces, so that others have their turn between them', async () => {
    const [paste, key] = [rawClient(), rawClient()];
    handle.attach(paste.stream);
    handle.attach(key.stream);
    paste.stream.push(Buffer.from('p'.repeat(60_000)));
    await sink.until((s) => s.typed !== '');
    key.stream.push(Buffer.from('k'));
    await sink.until((s) => s.typed.length === 60_001);
    const at = sink.typed.indexOf('k');
    assert.ok(at > 0 && at < 60_000, `the key was taken as number ${at}`);
  });

  it('survives clients that reset the connection', async () => {
    const client = telnet();
    await sink.until((s) => s.attachments === 1);
    const gone = once(client, 'close');
    client.resetAndDestroy();
    await gone;
    for (let i = 0; i < 50; i += 1) sink.print('still here\r\n');
    await read(telnet(), `${GREETING}${'still here\r\n'.repeat(23)}`);
  });

  it('reset closes the clients and takes new ones', async () => {
    const client = telnet();
    await sink.until((s) => s.attachments === 1);
    sink.print('last words');
    handle.reset();
    const seen = read(client, `${GREETING}last words`);
    await seen;
    client.resume();
    await once(client, 'close');
    await read(telnet(), `${GREETING}last words`);
  });

  it('close sends the last output, closes the clients and frees the port; closing twice is no error', async () => {
    const client = telnet();
    await sink.until((s) => s.attachments === 1);
    sink.print('bye');
    const closed = handle.close();
    await read(client, `${GREETING}bye`);
    client.resume();
    await closed;
    await handle.close();
    const again = await open(handle.port);
    assert.equal(again.port, handle.port);
    handle = again;
  });

  it('close does not wait for a stuck reader', async () => {
    const stuck = stuckClient();
    handle.attach(stuck);
    sink.print('x');
    const gone = once(stuck, 'close');
    await handle.close();
    await gone;
  });
});

describe('the port of a console', () => {
  it('is the wished one, or one of the range when that is taken or none is wished', async () => {
    const other = await open(handle.port);
    assert.notEqual(other.port, handle.port);
    for (const { port } of [other, handle]) assert.ok(port >= RANGE[0] && port <= RANGE[1]);
    await other.close();
  });

  it('fails with port_taken and the name of the node when none is free', async () => {
    const range: [number, number] = [handle.port, handle.port];
    await assert.rejects(
      createConsole({ nodeId: 'n2', name: 'PC2', sink, host: '127.0.0.1', port: 0, range }),
      (error: Error & { code?: string }) => error.code === 'port_taken' && /console of PC2/.test(error.message),
    );
  });

  it('fails with the cause when the host is not of this machine', async () => {
    // 192.0.2.0/24 is for documentation (RFC 5737): nobody has it.
    await assert.rejects(
      createConsole({ nodeId: 'n2', name: 'PC2', sink, host: '192.0.2.1', port: 21_400, range: RANGE }),
      { code: 'EADDRNOTAVAIL' },
    );
  });

  it('is left to the one who has it', async () => {
    const server = createServer();
    server.listen(21_500, '127.0.0.1');
    await once(server, 'listening');
    const other = await open(21_500);
    assert.notEqual(other.port, 21_500);
    await other.close();
    server.close();
    await once(server, 'close');
  });
});

function rawClient(): { stream: Duplex; received(): string } {
  let received = '';
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => {
      received += Buffer.from(chunk).toString('latin1');
      done();
    },
  });
  return { stream, received: () => received };
}

/** Takes the first piece and never asks for another. */
const stuckClient = (): Duplex => new Duplex({ read: () => undefined, write: () => undefined });
