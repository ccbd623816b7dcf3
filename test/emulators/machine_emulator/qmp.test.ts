import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, afterEach, describe, it } from 'node:test';
import { connectQmp, type Qmp, type QmpError } from '../../../src/emulators/machine_emulator/machine/qmp.ts';
import { tempDir } from '../../support/temp.ts';

type Message = { execute: string; arguments: Record<string, unknown>; id: number };

/** Speaks QMP as QEMU does; `answer` says what to a command, null: nothing. */
class FakeQemu {
  readonly heard: string[] = [];
  answer: (message: Message) => object | null = () => ({ return: {} });
  readonly #server: Server;
  #client: Socket | null = null;

  constructor(socketPath: string) {
    this.#server = createServer((socket) => {
      this.#client = socket;
      socket.on('error', () => undefined);
      socket.write('{"QMP": {"version": {}, "capabilities": ["oob"]}}\r\n');
      socket.on('data', (chunk) =>
        chunk
          .toString()
          .split('\n')
          .filter(Boolean)
          .forEach((line) => this.#hear(line)),
      );
    }).listen(socketPath);
  }

  #hear(line: string): void {
    const message = JSON.parse(line) as Message;
    this.heard.push(message.execute);
    const answer = message.execute === 'qmp_capabilities' ? { return: {} } : this.answer(message);
    if (answer !== null) this.send(`${JSON.stringify({ ...answer, id: message.id })}\r\n`);
  }

  send(text: string): void {
    this.#client?.write(text);
  }

  hangUp(): void {
    this.#client?.destroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('a client of the machine protocol', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let socketPath = '';
  let qemu: FakeQemu;
  let qmp: Qmp;
  before(async () => {
    dir = await tempDir();
    socketPath = path.join(dir.path, 'monitor');
  });
  beforeEach(async () => {
    qemu = new FakeQemu(socketPath);
    qmp = await connectQmp({ path: socketPath, deadline: 5_000 });
  });
  afterEach(async () => {
    qmp.close();
    await qemu.close();
  });
  after(() => dir.remove());

  it('leaves negotiation before anything else', async () => {
    await qmp.execute('cont');
    assert.deepEqual(qemu.heard, ['qmp_capabilities', 'cont']);
  });

  it('gives each answer to who asked, in whatever order they come', async () => {
    const held: Message[] = [];
    qemu.answer = (message) => {
      held.push(message);
      if (held.length === 2)
        for (const { id, execute } of held.reverse()) qemu.send(`${JSON.stringify({ return: execute, id })}\n`);
      return null;
    };
    assert.deepEqual(await Promise.all([qmp.execute('one'), qmp.execute('two')]), ['one', 'two']);
  });

  it('takes messages that are cut anywhere, and events between them', async () => {
    const events: [string, object][] = [];
    qmp.onEvent((name, data) => events.push([name, data]));
    qemu.answer = ({ id }) => {
      const text = `{"event": "STOP", "timestamp": {}}\r\n{"return": {"status": "paused"}, "id": ${id}}\r\n`;
      for (const part of text.match(/.{1,7}|\s+/g) ?? []) qemu.send(part);
      return null;
    };
    assert.deepEqual(await qmp.execute('query-status'), { status: 'paused' });
    assert.deepEqual(events, [['STOP', {}]]);
  });

  it('throws what QEMU refuses, with its reason', async () => {
    qemu.answer = () => ({ error: { class: 'DeviceNotFound', desc: "Device 'x' not found" } });
    const refusal = { name: 'QmpError', kind: 'DeviceNotFound', message: "set_link: Device 'x' not found" };
    await assert.rejects(qmp.execute('set_link', { name: 'x' }), refusal);
  });

  it('waits no longer than its deadline, and takes no answer for another after that', async () => {
    let late: Message | null = null;
    qemu.answer = (message) => {
      if (message.execute !== 'slow') return { return: message.execute };
      late = message;
      return null;
    };
    await assert.rejects(qmp.execute('slow', {}, 20), (error: QmpError) => error.kind === 'Deadline');
    qemu.send(`${JSON.stringify({ return: 'late', id: (late as Message | null)?.id })}\n`);
    assert.equal(await qmp.execute('next'), 'next');
  });

  it('tells everyone who waits when QEMU goes away', async () => {
    qemu.answer = () => {
      qemu.hangUp();
      return null;
    };
    await assert.rejects(qmp.execute('quit'), (error: QmpError) => error.kind === 'Lost');
    assert.equal(qmp.open, false);
    await assert.rejects(qmp.execute('cont'), (error: QmpError) => error.kind === 'Lost');
  });

  it('hangs up on what is not the protocol', async () => {
    const waiting = qmp.execute('cont');
    qemu.answer = () => null;
    qemu.send('login: \n');
    await assert.rejects(waiting, (error: QmpError) => error.kind === 'Lost');
  });
});

describe('connecting to a machine', () => {
  it('waits for the socket, until the deadline or an abort', async () => {
    const dir = await tempDir();
    const file = path.join(dir.path, 'later');
    try {
      await assert.rejects(
        connectQmp({ path: file, deadline: 30 }),
        (error: QmpError) => error.kind === 'Deadline' && error.message.includes(file),
      );
      const controller = new AbortController();
      const connecting = connectQmp({ path: file, deadline: 10_000, signal: controller.signal });
      controller.abort(new Error('the project is closing'));
      await assert.rejects(connecting, /project is closing/);
      const connected = connectQmp({ path: file, deadline: 10_000 });
      const qemu = new FakeQemu(file);
      (await connected).close();
      await qemu.close();
    } finally {
      await dir.remove();
    }
  });

  it('is not kept waiting by somebody who listens and says nothing', async () => {
    const dir = await tempDir();
    const file = path.join(dir.path, 'silent');
    const server = createServer((socket) => void socket.on('error', () => undefined)).listen(file);
    try {
      await assert.rejects(connectQmp({ path: file, deadline: 50 }), (error: QmpError) => error.kind === 'Deadline');
    } finally {
      server.close();
      await dir.remove();
    }
  });
});
