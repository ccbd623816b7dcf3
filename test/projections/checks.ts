import assert from 'node:assert/strict';
import path from 'node:path';
import { ERRORS, TopologError } from '../../src/common/errors.ts';
import type { Store } from '../../src/events/store/store.ts';
import { readRecords } from '../../src/events/read.ts';
import { firstProblem } from '../../src/events/log/startup.ts';
import type { FabricClient } from '../../src/fabric/client/client.ts';
import { foldAll } from '../../src/projections/rebuild.ts';
import type { RecordView } from '../../src/projections/records.ts';
import type { Records } from '../../src/projections/store.ts';
import type { TestLab } from '../actors/test-lab.ts';
import { ownStore } from '../support/own-log.ts';

type Everything = Record<string, unknown>;

const keyed = (all: Iterable<[string, string, unknown]>): Everything =>
  Object.fromEntries(
    [...all]
      .map(([collection, id, record]): [string, unknown] => [`${collection}/${id}`, JSON.parse(JSON.stringify(record))])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const stored = async (store: Store): Promise<Everything> => {
  const all: [string, string, unknown][] = [];
  for await (const entry of readRecords(store)) all.push(entry);
  return keyed(all);
};

/** Failures that a caller of commands may meet while the disk, the fabric and the server are well. */
const EXPECTED = new Set([
  'invalid_request',
  'project_closed',
  'not_found',
  'conflict',
  'engine_failed',
  'nodes_failed',
]);

export const checkFailure = (error: unknown): void => {
  assert.ok(
    error instanceof TopologError,
    `an unexpected failure: ${error instanceof Error ? String(error.stack) : String(error)}`,
  );
  assert.ok(error.code in ERRORS, `${error.code} is not in the table of errors`);
  assert.ok(EXPECTED.has(error.code), `${error.code} is not for this: ${error.message}`);
};

/** Live records are what the log folds to, in the same order, with nothing missing in the log. */
export const checkRecords = async ({ log, records }: TestLab): Promise<void> => {
  const { position } = log.status();
  const folded = await foldAll(log.store);
  // A warning may be written behind the commands; then this is asked again.
  if (log.status().position !== position) return checkRecords({ log, records } as TestLab);
  assert.equal(folded.events, position);
  assert.deepEqual(keyed(records.all()), keyed(folded.records.all()));
  assert.deepEqual(orders(records), orders(folded.records), 'the order of lists');
  assert.equal(await firstProblem(log.store, 0, position), null);
};

const orders = (records: Records): string[][] =>
  records.committed
    .projects()
    .map(({ project_id }) => [
      project_id,
      ...(['node', 'link', 'drawing'] as const).flatMap((collection) =>
        records.committed.ofProject(collection, project_id).map((r) => (Object.values(r) as string[])[0] ?? ''),
      ),
    ]);

/** Every machine is in the state that its record says, and only open projects have node actors. */
export const checkActors = ({ directory, records }: TestLab): void => {
  for (const project of records.committed.projects()) {
    assert.equal(directory.project(project).state, project.state);
    for (const node of records.committed.ofProject('node', project.project_id)) {
      const actor = directory.findNode(node.node_id)?.state;
      assert.equal(actor, project.state === 'closed' ? undefined : node.state, `the machine of ${node.name}`);
    }
  }
};

/** What no sequence of commands may bring about. */
export const checkTopology = (view: RecordView): void => {
  for (const { project_id } of view.projects()) {
    const nodes = view.ofProject('node', project_id);
    const names = nodes.map((n) => n.name);
    assert.equal(new Set(names).size, names.length, `two nodes have one name: ${names.join(', ')}`);
    const ends = view.ofProject('link', project_id).flatMap((link) => link.nodes.map((end) => ({ ...end, link })));
    for (const { node_id, link } of ends)
      assert.equal(view.get('node', node_id)?.project_id, project_id, `link ${link.link_id} ends at no node`);
    const taken = [
      ...ends.map((e) => `${e.node_id}/${e.adapter_number}/${e.port_number}`),
      ...nodes.flatMap((n) => Object.keys(n.nios).map((key) => `${n.node_id}/${key}`)),
    ];
    assert.equal(new Set(taken).size, taken.length, `one port is used twice: ${taken.join(' ')}`);
  }
  const open = view.projects().filter((p) => p.state !== 'closed');
  const consoles = open.flatMap((p) => view.ofProject('node', p.project_id).flatMap((n) => n.console ?? []));
  assert.equal(new Set(consoles).size, consoles.length, `two nodes have one console port: ${consoles.join(', ')}`);
};

/** The fabric runs what the records say, and nothing else. */
export const checkWorld = async (view: RecordView, fabric: FabricClient): Promise<void> => {
  const { nodes, cables, recordings = [] } = await fabric.inventory();
  const open = view.projects().filter((p) => p.state === 'opened');
  const all = open.flatMap((p) => view.ofProject('node', p.project_id));
  const running = all.filter((n) => n.state !== 'stopped');
  assert.deepEqual(
    nodes.map((n) => n.spec.node_id).sort(),
    running.map((n) => n.node_id).sort(),
    'nodes of the fabric',
  );
  const recorded = running.filter(
    (n) => n.console_type === 'telnet' && view.get('project', n.project_id)?.record_consoles,
  );
  assert.deepEqual(
    recordings.map((r) => `${r.node_id} ${path.basename(r.path)}`).sort(),
    recorded.map((n) => `${n.node_id} ${n.recording ?? 'none'}`).sort(),
    'recordings of the fabric',
  );
  const links = open.flatMap((p) => view.ofProject('link', p.project_id).map((l) => l.link_id));
  const nios = all.flatMap((n) => Object.keys(n.nios).map((key) => `nio:${n.node_id}/${key}`));
  // A cloud has cables of its own towards the world.
  const found = cables.map((w) => w.cable_id).filter((id) => !id.startsWith('cloud:'));
  assert.deepEqual(found.sort(), [...links, ...nios].sort(), 'cables of the fabric');
};

/** After closing: what is on disk is what was live. */
export const checkStored = async (live: Records, directory: string): Promise<void> => {
  const store = await ownStore(directory)();
  try {
    assert.deepEqual(await stored(store), keyed(live.all()));
  } finally {
    await store.close();
  }
};
