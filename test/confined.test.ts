import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { confined } from '../src/common/file.ts';
import { tempDir } from './support/temp.ts';

describe('a path below a root', () => {
  it('is found with its links resolved, there already or not', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const root = path.join(await realpath(dir.path), 'root');
    await mkdir(path.join(root, 'inside'), { recursive: true });
    await writeFile(path.join(root, 'file'), '');
    await symlink('inside', path.join(root, 'alias'));
    assert.equal(await confined(root, path.join(root, 'alias', 'new', 'one')), path.join(root, 'inside', 'new', 'one'));
    assert.equal(await confined(root, path.join(root, 'file')), path.join(root, 'file'));
  });

  it('is found while others make the directories on its way', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const root = await realpath(dir.path);
    for (let n = 0; n < 300; n++) {
      const folder = path.join(root, `${n}`);
      const file = path.join(folder, 'in', 'it', 'file');
      const looks = Array.from({ length: 8 }, () => confined(root, file));
      await mkdir(path.dirname(file), { recursive: true });
      assert.deepEqual(await Promise.all(looks), Array(8).fill(file));
    }
  });

  it('is none where it leads out, is the root, or goes over a link to what is not there', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const root = path.join(dir.path, 'root');
    await mkdir(root);
    await symlink(dir.path, path.join(root, 'out'));
    await symlink(path.join(dir.path, 'nothing'), path.join(root, 'dangling'));
    await symlink('circle', path.join(root, 'circle'));
    for (const name of ['out/file', 'out/root/../file', 'dangling', 'dangling/new', 'circle', '.', '../rooted'])
      assert.equal(await confined(root, path.join(root, name)), null, name);
  });
});
