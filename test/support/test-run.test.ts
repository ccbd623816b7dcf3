import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { namespaceOf } from '../../src/emulators/container/adapters.ts';
import { ip, ownNamespaces } from '../../src/emulators/shared/network/ip.ts';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../src/processes/identity.ts';
import { markOf } from '../../src/processes/marker.ts';
import { NAT_PROGRAMS } from './nat-network.ts';
import { isQuiet, portBlock } from './port-block.ts';
import { sweepRuns } from './test-run.ts';

/** A runner whose one test has left a process and two directories, one of them without a note, and hangs. */
const RUNNER = `
  import { spawn } from 'node:child_process';
  import { mkdtemp } from 'node:fs/promises';
  import { tmpdir } from 'node:os';
  const { beginRun } = await import('./test-run.js');
  const { makeTemp } = await import('./temp.js');
  const { run, env } = await beginRun();
  Object.assign(process.env, env);
  const directory = await makeTemp('topolog-test');
  const bare = await mkdtemp(tmpdir() + '/bare-');
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env, detached: true, stdio: 'ignore' });
  console.log(JSON.stringify({ run, directory, bare, pid }));
  setInterval(() => {}, 1000);
`;

interface Run {
  run: string;
  directory: string;
  bare: string;
  left: ProcessIdentity;
  /** Kills the runner alone. */
  kill(): Promise<void>;
}

const begin = async (t: TestContext): Promise<Run> => {
  const runner = spawn(process.execPath, ['--input-type=module', '-e', RUNNER], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    const ended = once(runner, 'exit');
    if (runner.kill('SIGKILL')) await ended;
  };
  t.after(kill);
  const [line] = (await once(runner.stdout, 'data')) as [Buffer];
  const { pid, ...made } = JSON.parse(line.toString()) as Pick<Run, 'run' | 'directory' | 'bare'> & { pid: number };
  const left = await identityOf(pid);
  assert.ok(left !== null);
  return { ...made, left, kill };
};

const isThere = async ({ left, directory, bare }: Run): Promise<boolean[]> => [
  await isAlive(left),
  existsSync(directory),
  existsSync(bare),
];

const lacks = await networkLacks(NAT_PROGRAMS, 'this test', 'leave it out');
const skip = process.platform === 'linux' ? false : 'only Linux tells the environment of a process';

describe('what a run of the tests has left', { skip }, () => {
  it('is ended and removed once its runner is gone, and nothing of a runner that goes on', async (t) => {
    const [killed, other] = [await begin(t), await begin(t)];
    await sweepRuns(null);
    assert.deepEqual(await isThere(killed), [true, true, true]);
    await killed.kill();
    const lines = await sweepRuns(null);
    assert.ok(lines.some((line) => line.startsWith(`process ${killed.left.pid} `)));
    for (const made of [killed.directory, killed.bare]) assert.ok(lines.includes(`directory ${made}`));
    assert.deepEqual(await isThere(killed), [false, false, false]);
    assert.deepEqual(await isThere(other), [true, true, true]);
    // Its own, once its tests have ended.
    await sweepRuns(other.run);
    assert.deepEqual(await isThere(other), [false, false, false]);
  });

  it('is taken away by the next run, which says so in one line', async (t) => {
    const killed = await begin(t);
    await killed.kill();
    const script = path.resolve(import.meta.dirname, '../../../scripts/test.mjs');
    // Else the runner takes itself for a test file.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, [script, 'dist/test/slices'], { encoding: 'utf8', env });
    assert.equal(status, 0, stdout);
    const told = stdout.split('\n').filter((line) => line.includes('left over by tests'));
    assert.equal(told.length, 1, stdout);
    assert.ok(told[0]?.includes(`process ${killed.left.pid} `) && told[0].includes(killed.directory), told[0]);
    assert.deepEqual(await isThere(killed), [false, false, false]);
  });

  it('goes with what is mounted in it, also while that is in use', { skip: lacks?.needs ?? false }, async (t) => {
    const killed = await begin(t);
    const mounted = path.join(killed.directory, 'storage');
    await mkdir(mounted);
    execFileSync('mount', ['-t', 'tmpfs', 'none', mounted]);
    t.after(() => spawnSync('umount', ['--lazy', mounted]));
    const used = await open(path.join(mounted, 'file'), 'w');
    t.after(() => used.close());
    await killed.kill();
    assert.ok((await sweepRuns(null)).includes(`directory ${killed.directory}`));
    assert.deepEqual(await isThere(killed), [false, false, false]);
  });

  it('goes with its namespaces', { skip: lacks?.needs ?? false }, async (t) => {
    const killed = await begin(t);
    const mark = await markOf(killed.directory);
    const namespace = namespaceOf({ node_id: randomUUID(), project_id: randomUUID() }, mark);
    await ip(['netns', 'add', namespace]);
    t.after(() => ip(['netns', 'delete', namespace]).catch(() => undefined));
    await killed.kill();
    await sweepRuns(null);
    assert.deepEqual(await ownNamespaces('container', mark), []);
  });
});

describe(
  'a block of ports',
  { skip: process.platform === 'linux' ? false : 'only Linux tells whose sockets there are' },
  () => {
    it('is given to no test file while what a killed one has left is on a port of it', async () => {
      const [from] = await portBlock();
      const first = from - 1;
      assert.equal(await isQuiet(first), true);
      const left = createServer().listen(from + 3, '127.0.0.1');
      await once(left, 'listening');
      assert.equal(await isQuiet(first), false);
      left.close();
      const socket = createSocket('udp4').bind(from + 3, '127.0.0.1');
      await once(socket, 'listening');
      assert.equal(await isQuiet(first), false);
      socket.close();
    });
  },
);
