import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { draft } from '../../src/actors/context.ts';
import { placeSnapshot, preparedSnapshot, snapshotDirectory } from '../../src/files/snapshot-files.ts';
import { stageProject } from '../../src/files/staged-project.ts';
import { stageUpload } from '../../src/files/uploads.ts';
import { projectData } from '../support/facts.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab, type TestLab } from './test-lab.ts';

/** What is half done when the server ends is finished or taken away by the next one. */

const labOf = async (t: TestContext): Promise<{ lab: TestLab; project_id: string; home: string }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { project_id, path: home } = await lab.commands.createProject(CALLER, { name: 'lab' });
  return { lab, project_id, home };
};

describe('after the end of a server in the middle of', () => {
  it('an upload, the file is in its place when its fact is on record, and as it was otherwise', async (t) => {
    const { lab, project_id, home } = await labOf(t);
    await writeFile(path.join(home, 'a'), 'old');
    const ids = ['00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000a2'] as const;
    const version = lab.log.version(project_id);
    for (const [n, id] of ids.entries())
      await stageUpload(
        home,
        id,
        { root: home, name: n === 0 ? 'a' : 'b', version },
        Readable.from([Buffer.from('new')]),
        9,
      );
    const fact = { project_id, node_id: null, path: 'a', bytes: 3, sha256: 'x', upload: ids[0] };
    await lab.log.append([draft(CALLER, project_id, 'file.written', fact)]);
    await lab.lab.sweepFiles();
    assert.equal(await readFile(path.join(home, 'a'), 'utf8'), 'new');
    assert.deepEqual((await readdir(home)).sort(), ['.topolog', 'a']);
    assert.deepEqual(await readdir(path.join(home, '.topolog')), []);
  });

  it('an import, the project is in its place when its facts are on record, and gone otherwise', async (t) => {
    const { lab, home } = await labOf(t);
    const projects = path.dirname(home);
    const dataDir = path.dirname(projects);
    const ids = ['00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b2'] as const;
    for (const id of ids) {
      const staged = await stageProject(dataDir, path.join(projects, id));
      await writeFile(path.join(staged.directory, 'file'), id);
      await writeFile(path.join(staged.scratch, 'image'), 'an image');
      await staged.ready([{ from: path.join(staged.scratch, 'image'), to: path.join(dataDir, 'images', id) }]);
    }
    const fields = { ...projectData(ids[0]), path: path.join(projects, ids[0]) };
    await lab.log.append([draft(CALLER, ids[0], 'project.created', fields)]);
    await lab.lab.sweepFiles();
    assert.equal(await readFile(path.join(projects, ids[0], 'file'), 'utf8'), ids[0]);
    assert.deepEqual(await readdir(path.join(dataDir, 'images')), [ids[0]]);
    assert.deepEqual((await readdir(projects)).sort(), [ids[0], path.basename(home)].sort());
    assert.deepEqual(await readdir(path.join(dataDir, 'staging')), []);
    // Nothing is left for another time.
    await lab.lab.sweepFiles();
    assert.equal(await readFile(path.join(projects, ids[0], 'file'), 'utf8'), ids[0]);
  });

  it('taking or deleting a snapshot, its files are there when it is, and gone otherwise', async (t) => {
    const { lab, project_id, home } = await labOf(t);
    const { snapshot_id: kept } = await lab.commands.createSnapshot(CALLER, project_id, { name: 'kept' });
    const { snapshot_id: deleted } = await lab.commands.createSnapshot(CALLER, project_id, { name: 'deleted' });
    // Its fact was the last that got through.
    await rename(snapshotDirectory(home, kept), preparedSnapshot(home, kept));
    await lab.log.append([draft(CALLER, project_id, 'snapshot.deleted', { project_id, snapshot_id: deleted })]);
    await mkdir(preparedSnapshot(home, '00000000-0000-4000-8000-0000000000c1'), { recursive: true });
    await writeFile(path.join(home, 'snapshots', 'a.gns3snapshot'), 'of another program');
    await lab.lab.sweepFiles();
    assert.deepEqual((await readdir(path.join(home, 'snapshots'))).sort(), [kept, 'a.gns3snapshot'].sort());
    assert.deepEqual(await readdir(path.join(home, '.topolog')), []);
    await placeSnapshot(home, kept);
    await lab.commands.restoreSnapshot(CALLER, project_id, kept);
  });
});

describe('a snapshot', () => {
  it('of a lab that changes while its files are copied has the records that go with them, or is refused', async (t) => {
    const { lab, project_id, home } = await labOf(t);
    await mkdir(path.join(home, 'project-files', 'x'), { recursive: true });
    for (let n = 0; n < 200; n++) await writeFile(path.join(home, 'project-files', 'x', `f${n}`), String(n));
    let going = true;
    const changes = (async () => {
      for (let zoom = 50; going; zoom++)
        await lab.commands.updateProject(CALLER, project_id, { zoom: 50 + (zoom % 50) });
    })();
    await assert.rejects(lab.commands.createSnapshot(CALLER, project_id, { name: 'busy' }), /changes all the time/);
    going = false;
    await changes;
    assert.deepEqual(await readdir(path.join(home, '.topolog')), []);
    await lab.commands.createSnapshot(CALLER, project_id, { name: 'busy' });
  });
});
