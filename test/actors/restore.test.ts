import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { draft } from '../../src/actors/context.ts';
import { conflict } from '../../src/common/errors.ts';
import type { SnapshotRecord } from '../../src/projections/records.ts';
import { withResolvers } from '../../src/common/promises.ts';
import { tempDir } from '../support/temp.ts';
import { FakeEngine, lasting } from './fake-engine.ts';
import { CALLER, clientOf, cutAfter, fabricInProcess, testLab, type TestLab } from './test-lab.ts';

interface Lab extends TestLab {
  dataDir: string;
  project_id: string;
  node_id: string;
  file: string;
  fake: FakeEngine;
  snapshot: SnapshotRecord;
}

/** A snapshot, and a change after it: the node is elsewhere, runs, and has another file. */
const labOf = async (t: TestContext): Promise<Lab> => {
  const dir = await tempDir();
  const fake = new FakeEngine();
  const lab = await testLab({ dir: dir.path, engines: fake.engines });
  const { commands } = lab;
  const { project_id } = await commands.createProject(CALLER, { name: 'lab' });
  const given = { name: 'PC1', kind: 'simple_pc', compute_id: 'local', x: 1 };
  const { node_id, node_directory } = await commands.createNode(CALLER, project_id, given, 'make_unique');
  const file = path.join(node_directory ?? '', 'file');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'old');
  const snapshot = await commands.createSnapshot(CALLER, project_id, { name: 'old' });
  await writeFile(file, 'new');
  await commands.updateNode(CALLER, { project_id, node_id }, { x: 2 }, 'make_unique');
  await commands.actOnNode(CALLER, { project_id, node_id }, 'start');
  const made = { ...lab, dataDir: dir.path, project_id, node_id, file, fake, snapshot };
  t.after(async () => {
    await made.close();
    await dir.remove();
  });
  return made;
};

const seen = async ({ records, project_id, node_id, file }: Lab): Promise<unknown[]> => {
  const node = records.committed.get('node', node_id);
  return [records.committed.get('project', project_id)?.state, node?.x, node?.state, await readFile(file, 'utf8')];
};

describe('a restore', () => {
  it('takes no node from another project that has it by now, and stops nothing for that', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, node_id, records } = lab;
    const gone = await commands.createNode(CALLER, project_id, { name: 'PC2', kind: 'simple_pc' }, 'make_unique');
    await commands.actOnNode(CALLER, { project_id, node_id }, 'stop');
    const { snapshot_id } = await commands.createSnapshot(CALLER, project_id, { name: 'both' });
    await commands.deleteNode(CALLER, gone);
    await commands.actOnNode(CALLER, { project_id, node_id }, 'start');
    const other = await commands.createProject(CALLER, { name: 'other' });
    const taken = { name: 'PC2', kind: 'simple_pc', node_id: gone.node_id };
    await commands.createNode(CALLER, other.project_id, taken, 'conflict');
    const restore = commands.restoreSnapshot(CALLER, { project_id, snapshot_id });
    await assert.rejects(restore, /is in the project other by now; delete it there first/);
    assert.equal(records.committed.get('node', gone.node_id)?.project_id, other.project_id);
    assert.equal(records.committed.get('node', node_id)?.state, 'started');
    await commands.deleteNode(CALLER, { project_id: other.project_id, node_id: gone.node_id });
    await commands.restoreSnapshot(CALLER, { project_id, snapshot_id });
    assert.equal(records.committed.get('node', gone.node_id)?.project_id, project_id);
  });

  it('that a kill has cut off keeps nothing of the nodes that it has taken away', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, snapshot } = lab;
    const gone = await commands.createNode(CALLER, project_id, { name: 'PC2', kind: 'simple_pc' }, 'make_unique');
    await mkdir(gone.node_directory ?? '', { recursive: true });
    await writeFile(path.join(gone.node_directory ?? '', 'file'), 'its own');
    const { snapshot_id } = snapshot;
    await cutAfter(lab, 'project.restored', () => commands.restoreSnapshot(CALLER, { project_id, snapshot_id }));
    await lab.log.close();
    Object.assign(lab, await testLab({ dir: lab.dataDir }));
    await lab.lab.sweepFiles();
    await lab.lab.recover(true);
    const place = lab.records.committed.get('project', project_id)?.path ?? '';
    assert.equal(await readFile(lab.file, 'utf8'), 'old');
    assert.deepEqual(await readdir(path.join(place, '.topolog')).catch(() => []), []);
  });

  it('that a kill has cut off and that is refused ends no capture', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, node_id, snapshot, log } = lab;
    await commands.deleteNode(CALLER, { project_id, node_id });
    const pc = { name: 'PC1', kind: 'simple_pc' };
    const other = await commands.createProject(CALLER, { name: 'other' });
    await commands.createNode(CALLER, other.project_id, { ...pc, node_id }, 'conflict');
    const left = await commands.createNode(CALLER, project_id, pc, 'conflict');
    const at = { project_id, link_id: null, node_id: left.node_id, adapter_number: 0, port_number: 0 };
    const file = { file_name: 'a.pcap', path: path.join(lab.dataDir, 'a.pcap'), data_link_type: 'DLT_EN10MB' };
    const { snapshot_id } = snapshot;
    await log.append([
      draft(CALLER, project_id, 'capture.start_requested', { ...at, ...file }),
      draft(CALLER, project_id, 'capture.started', at),
      draft(CALLER, project_id, 'project.restore_requested', { project_id, snapshot_id, running: [] }),
    ]);
    await log.close();
    const fabric = clientOf(fabricInProcess());
    Object.assign(lab, await testLab({ dir: lab.dataDir, fabric }));
    await lab.lab.recover(true);
    assert.equal(lab.records.committed.get('project', project_id)?.state, 'opened');
    assert.deepEqual(
      (await fabric.inventory()).captures.map((capture) => capture.path),
      [file.path],
    );
  });

  it('that cannot stop a node leaves records and files as they were, and starts again what it had stopped', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, snapshot, fake } = lab;
    const other = { name: 'PC2', kind: 'simple_pc', compute_id: 'local' };
    const { node_id } = await commands.createNode(CALLER, project_id, other, 'make_unique');
    await commands.actOnNode(CALLER, { project_id, node_id }, 'start');
    const { starts } = fake;
    fake.once('stop', () => Promise.reject(conflict('it does not want to')));
    await assert.rejects(
      commands.restoreSnapshot(CALLER, { project_id, snapshot_id: snapshot.snapshot_id }),
      /does not want to/,
    );
    assert.deepEqual(await seen(lab), ['opened', 2, 'started', 'new']);
    assert.equal(lab.records.committed.get('node', node_id)?.state, 'started');
    assert.equal(fake.starts, starts + 1);
    assert.equal(lab.records.committed.get('project', project_id)?.restore, undefined);
    await commands.restoreSnapshot(CALLER, { project_id, snapshot_id: snapshot.snapshot_id });
    assert.deepEqual(await seen(lab), ['opened', 1, 'stopped', 'old']);
    assert.ok(fake.calls.includes('remove'), 'the node that is gone left something behind');
  });

  it('refuses writes and a second one while it goes on, and lets a closing wait for it', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, node_id, snapshot, fake } = lab;
    const stop = lasting();
    fake.once('stop', stop.how);
    const first = commands.restoreSnapshot(CALLER, { project_id, snapshot_id: snapshot.snapshot_id });
    await stop.begun;
    const refused = { code: 'project_closed' };
    await assert.rejects(commands.updateNode(CALLER, { project_id, node_id }, { x: 3 }, 'make_unique'), refused);
    await assert.rejects(commands.createSnapshot(CALLER, project_id, { name: 'now' }), refused);
    await assert.rejects(commands.restoreSnapshot(CALLER, { project_id, snapshot_id: snapshot.snapshot_id }), refused);
    const closing = commands.closeProject(CALLER, project_id);
    stop.end();
    await first;
    await closing;
    assert.deepEqual(await seen(lab), ['closed', 1, 'stopped', 'old']);
  });

  it('whose files cannot take their places is done by the next opening', async (t) => {
    const lab = await labOf(t);
    const { commands, project_id, snapshot, records } = lab;
    const home = records.committed.get('project', project_id)?.path ?? '';
    // The place of the old files is taken by a file.
    const stopped = lasting();
    lab.fake.once('stop', stopped.how);
    const restoring = commands.restoreSnapshot(CALLER, { project_id, snapshot_id: snapshot.snapshot_id });
    await stopped.begun;
    const [staged = ''] = await readdir(path.join(home, '.topolog'));
    await writeFile(path.join(home, '.topolog', staged, 'old'), 'in the way');
    stopped.end();
    await assert.rejects(restoring);
    assert.deepEqual(await seen(lab), ['closed', 1, 'stopped', 'new']);
    await rm(path.join(home, '.topolog', staged, 'old'));
    await commands.openProject(CALLER, project_id);
    assert.deepEqual(await seen(lab), ['opened', 1, 'stopped', 'old']);
    assert.deepEqual(await readdir(path.join(home, '.topolog')), []);
  });
});

describe('a snapshot', () => {
  it('has the file that is on record before it, however late that takes its place', async (t) => {
    const { commands, log, project_id, records, node_id } = await labOf(t);
    await commands.actOnNode(CALLER, { project_id, node_id }, 'stop');
    const written = withResolvers();
    const goesOn = withResolvers();
    const append = log.append.bind(log);
    log.append = async (...given) => {
      const events = await append(...given);
      if (events.some(({ type }) => type === 'file.written')) {
        written.resolve();
        await goesOn.promise;
      }
      return events;
    };
    const upload = { content: Readable.from([Buffer.from('then')]), limit: 100 };
    const writing = commands.writeFile(CALLER, { project_id, node_id: null, name: 'note.txt' }, upload);
    await written.promise;
    const taking = commands.createSnapshot(CALLER, project_id, { name: 'then' });
    // As long as one takes that does not wait.
    await Promise.race([taking, sleep(200)]);
    goesOn.resolve();
    await writing;
    const { snapshot_id } = await taking;
    await commands.restoreSnapshot(CALLER, { project_id, snapshot_id });
    const { path: place = '' } = records.committed.get('project', project_id) ?? {};
    assert.equal(await readFile(path.join(place, 'note.txt'), 'utf8'), 'then');
  });
});
