import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stringify } from 'yaml';
import type { LabApplied, LabPlan } from '../../../src/actors/commands.ts';
import { etagOfPlan } from '../../../src/actors/lab-text/interface.ts';
import { TopologError } from '../../../src/common/errors.ts';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import type { NodeRecord } from '../../../src/projections/records.ts';
import { diskFull, type FailingStore, failingStore } from '../../support/failing-store.ts';
import { ownStore } from '../../support/own-log.ts';
import { makeTemp } from '../../support/temp.ts';
import { CALLER, testLab, type TestLab } from '../test-lab.ts';
import { waitFor } from '../../support/wait-for.ts';

let t: TestLab;
/** Events, a list for each batch on disk. */
let batches: AnyEvent[][] = [];
let heard: (event: AnyEvent) => void = () => undefined;
let disk: FailingStore;
before(async () => {
  const dir = await makeTemp('topolog-lab-whole');
  disk = failingStore(ownStore(path.join(dir, 'log')));
  t = await testLab({ dir, open: disk.open });
  t.log.onCommitted((events) => {
    batches.push([...events]);
    events.forEach((event) => heard(event));
  });
});
after(() => t.close());

type Nodes = Record<string, object | undefined>;
const textOf = (name: string, nodes: Nodes, more: object = {}): string =>
  stringify({ lab: name, version: 1, nodes, ...more });
const PC = { kind: 'simple_pc', at: [0, 0] };
/** Takes as long for whatever it does. */
const slow = (more: object = {}) => ({
  ...PC,
  properties: { engine: 'simulated', simulate: { delay_ms: 60, ...more } },
});

const input = (text: string) => ({ text, format: 'yaml' as const, files: {} });
const plan = (text: string): Promise<LabPlan> => t.commands.planLab(input(text));
const apply = (text: string, more: { start?: boolean; expected?: string[] } = {}): Promise<LabApplied> => {
  const { start = false, expected } = more;
  const caller = { ...CALLER, request_id: randomUUID(), ...(expected === undefined ? {} : { expected }) };
  return t.commands.applyLab(caller, { ...input(text), start });
};

const nodesOf = (id: string): readonly NodeRecord[] => t.context.committed.ofProject('node', id);
const states = (id: string): Record<string, string> =>
  Object.fromEntries(nodesOf(id).map(({ name, state }) => [name, state]));
const node = (id: string, name: string): NodeRecord => {
  const found = nodesOf(id).find((one) => one.name === name);
  assert.ok(found !== undefined, name);
  return found;
};
const isLeft = (id: string): boolean => t.context.committed.get('project', id)?.apply !== undefined;

/** Does something once, as soon as there is such an event. */
const atFirst = (wanted: AnyEvent['type'], work: () => Promise<unknown>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    heard = ({ type }) => {
      if (type !== wanted) return;
      heard = () => undefined;
      work().then(resolve, reject);
    };
  });

describe('an apply', () => {
  it('has all that is record in one batch', async () => {
    const name = randomUUID();
    const { project_id: id } = await apply(
      textOf(name, { A: { ...PC, startup: 'ip 10.0.0.1/24' }, B: PC, C: PC }, { links: [['A', 'B']] }),
      { start: true },
    );
    batches = [];
    await apply(
      textOf(
        name,
        { A: { ...PC, startup: 'ip 10.0.0.9/24', files: { 'note.txt': 'n' } }, B: PC, D: PC, E: PC },
        {
          ...{ settings: { scene_width: 77 }, links: [['D', 'E']], drawings: [{ svg: '<svg/>' }] },
          ...{ checks: ['D reaches 10.0.0.9'], weather: [{ at: '1s', for: '1s', crash: ['D'] }] },
        },
      ),
    );
    const records = batches.filter((events) =>
      events.some(({ type }) => /^(node|link|drawing|project)\.(created|updated|deleted)$|^file\./.test(type)),
    );
    assert.equal(records.length, 1, JSON.stringify(batches.map((events) => events.map(({ type }) => type))));
    const types = new Set(records[0]?.map(({ type }) => type));
    for (const type of ['project.updated', 'node.deleted', 'link.created', 'drawing.created', 'file.written'] as const)
      assert.ok(types.has(type), type);
    assert.deepEqual(states(id), { A: 'started', B: 'started', D: 'stopped', E: 'stopped' });
  });

  it('that stops at a node which does not stop leaves the lab as it was, running', async () => {
    const name = randomUUID();
    const old = { A: slow({ fail: 'stop' }), B: { ...slow(), startup: 'ip 10.0.0.1/24' } };
    const { project_id: id } = await apply(textOf(name, old), { start: true });
    const wanted = textOf(name, { B: { ...slow(), startup: 'ip 10.0.0.2/24' } });
    await assert.rejects(apply(wanted));
    assert.deepEqual(states(id), { A: 'started', B: 'started' });
    const { changes } = await plan(textOf(name, old));
    assert.deepEqual(changes, []);
    assert.equal(isLeft(id), false);
    const last = batches.flat().findLast(({ type }) => type === 'project.apply_finished');
    assert.ok(last?.type === 'project.apply_finished' && last.data.failure !== undefined);
  });

  it('removes nothing that somebody changes or links while nodes stop for it', async () => {
    const name = randomUUID();
    const text = (nodes: Nodes): string => textOf(name, nodes);
    const { project_id: id } = await apply(text({ A: slow(), B: PC, C: PC }), { start: true });
    const at = { project_id: id, node_id: node(id, 'A').node_id };
    const moved = atFirst('node.stop_requested', () => t.commands.updateNode(CALLER, at, { x: 50 }, 'conflict'));
    await assert.rejects(apply(text({ B: PC, C: PC })), /A would be removed, and somebody has just changed it/);
    await moved;
    assert.deepEqual(states(id), { A: 'started', B: 'started', C: 'started' });
    assert.equal(node(id, 'A').x, 50);
    const ends = ['A', 'C'].map((one) => ({ node_id: node(id, one).node_id, adapter_number: 0, port_number: 0 }));
    const linked = atFirst('node.stop_requested', () => t.commands.createLink(CALLER, id, { nodes: ends }));
    await assert.rejects(apply(text({ B: PC, C: PC })), /A would be removed/);
    await linked;
    assert.equal(t.context.committed.count('link', id), 1);
    assert.equal(states(id)['A'], 'started');
  });

  it('that comes to nothing makes no lab', async () => {
    const name = randomUUID();
    const text = textOf(name, { A: PC, S: { kind: 'ethernet_switch', files: { 'note.txt': 'n' } } });
    await assert.rejects(apply(text), /this kind of node has no files/);
    assert.equal(
      t.context.committed.projects().some((project) => project.name === name),
      false,
    );
  });

  it('is refused where the plan that somebody agreed to is another one by now', async () => {
    const name = randomUUID();
    const { project_id: id } = await apply(textOf(name, { A: PC, B: PC }));
    const text = textOf(name, { A: PC });
    const agreed = etagOfPlan(await plan(text));
    await t.commands.createNode(CALLER, id, { name: 'Z', kind: 'simple_pc' }, 'conflict');
    const before = t.log.status().position;
    await assert.rejects(apply(text, { expected: [agreed] }), (error) => {
      assert.ok(error instanceof TopologError && error.code === 'precondition_failed', String(error));
      assert.match(error.message, /^the plan for /);
      return true;
    });
    assert.equal(t.log.status().position, before);
    const now = etagOfPlan(await plan(text));
    // What the text does not say is no other plan.
    await t.commands.createDrawing(CALLER, id, { svg: '<svg/>' });
    await apply(text, { expected: [now] });
    assert.deepEqual(Object.keys(states(id)), ['A']);
  });

  it('whose log cannot be written leaves what ran running, once it can be', async () => {
    const name = randomUUID();
    const text = (address: string): string => textOf(name, { A: { ...PC, startup: `ip ${address}` } });
    const { project_id: id } = await apply(text('10.0.0.1/24'), { start: true });
    const failed = atFirst('node.stopped', () => Promise.resolve(disk.fail(diskFull())));
    await assert.rejects(apply(text('10.0.0.2/24')), (error) => {
      assert.ok(error instanceof TopologError && error.code === 'disk_full', String(error));
      return true;
    });
    await failed;
    assert.equal(node(id, 'A').state, 'stopped');
    disk.fail(null);
    await waitFor('A runs again', () => !isLeft(id));
    assert.equal(node(id, 'A').state, 'started');
    assert.equal((await plan(text('10.0.0.1/24'))).changes.length, 0);
  });

  it('leaves nothing of a lab that it makes, where the log refused what is to open it', async () => {
    const name = randomUUID();
    const failed = atFirst('project.open_requested', () => Promise.resolve(disk.fail(diskFull())));
    await assert.rejects(apply(textOf(name, { A: PC })), TopologError);
    await failed;
    disk.fail(null);
    await waitFor('the lab is gone', () => !t.context.committed.projects().some((project) => project.name === name));
  });

  it('ends what another one has left', async () => {
    const name = randomUUID();
    const { project_id: id } = await apply(textOf(name, { A: PC, B: PC }), { start: true });
    const at = { project_id: id, node_id: node(id, 'A').node_id };
    await t.commands.actOnNode(CALLER, at, 'stop');
    // As the end of a server in its middle leaves it.
    const told = { format: 'yaml', sha256: 'ab', added: 0, changed: 1, removed: 0, restarted: 1 };
    const after = { running: [at.node_id], moves: [] };
    await t.log.append([
      {
        ...{ project_id: id, type: 'project.apply_requested', by: CALLER.by, request_id: null, cause: null },
        data: { project_id: id, ...told, after },
      },
    ]);
    await apply(textOf(name, { A: PC, B: PC, C: PC }));
    assert.deepEqual(states(id), { A: 'started', B: 'started', C: 'stopped' });
    assert.equal(isLeft(id), false);
  });
});
