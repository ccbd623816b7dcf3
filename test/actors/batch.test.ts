import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { draft } from '../../src/actors/context.ts';
import { NodeActor } from '../../src/actors/node/actor.ts';
import type { BatchStep } from '../../src/actors/commands.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { withResolvers } from '../../src/common/promises.ts';
import type { NodeRecord } from '../../src/projections/records.ts';
import { failingStore, type FailingStore } from '../support/failing-store.ts';
import { ownStore } from '../support/own-log.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';
import { FakeEngine, lasting } from './fake-engine.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

interface Scene {
  lab: TestLab;
  engine: FakeEngine;
  disk: FailingStore;
  project_id: string;
  make(name: string, kind?: string): Promise<NodeRecord>;
  send(...steps: BatchStep[]): Promise<unknown>;
  /** Types of the events since the last call. */
  told(): string[];
}

const scene = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const engine = new FakeEngine();
  const disk = failingStore(ownStore(path.join(dir.path, 'log')));
  const lab = await testLab({ dir: dir.path, open: disk.open, engines: engine.engines });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { project_id } = await lab.commands.createProject(CALLER, { name: 'lab' });
  const events: AnyEvent[] = [];
  lab.log.onCommitted((committed) => events.push(...committed));
  return {
    ...{ lab, engine, disk, project_id },
    make: (name, kind = 'simple_pc') => lab.commands.createNode(CALLER, project_id, { name, kind }, 'conflict'),
    send: (...steps) => lab.commands.batch(CALLER, project_id, steps),
    told: () => events.splice(0).map(({ type }) => type),
  };
};

const remove = ({ node_id: id }: NodeRecord): BatchStep => ({ action: 'delete', type: 'node', id });
const draw: BatchStep = { action: 'create', type: 'drawing', input: {} };

describe('console ports of a batch', () => {
  it('go to the steps that ask for them, also when an earlier step takes any', async (t) => {
    const s = await scene(t);
    const node = await s.make('PC1');
    await s.send(remove(node));
    const create = (input: object): BatchStep => ({
      action: 'create',
      type: 'node',
      input: { name: 'PC', kind: 'simple_pc', ...input },
    });
    const made = (await s.send(create({}), create({ console: node.console }))) as NodeRecord[];
    assert.equal(made[1]?.console, node.console);
    assert.notEqual(made[0]?.console, node.console);
  });
});

describe('a batch that deletes nodes', () => {
  it('starts none of them whose creation was on its way to the disk', async (t) => {
    const s = await scene(t);
    const hub = await s.make('Hub1', 'ethernet_hub');
    const { log, records, commands } = s.lab;
    const node_id = '00000000-0000-4000-8000-000000000001';
    const written = withResolvers();
    s.disk.around((write) => written.promise.then(write));
    const given = { node_id, name: 'Hub2', kind: 'ethernet_hub' };
    const making = commands.createNode(CALLER, s.project_id, given, 'conflict').catch(() => undefined);
    await waitFor('the node is on its way', () => records.pending.get('node', node_id) !== undefined);
    let isWaiting = false;
    const settled = log.settled.bind(log);
    log.settled = () => {
      isWaiting = true;
      return settled();
    };
    // Long enough for the new node to start where nothing keeps it from that.
    s.engine.once('stop', () => Promise.race([making, sleep(200)]).then(() => undefined));
    const deleting = s.send(remove(hub), { action: 'delete', type: 'node', id: node_id });
    const isStopping = (): boolean => records.pending.get('node', hub.node_id)?.state === 'stopping';
    await waitFor('the batch has looked for its nodes', () => isWaiting || isStopping());
    written.resolve();
    await Promise.all([deleting, making]);
    assert.equal(s.engine.starts, 1);
    assert.equal(s.lab.directory.findNode(node_id), undefined);
  });

  it('is refused as a whole while one of them is being started', async (t) => {
    const s = await scene(t);
    const [idle, busy] = [await s.make('PC1'), await s.make('PC2')];
    const start = lasting();
    s.engine.once('start', start.how);
    const started = s.lab.directory.node(busy.node_id).act(CALLER, 'start');
    await start.begun;
    s.told();
    await assert.rejects(s.send(draw, remove(idle), remove(busy)), /steps\.2: PC2 runs; stop it first/);
    assert.deepEqual(s.told(), []);
    assert.equal(s.lab.directory.node(idle.node_id).state, 'stopped');
    start.end();
    await started;
    assert.equal(s.lab.directory.node(busy.node_id).state, 'started');
  });

  it('leaves no actor of one that is stopped', async (t) => {
    const s = await scene(t);
    const nodes = [await s.make('PC1'), await s.make('PC2')];
    s.told();
    await s.send(...nodes.map(remove), draw);
    assert.deepEqual(s.told(), ['node.deleted', 'node.deleted', 'drawing.created']);
    for (const { node_id } of nodes) assert.equal(s.lab.directory.findNode(node_id), undefined);
  });

  it('and a start at the same time: one of them is refused', async (t) => {
    for (const startsFirst of [true, false]) {
      const s = await scene(t);
      const node = await s.make('PC1');
      s.told();
      const actor = s.lab.directory.node(node.node_id);
      const send = () => s.send(remove(node));
      const start = () => actor.act(CALLER, 'start');
      const results = await Promise.allSettled(startsFirst ? [start(), send()] : [send(), start()]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, JSON.stringify(results));
      const isDeleted = s.lab.records.committed.get('node', node.node_id) === undefined;
      assert.equal(s.lab.directory.findNode(node.node_id) === undefined, isDeleted);
      assert.deepEqual(s.told(), isDeleted ? ['node.deleted'] : ['node.start_requested', 'node.started']);
    }
  });

  it('asks the machine of each: one that refuses, refuses all', async (t) => {
    const s = await scene(t);
    const [idle, hub] = [await s.make('PC1'), await s.make('Hub1', 'ethernet_hub')];
    const actors = [idle, hub].map(({ node_id }) => s.lab.directory.node(node_id));
    s.told();
    const deleted = [idle, hub].map(({ node_id, project_id }) =>
      draft(CALLER, project_id, 'node.deleted', { node_id, project_id }),
    );
    const refused = NodeActor.remove(s.lab.context, actors, (append) => append(deleted));
    await assert.rejects(refused, /Hub1 is started: node\.deleted is not possible now/);
    assert.deepEqual(s.told(), []);
    assert.deepEqual(
      actors.map(({ state }) => state),
      ['stopped', 'started'],
    );
  });

  it('stops one that always runs, and may make another with its id', async (t) => {
    const s = await scene(t);
    const hub = await s.make('Hub1', 'ethernet_hub');
    s.told();
    const input = { name: 'Hub2', kind: 'ethernet_hub', node_id: hub.node_id };
    await s.send(remove(hub), { action: 'create', type: 'node', input });
    assert.deepEqual(s.told(), [
      ...['node.stop_requested', 'node.stopped', 'node.deleted', 'node.created'],
      ...['node.start_requested', 'node.started'],
    ]);
    assert.equal(s.lab.directory.node(hub.node_id).record().name, 'Hub2');
    assert.equal(s.lab.directory.node(hub.node_id).state, 'started');
  });
});
