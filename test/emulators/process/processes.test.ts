import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { Exit, KindNode } from '../../../src/emulators/kit/contract.ts';
import { type Launch, Processes } from '../../../src/emulators/shared/process/processes.ts';
import { processesOf } from '../../../src/processes/end.ts';
import { identityOf, isAlive } from '../../../src/processes/identity.ts';
import { findMarked, markArgument } from '../../../src/processes/marker.ts';
import { echoKind } from '../../support/echo-engine.ts';
import { tempDir } from '../../support/temp.ts';
import { testProgram } from '../../support/test-program.ts';
import { nodeOf } from '../sample.ts';
import { waitFor } from '../../support/wait-for.ts';
import { until } from '../../../src/common/promises.ts';

const EMULATOR = testProgram('echo-emulator');
const PATIENCE = { ask: 200, term: 200, kill: 5_000 };

/** Runs until it is killed. */
const FOREVER: Launch = { program: process.execPath, args: [EMULATOR, '--listen', '0'] };
const script = (code: string): Launch => ({ program: process.execPath, args: ['-e', code] });
const never = (): AbortSignal => new AbortController().signal;

interface Bench {
  mark: string;
  processes: Processes;
  node: KindNode;
  /** A supervisor as the next server has it. */
  another: () => Processes;
  pids: () => Promise<number[]>;
}

const bench = async (t: TestContext): Promise<Bench> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const mark = randomBytes(10).toString('hex');
  const node = nodeOf(echoKind, {}, { node_id: randomUUID(), node_directory: dir.path });
  const made: Processes[] = [];
  // A process that is detached keeps nobody waiting; a server has its sockets.
  const wait = setInterval(() => undefined, 60_000);
  const another = (): Processes => {
    const processes = new Processes({ engine: 'test', mark, patience: PATIENCE });
    made.push(processes);
    return processes;
  };
  const processes = another();
  t.after(async () => {
    await processes.stop(node);
    for (const one of made) one.close();
    clearInterval(wait);
  });
  const pids = async () => (await processesOf(node.node_id, mark)).map(({ pid }) => pid);
  return { mark, processes, node, another, pids };
};

const nextExit = (processes: Processes): Promise<Exit> => new Promise((resolve) => processes.onExit(resolve));

describe('processes of nodes', () => {
  it('are found again by their marker, by the supervisor of a later server', async (t) => {
    const { processes, node, another, mark, pids } = await bench(t);
    const running = await processes.start(node, FOREVER, never());
    assert.deepEqual(await pids(), [running.pid]);
    processes.close();
    const adopted = await another().adopt({ ...node, pid: running.pid, pid_started: running.started });
    assert.deepEqual(adopted, running);
    const [marked] = await findMarked(mark);
    assert.equal(marked?.node_id, node.node_id);
    assert.equal(marked.project_id, node.project_id);
    assert.deepEqual(await findMarked(randomBytes(10).toString('hex')), []);
  });

  it('are found where their start was never put on record', async (t) => {
    const { processes, node, another } = await bench(t);
    const { pid } = await processes.start(node, FOREVER, never());
    assert.equal((await another().adopt({ ...node, pid: null }))?.pid, pid);
  });

  it('are never taken for ours by their pid alone', async (t) => {
    const { node, another } = await bench(t);
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    t.after(() => stranger.kill('SIGKILL'));
    await once(stranger, 'spawn');
    const identity = await identityOf(stranger.pid ?? 0);
    assert.ok(identity !== null);
    const processes = another();
    assert.equal(await processes.adopt({ ...node, pid: identity.pid, pid_started: identity.started }), null);
    await processes.stop(node);
    assert.equal(await isAlive(identity), true);
    assert.equal(await isAlive({ ...identity, started: `${identity.started}0` }), false);
  });

  it('are known by an argument where the environment says nothing', async (t) => {
    const { node, mark, processes } = await bench(t);
    const args = ['-e', 'setInterval(() => {}, 1000)', markArgument(node.node_id, mark)];
    const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    assert.equal((await processes.adopt(node))?.pid, child.pid);
    await processes.stop(node);
    await ended;
  });

  it('end by SIGKILL when they take no SIGTERM, with what they have started in groups of their own', async (t) => {
    const { processes, node, pids } = await bench(t);
    const launch = { ...FOREVER, args: [...FOREVER.args, '--stubborn', '--child'] };
    await processes.start(node, launch, never());
    await waitFor('both processes run', async () => (await pids()).length >= 2);
    await processes.stop(node);
    assert.deepEqual(await pids(), []);
  });

  it('end when they are asked to, before any signal', async (t) => {
    const { processes, node } = await bench(t);
    const running = await processes.start(
      node,
      script('process.on("SIGHUP", () => process.exit(0)); setInterval(() => {}, 1000); console.log("ready")'),
      never(),
    );
    await processes.ready(node, never(), async (signal) => {
      await until(async () => (await processes.output(node)).includes('ready'), { every: 10, signal });
    });
    const asked: number[] = [];
    await processes.stop(node, async ({ pid }) => {
      asked.push(pid);
      process.kill(pid, 'SIGHUP');
    });
    assert.deepEqual(asked, [running.pid]);
  });

  it('are reported when they end by themselves, with code and the last output of this run', async (t) => {
    const { processes, node } = await bench(t);
    const first = nextExit(processes);
    await processes.start(node, script('console.log("of the first run")'), never());
    assert.equal((await first).code, 0);
    const exit = new Promise<Exit>((resolve) => processes.onExit((e) => e.code === 7 && resolve(e)));
    await processes.start(node, script('console.error("x".repeat(5000), "no image"); process.exitCode = 7'), never());
    const { output, signal, node_id } = await exit;
    assert.deepEqual([signal, node_id], [null, node.node_id]);
    assert.match(output, /no image$/);
    assert.ok(output.length <= 2000);
    assert.doesNotMatch(output, /first run/);
  });

  it('are reported when they end after they were adopted', async (t) => {
    const { processes, node, another } = await bench(t);
    const { pid } = await processes.start(node, FOREVER, never());
    processes.close();
    const later = another();
    await later.adopt(node);
    const exit = nextExit(later);
    process.kill(pid, 'SIGKILL');
    assert.deepEqual(await exit, {
      node_id: node.node_id,
      project_id: node.project_id,
      code: null,
      signal: null,
      output: '',
    });
    assert.equal(later.find(node.node_id), undefined);
  });

  it('are replaced by a new start, whichever server left them', async (t) => {
    const { processes, node, another, pids } = await bench(t);
    const { pid } = await processes.start(node, FOREVER, never());
    processes.close();
    const running = await another().start(node, FOREVER, never());
    assert.notEqual(running.pid, pid);
    assert.deepEqual(await pids(), [running.pid]);
  });

  it('leave nothing of a start that is aborted', async (t) => {
    const { processes, node, pids } = await bench(t);
    const reason = new Error('closing');
    await assert.rejects(processes.start(node, FOREVER, AbortSignal.abort(reason)), reason);
    const controller = new AbortController();
    const starting = processes.start(node, FOREVER, controller.signal);
    controller.abort(reason);
    await assert.rejects(starting, reason);
    assert.deepEqual(await pids(), []);
  });

  it('say why they could not be started, or ended at once', async (t) => {
    const { processes, node } = await bench(t);
    const missing = { program: '/nonexistent/emulator', args: [] };
    await assert.rejects(
      processes.start(node, missing, never()),
      /N1: \/nonexistent\/emulator cannot be started: .*ENOENT/,
    );
    await processes.start(node, script('console.error("no such disk"); process.exit(3)'), never());
    const forever = new Promise<never>(() => undefined);
    await assert.rejects(
      processes.ready(node, never(), () => forever),
      /N1: it ended at once \(code 3\): no such disk/,
    );
  });
});
