import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { fromBuffer } from 'yauzl';
import { uploadsOf } from '../src/projects/uploads.ts';
import { type Entry, zipOf } from '../src/store/zip.ts';

const entry = (path: string, text: string): Entry => ({ path, content: new Blob([text]) });

/** What another program finds in a zip: names and texts. yauzl checks sizes and checksums as well. */
const unzip = async (zip: Blob): Promise<Record<string, string>> => {
  const bytes = Buffer.from(await zip.arrayBuffer());
  return new Promise((resolve, reject) => {
    const found: Record<string, string> = {};
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, file) => {
      if (error !== null) return reject(error);
      file.on('end', () => resolve(found)).on('error', reject);
      file.on('entry', (one: { fileName: string; crc32: number }) => {
        file.openReadStream(one as never, (failure, stream) => {
          if (failure !== null) return reject(failure);
          void stream.toArray().then((chunks: Buffer[]) => {
            const content = Buffer.concat(chunks);
            assert.equal(crc32(content), one.crc32);
            found[one.fileName] = content.toString();
            file.readEntry();
          });
        });
      });
      file.readEntry();
    });
  });
};

describe('a zip made by the page', () => {
  it('is read by another program, with names beyond ASCII and empty files', async () => {
    const zip = await zipOf([
      entry('project.gns3', '{}'),
      entry('project-files/größe.txt', 'x'.repeat(70_000)),
      entry('empty', ''),
    ]);
    assert.deepEqual(await unzip(zip), {
      'project.gns3': '{}',
      'project-files/größe.txt': 'x'.repeat(70_000),
      empty: '',
    });
  });
});

describe('labs among files that are given', () => {
  it('are a project file alone, and one with all of its folder', async () => {
    const [alone] = await uploadsOf([entry('first.gns3', '1')]);
    assert.ok(alone);
    assert.equal(alone.title, 'first');
    assert.deepEqual(await unzip(alone.archive), { 'project.gns3': '1' });
    const [whole, ...others] = await uploadsOf([
      entry('lab/first.gns3', '1'),
      entry('lab/project-files/vpcs/a/startup.vpc', 'ip'),
      entry('elsewhere/readme', 'no'),
    ]);
    assert.ok(whole);
    assert.deepEqual(others, []);
    assert.deepEqual(await unzip(whole.archive), { 'project.gns3': '1', 'project-files/vpcs/a/startup.vpc': 'ip' });
  });

  it('are archives as they are, and nothing else', async () => {
    const archive = entry('x.gns3project', 'PK');
    const uploads = await uploadsOf([archive, entry('notes.txt', 'n'), entry('folder/inner.zip', 'PK')]);
    assert.deepEqual(uploads, [{ title: 'x', archive: archive.content }]);
  });
});
