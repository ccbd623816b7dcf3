import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { LabFiles } from '../../src/actors/lab-text/files.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab, type TestLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';
const NODE = '00000000-0000-4000-8000-000000000001';

const labIn = async (t: TestContext): Promise<TestLab & { projects: string }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  return { ...lab, projects: path.join(dir.path, 'projects') };
};

/** The next project that is made is deleted as soon as its event is on disk, before anything else comes of it. */
const deleteNext = ({ commands, log }: TestLab): void => {
  const append = log.append.bind(log);
  log.append = async (...given) => {
    const events = await append(...given);
    const made = events.find(({ type }) => type === 'project.created');
    if (made?.project_id == null) return events;
    log.append = append;
    await commands.deleteProject(CALLER, made.project_id);
    return events;
  };
};

describe('a project that is deleted while it is made', () => {
  it('leaves no directory', async (t) => {
    const lab = await labIn(t);
    deleteNext(lab);
    await assert.rejects(lab.commands.createProject(CALLER, { name: 'lab' }), /was deleted while it was made/);
    assert.deepEqual(await readdir(lab.projects).catch(() => []), []);
  });

  it('has one deletion on record, also where it could have no directory', async (t) => {
    const lab = await labIn(t);
    const elsewhere = await tempDir();
    t.after(() => elsewhere.remove());
    const file = path.join(elsewhere.path, 'file');
    await writeFile(file, '');
    const types: string[] = [];
    lab.log.onCommitted((events) => types.push(...events.map(({ type }) => type)));
    deleteNext(lab);
    const making = lab.commands.createProject(CALLER, { name: 'lab', path: path.join(file, 'lab') });
    await assert.rejects(making, /cannot be made/);
    assert.deepEqual(types, ['project.created', 'project.deleted']);
  });

  for (const command of ['forkProject', 'duplicateProject'] as const)
    it(`leaves none as a copy by ${command}`, async (t) => {
      const lab = await labIn(t);
      await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
      deleteNext(lab);
      await assert.rejects(lab.commands[command](CALLER, PROJECT, { name: 'copy' }), { code: 'not_found' });
      assert.deepEqual(await readdir(lab.projects), [PROJECT]);
    });

  it('leaves none of an archive', async (t) => {
    const lab = await labIn(t);
    await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
    const { content } = await lab.commands.exportProject(PROJECT, {});
    const archive = { content: Readable.from([await buffer(content)]), limit: 1 << 20 };
    deleteNext(lab);
    const importing = lab.commands.importProject(CALLER, NODE, { name: 'copy' }, archive);
    await assert.rejects(importing, { code: 'not_found' });
    assert.deepEqual(await readdir(lab.projects), [PROJECT]);
  });
});

describe('a project that is deleted while a text is applied to it', () => {
  it('leaves no directory with the files of the text', async (t) => {
    const lab = await labIn(t);
    const { path: project } = await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
    const node = { node_id: NODE, name: 'R1', kind: 'router_emulator' };
    const files = new LabFiles(lab.context, PROJECT);
    const step = { type: 'node', action: 'create', input: node } as const;
    const work = { steps: [step], files: [{ node_id: NODE, name: 'a', text: 'a' }] };
    await files.stage(work as unknown as Parameters<LabFiles['stage']>[0]);
    await lab.commands.deleteProject(CALLER, PROJECT);
    // As a write does that was under way.
    await mkdir(path.join(project, '.topolog', 'upload-1'), { recursive: true });
    await files.end();
    await assert.rejects(readdir(project), { code: 'ENOENT' });
  });
});
