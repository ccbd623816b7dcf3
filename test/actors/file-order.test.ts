import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LabFiles } from '../../src/actors/lab-text/files.ts';
import { withResolvers } from '../../src/common/promises.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { diskFull, failingStore, type FailingStore } from '../support/failing-store.ts';
import { ownStore } from '../support/own-log.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';
import { FakeEngine } from './fake-engine.ts';
import { CALLER, cutAfter, testLab, type TestLab } from './test-lab.ts';

/** A file is what the last event of the log says of it, however long the files of those before it take. */

const PROJECT = '00000000-0000-4000-8000-0000000000b1';
const NODE = '00000000-0000-4000-8000-000000000001';
const ADA = { ...CALLER, request_id: 'one' };
const at = { project_id: PROJECT, node_id: NODE };
const TEXT = 'startup.vpc';

interface Scene extends TestLab {
  dataDir: string;
  project: string;
  disk: FailingStore;
  fake: FakeEngine;
}

/** A PC with a text. */
const sceneOf = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const fake = new FakeEngine();
  const disk = failingStore(ownStore(path.join(dir.path, 'log')));
  const lab = await testLab({ dir: dir.path, open: disk.open, engines: fake.engines });
  const { path: project } = await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
  const given = { node_id: NODE, name: 'PC1', kind: 'simple_pc', ...withText('first') };
  await lab.commands.createNode(CALLER, PROJECT, given, 'conflict');
  const scene = { ...lab, dataDir: dir.path, project, disk, fake };
  t.after(async () => {
    disk.around((written) => written());
    await scene.close();
    await dir.remove();
  });
  return scene;
};

const withText = (startup_script: string) => ({ properties: { startup_script } });

/** The batch changes the text of the PC. */
const batch = ({ commands }: TestLab, text: string): Promise<unknown> =>
  commands.batch(CALLER, PROJECT, [{ action: 'update', type: 'node', id: NODE, changes: withText(text) }]);

/** The text of a lab with the PC and a file of it. */
const apply = ({ commands }: TestLab, file: string): Promise<unknown> => {
  const node = { kind: 'simple_pc', at: [0, 0], files: { [TEXT]: file } };
  const text = JSON.stringify({ lab: 'lab', version: 1, nodes: { PC1: node } });
  return commands.applyLab(CALLER, { text, format: 'yaml', files: {}, project_id: PROJECT });
};

const write = ({ commands }: TestLab, text: string): Promise<unknown> =>
  commands.writeFile(CALLER, { ...at, name: TEXT }, { content: Readable.from([Buffer.from(text)]), limit: 99 });

const nodePath = ({ project }: Scene): string => path.join(project, 'project-files', 'vpcs', NODE);
const textOf = (scene: Scene): Promise<string> => readFile(path.join(nodePath(scene), TEXT), 'utf8');
const left = async ({ project }: Scene): Promise<string[]> =>
  (await readdir(path.join(project, '.topolog'))).filter((name) => !name.startsWith('node-'));

/** Does something else while the effects of a command wait behind its event of this type, which is on disk. */
const meanwhile = async (
  { log }: TestLab,
  type: AnyEvent['type'],
  work: () => Promise<unknown>,
  command: () => Promise<unknown>,
): Promise<void> => {
  const append = log.append.bind(log);
  let isDone = false;
  log.append = async (...given) => {
    const appended = await append(...given);
    if (isDone || !appended.some((event) => event.type === type)) return appended;
    isDone = true;
    await work();
    return appended;
  };
  await command();
  assert.ok(isDone, type);
  log.append = append;
};

describe('the file of a node', () => {
  it('has the text of a later update when that of a batch takes its place late', async (t) => {
    const scene = await sceneOf(t);
    const later = () => scene.commands.updateNode(CALLER, at, withText('third'), 'conflict');
    await meanwhile(scene, 'node.updated', later, () => batch(scene, 'second'));
    assert.equal(await textOf(scene), 'third');
    assert.deepEqual(await left(scene), []);
  });

  it('has what a client has written later than a batch', async (t) => {
    const scene = await sceneOf(t);
    await meanwhile(
      scene,
      'node.updated',
      () => write(scene, 'third'),
      () => batch(scene, 'second'),
    );
    assert.equal(await textOf(scene), 'third');
    assert.deepEqual(await left(scene), []);
  });

  it('has what a client has written to it by its path in the project', async (t) => {
    const scene = await sceneOf(t);
    const name = path.relative(scene.project, path.join(nodePath(scene), TEXT));
    const content = { content: Readable.from([Buffer.from('third')]), limit: 99 };
    const later = () => scene.commands.writeFile(CALLER, { project_id: PROJECT, node_id: null, name }, content);
    await meanwhile(scene, 'node.updated', later, () => batch(scene, 'second'));
    assert.equal(await textOf(scene), 'third');
  });

  it('has what was given later than the text of a lab', async (t) => {
    const scene = await sceneOf(t);
    const later = () => scene.commands.updateNode(CALLER, at, withText('third'), 'conflict');
    await meanwhile(scene, 'file.written', later, () => apply(scene, 'second'));
    assert.equal(await textOf(scene), 'third');
    assert.deepEqual(await left(scene), []);
  });

  it('has what a snapshot has of it when the text of a batch would take its place behind the restore', async (t) => {
    const scene = await sceneOf(t);
    const { snapshot_id } = await scene.commands.createSnapshot(CALLER, PROJECT, { name: 'one' });
    const restore = () => scene.commands.restoreSnapshot(CALLER, { project_id: PROJECT, snapshot_id });
    await meanwhile(scene, 'node.updated', restore, () => batch(scene, 'second'));
    assert.equal(await textOf(scene), 'first');
    assert.deepEqual(await left(scene), []);
  });

  it('is waited for by who copies files, also where it is in the text of a lab', async (t) => {
    const scene = await sceneOf(t);
    const files = new LabFiles(scene.context, PROJECT);
    const work = { steps: [], files: [{ node_id: NODE, name: TEXT, text: 'second' }] };
    await files.stage(work as unknown as Parameters<LabFiles['stage']>[0]);
    const copied = scene.context.placing.settled(PROJECT).then(() => textOf(scene));
    await files.place();
    await files.end();
    assert.equal(await copied, 'second');
  });

  const other = { ...at, node_id: '00000000-0000-4000-8000-000000000002' };
  const readers: [string, (lab: TestLab) => Promise<unknown>][] = [
    ['an archive', ({ commands }) => commands.exportProject(PROJECT, {})],
    ['a copy of the files of a node', ({ commands }) => commands.copyNodeFiles(CALLER, at, other.node_id)],
  ];
  for (const [what, read] of readers)
    it(`is waited for by ${what}`, async (t) => {
      const scene = await sceneOf(t);
      const { commands, context } = scene;
      await commands.createNode(CALLER, PROJECT, { ...other, name: 'PC2', kind: 'simple_pc' }, 'conflict');
      const end = context.placing.begin(PROJECT);
      let isOver = false;
      const reading = read(scene).then(() => assert.ok(isOver));
      await Promise.race([reading, sleep(100)]);
      isOver = true;
      end();
      await reading;
    });
});

describe('a node that was deleted before its file was in its place', () => {
  const deleting = (scene: Scene) => () => scene.commands.deleteNode(ADA, at);
  const cases: [string, AnyEvent['type'], (scene: Scene) => Promise<unknown>][] = [
    ['of a batch', 'node.updated', (scene) => batch(scene, 'second')],
    ['of a client', 'file.written', (scene) => write(scene, 'second')],
    ['of the text of a lab', 'file.written', (scene) => apply(scene, 'second')],
  ];
  for (const [of, type, command] of cases)
    it(`comes back with it: ${of}`, async (t) => {
      const scene = await sceneOf(t);
      await writeFile(path.join(nodePath(scene), 'disk'), 'its own');
      await meanwhile(scene, type, deleting(scene), () => command(scene));
      assert.deepEqual(await readdir(path.dirname(nodePath(scene))), []);
      await scene.commands.undo(ADA, PROJECT);
      assert.equal(await textOf(scene), 'second');
      assert.equal(await readFile(path.join(nodePath(scene), 'disk'), 'utf8'), 'its own');
      assert.deepEqual(await left(scene), []);
    });

  it('comes back with it where the server ended in between', async (t) => {
    const scene = await sceneOf(t);
    await cutAfter(scene, 'node.updated', () => batch(scene, 'second'));
    await scene.commands.deleteNode(ADA, at);
    await scene.log.close();
    Object.assign(scene, await testLab({ dir: scene.dataDir }));
    await scene.lab.sweepFiles();
    await scene.lab.recover(true);
    await scene.commands.undo(ADA, PROJECT);
    assert.equal(await textOf(scene), 'second');
    assert.deepEqual(await left(scene), []);
  });
});

describe('a batch', () => {
  it('is answered although its project was deleted before its files were in their places', async (t) => {
    const scene = await sceneOf(t);
    const deleting = () => scene.commands.deleteProject(CALLER, PROJECT);
    await meanwhile(scene, 'node.updated', deleting, async () =>
      assert.deepEqual(await batch(scene, 'second'), [null]),
    );
    await assert.rejects(readdir(scene.project), { code: 'ENOENT' });
  });
});

describe('the engine of a node', () => {
  it('is told of one change at a time, and of the last one last', async (t) => {
    const scene = await sceneOf(t);
    const { commands, fake } = scene;
    await commands.actOnNode(CALLER, at, 'start');
    const told: string[] = [];
    let later: Promise<unknown> = Promise.resolve();
    fake.once('update', async () => {
      later = commands.updateNode(CALLER, at, { name: 'PC3' }, 'conflict');
      // The other one has its turn where nothing keeps it from that.
      await Promise.race([later, sleep(200)]);
    });
    const rename = { action: 'update', type: 'node', id: NODE, changes: { name: 'PC2' } } as const;
    fake.updated = ({ name }) => told.push(name);
    await commands.batch(CALLER, PROJECT, [rename]);
    await later;
    assert.equal(told.at(-1), 'PC3');
  });
});

describe('the files of a snapshot', () => {
  it('do not take their places for a write before the restore is on disk', async (t) => {
    const scene = await sceneOf(t);
    const { commands, log, records, disk, project } = scene;
    const file = path.join(project, 'a');
    await writeFile(file, 'old');
    const { snapshot_id } = await commands.createSnapshot(CALLER, PROJECT, { name: 'one' });
    await writeFile(file, 'new');
    await mkdir(path.join(project, 'more'));
    const answer = withResolvers();
    const isRestored = (): boolean => records.pending.get('project', PROJECT)?.restore?.staged != null;
    disk.around(async (written) => {
      if (!isRestored()) return written();
      await answer.promise;
      throw diskFull();
    });
    const restoring = assert.rejects(commands.restoreSnapshot(CALLER, { project_id: PROJECT, snapshot_id }));
    await waitFor('the restore is on its way to the disk', isRestored);
    let isWaiting = false;
    const settled = log.settled.bind(log);
    log.settled = () => {
      isWaiting = true;
      return settled();
    };
    const writing = assert.rejects(write(scene, 'late'));
    const read = (): Promise<string> => readFile(file, 'utf8').catch(() => '');
    await waitFor('the write is behind the restore', async () => isWaiting || (await read()) === 'old');
    answer.resolve();
    await Promise.all([writing, restoring]);
    disk.around((written) => written());
    assert.equal(await read(), 'new');
  });
});
