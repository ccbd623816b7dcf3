import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { stageProject } from '../../src/files/project/staged-project.ts';
import { tempDir } from '../support/temp.ts';

describe('the directory of a project that is being made', () => {
  it('takes its place beside what was written there once the project was known, which stays', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const place = path.join(dir.path, 'projects', 'p');
    const staged = await stageProject(dir.path, place);
    await mkdir(path.join(staged.directory, 'project-files', 'a'), { recursive: true });
    for (const name of ['file', 'other', 'project-files/a/config'])
      await writeFile(path.join(staged.directory, name), 'copy');
    await staged.ready();
    await mkdir(path.join(place, 'project-files', 'b'), { recursive: true });
    for (const name of ['file', 'project-files/b/config']) await writeFile(path.join(place, name), 'newer');

    await staged.place();
    const text = (name: string): Promise<string> => readFile(path.join(place, name), 'utf8');
    assert.equal(await text('file'), 'newer');
    assert.equal(await text('other'), 'copy');
    assert.equal(await text('project-files/a/config'), 'copy');
    assert.equal(await text('project-files/b/config'), 'newer');
    assert.deepEqual(await readdir(path.join(dir.path, 'staging')), []);
  });
});
