import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopologError } from '../../src/common/errors.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import type { NodeAction } from '../../src/actors/commands.ts';
import type { NodeRecord } from '../../src/projections/records.ts';
import { diskFull, failingStore, type FailingStore } from '../support/failing-store.ts';
import { tempDir } from '../support/temp.ts';
import { FakeEngine, lasting } from './fake-engine.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

/** A node of an open project, driven by an engine that does what the test says. */
class Scene {
  readonly lab: TestLab;
  readonly engine: FakeEngine;
  readonly disk: FailingStore;
  readonly #at: { project_id: string; node_id: string };
  readonly events: AnyEvent[] = [];

  constructor(lab: TestLab, engine: FakeEngine, disk: FailingStore, { project_id, node_id }: NodeRecord) {
    this.lab = lab;
    this.engine = engine;
    this.disk = disk;
    this.#at = { project_id, node_id };
    lab.log.onCommitted((events) => this.events.push(...events));
  }

  get record(): NodeRecord {
    const record = this.lab.records.committed.get('node', this.#at.node_id);
    assert.ok(record);
    return record;
  }

  get machine(): string | undefined {
    return this.lab.directory.findNode(this.#at.node_id)?.state;
  }

  act(action: NodeAction, args?: Record<string, unknown>): Promise<NodeRecord> {
    return this.lab.commands.actOnNode(CALLER, this.#at, action, args);
  }

  remove(): Promise<void> {
    return this.lab.commands.deleteNode(CALLER, this.#at);
  }

  /** Types of the events since the last call. */
  told(): string[] {
    return this.events.splice(0).map((event) => event.type);
  }

  /** The next event of a type. */
  event(type: AnyEvent['type']): Promise<AnyEvent> {
    return new Promise((resolve) =>
      this.lab.log.onCommitted((events) => {
        const found = events.find((event) => event.type === type);
        if (found !== undefined) resolve(found);
      }),
    );
  }
}

const scene = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const engine = new FakeEngine();
  const disk = failingStore(levelStore(path.join(dir.path, 'log')));
  const lab = await testLab({ dir: dir.path, open: disk.open, engines: engine.engines });
  t.after(async () => {
    disk.fail(null);
    await lab.close();
    await dir.remove();
  });
  const { project_id } = await lab.commands.createProject(CALLER, { name: 'lab' });
  const node = await lab.commands.createNode(CALLER, project_id, { name: 'PC1', kind: 'simple_pc' }, 'conflict');
  return new Scene(lab, engine, disk, node);
};

const running = async (t: TestContext): Promise<Scene> => {
  const s = await scene(t);
  await s.act('start');
  s.told();
  s.engine.calls.length = 0;
  return s;
};

const failed =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof TopologError && error.code === code;

describe('a node', () => {
  it('starts: the request is on disk before its engine is asked, the outcome says what runs', async (t) => {
    const s = await scene(t);
    let known: string[] = [];
    s.engine.once('start', () => {
      known = s.events.map((event) => event.type);
      return Promise.resolve();
    });
    const record = await s.act('start');
    assert.deepEqual(known, ['node.start_requested']);
    assert.deepEqual(
      [record.state, record.engine, record.pid, record.command_line],
      ['started', 'fake', 101, 'fake 1'],
    );
    const [request, outcome] = s.events;
    assert.equal(outcome?.cause, request?.position);
    assert.deepEqual(s.told(), ['node.start_requested', 'node.started']);
  });

  it('gives secrets of a start to its engine, and to no event', async (t) => {
    const s = await scene(t);
    const args = { iourc_content: 'the licence', nested: { password: 'x', name: 'y' } };
    await s.act('start', args);
    assert.deepEqual(s.engine.args, args);
    const [request] = s.events;
    assert.ok(request?.type === 'node.start_requested');
    const kept = { iourc_content: '[left out]', nested: { password: '[left out]', name: 'y' } };
    assert.deepEqual(request.data.arguments, kept);
    await s.act('stop');
    await s.act('start');
    assert.deepEqual(s.engine.args, {});
  });

  it('that is still starting at the end of the server is no defect', async (t) => {
    const s = await scene(t);
    const begun = new Promise<void>((resolve) =>
      s.engine.once('start', (signal) => {
        resolve();
        return sleep(60_000, undefined, { signal });
      }),
    );
    const start = assert.rejects(s.act('start'), /it was interrupted/);
    await begun;
    s.lab.directory.stop();
    await start;
    assert.deepEqual(s.lab.reports, []);
  });

  it('lets a second stop wait and answers it like the first', async (t) => {
    const s = await running(t);
    const stop = lasting();
    s.engine.once('stop', stop.how);
    const both = [s.act('stop'), s.act('stop')];
    await stop.begun;
    assert.equal(s.record.state, 'stopping');
    stop.end();
    for (const record of await Promise.all(both)) assert.equal(record.state, 'stopped');
    assert.deepEqual(s.engine.calls, ['stop']);
    assert.deepEqual(s.told(), ['node.stop_requested', 'node.stopped']);
  });

  it('does nothing for what holds already', async (t) => {
    const s = await running(t);
    assert.equal((await s.act('start')).state, 'started');
    assert.deepEqual(s.engine.calls, []);
    assert.deepEqual(s.told(), []);
  });

  it('is stopped, with the reason, after a start that failed, and can be started again', async (t) => {
    const s = await scene(t);
    s.engine.once('start', () =>
      Promise.reject(new TopologError('engine_failed', { what: 'PC1', reason: 'no memory' })),
    );
    await assert.rejects(s.act('start'), failed('engine_failed'));
    assert.deepEqual([s.record.state, s.record.failure?.message], ['stopped', 'PC1: no memory']);
    assert.deepEqual(s.told(), ['node.start_requested', 'node.start_failed']);
    assert.equal((await s.act('start')).failure, null);
  });

  it('takes a defect of an engine as a failed start, and reports it', async (t) => {
    const s = await scene(t);
    s.engine.once('start', () => Promise.reject(new TypeError('x is not a function')));
    await assert.rejects(s.act('start'), failed('engine_failed'));
    assert.equal(s.machine, 'stopped');
    assert.ok(s.lab.reports.some((line) => line.includes('TypeError')));
  });

  it('gives up a start that takes longer than its engine allows', async (t) => {
    const s = await scene(t);
    s.engine.deadline = 20;
    s.engine.once(
      'start',
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    await assert.rejects(s.act('start'), failed('deadline'));
    assert.deepEqual([s.machine, s.record.failure?.code], ['stopped', 'deadline']);
  });

  it('is stopped when its engine ends by itself, with what it said last', async (t) => {
    const s = await running(t);
    const told = s.event('node.exited');
    s.engine.exit(s.record);
    const { data } = await told;
    assert.deepEqual(data, {
      node_id: s.record.node_id,
      project_id: s.record.project_id,
      code: 3,
      signal: null,
      output: 'it fell over',
    });
    assert.deepEqual([s.record.state, s.record.pid], ['stopped', null]);
  });

  it('is stopped when its engine ends in the moment of its start', async (t) => {
    const s = await scene(t);
    s.engine.once('start', () => {
      queueMicrotask(() => s.engine.exit(s.record));
      return Promise.resolve();
    });
    const exited = s.event('node.exited');
    await s.act('start');
    await exited;
    assert.equal((await s.act('stop')).state, 'stopped');
    assert.deepEqual(s.told(), ['node.start_requested', 'node.started', 'node.exited']);
  });

  it('tells a stop as a stop although its engine ends by itself meanwhile', async (t) => {
    const s = await running(t);
    s.engine.once('stop', () => {
      s.engine.exit(s.record);
      return Promise.resolve();
    });
    await s.act('stop');
    assert.deepEqual(s.told(), ['node.stop_requested', 'node.stopped']);
  });

  it('leaves machine, record and world as they were when a request cannot be written', async (t) => {
    const s = await scene(t);
    s.disk.fail(diskFull());
    await assert.rejects(s.act('start'), failed('disk_full'));
    assert.deepEqual([s.machine, s.record.state, s.engine.calls], ['stopped', 'stopped', []]);
    s.disk.fail(null);
    await s.lab.log.reopen();
    assert.equal((await s.act('start')).state, 'started');
  });

  it('offers an outcome again until it is written, and tells the caller at once that it is not', async (t) => {
    const s = await scene(t);
    s.engine.once('start', () => {
      s.disk.fail(diskFull());
      return Promise.resolve();
    });
    await assert.rejects(s.act('start'), failed('disk_full'));
    assert.deepEqual([s.machine, s.record.state], ['starting', 'starting']);
    const written = s.event('node.started');
    s.disk.fail(null);
    await written;
    assert.deepEqual([s.record.state, s.record.pid, s.engine.calls], ['started', 101, ['start']]);
    assert.equal((await s.act('start')).state, 'started');
    assert.equal(s.machine, 'started');
  });

  it('resumes when it is started while it is suspended', async (t) => {
    const s = await running(t);
    assert.equal((await s.act('suspend')).state, 'suspended');
    assert.equal((await s.act('start')).state, 'started');
    assert.deepEqual(s.engine.calls, ['suspend', 'resume']);
    assert.deepEqual(s.told(), ['node.suspend_requested', 'node.suspended', 'node.resume_requested', 'node.resumed']);
  });

  it('stays suspended when it cannot be resumed', async (t) => {
    const s = await running(t);
    await s.act('suspend');
    s.engine.once('resume', () => Promise.reject(new Error('no')));
    await assert.rejects(s.act('resume'), failed('engine_failed'));
    assert.equal(s.record.state, 'suspended');
  });

  it('reloads in place where its engine can', async (t) => {
    const s = await running(t);
    const record = await s.act('reload');
    assert.deepEqual([record.state, record.pid, s.engine.calls], ['started', 102, ['reload']]);
    assert.deepEqual(s.told(), ['node.reload_requested', 'node.reloaded']);
  });

  it('reloads by stop and start where its engine cannot', async (t) => {
    const s = await running(t);
    s.engine.inPlace = false;
    const record = await s.act('reload');
    assert.deepEqual([record.state, record.pid, s.engine.calls], ['started', 102, ['stop', 'start']]);
  });

  it('is stopped before it is deleted, and stays when it cannot be', async (t) => {
    const s = await running(t);
    s.engine.once('stop', () => Promise.reject(new Error('it clings')));
    await assert.rejects(s.remove(), failed('engine_failed'));
    assert.equal(s.record.state, 'started');
    s.told();
    await s.remove();
    assert.deepEqual(s.told(), ['node.stop_requested', 'node.stopped', 'node.deleted']);
    assert.equal(s.machine, undefined);
  });

  it('is stopped in a closed project even when its engine would not stop', async (t) => {
    const s = await running(t);
    s.engine.once('stop', () => Promise.reject(new Error('it clings')));
    await s.lab.commands.closeProject(CALLER, s.record.project_id);
    assert.equal(s.record.state, 'stopped');
    assert.deepEqual(s.told().slice(-3), ['node.lost', 'project.closed', 'project.file_written']);
  });

  it('closes its project once the log can be written again', async (t) => {
    const s = await running(t);
    const stopped = new Promise<void>((resolve) =>
      s.engine.once('stop', () => {
        s.disk.fail(diskFull());
        resolve();
        return Promise.resolve();
      }),
    );
    const { project_id } = s.record;
    const closing = s.lab.commands.closeProject(CALLER, project_id).catch(failed('disk_full'));
    const closed = s.event('project.closed');
    await stopped;
    await new Promise((soon) => setImmediate(soon));
    s.disk.fail(null);
    await closed;
    await closing;
    assert.equal(s.lab.records.committed.get('project', project_id)?.state, 'closed');
    assert.equal((await s.lab.commands.openProject(CALLER, project_id)).state, 'opened');
  });
});
