import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

const NODES = 600;
const CONSOLES = 12_000;

/** A lab, and a file of a large project each node of which wishes a console port. */
const scene = async (t: TestContext): Promise<{ lab: TestLab; file: string; project_id: string; types: string[] }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const project_id = randomUUID();
  const nodes = Array.from({ length: NODES }, (_, n) => ({
    ...{ node_id: randomUUID(), name: `PC${n}`, node_type: 'vpcs', compute_id: 'local', properties: {} },
    ...{ console: CONSOLES + n, console_type: 'telnet', x: n, y: 0 },
  }));
  const topology = { nodes, links: [], drawings: [], computes: [] };
  const project = { project_id, name: 'large', type: 'topology', revision: 9, version: '2.2.0', topology };
  const file = path.join(dir.path, 'large', 'large.gns3');
  await mkdir(path.dirname(file));
  await writeFile(file, JSON.stringify(project));
  const types: string[] = [];
  lab.log.onCommitted((events) => types.push(...events.map((event) => event.type)));
  return { lab, file, project_id, types };
};

describe('a large project file', () => {
  it('is registered once, however many load it at the same time', async (t) => {
    const { lab, file, project_id, types } = await scene(t);
    const loaded = await Promise.all([1, 2, 3].map(() => lab.commands.loadProject(CALLER, file)));
    assert.deepEqual(new Set(loaded.map((project) => project.project_id)), new Set([project_id]));
    const count = (type: string): number => types.filter((one) => one === type).length;
    assert.deepEqual([count('project.created'), count('project.replaced'), count('node.created')], [1, 0, NODES]);
    assert.equal(lab.records.committed.ofProject('node', project_id).length, NODES);
  });

  it('is folded before its place in the log is known, in turns', async (t) => {
    const { lab, file, project_id } = await scene(t);
    const atOnce: string[] = [];
    const stage = lab.records.stage.bind(lab.records);
    lab.records.stage = (event) => {
      atOnce.push(event.type);
      return stage(event);
    };
    await lab.commands.loadProject(CALLER, file);
    assert.deepEqual(atOnce, ['project.open_requested', 'project.opened']);
    assert.equal(lab.records.committed.ofProject('node', project_id).length, NODES);
  });

  it('takes no console port that another node gets while it is read', async (t) => {
    const { lab, file, project_id } = await scene(t);
    const other = await lab.commands.createProject(CALLER, { name: 'other' });
    const take = async (n: number): Promise<void> => {
      const input = { name: `N${n}`, kind: 'simple_pc', console: CONSOLES + n * 15 };
      await lab.commands.createNode(CALLER, other.project_id, input, 'conflict').catch(() => undefined);
    };
    await take(0);
    const loading = lab.commands.loadProject(CALLER, file);
    // Some of them come before the load has decided, some while it does, some after it.
    for (let n = 1; n < 40; n++) await take(n);
    await loading;
    const nodes = [other.project_id, project_id].flatMap((id) => lab.records.committed.ofProject('node', id));
    const consoles = nodes.map((node) => node.console);
    assert.equal(consoles.includes(null), false);
    assert.equal(new Set(consoles).size, nodes.length);
    assert.ok(nodes.length > NODES);
  });
});
