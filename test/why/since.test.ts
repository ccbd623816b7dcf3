import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPast } from '../../src/projections/past/past.ts';
import type { Obstacle } from '../../src/why/contract.ts';
import { findSince } from '../../src/why/since.ts';
import { CALLER, type TestLab, testLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';

/** Longer than several steps of the search. */
const LATER = 30;

describe('since when something is in the way', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let lab: TestLab;
  let project_id = '';
  let [pc1, pc2] = ['', ''];
  let [made, stopped] = [0, 0];

  before(async () => {
    dir = await tempDir();
    lab = await testLab({ dir: dir.path });
    const { commands, log } = lab;
    const node = async (name: string): Promise<string> => {
      const { node_id } = await commands.createNode(CALLER, project_id, { name, kind: 'simple_pc' }, 'conflict');
      return node_id;
    };
    ({ project_id } = await commands.createProject(CALLER, { name: 'lab' }));
    pc1 = await node('PC1');
    pc2 = await node('PC2');
    made = log.status().position;
    await commands.actOnNode(CALLER, { project_id, node_id: pc1 }, 'start');
    stopped = log.status().position + 1;
    await commands.actOnNode(CALLER, { project_id, node_id: pc1 }, 'stop');
    for (let n = 0; n < LATER; n++) await commands.updateProject(CALLER, project_id, { name: `lab ${n}` });
  });
  after(async () => {
    await lab?.close();
    await dir?.remove();
  });

  const since = async (step: number): Promise<(number | undefined)[]> => {
    const { log, context } = lab;
    const { position } = log.status();
    const { moments, kinds } = context;
    const keys = [`node_stopped:${pc1}`, `node_stopped:${pc2}`, 'node_stopped:another'];
    const obstacles = keys.map((key): Obstacle => ({ code: 'node_stopped', key, sentence: '' }));
    const question = { from: pc1, to: pc2, address: null, size: 56 };
    const known = { kinds, tables: new Map(), isSteady: true as const };
    const asked = { project_id, position, question, known, ids: new Set([pc1, pc2]) };
    const past = createPast(log, moments, () => Promise.resolve());
    const found = await findSince({ past, moments }, asked, obstacles, step);
    return keys.map((key) => found.get(key)?.position);
  };

  it('is found however many events came after it', async () => {
    for (const step of [3, 7, 1000]) assert.deepEqual(await since(step), [stopped, made, undefined], `${step} at once`);
  });

  it('is not said where it is older than what is looked at: no other event is blamed', async () => {
    assert.deepEqual(await since(1), [undefined, undefined, undefined]);
  });
});
