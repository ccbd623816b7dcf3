import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { placeUpload, stageUpload } from '../../src/files/uploads.ts';
import { tempDir } from '../support/temp.ts';

const ID = '00000000-0000-4000-8000-0000000000a1';

describe('an upload', () => {
  it('of more than it may have is refused as it comes, and leaves what was there', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const root = dir.path;
    await writeFile(path.join(root, 'a'), 'old');
    const stage = (content: Readable): Promise<unknown> =>
      stageUpload(root, ID, { root, name: 'a', version: 0 }, { content, limit: 8 });
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (; ; sent++) yield Buffer.from('new ');
    }
    await assert.rejects(stage(Readable.from(endless())), { code: 'body_too_large', status: 413 });
    assert.ok(sent < 100);
    assert.equal(await readFile(path.join(root, 'a'), 'utf8'), 'old');
    assert.deepEqual(await readdir(path.join(root, '.topolog')), []);

    await stage(Readable.from([Buffer.from('new '), Buffer.from('text')]));
    assert.equal(await readFile(path.join(root, 'a'), 'utf8'), 'old');
    await placeUpload(root, ID, path.join(root, 'a'));
    assert.equal(await readFile(path.join(root, 'a'), 'utf8'), 'new text');
  });
});
