import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Caller } from '../../src/actors/commands.ts';
import { SYSTEM } from '../../src/events/event.ts';
import { makeTemp } from '../support/temp.ts';
import { fieldsOf } from '../../src/actors/undo/fields.ts';
import { testLab, type TestLab } from './test-lab.ts';

let dir: string;
let t: TestLab;
before(async () => {
  dir = await makeTemp('undo');
  t = await testLab({ dir });
});
after(() => t.close());

/** A request of somebody. */
const by = (principal: string): Caller => ({ by: { ...SYSTEM, principal }, request_id: randomUUID() });

const project = async (): Promise<string> => {
  const { project_id } = await t.commands.createProject(by('maker'), { name: `lab ${randomUUID()}` });
  return project_id;
};

const pc = (name: string, x = 0) => ({ name, kind: 'simple_pc', x, y: 0 });
const label = { text: '0/0' };
const ends = (a: string, b: string) => [a, b].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0, label }));

/** What people set of all that a project holds, by id. */
const stateOf = (id: string): Record<string, unknown> => {
  const { committed } = t.context;
  const all = [
    ...committed.ofProject('node', id).map((r) => [r.node_id, fieldsOf(r)] as const),
    ...committed.ofProject('link', id).map((r) => [r.link_id, fieldsOf(r)] as const),
    ...committed.ofProject('drawing', id).map((r) => [r.drawing_id, fieldsOf(r)] as const),
  ];
  return Object.fromEntries(
    all.map(([key, fields]) => [key, Object.fromEntries([...fields].filter(([field]) => field !== 'console'))]),
  );
};

const undoAll = async (who: string, id: string, what: 'undo' | 'redo'): Promise<number> => {
  for (let count = 0; ; count++) {
    try {
      await t.commands[what](by(who), id);
    } catch (error) {
      assert.match(String(error), new RegExp(`you have nothing to ${what}`));
      return count;
    }
  }
};

describe('undo', () => {
  it('takes back a move, a name and what was made, one after another, and makes them again', async () => {
    const id = await project();
    const empty = stateOf(id);
    const { node_id } = await t.commands.createNode(by('ada'), id, pc('PC1'), 'make_unique');
    const at = { project_id: id, node_id };
    const made = stateOf(id);
    await t.commands.updateNode(by('ada'), at, { x: 50, y: 60 }, 'make_unique');
    const moved = stateOf(id);
    await t.commands.updateNode(by('ada'), at, { name: 'R1' }, 'make_unique');
    const renamed = stateOf(id);

    const undone = await t.commands.undo(by('ada'), id);
    assert.equal(undone.edit.action, 'rename');
    assert.deepEqual(stateOf(id), moved);
    await t.commands.undo(by('ada'), id);
    assert.deepEqual(stateOf(id), made);
    await t.commands.undo(by('ada'), id);
    assert.deepEqual(stateOf(id), empty);
    await assert.rejects(t.commands.undo(by('ada'), id), /you have nothing to undo/);

    await t.commands.redo(by('ada'), id);
    assert.deepEqual(stateOf(id), made);
    await t.commands.redo(by('ada'), id);
    assert.deepEqual(stateOf(id), moved);
    await t.commands.redo(by('ada'), id);
    assert.deepEqual(stateOf(id), renamed);
    await assert.rejects(t.commands.redo(by('ada'), id), /you have nothing to redo/);
    await t.commands.undo(by('ada'), id);
    assert.deepEqual(stateOf(id), moved);
  });

  it('brings a deleted node back with its links, and both with their ids, labels and filters', async () => {
    const id = await project();
    const a = await t.commands.createNode(by('ada'), id, pc('A'), 'make_unique');
    const b = await t.commands.createNode(by('ada'), id, pc('B', 200), 'make_unique');
    const nodes = ends(a.node_id, b.node_id);
    await t.commands.createLink(by('ada'), id, { nodes, filters: { delay: [5, 1] } });
    const before = stateOf(id);
    await t.commands.deleteNode(by('ada'), { project_id: id, node_id: a.node_id });
    assert.equal(Object.keys(stateOf(id)).length, 1);
    const { changes } = await t.commands.undo(by('ada'), id);
    assert.deepEqual(
      changes.map(({ type, action }) => [type, action]),
      [
        ['node', 'create'],
        ['link', 'create'],
      ],
    );
    assert.deepEqual(stateOf(id), before);
    await t.commands.redo(by('ada'), id);
    assert.equal(Object.keys(stateOf(id)).length, 1);
  });

  it('leaves what somebody else has changed since, and names who and what', async () => {
    const id = await project();
    const { node_id } = await t.commands.createNode(by('ada'), id, pc('PC1'), 'make_unique');
    const at = { project_id: id, node_id };
    await t.commands.updateNode(by('ada'), at, { x: 10, z: 5 }, 'make_unique');
    await t.commands.updateNode(by('bob'), at, { x: 99 }, 'make_unique');
    const { left } = await t.commands.undo(by('ada'), id);
    assert.deepEqual(
      left.map((one) => [one.name, one.fields, one.why, one.by?.principal]),
      [['PC1', ['x'], 'changed', 'bob']],
    );
    const { x, z } = t.context.committed.get('node', node_id) ?? {};
    assert.deepEqual({ x, z }, { x: 99, z: 1 });
    // What was made is not taken away from under somebody who has worked on it.
    await assert.rejects(t.commands.undo(by('ada'), id), /nothing is left to undo: x of PC1 was changed by bob since/);
  });

  it('undoes only what the same person did, and refuses a redo after a new edit', async () => {
    const id = await project();
    const { node_id } = await t.commands.createNode(by('ada'), id, pc('PC1'), 'make_unique');
    const at = { project_id: id, node_id };
    await assert.rejects(t.commands.undo(by('bob'), id), /you have nothing to undo/);
    const [edit] = await t.context.edits.of(id);
    assert.ok(edit !== undefined);
    await assert.rejects(t.commands.undo(by('bob'), id, edit.position), /that edit is by ada/);
    await t.commands.updateNode(by('ada'), at, { x: 7 }, 'make_unique');
    await t.commands.undo(by('ada'), id);
    await t.commands.updateNode(by('ada'), at, { y: 8 }, 'make_unique');
    await assert.rejects(t.commands.redo(by('ada'), id), /you have nothing to redo/);
  });

  it('refuses as a whole what needs a stopped node', async () => {
    const id = await project();
    const a = await t.commands.createNode(by('ada'), id, pc('A'), 'make_unique');
    await t.commands.actOnNode(by('ada'), { project_id: id, node_id: a.node_id }, 'start');
    const before = t.context.log.version(id);
    await assert.rejects(t.commands.undo(by('ada'), id), /^TopologError: A runs; stop it first$/);
    assert.equal(t.context.log.version(id), before);
  });

  it('has the edit as the cause of what takes it back', async () => {
    const id = await project();
    await t.commands.createDrawing(by('ada'), id, { svg: '<svg></svg>' });
    const [made] = await t.context.edits.of(id);
    await t.commands.undo(by('ada'), id);
    const [, undone] = await t.context.edits.of(id);
    assert.equal(undone?.undoes, made?.position);
    assert.equal(undone?.by.principal, 'ada');
  });

  it('takes back settings of the project', async () => {
    const id = await project();
    await t.commands.updateProject(by('ada'), id, { grid_size: 10, show_grid: true });
    await t.commands.undo(by('ada'), id);
    assert.equal(t.context.committed.get('project', id)?.grid_size, 75);
    assert.equal(t.context.committed.get('project', id)?.show_grid, false);
  });

  it('undoes a batch of 2,000 nodes as one edit', async () => {
    const id = await project();
    const steps = Array.from(
      { length: 2_000 },
      (_, n) => ({ action: 'create', type: 'node', input: pc(`PC${n}`, n) }) as const,
    );
    await t.commands.batch(by('ada'), id, steps);
    const [before, nodes] = [t.context.log.version(id), stateOf(id)];
    const { edit, changes } = await t.commands.undo(by('ada'), id);
    assert.equal(edit.counts.node, 2_000);
    assert.equal(changes.length, 2_000);
    assert.equal(t.context.committed.count('node', id), 0);
    assert.equal(t.context.log.version(id), before + 2_000);
    await t.commands.redo(by('ada'), id);
    assert.deepEqual(stateOf(id), nodes);
  });
});

/** What two people do: who, what, and on which object there is. */
const act = fc.tuple(
  fc.constantFrom('ada', 'bob'),
  fc.constantFrom('node', 'link', 'drawing', 'move', 'rename', 'style', 'delete', 'lot'),
  fc.nat(20),
);

const perform = async (id: string, [who, what, n]: [string, string, number]): Promise<void> => {
  const { committed } = t.context;
  // Each has objects of their own: what one does is not in the way of the other.
  const nodes = committed.ofProject('node', id).filter(({ name }) => name.startsWith(who));
  const node = nodes[n % Math.max(1, nodes.length)];
  const at = { project_id: id, node_id: node?.node_id ?? '' };
  if (what === 'node') await t.commands.createNode(by(who), id, pc(`${who}1`, n), 'make_unique');
  else if (what === 'drawing') await t.commands.createDrawing(by(who), id, { x: n });
  else if (what === 'lot')
    await t.commands.batch(
      by(who),
      id,
      nodes.map(({ node_id, x }) => ({ action: 'update', type: 'node', id: node_id, changes: { x: x + n, y: n } })),
    );
  else if (node === undefined) return;
  else if (what === 'move') await t.commands.updateNode(by(who), at, { x: node.x + n, y: n }, 'make_unique');
  else if (what === 'rename') await t.commands.updateNode(by(who), at, { name: `${who}${n}` }, 'make_unique');
  else if (what === 'style')
    await t.commands.updateNode(by(who), at, { label: { text: '', x: n, y: n } }, 'make_unique');
  else if (what === 'delete') await t.commands.deleteNode(by(who), at);
  else {
    const free = nodes.filter(({ node_id }) => committed.linksOf(node_id).length === 0);
    const [a, b] = free;
    if (a !== undefined && b !== undefined)
      await t.commands.createLink(by(who), id, { nodes: ends(a.node_id, b.node_id) });
  }
};

describe('edits of two people', () => {
  it("undoing all of one's leaves what the other did, and redoing all brings back what was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 16 }), async (acts) => {
        const [id, alone] = [await project(), await project()];
        for (const one of acts) await perform(id, one);
        const both = stateOf(id);
        const count = await undoAll('ada', id, 'undo');
        for (const one of acts) if (one[0] === 'bob') await perform(alone, one);
        // The ids differ.
        const valuesOf = (state: object): string[] =>
          Object.values(state)
            .map((one) => JSON.stringify(one))
            .sort();
        const plain = (state: object): string[] => valuesOf(state).filter((text) => !text.includes('"nodes.'));
        assert.deepEqual(plain(stateOf(id)), plain(stateOf(alone)));
        assert.equal(await undoAll('ada', id, 'redo'), count);
        assert.deepEqual(stateOf(id), both);
        await t.commands.deleteProject(by('maker'), id);
        await t.commands.deleteProject(by('maker'), alone);
      }),
      { numRuns: 25 },
    );
  });
});

describe('after a restart', () => {
  it('undoes what was done before it, and redoes what was undone', async () => {
    const own = await makeTemp('undo-restart');
    let lab = await testLab({ dir: own });
    const { project_id: id } = await lab.commands.createProject(by('ada'), { name: 'lab' });
    const { node_id } = await lab.commands.createNode(by('ada'), id, pc('PC1'), 'make_unique');
    await lab.commands.updateNode(by('ada'), { project_id: id, node_id }, { x: 5 }, 'make_unique');
    await lab.close();
    lab = await testLab({ dir: own });
    await lab.lab.recover(true);
    await lab.commands.undo(by('ada'), id);
    assert.equal(lab.context.committed.get('node', node_id)?.x, 0);
    await lab.close();
    lab = await testLab({ dir: own });
    await lab.lab.recover(true);
    await lab.commands.redo(by('ada'), id);
    assert.equal(lab.context.committed.get('node', node_id)?.x, 5);
    await lab.close();
  });
});

describe('restore', () => {
  it('says what would change, makes it so for one object or all, and can be undone', async () => {
    const id = await project();
    const a = await t.commands.createNode(by('ada'), id, pc('A'), 'make_unique');
    const b = await t.commands.createNode(by('ada'), id, pc('B', 200), 'make_unique');
    await t.commands.createLink(by('ada'), id, { nodes: ends(a.node_id, b.node_id) });
    const then = stateOf(id);
    const at = String(t.log.status().position);
    await t.commands.updateNode(by('bob'), { project_id: id, node_id: b.node_id }, { x: 9, z: 3 }, 'make_unique');
    await t.commands.deleteNode(by('ada'), { project_id: id, node_id: a.node_id });
    await t.commands.createDrawing(by('bob'), id, {});
    await t.commands.updateProject(by('bob'), id, { grid_size: 33 });
    const now = stateOf(id);

    const plan = await t.commands.restore(by('ada'), id, { at, plan: true });
    assert.deepEqual(stateOf(id), now);
    assert.deepEqual(plan.changes.map(({ type, action, name }) => `${action} ${type} ${String(name)}`).sort(), [
      'change node B',
      `change project ${String(t.context.committed.get('project', id)?.name)}`,
      'create link null',
      'create node A',
      'delete drawing null',
    ]);
    await t.commands.restore(by('ada'), id, { at, objects: [{ type: 'node', id: b.node_id }] });
    assert.equal(t.context.committed.get('node', b.node_id)?.x, 200);
    await t.commands.restore(by('ada'), id, { at });
    assert.deepEqual(stateOf(id), then);
    assert.equal(t.context.committed.get('project', id)?.grid_size, 75);
    await t.commands.undo(by('ada'), id);
    await t.commands.undo(by('ada'), id);
    assert.deepEqual(stateOf(id), now);
    assert.equal(t.context.committed.get('project', id)?.grid_size, 33);
    const nobody = { type: 'node' as const, id: randomUUID() };
    await assert.rejects(t.commands.restore(by('ada'), id, { at, objects: [nobody] }), /no such node/);
  });
});
