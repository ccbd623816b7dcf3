import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { walk } from '../../src/files/project/tree.ts';
import { tempDir } from '../support/temp.ts';

describe('a walk of a tree', () => {
  it('goes on where a directory is taken away under it, as uploads do with theirs', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    for (const name of ['a', 'b', 'c']) {
      await mkdir(path.join(dir.path, 'root', name), { recursive: true });
      await writeFile(path.join(dir.path, 'root', name, 'file'), 'x');
    }
    const seen: string[] = [];
    for await (const entry of walk(dir.path, 'root')) {
      seen.push(entry.path);
      if (entry.path === 'root/b') await rm(path.join(dir.path, 'root/b'), { recursive: true });
    }
    assert.deepEqual(seen, ['root', 'root/a', 'root/a/file', 'root/b', 'root/c', 'root/c/file']);
  });
});
