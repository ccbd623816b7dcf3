import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as untilImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { withResolvers } from '../../src/common/promises.ts';
import { draft } from '../../src/actors/context.ts';
import { ended } from '../../src/actors/lab-text/end.ts';
import { readTexts } from '../../src/events/read.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { failingStore } from '../support/failing-store.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';
import { CALLER, testLab, type TestLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';

interface Scene extends TestLab {
  dataDir: string;
  project: string;
  /** Asked before the log writes; `done` and `full`: it writes, and says that it could not. */
  write: (() => Promise<'done' | 'full' | 'refused' | null>) | null;
}

const failureOf = (what: string): Error =>
  Object.assign(new Error(`IO error: 000003.log: ${what}`), { code: 'LEVEL_IO' });

const sceneOf = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const scene = { write: null } as unknown as Scene;
  const store = failingStore(levelStore(path.join(dir.path, 'log')));
  store.around(async (write) => {
    const fails = await scene.write?.();
    if (fails === 'refused') throw failureOf('Input/output error');
    await write();
    if (fails === 'done') throw failureOf('Input/output error');
    if (fails === 'full') throw failureOf('No space left on device');
  });
  const lab = await testLab({ dir: dir.path, open: store.open });
  const { path: project } = await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
  Object.assign(scene, lab, { dataDir: dir.path, project });
  t.after(async () => {
    await scene.close();
    await dir.remove();
  });
  return scene;
};

const upload = (text: string): { content: Readable; limit: number } => ({
  content: Readable.from([Buffer.from(text)]),
  limit: 99,
});

/** The next write of the log is done and is said to have failed; then the server is killed before it has cut that, and started. */
const killedAtWrite = async (
  scene: Scene,
  command: () => Promise<unknown>,
  fails: 'done' | 'full' = 'done',
): Promise<void> => {
  scene.write = () => Promise.resolve(fails);
  await assert.rejects(command());
  await scene.log.close();
  scene.write = null;
  Object.assign(scene, await testLab({ dir: scene.dataDir }));
  await scene.lab.sweepFiles();
};

const textIn = (...parts: string[]): Promise<string> => readFile(path.join(...parts), 'utf8');

const UPLOADS = { node_id: null, project_id: PROJECT };

describe('what a write of the log was to tell of that has failed and is on disk all the same', () => {
  for (const fails of ['done', 'full'] as const)
    it(`is a file in its place after a kill: ${fails}`, async (t) => {
      const scene = await sceneOf(t);
      const write = (): Promise<unknown> => scene.commands.writeFile(CALLER, { ...UPLOADS, name: 'a' }, upload('sent'));
      await killedAtWrite(scene, write, fails);
      assert.equal(await textIn(scene.project, 'a'), 'sent');
    });

  it('is an image in its place', async (t) => {
    const scene = await sceneOf(t);
    const kind = 'machine_emulator';
    await killedAtWrite(scene, () => scene.commands.writeImage(CALLER, kind, 'a.img', upload('sent')));
    const images = path.join(scene.dataDir, 'images', 'QEMU');
    assert.equal(await textIn(images, 'a.img'), 'sent');
  });

  it('is the start-up text of a node', async (t) => {
    const scene = await sceneOf(t);
    const properties = { startup_script: 'ip 10.0.0.1/24' };
    const given = { name: 'PC1', kind: 'simple_pc', compute_id: 'local', properties };
    await killedAtWrite(scene, () => scene.commands.createNode(CALLER, PROJECT, given, 'conflict'));
    const [node] = scene.records.committed.ofProject('node', PROJECT);
    assert.equal(await textIn(node?.node_directory ?? '', 'startup.vpc'), 'ip 10.0.0.1/24');
  });

  it('is a snapshot with its files', async (t) => {
    const scene = await sceneOf(t);
    // Its project file is written as well.
    await scene.commands.createSnapshot(CALLER, PROJECT, { name: 'one' });
    await writeFile(path.join(scene.project, 'a'), 'kept');
    await killedAtWrite(scene, () => scene.commands.createSnapshot(CALLER, PROJECT, { name: 'two' }));
    const made = scene.records.committed.ofProject('snapshot', PROJECT).find(({ name }) => name === 'two');
    assert.equal(await textIn(scene.project, 'snapshots', made?.snapshot_id ?? '', 'files', 'a'), 'kept');
  });

  it('is a copy of a project with its files', async (t) => {
    const scene = await sceneOf(t);
    await writeFile(path.join(scene.project, 'a'), 'kept');
    await killedAtWrite(scene, () => scene.commands.duplicateProject(CALLER, PROJECT, { name: 'copy' }));
    const copy = scene.records.committed.projects().find(({ name }) => name === 'copy');
    assert.equal(await textIn(copy?.path ?? '', 'a'), 'kept');
  });

  it('is a symbol', async (t) => {
    const scene = await sceneOf(t);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    await killedAtWrite(scene, () => scene.commands.storeSymbol(CALLER, 'mine.svg', Buffer.from(svg)));
    assert.match(await textIn(scene.dataDir, 'symbols', 'mine.svg'), /svg/);
  });

  it('is taken away where the log has cut it', async (t) => {
    const scene = await sceneOf(t);
    let failed = 0;
    scene.write = () => Promise.resolve(failed++ === 0 ? 'done' : null);
    await assert.rejects(scene.commands.writeFile(CALLER, { ...UPLOADS, name: 'a' }, upload('sent')));
    const staging = path.join(scene.project, '.topolog');
    assert.equal((await readdir(staging)).length, 1);
    await waitFor('nothing is left of the upload', async () => (await readdir(staging)).length === 0);
    assert.equal(scene.log.writable, true);
    await assert.rejects(textIn(scene.project, 'a'), /ENOENT/);
  });

  it('is not taken for the snapshot that is asked for again with its id', async (t) => {
    const scene = await sceneOf(t);
    const { commands, project } = scene;
    await commands.closeProject(CALLER, PROJECT);
    await commands.openProject(CALLER, PROJECT);
    await writeFile(path.join(project, 'a'), 'kept');
    const snapshot_id = '00000000-0000-4000-8000-000000000001';
    const ask = () => commands.createSnapshot(CALLER, PROJECT, { name: 'one', snapshot_id });
    let failed = 0;
    scene.write = () => Promise.resolve(failed++ === 0 ? 'done' : null);
    await assert.rejects(ask(), /cannot be written/);
    await waitFor('the log is written again', () => scene.log.writable);
    // The files of the first one are there still.
    await assert.rejects(ask(), /is just being taken away; try again/);
    const staging = path.join(project, '.topolog');
    await waitFor('its files are taken away', async () => (await readdir(staging)).length === 0);
    await ask();
    assert.equal(await textIn(project, 'snapshots', snapshot_id, 'files', 'a'), 'kept');
  });
});

describe('a deletion that is not on disk yet', () => {
  it('takes no file of the project, whatever else is written into it', async (t) => {
    const scene = await sceneOf(t);
    const { commands, log, records } = scene;
    await writeFile(path.join(scene.project, 'a'), 'mine');
    await commands.closeProject(CALLER, PROJECT);
    const content = new Readable({ read: () => undefined });
    const writing = commands.writeFile(CALLER, { ...UPLOADS, name: 'b' }, { content, limit: 99 });
    const answer = withResolvers<'refused'>();
    scene.write = () => answer.promise;
    const deleting = commands.deleteProject(CALLER, PROJECT);
    const refused = [assert.rejects(writing), assert.rejects(deleting)];
    await waitFor('the project is to be deleted', () => records.pending.get('project', PROJECT) === undefined);
    const waits = withResolvers();
    const settled = log.settled.bind(log);
    log.settled = () => {
      waits.resolve();
      return settled();
    };
    content.push('late');
    content.push(null);
    await Promise.race([waits.promise, writing.catch(() => undefined)]);
    answer.resolve('refused');
    await Promise.all(refused);
    assert.equal(await textIn(scene.project, 'a'), 'mine');
    scene.write = null;
  });
});

describe('projects that are opened by the start', () => {
  it('have no event after their deletion', async (t) => {
    const { commands, lab, log, records } = await sceneOf(t);
    const auto_open = true;
    const ids = [PROJECT, (await commands.createProject(CALLER, { name: 'other' })).project_id] as const;
    for (const id of ids) {
      await commands.updateProject(CALLER, id, { auto_open });
      await commands.closeProject(CALLER, id);
    }
    const [first = '', second = ''] = records.committed.projects().map(({ project_id }) => project_id);
    let deleting: Promise<void> | undefined;
    log.onCommitted((events) => {
      if (events.some(({ type, project_id }) => type === 'project.open_requested' && project_id === first))
        deleting = commands.deleteProject(CALLER, second);
    });
    const append = log.append.bind(log);
    // The first one is open when the second one is gone.
    log.append = async (drafts, ...more) => {
      if (!('events' in drafts) && drafts.some(({ type }) => type === 'project.opened')) await deleting;
      return append(drafts, ...more);
    };
    await lab.openAutomatic();
    assert.notEqual(deleting, undefined);
    const types = (await readTexts(log.store, second)).map((text) => (JSON.parse(text) as AnyEvent).type);
    assert.equal(types.at(-1), 'project.deleted');
  });
});

describe('what is asked of all nodes', () => {
  const asked = ({ records }: TestLab): unknown => records.committed.get('project', PROJECT)?.asked;
  const make = ({ commands }: TestLab) =>
    commands.createNode(CALLER, PROJECT, { name: 'PC1', kind: 'simple_pc' }, 'conflict');

  it('has its end on record although the log could not be written when it was done', async (t) => {
    const scene = await sceneOf(t);
    await make(scene);
    scene.log.onCommitted((events) => {
      if (!events.some(({ type }) => type === 'node.started')) return;
      let failed = 0;
      scene.write = () => Promise.resolve(failed++ === 0 ? 'refused' : null);
    });
    await assert.rejects(scene.commands.actOnProject(CALLER, PROJECT, 'start'), /cannot be written/);
    await waitFor('it has an end on record', () => asked(scene) === undefined);
    assert.equal(scene.log.writable, true);
  });

  it('has no end behind the deletion of its project', async (t) => {
    const { commands, log } = await sceneOf(t);
    log.onCommitted((events) => {
      if (events.some(({ type }) => type === 'project.nodes_requested')) log.refuse('made for the test');
    });
    await assert.rejects(commands.actOnProject(CALLER, PROJECT, 'start'), /made for the test/);
    log.refuse(null);
    await commands.deleteProject(CALLER, PROJECT);
    // Its end is offered again.
    await sleep(600);
    const types = (await readTexts(log.store, PROJECT)).map((text) => (JSON.parse(text) as AnyEvent).type);
    assert.equal(types.at(-1), 'project.deleted');
  });

  it('is over with a restore that a kill has cut off', async (t) => {
    const scene = await sceneOf(t);
    await make(scene);
    const { snapshot_id } = await scene.commands.createSnapshot(CALLER, PROJECT, { name: 'one' });
    await scene.log.append([
      draft(CALLER, PROJECT, 'project.nodes_requested', { project_id: PROJECT, action: 'start', asked: 1 }),
      draft(CALLER, PROJECT, 'project.restore_requested', { project_id: PROJECT, snapshot_id, running: [] }),
    ]);
    await scene.log.close();
    Object.assign(scene, await testLab({ dir: scene.dataDir }));
    await scene.lab.sweepFiles();
    await scene.lab.recover(true);
    assert.equal(asked(scene), undefined);
    assert.equal(scene.records.committed.get('project', PROJECT)?.state, 'opened');
  });
});

describe('a text that is applied', () => {
  it('has an end on record although a deletion that would have ended it is refused', async (t) => {
    const scene = await sceneOf(t);
    const { commands, directory, log, records } = scene;
    const after = { running: [], moves: [] };
    const told = { format: 'yaml' as const, sha256: '', added: 0, changed: 0, removed: 0, restarted: 0, after };
    await log.append([
      draft(CALLER, PROJECT, 'project.apply_requested', { project_id: PROJECT, ...told }),
      draft(CALLER, PROJECT, 'project.applied', { project_id: PROJECT }),
    ]);
    await commands.closeProject(CALLER, PROJECT);
    const answer = withResolvers<'refused'>();
    let writes = 0;
    scene.write = () => (writes++ === 0 ? answer.promise : Promise.resolve(null));
    const deleting = assert.rejects(commands.deleteProject(CALLER, PROJECT), /cannot be written/);
    await waitFor('the project is to be deleted', () => records.pending.get('project', PROJECT) === undefined);
    const failure = { code: 'interrupted', message: 'made for the test' };
    const ending = ended({ directory, others: commands, caller: CALLER, projectId: PROJECT, failure, resume: false });
    const outcome = ending.then(
      () => 'done',
      () => 'refused',
    );
    await untilImmediate();
    answer.resolve('refused');
    await deleting;
    assert.equal(await outcome, 'refused');
    await waitFor('it has an end on record', () => records.committed.get('project', PROJECT)?.apply === undefined);
    assert.equal(log.writable, true);
  });
});

describe('the checks of a lab', () => {
  it('end with the last of them, also when it goes while their run begins', async (t) => {
    const { commands, lab, log, records } = await sceneOf(t);
    await lab.recover(true);
    const { node_id } = await commands.createNode(CALLER, PROJECT, { name: 'PC1', kind: 'simple_pc' }, 'conflict');
    const { check_id } = await commands.createCheck(CALLER, PROJECT, { state: { node: node_id, is: 'started' } });
    const append = log.append.bind(log);
    let gone: Promise<void> | undefined;
    log.append = async (drafts, ...more) => {
      // Its event is before that of the run, which was decided before it was on disk.
      if (gone === undefined && !('events' in drafts) && drafts.some(({ type }) => type === 'run.begun'))
        await (gone = commands.deleteCheck(CALLER, { project_id: PROJECT, check_id }));
      return append(drafts, ...more);
    };
    await commands.actOnNode(CALLER, { project_id: PROJECT, node_id }, 'start');
    await waitFor('the run begins', () => records.committed.get('run', PROJECT) !== undefined);
    await waitFor('the run is over', () => records.committed.get('run', PROJECT)?.is_over === true);
  });

  it('speak in a run whose predecessor was asked to end before it was on record', async (t) => {
    const { commands, lab, log, records } = await sceneOf(t);
    await lab.recover(true);
    const { node_id } = await commands.createNode(CALLER, PROJECT, { name: 'PC1', kind: 'simple_pc' }, 'conflict');
    await commands.createCheck(CALLER, PROJECT, { state: { node: node_id, is: 'suspended' } });
    const begun = (): number => records.committed.get('run', PROJECT)?.position ?? 0;
    let again: Promise<unknown> | undefined;
    const append = log.append.bind(log);
    log.append = (drafts, ...more) => {
      const appended = append(drafts, ...more);
      // With the event of its begin on its way.
      if (!('events' in drafts) && drafts.some(({ type }) => type === 'run.begun'))
        again ??= commands.actOnProject(CALLER, PROJECT, 'reload');
      return appended;
    };
    await commands.actOnNode(CALLER, { project_id: PROJECT, node_id }, 'start');
    await waitFor('the run is asked to end', () => again !== undefined);
    await again;
    const first = records.committed.get('run', PROJECT)?.created ?? assert.fail('no run');
    const verdicts = (): object => records.committed.get('run', PROJECT)?.verdicts ?? {};
    await waitFor('the next run has a verdict', () => begun() !== first && Object.keys(verdicts()).length > 0);
  });
});

describe('files that are written while a snapshot is restored', () => {
  it('stay where their event is behind that of the snapshot', async (t) => {
    const scene = await sceneOf(t);
    const { commands, log, records } = scene;
    await writeFile(path.join(scene.project, 'a'), 'old');
    const { snapshot_id } = await commands.createSnapshot(CALLER, PROJECT, { name: 'one' });
    const append = log.append.bind(log);
    let writing: Promise<void> | undefined;
    log.append = async (...given) => {
      const appended = append(...given);
      if (writing === undefined && records.pending.get('project', PROJECT)?.restore?.staged != null) {
        writing = commands.writeFile(CALLER, { ...UPLOADS, name: 'a' }, upload('new'));
        // The files of the snapshot would only then take their places.
        await writing;
      }
      return appended;
    };
    await commands.restoreSnapshot(CALLER, { project_id: PROJECT, snapshot_id });
    assert.notEqual(writing, undefined);
    assert.equal(await textIn(scene.project, 'a'), 'new');
  });
});

describe('a copy of a project', () => {
  it('has no directory of a node that was made while it was copied', async (t) => {
    const { commands, context } = await sceneOf(t);
    const make = (name: string) => commands.createNode(CALLER, PROJECT, { name, kind: 'simple_pc' }, 'conflict');
    const filesOf = async (directory: string | null): Promise<void> => {
      await mkdir(directory ?? '', { recursive: true });
      await writeFile(path.join(directory ?? '', 'disk'), '');
    };
    await filesOf((await make('PC1')).node_directory);
    // What is copied is decided then.
    context.placing.settled = async () => filesOf((await make('PC2')).node_directory);
    const copy = await commands.duplicateProject(CALLER, PROJECT, { name: 'copy' });
    const nodes = context.committed.ofProject('node', copy.project_id).map(({ node_id }) => node_id);
    assert.equal(nodes.length, 1);
    assert.deepEqual(await readdir(path.join(copy.path, 'project-files', 'vpcs')), nodes);
  });
});

describe('a link that is made while the weather is on', () => {
  it('has it at once, also while it is paused', async (t) => {
    const { commands, records } = await sceneOf(t);
    const pcs = await Promise.all(
      ['PC1', 'PC2'].map((name) => commands.createNode(CALLER, PROJECT, { name, kind: 'simple_pc' }, 'conflict')),
    );
    await commands.setWeather(CALLER, PROJECT, [{ at: 0, filters: { delay: [7] } }]);
    await commands.startWeather(CALLER, PROJECT, { paused: true });
    await commands.skipWeather(CALLER, PROJECT, 1_000);
    const nodes = pcs.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const { link_id } = await commands.createLink(CALLER, PROJECT, { nodes });
    await waitFor('the link has its weather', () => records.committed.get('link', link_id)?.weather !== undefined);
    assert.deepEqual(records.committed.get('link', link_id)?.weather?.filters['delay'], [7]);
  });
});
