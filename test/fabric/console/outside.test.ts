import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex, PassThrough } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import type { Inventory, OutsideConsole, StartedNode } from '../../../src/fabric/protocol.ts';
import { createLab, type Lab, PROJECT, temporaryDirectory } from '../lab.ts';

/** The node's side: a unix socket as QEMU's serial line is. */
const serialLine = async (t: TestContext, path: string): Promise<{ server: Server; client: () => Promise<Socket> }> => {
  const server = createServer().listen(path);
  await once(server, 'listening');
  t.after(() => server.close());
  return {
    server,
    async client() {
      const [socket] = (await once(server, 'connection')) as [Socket];
      t.after(() => socket.destroy());
      return socket;
    },
  };
};

const specOf = (path: string, changes: Partial<OutsideConsole> = {}): OutsideConsole => ({
  node_id: 'vm',
  project_id: PROJECT,
  name: 'VM',
  to: { path },
  console: { host: '127.0.0.1', port: 0, range: [22_000, 22_999] },
  ...changes,
});

const open = async (lab: Lab, spec: OutsideConsole): Promise<number> =>
  ((await lab.ok(lab.fabric.perform({ op: 'console.open', ...spec }))) as StartedNode).console ?? 0;
const close = (lab: Lab) => lab.ok(lab.fabric.perform({ op: 'console.close', node_id: 'vm' }));
const consoles = async (lab: Lab) => ((await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory).consoles;

/** A client of the server's, and what it is shown. */
const rawClient = (): { stream: Duplex; shown: PassThrough } => {
  const shown = new PassThrough();
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => void shown.write(chunk, done),
  });
  return { stream, shown };
};

/** Reads until the text has come. */
const reads = async (stream: NodeJS.ReadableStream, text: string): Promise<void> => {
  let seen = '';
  while (seen === '' || !seen.includes(text)) seen += String(((await once(stream, 'data')) as [Buffer])[0]);
};

const telnet = (t: TestContext, port: number): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  return socket;
};

describe('the console of a node outside', () => {
  it('carries what any client types to the node, and what the node prints to all', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const line = await serialLine(t, path);
    const connected = line.client();
    const port = await open(lab, specOf(path));
    const node = await connected;
    const [a, raw] = [telnet(t, port), rawClient()];
    const typed = reads(node, 'ls\r');
    await reads(a, '');
    a.write('ls\r\n');
    await typed;
    lab.fabric.console('vm')(raw.stream);
    const printed = Promise.all([reads(a, 'bin etc'), reads(raw.shown, 'bin etc')]);
    node.write('bin etc');
    await printed;
  });

  it('never carries characters that the node must not get, from any client, and speaks telnet where the node does', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const line = await serialLine(t, path);
    const connected = line.client();
    const port = await open(lab, specOf(path, { to: { path, telnet: true, drops: '!' } }));
    const node = await connected;
    let got = '';
    node.on('data', (bytes: Buffer) => (got += bytes.toString()));
    telnet(t, port).write('!a!');
    const raw = rawClient();
    await reads(node, 'a');
    const rest = reads(node, '.');
    lab.fabric.console('vm')(raw.stream);
    raw.stream.push(' b!.');
    await rest;
    assert.equal(got, 'a b.');
    const shown = reads(raw.shown, 'whole');
    node.write(Buffer.from([0xff, 0xfb, 0x01, ...Buffer.from('whole')]));
    await shown;
  });

  it('waits for a node that is not there yet, and finds it again when it was gone', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const a = telnet(t, await open(lab, specOf(path)));
    const line = await serialLine(t, path);
    for (const round of ['first', 'second']) {
      const node = await line.client();
      const printed = reads(a, round);
      node.write(round);
      await printed;
      node.destroy();
    }
  });

  it('is opened once: the same again gives it its new name, another is refused', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const spec = specOf(path);
    const port = await open(lab, spec);
    assert.equal(await open(lab, { ...spec, name: 'Renamed' }), port);
    assert.equal(await open(lab, { ...spec, name: 'Renamed', console: { ...spec.console, port } }), port);
    assert.deepEqual(await consoles(lab), [{ ...spec, name: 'Renamed', port }]);
    const other = await lab.fabric.perform({ op: 'console.open', ...spec, to: { path: `${path}2` } });
    assert.ok(!other.ok && other.code === 'exists');
  });

  it('frees its port when it is closed, keeps the fabric busy until then, and is closed twice without harm', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const port = await open(lab, specOf(path));
    assert.ok(lab.fabric.busy);
    const a = telnet(t, port);
    await reads(a, '');
    const gone = once(a, 'close');
    const closing = close(lab);
    a.end();
    // Not before the port is free.
    const again = await open(lab, specOf(path, { console: { host: '127.0.0.1', port, range: [1, 0] } }));
    assert.equal(again, port);
    await Promise.all([closing, gone]);
    await close(lab);
    await close(lab);
    assert.deepEqual([await consoles(lab), lab.fabric.busy], [[], false]);
  });

  it('goes with its project, and its clients can be sent away', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const a = telnet(t, await open(lab, specOf(path)));
    await reads(a, '');
    const gone = once(a, 'close');
    await lab.ok(lab.fabric.perform({ op: 'console.reset', node_id: 'vm' }));
    a.end();
    await gone;
    await lab.ok(lab.fabric.perform({ op: 'project.remove', project_id: PROJECT }));
    assert.deepEqual(await consoles(lab), []);
  });

  it('says when no port is free', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const path = join(await temporaryDirectory(t), 'serial');
    const taken = await lab.fabric.perform({
      op: 'console.open',
      ...specOf(path, { console: { host: '127.0.0.1', port: 0, range: [1, 0] } }),
    });
    assert.ok(!taken.ok && taken.code === 'port_taken');
  });

  it('is recorded like any other', async (t) => {
    const lab = createLab(t, { openConsole: createConsole });
    const directory = await temporaryDirectory(t);
    const path = join(directory, 'serial');
    const line = await serialLine(t, path);
    const connected = line.client();
    const raw = rawClient();
    await open(lab, specOf(path));
    const recording = { node_id: 'vm', project_id: PROJECT, path: join(directory, 'vm.cast') };
    await lab.ok(lab.fabric.perform({ op: 'console.record', recording }));
    lab.fabric.console('vm')(raw.stream);
    const printed = reads(raw.shown, 'login:');
    (await connected).write('login:');
    await printed;
    await close(lab);
    assert.match(await readFile(recording.path, 'utf8'), /login:/);
  });
});
