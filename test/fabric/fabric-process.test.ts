import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import type { NodeSpec } from '../../src/fabric/protocol.ts';
import { keepFabric } from '../../src/fabric/client/keeper.ts';
import { makePrivate, socketPaths } from '../../src/fabric/client/runtime-directory.ts';
import { pidFile } from '../../src/fabric/client/fabric-process.ts';
import { findOrStartFabric, type FoundFabric } from '../../src/fabric/client/supervise.ts';
import { nodeSpec, temporaryDirectory, udpPeer, cableSpec } from './lab.ts';
import { freePort } from '../support/free-port.ts';
import { loggerTo } from '../support/logger.ts';
import { missing } from '../support/programs.ts';
import { waitFor } from '../support/wait-for.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits for a process that is not a child. */
const ended = async (pid: number): Promise<void> => {
  await waitFor('the process has ended', () => !isAlive(pid));
};

/** Ends with the test, whatever becomes of it. */
async function supervised(t: TestContext, dataDir: string, log: string[] = [], patience = 5000): Promise<FoundFabric> {
  const found = await findOrStartFabric({ dataDir, logger: loggerTo((line) => log.push(line)), patience });
  t.after(async () => {
    found.client.close();
    if (isAlive(found.pid)) process.kill(found.pid, 'SIGTERM');
    await ended(found.pid);
  });
  return found;
}

const host = (id: string): NodeSpec =>
  nodeSpec(id, { model: 'ethernet_hub', console: { host: '127.0.0.1', port: 0, range: [21_000, 22_000] } });

/** Programs that a test starts have the option. */
const withNodeOption = (t: TestContext, option: string): void => {
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `${before ?? ''} ${option}`;
  t.after(() => {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  });
};

const noCopies = await missing('cp');

describe('the fabric process', () => {
  let runtime: string;
  const saved = { XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] };
  before(async () => {
    runtime = await mkdtemp(join(tmpdir(), 'topolog-run-'));
    process.env['XDG_RUNTIME_DIR'] = runtime;
  });
  after(async () => {
    if (saved.XDG_RUNTIME_DIR === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = saved.XDG_RUNTIME_DIR;
    await rm(runtime, { recursive: true, force: true });
  });

  it('outlives the one who started it: the next finds the same, and frames go on meanwhile', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    assert.equal(first.adopted, false);
    const [left, right, l, r] = [await udpPeer(t), await udpPeer(t), await freePort(), await freePort()];
    const cable = cableSpec('w', [
      { type: 'udp', lport: l, rhost: '127.0.0.1', rport: left.port },
      { type: 'udp', lport: r, rhost: '127.0.0.1', rport: right.port },
    ]);
    await first.client.one({ op: 'cable.put', cable });
    await first.client.one({ op: 'node.start', node: host('h') });
    const before = await first.client.inventory();
    first.client.close();
    const arrived = right.next();
    left.socket.send('nobody watches', l, '127.0.0.1');
    assert.equal(await arrived, 'nobody watches');
    const second = await supervised(t, dataDir);
    assert.deepEqual([second.adopted, second.pid], [true, first.pid]);
    assert.deepEqual(await second.client.inventory(), before);
  });

  it('carries frames where koffi cannot be loaded, and says so', async (t) => {
    // No binary that is not Node's own is loaded, as where none was installed.
    withNodeOption(t, '--no-addons');
    const dataDir = await temporaryDirectory(t);
    const { client, sockets } = await supervised(t, dataDir);
    assert.match(sockets, /^UDP by Node's own sockets, as koffi cannot be used here: ./);
    const [left, right, l, r] = [await udpPeer(t), await udpPeer(t), await freePort(), await freePort()];
    const cable = cableSpec('w', [
      { type: 'udp', lport: l, rhost: '127.0.0.1', rport: left.port },
      { type: 'udp', lport: r, rhost: '127.0.0.1', rport: right.port },
    ]);
    await client.one({ op: 'cable.put', cable });
    const arrived = right.next();
    left.socket.send('by Node', l, '127.0.0.1');
    assert.equal(await arrived, 'by Node');
    const { sockets: name } = await client.one<{ sockets: string }>({ op: 'statistics' });
    assert.equal(name, 'node');
    assert.match(await readFile(join(dataDir, 'fabric.log'), 'utf8'), /as koffi cannot be used here/);
  });

  it('ends when it is asked to as soon as it listens', async (t) => {
    const slow = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { lstat } = fs.promises;
      fs.promises.lstat = (...args) => new Promise((later) => setTimeout(later, 300)).then(() => lstat(...args));
      syncBuiltinESMExports();`;
    withNodeOption(t, `--import data:text/javascript,${encodeURIComponent(slow)}`);
    const { client, pid } = await supervised(t, await temporaryDirectory(t));
    await client.one({ op: 'shutdown' });
    await ended(pid);
  });

  it('is taken back from another server with pauses, and that is said once', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const said: string[] = [];
    const keeper = await keepFabric(
      dataDir,
      loggerTo((line) => said.push(line)),
    );
    t.after(() => keeper.end());
    const back = new EventEmitter();
    keeper.onReplaced((why) => back.emit('back', why));
    for (let n = 0; n < 2; n++) {
      const again = once(back, 'back');
      const { pid } = await supervised(t, dataDir);
      const [why] = (await again) as [string];
      assert.equal(why, `another server took the fabric (process ${pid}), and this one took it back`);
      assert.equal(keeper.pid(), pid);
      assert.deepEqual((await keeper.inventory()).nodes, []);
    }
    assert.equal(said.filter((line) => line.includes('two use')).length, 1, said.join('\n'));
    assert.deepEqual(
      said.filter((line) => line.includes('has ended')),
      [],
    );
  });

  it('outlives a server that is killed', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const supervise = new URL('../../src/fabric/client/supervise.js', import.meta.url).href;
    const script = `
      const { findOrStartFabric } = await import(${JSON.stringify(supervise)});
      const { client, pid } = await findOrStartFabric({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
      await client.one({ op: 'node.start', node: ${JSON.stringify(host('h'))} });
      console.log(pid);
      setInterval(() => {}, 1000);`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(String(((await once(server.stdout, 'data')) as [Buffer])[0]));
    server.kill('SIGKILL');
    await once(server, 'exit');
    const found = await supervised(t, dataDir);
    assert.deepEqual([found.adopted, found.pid], [true, pid]);
    assert.deepEqual(
      (await found.client.inventory()).nodes.map(({ spec }) => spec),
      [host('h')],
    );
  });

  it('shows its name and its data directory in the list of processes', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const { pid } = await supervised(t, dataDir);
    const line = await processArguments(pid);
    if (line === null) return t.skip('ps is not installed');
    assert.match(line, /topolog-fabric/);
    assert.ok(line.includes(await realpath(dataDir)));
  });

  it('listens in a private directory and leaves no file when it is asked to end', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const { client, pid } = await supervised(t, dataDir);
    const [path = ''] = await socketPaths(dataDir);
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
    assert.equal(await readFile(pidFile(path), 'utf8'), String(pid));
    await client.one({ op: 'shutdown' });
    await ended(pid);
    for (const file of [path, pidFile(path)]) await assert.rejects(stat(file), { code: 'ENOENT' });
  });

  it('ends on SIGTERM, and is started again by the next', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    const lost = new Promise<void>((resolve) => first.client.onLost(resolve));
    process.kill(first.pid, 'SIGTERM');
    await lost;
    await ended(first.pid);
    const second = await supervised(t, dataDir);
    assert.ok(!second.adopted && second.pid !== first.pid);
  });

  it('is started again after it was killed and left its socket', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    process.kill(first.pid, 'SIGKILL');
    await ended(first.pid);
    assert.equal((await supervised(t, dataDir)).adopted, false);
  });

  it('is replaced when it hangs', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    first.client.close();
    process.kill(first.pid, 'SIGSTOP');
    const log: string[] = [];
    const second = await supervised(t, dataDir, log, 300);
    assert.equal(second.adopted, false);
    assert.equal(isAlive(first.pid), false);
    assert.match(log.join('\n'), /does not answer/);
  });

  it('ends by itself once its data directory is gone and nobody controls it', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const { client, pid } = await supervised(t, dataDir);
    await client.one({ op: 'node.start', node: host('h') });
    await rm(dataDir, { recursive: true });
    await client.inventory();
    client.close();
    await ended(pid);
  });

  it('makes its socket again when a cleaner took it away', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    const [path = ''] = await socketPaths(dataDir);
    await rm(path);
    await waitFor('the socket is there again', () => stat(path).catch(() => null));
    const second = await supervised(t, dataDir);
    assert.deepEqual([second.adopted, second.pid], [true, first.pid]);
  });

  it('is found once it has made its socket again after the whole directory of sockets was taken away', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    await first.client.one({ op: 'node.start', node: host('h') });
    first.client.close();
    const [path = ''] = await socketPaths(dataDir);
    await rm(dirname(path), { recursive: true });
    const log: string[] = [];
    const second = await supervised(t, dataDir, log);
    assert.deepEqual([second.adopted, second.pid, log], [true, first.pid, []]);
  });

  it('is ended before another takes its place when it cannot be reached', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    first.client.close();
    const [path = ''] = await socketPaths(dataDir);
    process.kill(first.pid, 'SIGSTOP');
    await rm(dirname(path), { recursive: true });
    const log: string[] = [];
    const second = await supervised(t, dataDir, log, 300);
    assert.equal(second.adopted, false);
    assert.equal(isAlive(first.pid), false);
    assert.match(log.join('\n'), new RegExp(`The fabric ${first.pid} of ${dataDir} has no socket and is ended`));
  });

  for (const how of ['cp -a', 'cp -al'])
    it(`is not found by a copy of its data directory (${how})`, { skip: noCopies }, async (t) => {
      const dataDir = await temporaryDirectory(t);
      const first = await supervised(t, dataDir);
      const copy = join(await temporaryDirectory(t), 'copy');
      await promisify(execFile)('sh', ['-c', `${how} "$0" "$1"`, dataDir, copy]);
      const second = await supervised(t, copy);
      assert.equal(second.adopted, false);
      // The original still has its own, and has not lost it for a moment.
      assert.deepEqual((await first.client.inventory()).nodes, []);
      assert.notEqual(second.pid, first.pid);
    });

  it('ends when its data directory was moved, and another serves that at its new place', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    await first.client.one({ op: 'node.start', node: host('h') });
    first.client.close();
    const moved = join(await temporaryDirectory(t), 'moved');
    await rename(dataDir, moved);
    const second = await supervised(t, moved);
    assert.equal(second.adopted, false);
    assert.equal(isAlive(first.pid), false);
  });

  it('ends when its data directory was moved and another is made at that place', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const first = await supervised(t, dataDir);
    await first.client.one({ op: 'node.start', node: host('h') });
    first.client.close();
    await rename(dataDir, join(await temporaryDirectory(t), 'moved'));
    await mkdir(dataDir);
    await ended(first.pid);
  });

  it('of a directory whose name begins alike is left alone', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const longer = `${dataDir}2`;
    await mkdir(longer);
    t.after(() => rm(longer, { recursive: true, force: true }));
    const other = await supervised(t, longer);
    const [path = ''] = await socketPaths(dataDir);
    // As a copy has it, beside something that does not answer.
    await writeFile(pidFile(path), String(other.pid));
    const silent = createServer(() => undefined).listen(path);
    await once(silent, 'listening');
    t.after(() => silent.close());
    assert.equal((await supervised(t, dataDir, [], 300)).adopted, false);
    assert.deepEqual((await other.client.inventory()).nodes, []);
  });

  it('takes the place of somebody who listens there and is no fabric', async (t) => {
    const dataDir = await temporaryDirectory(t);
    const [path = ''] = await socketPaths(dataDir);
    await makePrivate(dirname(path));
    // Somebody who is no fabric listens there, and keeps doing so.
    const stranger = createServer((socket) => socket.end('220 smtp ready\n')).listen(path);
    await once(stranger, 'listening');
    t.after(() => stranger.close());
    const found = await supervised(t, dataDir);
    assert.equal(found.adopted, false);
  });

  it('that is started wrongly says so', async () => {
    const child: ChildProcess = spawn(process.execPath, [programFile('fabric/process/main')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 1);
    assert.match(said, /Usage/);
  });
});

async function processArguments(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  return promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
