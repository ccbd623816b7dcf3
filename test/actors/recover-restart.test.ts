import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { tempDir } from '../support/temp.ts';
import { FakeEngine } from './fake-engine.ts';
import { CALLER, cutAfter, testLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000c1';
const NODE = '00000000-0000-4000-8000-000000000001';
const at = { project_id: PROJECT, node_id: NODE };
const FOUND = { state: 'started', started: { pid: 77, console: null, command_line: 'fake' } } as const;

/** A node that runs is reloaded by a stop and a start; the server is killed when the event is on disk. Answers what a next start finds. */
const reloadedUntil = async (
  t: TestContext,
  last: AnyEvent['type'],
  { resume = true, survives = false } = {},
): Promise<{ state: string | undefined; calls: string[]; restart: true | undefined }> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const engine = new FakeEngine();
  engine.inPlace = false;
  const before = await testLab({ dir: dir.path, engines: engine.engines });
  await before.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
  await before.commands.createNode(CALLER, PROJECT, { node_id: NODE, name: 'PC1', kind: 'simple_pc' }, 'conflict');
  await before.commands.actOnNode(CALLER, at, 'start');
  await cutAfter(before, last, () => before.commands.actOnNode(CALLER, at, 'reload'));
  await before.log.close();
  engine.calls.splice(0);
  engine.adopt = () => Promise.resolve(survives ? FOUND : null);
  const after = await testLab({ dir: dir.path, engines: engine.engines });
  t.after(() => after.close());
  await after.lab.recover(resume);
  const record = after.records.committed.get('node', NODE);
  return { state: record?.state, calls: [...engine.calls], restart: record?.restart };
};

describe('a node that stops to be started again', () => {
  it('is started by the next start of the server where it has stopped', async (t) => {
    const found = await reloadedUntil(t, 'node.stopped');
    assert.deepEqual(found, { state: 'started', calls: ['start'], restart: undefined });
  });

  it('is started by the next start of the server where it was stopping and runs no more', async (t) => {
    const found = await reloadedUntil(t, 'node.stop_requested');
    assert.deepEqual(found, { state: 'started', calls: ['start'], restart: undefined });
  });

  it('goes on where it was stopping and still runs', async (t) => {
    const found = await reloadedUntil(t, 'node.stop_requested', { survives: true });
    assert.deepEqual(found, { state: 'started', calls: [], restart: undefined });
  });

  it('stays stopped where no node is to be started', async (t) => {
    const found = await reloadedUntil(t, 'node.stopped', { resume: false });
    assert.deepEqual([found.state, found.calls], ['stopped', []]);
  });
});
