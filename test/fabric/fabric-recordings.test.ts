import assert from 'node:assert/strict';
import { once } from 'node:events';
import { open, readFile, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { OpenFile } from '../../src/fabric/capture/capture-file.ts';
import { createConsole } from '../../src/fabric/console/broker.ts';
import type { ConsoleSink } from '../../src/fabric/console/console.ts';
import type { FabricParts } from '../../src/fabric/process/fabric.ts';
import type { ModelFactory } from '../../src/fabric/process/model.ts';
import type { Inventory, Op, OpResult, RecordingSpec, StartedNode } from '../../src/fabric/protocol.ts';
import { readCast, textOf, type Cast } from '../support/asciicast.ts';
import { createLab, type Lab, nodeSpec, PROJECT, quiet, temporaryDirectory } from './lab.ts';

const RANGE: [number, number] = [21_600, 21_699];

/** Prints a line as soon as its console is there, and then what is typed, of a secret its length alone; `quit` ends it. */
const talker: ModelFactory = (context) => {
  let write: (bytes: Uint8Array) => void = () => undefined;
  const sink: ConsoleSink = {
    get output() {
      return write;
    },
    set output(to) {
      write = to;
      write(Buffer.from('booting\r\n'));
    },
    input: (bytes) => {
      if (Buffer.from(bytes).toString() === 'quit') context.exit('bye');
      else if (Buffer.from(bytes).toString().startsWith('secret')) write(Buffer.from(`taken: ${bytes.length}`));
      else write(bytes);
    },
  };
  return { ...quiet, console: sink };
};

interface Recorded {
  lab: Lab;
  directory: string;
  spec: (name: string) => RecordingSpec;
  perform: (op: Op) => Promise<OpResult>;
  start: () => Promise<number>;
  cast: (name: string) => Promise<Cast>;
}

const recorded = async (t: TestContext, parts: Partial<FabricParts> = {}): Promise<Recorded> => {
  const directory = path.join(await temporaryDirectory(t), 'recordings', 'a');
  const lab = createLab(t, { models: { host: talker }, openConsole: createConsole, ...parts });
  return {
    lab,
    directory,
    spec: (name) => ({ node_id: 'a', project_id: PROJECT, path: path.join(directory, name) }),
    perform: (op) => lab.fabric.perform(op),
    async start() {
      const node = nodeSpec('a', { model: 'host', name: 'PC1', console: { host: '127.0.0.1', port: 0, range: RANGE } });
      const { console } = (await lab.ok(lab.fabric.perform({ op: 'node.start', node }))) as StartedNode;
      return console ?? 0;
    },
    cast: async (name) => readCast(await readFile(path.join(directory, name), 'utf8')),
  };
};

/** Types at a console and waits until it comes back, or something else comes. */
const type = async (port: number, text: string, wanted = text): Promise<void> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(text);
  let seen = '';
  for await (const chunk of socket) {
    seen += String(chunk);
    if (seen.includes(wanted)) break;
  }
};

const recordings = async ({ lab, perform }: Recorded): Promise<RecordingSpec[]> =>
  ((await lab.ok(perform({ op: 'inventory' }))) as Inventory).recordings ?? [];

describe('a recording', () => {
  it('asked for before the start has the first byte, and ends with the node', async (t) => {
    const at = await recorded(t);
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: at.spec('1.cast') }));
    assert.deepEqual(await recordings(at), []);
    const port = await at.start();
    assert.deepEqual(await recordings(at), [at.spec('1.cast')]);
    await type(port, 'hello');
    await at.lab.ok(at.perform({ op: 'node.stop', node_id: 'a' }));
    assert.deepEqual(await recordings(at), []);
    const cast = await at.cast('1.cast');
    assert.equal(cast.header['title'], 'PC1');
    assert.equal(textOf(cast, 'o'), 'booting\r\nhello');
    assert.equal(textOf(cast, 'i'), 'hello');
    assert.deepEqual(cast.events.at(-1)?.code, 'x');
    // It was for one run.
    await at.start();
    assert.deepEqual(await readdir(at.directory), ['1.cast']);
  });

  it('of a running node begins and ends when that is asked for, and asking twice is asking once', async (t) => {
    const at = await recorded(t);
    const port = await at.start();
    await type(port, 'before');
    const on: Op = { op: 'console.record', recording: at.spec('1.cast') };
    await Promise.all([at.lab.ok(at.perform(on)), at.lab.ok(at.perform(on))]);
    await type(port, 'during');
    const off: Op = { op: 'console.record_stop', node_id: 'a' };
    await Promise.all([at.lab.ok(at.perform(off)), at.lab.ok(at.perform(off))]);
    const cast = await at.cast('1.cast');
    await type(port, 'after');
    assert.equal(textOf(cast, 'o'), 'during');
    assert.deepEqual(await at.cast('1.cast'), cast);
  });

  it('goes over to another file when that is asked for', async (t) => {
    const at = await recorded(t);
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: at.spec('1.cast') }));
    const port = await at.start();
    await at.lab.ok(at.perform({ op: 'console.record', recording: at.spec('2.cast') }));
    assert.deepEqual(await recordings(at), [at.spec('2.cast')]);
    await type(port, 'second');
    await at.lab.ok(at.perform({ op: 'node.stop', node_id: 'a' }));
    assert.equal(textOf(await at.cast('1.cast'), 'o'), 'booting\r\n');
    assert.equal(textOf(await at.cast('2.cast'), 'o'), 'second');
  });

  it('of a node that does not run is refused, and one meant for the next run can be taken back', async (t) => {
    const at = await recorded(t);
    const now = await at.perform({ op: 'console.record', recording: at.spec('1.cast') });
    assert.ok(!now.ok && now.code === 'not_found');
    for (const op of [
      { op: 'console.record_stop', node_id: 'a' },
      { op: 'project.remove', project_id: PROJECT },
    ] satisfies Op[]) {
      await at.lab.ok(at.perform({ op: 'console.record_next', recording: at.spec('1.cast') }));
      await at.lab.ok(at.perform(op));
      await at.start();
      assert.deepEqual(await recordings(at), []);
      await at.lab.ok(at.perform({ op: 'node.stop', node_id: 'a' }));
    }
  });

  it('is whole when its node ends by itself', async (t) => {
    const at = await recorded(t);
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: { ...at.spec('1.cast'), hidden: true } }));
    const socket = connect(await at.start(), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('quit');
    socket.resume();
    await once(socket, 'close');
    await at.lab.ok(at.perform({ op: 'node.stop', node_id: 'a' }));
    const cast = await at.cast('1.cast');
    assert.equal(textOf(cast, 'i'), 'quit');
    assert.equal(cast.events.at(-1)?.code, 'x');
  });

  it('leaves out from then on what the node does not show, or no more, as it is asked for again', async (t) => {
    const at = await recorded(t);
    const port = await at.start();
    for (const [n, hidden] of [false, true, false].entries()) {
      const recording = { ...at.spec('1.cast'), hidden };
      await at.lab.ok(at.perform({ op: 'console.record', recording }));
      assert.deepEqual(await recordings(at), [recording]);
      const secret = `secret${'x'.repeat(n)}`;
      await type(port, secret, `taken: ${secret.length}`);
      await type(port, `id${n}`);
    }
    await at.lab.ok(at.perform({ op: 'node.stop', node_id: 'a' }));
    assert.equal(textOf(await at.cast('1.cast'), 'i'), 'id0secretxid1id2');
    assert.deepEqual(await recordings(at), []);
  });

  it('leaves no file when the console cannot be opened', async (t) => {
    const taken = (): Promise<never> => Promise.reject(Object.assign(new Error('all taken'), { code: 'port_taken' }));
    const at = await recorded(t, { openConsole: taken });
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: at.spec('1.cast') }));
    await assert.rejects(at.start(), /port_taken/);
    assert.deepEqual(await readdir(at.directory), []);
    assert.deepEqual(await recordings(at), []);
  });

  it('that cannot be written keeps no node from starting, and a second request is told why', async (t) => {
    const at = await recorded(t);
    const blocked = { ...at.spec('1.cast'), path: '/dev/null/1.cast' };
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: blocked }));
    const port = await at.start();
    const again = await at.perform({ op: 'console.record', recording: blocked });
    assert.ok(!again.ok && again.code === 'disk' && again.message.includes('/dev/null/1.cast'));
    assert.deepEqual(await recordings(at), []);
    await type(port, 'hello');
  });

  it('ends with an event when the disk is full, and the console goes on', async (t) => {
    let room = 600;
    const openFile: OpenFile = async (...args) => {
      const file = await open(...args);
      const write = file.write.bind(file) as (...a: [Buffer, number, number, number]) => Promise<object>;
      const limit = (buffer: Buffer, offset: number, length: number, position: number) => {
        if (length > room) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
        room -= length;
        return write(buffer, offset, length, position);
      };
      return Object.assign(file, { write: limit });
    };
    const at = await recorded(t, { openFile });
    const failed = new Promise((resolve) => at.lab.fabric.onEvent(resolve));
    await at.lab.ok(at.perform({ op: 'console.record_next', recording: at.spec('1.cast') }));
    const port = await at.start();
    await type(port, 'z'.repeat(1000));
    const message = `${at.spec('1.cast').path}: ENOSPC: no space left`;
    assert.deepEqual(await failed, { type: 'recording.failed', ...at.spec('1.cast'), message });
    assert.deepEqual(await recordings(at), []);
    await type(port, 'goes on');
    // Of what was written before, every line is whole.
    await at.cast('1.cast');
  });
});
