import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import type { ConsoleHandle, ConsoleSink, ConsoleTap } from '../../../src/fabric/console/console.ts';

const NOTICE = '[this console is being recorded]\r\n';
const OVER = '[this console is no longer being recorded]\r\n';

/** Notes what it is given, and lets a test wait for it. */
class FakeTap implements ConsoleTap {
  readonly seen: string[] = [];
  #look: () => void = () => undefined;
  output(bytes: Uint8Array): void {
    this.#add(`o ${Buffer.from(bytes).toString()}`);
  }
  input(bytes: Uint8Array): void {
    this.#add(`i ${Buffer.from(bytes).toString()}`);
  }
  mark(text: string): void {
    this.#add(`m ${text.replace(/port \d+/, 'port N')}`);
  }
  has(count: number): Promise<string[]> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.seen.length >= count) resolve(this.seen);
      };
      this.#look();
    });
  }
  #add(entry: string): void {
    this.seen.push(entry);
    this.#look();
  }
}

class EchoSink implements ConsoleSink {
  output: (bytes: Uint8Array) => void = () => undefined;
  input(bytes: Uint8Array): void {
    this.output(bytes);
  }
}

/** The client's end and the server's end of a raw stream. */
const rawClient = (): { near: Duplex; seen: () => string } => {
  let seen = '';
  const near = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      seen += chunk.toString();
      done();
    },
  });
  return { near, seen: () => seen };
};

let sink: EchoSink;
let tap: FakeTap;
let handle: ConsoleHandle;
const sockets: Socket[] = [];

const open = async (recorded: boolean): Promise<void> => {
  const options = { nodeId: 'n1', name: 'PC1', sink, host: '127.0.0.1', port: 0 };
  handle = await createConsole({ ...options, range: [21_500, 21_599], tap: recorded ? tap : null });
};

const telnet = (): Socket => {
  const socket = connect(handle.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
};

const reads = async (socket: Socket, wanted: string): Promise<string> => {
  let seen = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    seen += (chunk as Buffer).toString('latin1');
    if (seen.includes(wanted)) break;
  }
  return seen;
};

beforeEach(() => {
  sink = new EchoSink();
  tap = new FakeTap();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await handle.close();
});

describe('a recorded console', () => {
  it('says so to every client that comes, before the last output', async () => {
    await open(true);
    sink.output(Buffer.from('PC1> '));
    const [first, second] = [telnet(), telnet()];
    for (const socket of [first, second]) assert.match(await reads(socket, 'PC1> '), /recorded\]\r\nPC1> $/);
    const raw = rawClient();
    handle.attach(raw.near);
    assert.equal(raw.seen(), `${NOTICE}PC1> `);
  });

  it('gives the recording what is typed and printed in their order, and who comes and goes; not the notice', async () => {
    await open(true);
    sink.output(Buffer.from('PC1> '));
    const socket = telnet();
    await reads(socket, 'PC1> ');
    socket.write('ping');
    await reads(socket, 'ping');
    socket.destroy();
    assert.deepEqual(await tap.has(5), [
      'o PC1> ',
      'm telnet from 127.0.0.1 port N connected',
      'i ping',
      'o ping',
      'm telnet from 127.0.0.1 port N disconnected',
    ]);
  });

  it('tells those who are there when recording begins and ends, and only then records', async () => {
    await open(false);
    const raw = rawClient();
    handle.attach(raw.near);
    raw.near.push('before ');
    await once(raw.near, 'data');
    handle.record(tap);
    handle.record(tap);
    sink.output(Buffer.from('during '));
    handle.record(null);
    handle.record(null);
    sink.output(Buffer.from('after'));
    assert.equal(raw.seen(), `before \r\n${NOTICE}during \r\n${OVER}after`);
    assert.deepEqual(tap.seen, ['m a client of the server is connected', 'o during ']);
    const late = rawClient();
    handle.attach(late.near);
    assert.equal(late.seen(), 'before during after');
  });

  it('marks once that a client went when the console is reset', async () => {
    await open(true);
    const raw = rawClient();
    handle.attach(raw.near);
    handle.reset();
    await once(raw.near, 'close');
    assert.deepEqual(tap.seen, ['m a client of the server connected', 'm a client of the server disconnected']);
  });
});
