import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureKey } from '../../src/actors/capture/actor.ts';
import { draft } from '../../src/actors/context.ts';
import { ProjectActor } from '../../src/actors/project/actor.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { type FabricClient, FabricError } from '../../src/fabric/client/client.ts';
import type { Inventory, NodeSpec, Op, OpResult } from '../../src/fabric/protocol.ts';
import { TopologError } from '../../src/common/errors.ts';
import { withResolvers } from '../../src/common/promises.ts';
import type { NodeRecord } from '../../src/projections/records.ts';
import { diskFull, failingStore, type FailingStore } from '../support/failing-store.ts';
import { tempDir } from '../support/temp.ts';
import { FakeEngine, lasting } from './fake-engine.ts';
import { CALLER, clientOf, fabricInProcess, type TestLab, testLab } from './test-lab.ts';

/** What the simulation (test/simulation) has found: things that happen while something else is under way. */

interface Scene {
  lab: TestLab;
  engine: FakeEngine;
  disk: FailingStore;
  project: string;
  /** Runs. */
  node: NodeRecord;
  /** Makes an op of the fabric last. */
  hold: (op: Op['op'], how: () => Promise<void>) => void;
  recordOf: (id: string) => NodeRecord | undefined;
  event: (type: AnyEvent['type']) => Promise<AnyEvent>;
  /** What the fabric has. */
  inventory: () => Promise<Inventory>;
  /** Starts a node in the fabric, of which nothing is on record. */
  start: (node: Pick<NodeSpec, 'node_id' | 'project_id' | 'name'>) => Promise<unknown>;
}

const scene = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const engine = new FakeEngine();
  const disk = failingStore(levelStore(path.join(dir.path, 'log')));
  const real = fabricInProcess();
  const held = new Map<Op['op'], () => Promise<void>>();
  const client = clientOf(real);
  const run = async (ops: Op[]): Promise<OpResult[]> => {
    for (const { op } of ops) {
      const how = held.get(op);
      held.delete(op);
      await how?.();
    }
    return client.run(ops);
  };
  const one = async <T>(op: Op): Promise<T> => {
    const [result] = await run([op]);
    if (result?.ok !== true) throw new FabricError(result?.code ?? 'failed', result?.message ?? '');
    return result.value as T;
  };
  const fabric: FabricClient = { ...client, run, one };
  const lab = await testLab({ dir: dir.path, open: disk.open, engines: engine.engines, fabric });
  t.after(async () => {
    disk.fail(null);
    await lab.close();
    await real.close();
    await dir.remove();
  });
  const { project_id: project } = await lab.commands.createProject(CALLER, { name: 'lab' });
  const { node_id } = await lab.commands.createNode(CALLER, project, { name: 'PC1', kind: 'simple_pc' }, 'conflict');
  const node = await lab.commands.actOnNode(CALLER, { project_id: project, node_id }, 'start');
  const event = (type: AnyEvent['type']): Promise<AnyEvent> =>
    new Promise((resolve) =>
      lab.log.onCommitted((events) => {
        const found = events.find((one) => one.type === type);
        if (found !== undefined) resolve(found);
      }),
    );
  return {
    ...{ lab, engine, disk, project, node, event },
    hold: (op, how) => void held.set(op, how),
    inventory: () => client.inventory(),
    start: (given) =>
      client.one({
        op: 'node.start',
        node: { ...given, model: 'ethernet_hub', directory: null, config: {}, ports: [PORT], console: null },
      }),
    recordOf: (id) => lab.records.committed.get('node', id),
  };
};

const PORT = { adapter_number: 0, port_number: 0 };
const failed = (code: string) => (error: unknown) => error instanceof TopologError && error.code === code;

/** The log can be written no more, and somebody has found out. */
const fill = async ({ lab, disk }: Scene): Promise<void> => {
  disk.fail(diskFull());
  await assert.rejects(lab.commands.createProject(CALLER, { name: 'other' }), failed('disk_full'));
};

describe('while the log cannot be written', () => {
  it('the end of a node waits until it can', async (t) => {
    const s = await scene(t);
    await fill(s);
    const refused = new Promise<void>((resolve) => s.lab.log.onProblem(() => resolve()));
    s.engine.exit(s.node);
    // The log has been tried again, and has refused again.
    await Promise.race([refused, s.lab.log.reopen()]);
    const exited = s.event('node.exited');
    s.disk.fail(null);
    await exited;
    assert.equal(s.recordOf(s.node.node_id)?.state, 'stopped');
  });

  it('a node that did not outlive the fabric is started again once it can', async (t) => {
    const s = await scene(t);
    await fill(s);
    const recovered = s.lab.lab.recover(true);
    const started = s.event('node.started');
    s.disk.fail(null);
    await started;
    await recovered;
    assert.equal(s.engine.starts, 2);
    assert.equal(s.recordOf(s.node.node_id)?.state, 'started');
  });

  /** It cannot from the first event of this type on, until a command has been refused. */
  const fullAfter = (s: Scene, type: AnyEvent['type']): void => {
    void s.event(type).then(() => s.disk.fail(diskFull()));
  };

  for (const type of ['project.close_requested', 'capture.stop_requested'] as const)
    it(`what runs in a project that is closed ends once it can: full after ${type}`, async (t) => {
      const s = await scene(t);
      await s.lab.commands.startNodeCapture(
        CALLER,
        { project_id: s.project, node_id: s.node.node_id, ...PORT },
        { capture_file_name: 'a.pcap' },
      );
      fullAfter(s, type);
      await assert.rejects(s.lab.commands.closeProject(CALLER, s.project), failed('disk_full'));
      const closed = s.event('project.closed');
      s.disk.fail(null);
      await closed;
      assert.ok(s.engine.calls.includes('stop'));
      assert.equal(s.recordOf(s.node.node_id)?.state, 'stopped');
      assert.deepEqual(s.recordOf(s.node.node_id)?.captures, {});
    });

  it('a node whose start was under way ends with its project once it can', async (t) => {
    const s = await scene(t);
    const { node_id } = s.node;
    await s.lab.commands.actOnNode(CALLER, { project_id: s.project, node_id }, 'stop');
    const start = lasting();
    s.engine.once('start', start.how);
    const started = s.lab.commands.actOnNode(CALLER, { project_id: s.project, node_id }, 'start');
    await start.begun;
    const other = await s.lab.commands.createNode(CALLER, s.project, { name: 'PC2', kind: 'simple_pc' }, 'conflict');
    await s.lab.commands.actOnNode(CALLER, { project_id: s.project, node_id: other.node_id }, 'start');
    fullAfter(s, 'project.close_requested');
    const closing = assert.rejects(s.lab.commands.closeProject(CALLER, s.project), failed('disk_full'));
    const refused = assert.rejects(started, failed('disk_full'));
    await closing;
    start.end();
    await refused;
    const closed = s.event('project.closed');
    s.disk.fail(null);
    await closed;
    assert.equal(s.engine.calls.filter((call) => call === 'stop').length, 3);
  });

  it('a project whose closing waits is closed once, although it is recovered meanwhile', async (t) => {
    const s = await scene(t);
    fullAfter(s, 'project.close_requested');
    await assert.rejects(s.lab.commands.closeProject(CALLER, s.project), failed('disk_full'));
    let closings = 0;
    s.lab.log.onCommitted((events) => (closings += events.filter(({ type }) => type === 'project.closed').length));
    const closed = s.event('project.closed');
    const recovered = s.lab.lab.recover(true);
    s.disk.fail(null);
    await Promise.all([closed, recovered]);
    assert.equal(closings, 1);
  });

  it('a capture whose failure waits is not begun again by recovery', async (t) => {
    const s = await scene(t);
    s.hold('capture.start', () => {
      s.disk.fail(diskFull());
      return Promise.reject(new FabricError('lost', 'The fabric is gone'));
    });
    const given = { capture_file_name: 'a.pcap' };
    const begun = s.lab.commands.startNodeCapture(
      CALLER,
      { project_id: s.project, node_id: s.node.node_id, ...PORT },
      given,
    );
    await assert.rejects(begun, failed('disk_full'));
    const over = s.event('capture.failed');
    const recovered = s.lab.lab.recover(true);
    s.disk.fail(null);
    await Promise.all([over, recovered]);
    assert.deepEqual((await s.inventory()).captures, []);
    assert.deepEqual(s.recordOf(s.node.node_id)?.captures, {});
  });

  it('a node whose failed start waits is not started again by recovery', async (t) => {
    const s = await scene(t);
    const { node_id } = s.node;
    await s.lab.commands.actOnNode(CALLER, { project_id: s.project, node_id }, 'stop');
    s.engine.once('start', () => {
      s.disk.fail(diskFull());
      return Promise.reject(new TopologError('engine_failed', { what: 'PC1', reason: 'it does not start' }));
    });
    await assert.rejects(
      s.lab.commands.actOnNode(CALLER, { project_id: s.project, node_id }, 'start'),
      failed('disk_full'),
    );
    const over = s.event('node.start_failed');
    const recovered = s.lab.lab.recover(true);
    s.disk.fail(null);
    await Promise.all([over, recovered]);
    assert.equal(s.engine.starts, 1);
    assert.equal(s.recordOf(node_id)?.state, 'stopped');
  });

  it('a restore that cannot be done again says so to the one who brings the project back', async (t) => {
    const s = await scene(t);
    const { context, directory, log, records } = s.lab;
    const of = { project_id: s.project, snapshot_id: randomUUID(), running: [] };
    await log.append([draft(CALLER, s.project, 'project.restore_requested', of)]);
    const record = records.committed.get('project', s.project);
    assert.ok(record);
    const actor = new ProjectActor(context, directory, record);
    const refused = new Promise<void>((resolve) => log.onProblem(() => resolve()));
    s.disk.fail(diskFull());
    const finished = actor.finish().catch((error: unknown) => error);
    await refused;
    s.disk.fail(null);
    assert.ok(failed('disk_full')(await finished));
  });
});

describe('what happens at the same time', () => {
  it('a node that ends by itself just before recovery starts it again is started all the same, and not lost as well', async (t) => {
    const s = await scene(t);
    const actor = s.lab.directory.node(s.node.node_id);
    const types: string[] = [];
    s.lab.log.onCommitted((events) => types.push(...events.map(({ type }) => type)));
    await actor.observe('node.exited', { code: 3, signal: null, output: '' });
    await actor.startAgain('it no longer runs');
    assert.deepEqual(types, ['node.exited', 'node.start_requested', 'node.started']);
    assert.equal(s.recordOf(s.node.node_id)?.state, 'started');
  });

  it('a node that ends by itself just before its stop is asked for: both are answered, and it is stopped', async (t) => {
    const s = await scene(t);
    const exited = s.event('node.exited');
    const actor = s.lab.directory.node(s.node.node_id);
    const observed = actor.observe('node.exited', { code: 3, signal: null, output: '' });
    const stopped = actor.act(CALLER, 'stop').catch((error: unknown) => error);
    await exited;
    await observed;
    assert.ok(failed('conflict')(await stopped));
    assert.equal(s.recordOf(s.node.node_id)?.state, 'stopped');
    assert.equal(actor.state, 'stopped');
  });

  it('a NIO that comes while its node is stopped to be deleted goes with the node', async (t) => {
    const s = await scene(t);
    const stop = lasting();
    s.engine.once('stop', stop.how);
    const deleted = s.lab.commands.deleteNode(CALLER, s.node);
    await stop.begun;
    const nio = { type: 'nio_udp', lport: 20_500, rhost: '127.0.0.1', rport: 20_501 } as const;
    await s.lab.commands.addNio(CALLER, { project_id: s.project, node_id: s.node.node_id, ...PORT }, nio);
    stop.end();
    await deleted;
    const removed: unknown[] = [];
    await s.lab.context.plumbing.sweep(() => ({
      nodes: new Set(),
      running: new Set(),
      captures: new Map(),
      cables: { has: (id: string) => removed.push(id) > 0 } as unknown as Set<string>,
    }));
    assert.deepEqual(removed, []);
  });

  for (const what of ['link', 'NIO'] as const)
    it(`a ${what} that was refused has no cable, although recovery has made it meanwhile`, async (t) => {
      const s = await scene(t);
      const { commands } = s.lab;
      const hub = await commands.createNode(CALLER, s.project, { name: 'H', kind: 'ethernet_hub' }, 'conflict');
      const put = lasting();
      s.hold('cable.put', async () => {
        await put.how();
        throw new FabricError('failed', 'it cannot');
      });
      const nodes = [hub, s.node].map(({ node_id }) => ({ node_id, ...PORT }));
      const nio = { type: 'nio_udp', lport: 20_500, rhost: '127.0.0.1', rport: 20_501 } as const;
      const made =
        what === 'link'
          ? commands.createLink(CALLER, s.project, { nodes })
          : commands.addNio(CALLER, { project_id: s.project, node_id: hub.node_id, ...PORT }, nio);
      const refused = assert.rejects(made, failed('engine_failed'));
      await put.begun;
      await s.lab.lab.recover(true);
      put.end();
      await refused;
      assert.deepEqual((await s.inventory()).cables, []);
    });

  it('a capture is not begun in a project that is closed while its file is looked for', async (t) => {
    const s = await scene(t);
    const given = { capture_file_name: 'a.pcap' };
    const capture = s.lab.commands.startNodeCapture(
      CALLER,
      { project_id: s.project, node_id: s.node.node_id, ...PORT },
      given,
    );
    const closed = s.lab.commands.closeProject(CALLER, s.project);
    await assert.rejects(capture, failed('project_closed'));
    await closed;
    assert.deepEqual(s.recordOf(s.node.node_id)?.captures, {});
  });

  it('a capture that is asked for while the one before ends is found again', async (t) => {
    const s = await scene(t);
    const start = (name: string) =>
      s.lab.commands.startNodeCapture(
        CALLER,
        { project_id: s.project, node_id: s.node.node_id, ...PORT },
        { capture_file_name: name },
      );
    const stop = () =>
      s.lab.commands.stopNodeCapture(CALLER, { project_id: s.project, node_id: s.node.node_id, ...PORT });
    await start('a.pcap');
    const end = lasting();
    s.hold('capture.stop', end.how);
    const stopped = stop();
    await end.begun;
    const { directory } = s.lab;
    const find = directory.capture.bind(directory);
    const found = new Promise<void>((resolve) => {
      directory.capture = (...at) => {
        resolve();
        return find(...at);
      };
    });
    const again = start('b.pcap');
    // Its file has been looked for, and it waits for the one before.
    await found;
    end.end();
    await Promise.all([stopped, again]);
    await stop();
    assert.deepEqual(s.recordOf(s.node.node_id)?.captures, {});
  });

  it('a capture that was refused does not stand for the next link at its port', async (t) => {
    const s = await scene(t);
    const { commands } = s.lab;
    const hub = await commands.createNode(CALLER, s.project, { name: 'H', kind: 'ethernet_hub' }, 'conflict');
    const link = () =>
      commands.createLink(CALLER, s.project, { nodes: [hub, s.node].map(({ node_id }) => ({ node_id, ...PORT })) });
    const first = await link();
    await fill(s);
    await assert.rejects(commands.startLinkCapture(CALLER, { project_id: s.project, link_id: first.link_id }, {}));
    s.disk.fail(null);
    await s.lab.log.reopen();
    await commands.deleteLink(CALLER, { project_id: s.project, link_id: first.link_id });
    const second = await link();
    const { capture, state } = await commands.startLinkCapture(
      CALLER,
      { project_id: s.project, link_id: second.link_id },
      {},
    );
    assert.equal(state, 'capturing');
    assert.notEqual(capture, null);
  });

  it('a link has one capture, whichever of its ends runs', async (t) => {
    const s = await scene(t);
    const { commands } = s.lab;
    const other = await commands.createNode(CALLER, s.project, { name: 'PC2', kind: 'simple_pc' }, 'conflict');
    const nodes = [s.node, other].map(({ node_id }) => ({ node_id, ...PORT }));
    const { link_id } = await commands.createLink(CALLER, s.project, { nodes });
    await commands.startLinkCapture(CALLER, { project_id: s.project, link_id }, {});
    await commands.actOnNode(CALLER, s.node, 'stop');
    await commands.actOnNode(CALLER, { project_id: s.project, node_id: other.node_id }, 'start');
    await assert.rejects(commands.startLinkCapture(CALLER, { project_id: s.project, link_id }, {}), failed('conflict'));
    await commands.stopLinkCapture(CALLER, { project_id: s.project, link_id });
    assert.deepEqual((await s.inventory()).captures, []);
  });

  it('a capture that has failed and was begun again by recovery before that was heard ends', async (t) => {
    const s = await scene(t);
    await s.lab.commands.startNodeCapture(
      CALLER,
      { project_id: s.project, node_id: s.node.node_id, ...PORT },
      { capture_file_name: 'a.pcap' },
    );
    const heard = s.event('capture.failed');
    const port = { node_id: s.node.node_id, ...PORT };
    s.lab.lab.heard({ type: 'capture.failed', port, project_id: s.project, message: 'no space left' });
    await heard;
    assert.deepEqual((await s.inventory()).captures, []);
  });

  it('what was done although its fabric was lost before it answered is taken away by recovery', async (t) => {
    const s = await scene(t);
    s.engine.adopt = () => Promise.resolve({ state: 'started', started: { pid: 1, console: null, command_line: '' } });
    const { commands, context } = s.lab;
    const { node_id } = await commands.createNode(CALLER, s.project, { name: 'PC2', kind: 'simple_pc' }, 'conflict');
    const place = { node_id, project_id: s.project, ...PORT };
    const file = { path: path.join(context.settings.dataDir, 'a.pcap'), data_link_type: 'DLT_EN10MB' };
    await context.plumbing.startCapture({ ...place, node_id: s.node.node_id }, file, false);
    await s.start({ node_id, project_id: s.project, name: 'PC2' });
    const before = await s.inventory();
    assert.deepEqual([before.captures.length, before.nodes.length], [1, 1]);
    await s.lab.lab.recover(true);
    const { captures, nodes } = await s.inventory();
    assert.deepEqual({ captures, nodes }, { captures: [], nodes: [] });
  });

  it('a capture that was answered as failed does not stand for the next one at its port', async (t) => {
    const s = await scene(t);
    const { plumbing, settings } = s.lab.context;
    const port = { node_id: s.node.node_id, ...PORT };
    const [before, next] = ['a.pcap', 'b.pcap'].map((name) => path.join(settings.dataDir, name)) as [string, string];
    await plumbing.startCapture(
      { ...port, project_id: s.project },
      { path: before, data_link_type: 'DLT_EN10MB' },
      false,
    );
    const left = async (file: string): Promise<string[]> => {
      const ids = new Set([s.node.node_id]);
      const captures = new Map([[captureKey(port), file]]);
      await plumbing.sweep(() => ({ nodes: ids, running: ids, cables: new Set(), captures }));
      return (await s.inventory()).captures.map((capture) => capture.path);
    };
    assert.deepEqual(await left(before), [before]);
    assert.deepEqual(await left(next), []);
  });
});

it('two pictures of one name that are stored at the same time: the last event is what there is', async (t) => {
  const s = await scene(t);
  const { commands, context } = s.lab;
  const append = context.log.append.bind(context.log);
  const last = withResolvers();
  let first = true;
  context.log.append = async (...given) => {
    const isFirst = first;
    first = false;
    const events = await append(...given);
    if (isFirst) await last.promise;
    return events;
  };
  const svg = (word: string): Buffer =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>${word}</desc></svg>`);
  const one = commands.storeSymbol(CALLER, 'a.svg', svg('first'));
  await s.event('symbol.stored');
  const other = commands.storeSymbol(CALLER, 'a.svg', svg('last'));
  // As long as one takes that does not wait.
  await Promise.race([other, sleep(200)]);
  last.resolve();
  await Promise.all([one, other]);
  assert.match((await context.symbols.read('a.svg')).bytes.toString(), /last/);
});

it('a file that is written to a node that is deleted meanwhile leaves nothing behind', async (t) => {
  const s = await scene(t);
  const { commands, context } = s.lab;
  const { node_id, node_directory, project_id } = await commands.createNode(
    CALLER,
    s.project,
    { name: 'PC9', kind: 'simple_pc' },
    'conflict',
  );
  const append = context.log.append.bind(context.log);
  context.log.append = async (...given) => {
    const events = await append(...given);
    if (events.some(({ type }) => type === 'file.written')) await commands.deleteNode(CALLER, { project_id, node_id });
    return events;
  };
  const upload = { content: Readable.from([Buffer.from('x')]), limit: 100 };
  await commands.writeFile(CALLER, { project_id, node_id, name: 'deep/note.txt' }, upload);
  await assert.rejects(stat(node_directory ?? ''), { code: 'ENOENT' });
});
