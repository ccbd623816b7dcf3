import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Command,
  connectHypervisor,
  type Hypervisor,
  lineOf,
} from '../../../src/emulators/router_emulator/hypervisor/hypervisor.ts';
import { tokensOf } from '../../fakes/dynamips-tokens.ts';

/** What was asked, and who asked it. */
interface Asked {
  line: string;
  socket: Socket;
}

let server: Server;
let hypervisor: Hypervisor;
let asked: Asked[];
let wake: () => void = () => undefined;

const portOf = (): number => (server.address() as AddressInfo).port;
/** The n-th command that has come, from 0 on. */
const command = async (n: number): Promise<Asked> => {
  for (;;) {
    const found = asked[n];
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => (wake = resolve));
  }
};

beforeEach(async () => {
  asked = [];
  server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    let rest = '';
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      asked.push(...lines.map((line) => ({ line, socket })));
      wake();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  hypervisor = await connectHypervisor(portOf(), 5_000);
});
afterEach(() => {
  hypervisor.close();
  server.close();
});

describe('a reply of the hypervisor', () => {
  it('has the text of its last line and those of the lines before', async () => {
    const reply = hypervisor.send(['vm', 'list']);
    const { line, socket } = await command(0);
    assert.equal(line, 'vm list');
    socket.write('101 R1 (c3725)\r\n101 R2 (c7200)\r\n100-OK\r\n');
    assert.deepEqual(await reply, { info: ['R1 (c3725)', 'R2 (c7200)'], text: 'OK' });
  });

  it('is the same however its octets come, in the middle of a character too', async () => {
    const octets = Buffer.from("101 Zürich (c3725)\r\n100-conf 'ü' '' ''\r\n");
    for (let cut = 1; cut < octets.length; cut += 1) {
      const reply = hypervisor.send(['vm', 'list']);
      const { socket } = await command(cut - 1);
      socket.write(octets.subarray(0, cut));
      // Not in one packet with the rest.
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(octets.subarray(cut));
      assert.deepEqual(await reply, { info: ['Zürich (c3725)'], text: "conf 'ü' '' ''" });
    }
  });

  it('that refuses is an error with its code and words, and without the arguments, which may be files', async () => {
    const reply = hypervisor.send(['vm', 'push_config', 'R1', 'c2VjcmV0']);
    (await command(0)).socket.write("101 trying\r\n206-unable to push IOS config for VM 'R1'\r\n");
    await assert.rejects(reply, {
      kind: 'Refused',
      code: 206,
      message: "vm push_config R1: 206 unable to push IOS config for VM 'R1'",
    });
    assert.ok(hypervisor.open);
    const next = hypervisor.send(['vm', 'get_status', 'R1']);
    (await command(1)).socket.write('100-2\r\n');
    assert.deepEqual(await next, { info: [], text: '2' });
  });
});

describe('commands of the hypervisor', () => {
  it('wait for one another', async () => {
    const replies = [1, 2, 3].map((n) => hypervisor.send(['nio', 'delete', `n${n}`]));
    for (const n of [0, 1, 2]) {
      const { line, socket } = await command(n);
      assert.equal(line, `nio delete n${n + 1}`);
      assert.equal(asked.length, n + 1);
      socket.write(`100-${n}\r\n`);
      assert.equal((await replies[n])?.text, String(n));
    }
  });

  it('fail all when one is not answered in time, and none is taken for another afterwards', async () => {
    const slow = hypervisor.send(['vm', 'extract_config', 'R1'], 50);
    const next = hypervisor.send(['vm', 'list']);
    const outcomes = await Promise.allSettled([slow, next]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected');
      assert.match(String(outcome.reason), /vm extract_config R1: the hypervisor has not answered in 0\.05 s/);
    }
    assert.equal(hypervisor.open, false);
    await assert.rejects(hypervisor.send(['vm', 'list']), { kind: 'Slow' });
    assert.equal(asked.length, 1);
  });

  it('fail when it dies in the middle of one', async () => {
    const replies = [hypervisor.send(['vm', 'start', 'R1']), hypervisor.send(['vm', 'get_status', 'R1'])];
    const { socket } = await command(0);
    socket.write('101 Warning: no cons');
    socket.destroy();
    const [first, second] = await Promise.allSettled(replies);
    assert.ok(first?.status === 'rejected' && second?.status === 'rejected');
    assert.match(String(first.reason), /vm start R1: the hypervisor closed the connection/);
    assert.equal((second.reason as { kind: string }).kind, 'Lost');
    assert.equal(hypervisor.open, false);
  });

  it('fail when the connection is closed here', async () => {
    const reply = hypervisor.send(['vm', 'start', 'R1']);
    hypervisor.close();
    await assert.rejects(reply, { kind: 'Lost' });
  });
});

describe('the line of a command', () => {
  it('is taken apart into the same words by the parser, whatever is in them', () => {
    const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => !/["\r\n\0]/.test(text));
    fc.assert(
      fc.property(word, word, fc.array(word, { maxLength: 6 }), (module, name, rest) => {
        const words: Command = [module, name, ...rest];
        assert.deepEqual(tokensOf(lineOf(words)), words);
      }),
    );
  });

  it('is refused when the parser has no way to read a word', async () => {
    for (const word of ['', 'a"b', 'two\nlines', 'a\rb', 'a\0b'])
      await assert.rejects(hypervisor.send(['vm', 'set_ios', word]), /cannot be said to the hypervisor/);
    assert.ok(hypervisor.open);
  });
});

describe('connecting to a hypervisor', () => {
  it('waits until it listens', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const connecting = connectHypervisor(port, 30_000);
    const late = createServer().listen(port, '127.0.0.1');
    (await connecting).close();
    late.close();
  });

  it('ends when nobody comes to listen, or it is aborted', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await assert.rejects(connectHypervisor(port, 50), { kind: 'Lost', message: /does not listen/ });
    const reason = new Error('the project is closing');
    const controller = new AbortController();
    const connecting = connectHypervisor(port, 30_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(connecting, reason);
  });
});
