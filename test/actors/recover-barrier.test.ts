import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict } from '../../src/common/errors.ts';
import { tempDir } from '../support/temp.ts';
import { FakeEngine, lasting } from './fake-engine.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

const FOUND = { state: 'started', started: { pid: 77, console: null, command_line: 'fake' } } as const;

/** Two nodes that run, by their names. */
const twoNodes = async (
  t: TestContext,
): Promise<{ lab: TestLab; engine: FakeEngine; pid: (name: string) => unknown }> => {
  const dir = await tempDir();
  const engine = new FakeEngine();
  const lab = await testLab({ dir: dir.path, engines: engine.engines });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { project_id } = await lab.commands.createProject(CALLER, { name: 'lab' });
  for (const name of ['PC1', 'PC2']) {
    const { node_id } = await lab.commands.createNode(CALLER, project_id, { name, kind: 'simple_pc' }, 'conflict');
    await lab.commands.actOnNode(CALLER, { project_id, node_id }, 'start');
  }
  engine.calls.splice(0);
  const pid = (name: string): unknown =>
    lab.records.committed.ofProject('node', project_id).find((node) => node.name === name)?.pid;
  return { lab, engine, pid };
};

describe('looking for nodes after the fabric or the server was away', () => {
  it('starts none again before all were looked for: it could take the ports of one that runs', async (t) => {
    const { lab, engine, pid } = await twoNodes(t);
    const look = lasting();
    engine.adopt = async ({ name }) => {
      if (name === 'PC2') return null;
      await look.how();
      return FOUND;
    };
    const recovered = lab.lab.recover(true);
    await look.begun;
    await sleep(50);
    assert.deepEqual(engine.calls, []);
    look.end();
    const { adopted, restarted } = await recovered;
    assert.deepEqual({ adopted, restarted }, { adopted: 1, restarted: 1 });
    assert.deepEqual(engine.calls, ['start']);
    assert.equal(pid('PC1'), 77);
  });

  it('looks again where a look failed, before it gives the memory of a node up', async (t) => {
    const { lab, engine, pid } = await twoNodes(t);
    let barrier = 0;
    engine.adopt = ({ name }) =>
      name === 'PC1' && ++barrier < 3 ? Promise.reject(conflict('UDP port 30001 is taken')) : Promise.resolve(FOUND);
    const { adopted, restarted } = await lab.lab.recover(true);
    assert.deepEqual({ adopted, restarted, barrier }, { adopted: 2, restarted: 0, barrier: 3 });
    assert.equal(pid('PC1'), 77);
  });
});
