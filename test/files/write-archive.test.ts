import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { type ArchiveItem, writeArchive } from '../../src/files/archive/write-archive.ts';
import { tempDir } from '../support/temp.ts';

it('an archive leaves out files that go away while it is made, and no others', async (t) => {
  const dir = await tempDir();
  t.after(() => dir.remove());
  const file = (name: string): string => path.join(dir.path, name);
  await writeFile(file('stays'), 'octets of what stays');
  await symlink('stays', file('linked'));
  async function* items(names: readonly string[], more: { mayGo?: true }): AsyncGenerator<ArchiveItem> {
    await Promise.resolve();
    for (const name of names) yield { name, file: file(name), ...more };
  }
  const made = (names: readonly string[], more: { mayGo?: true }): Promise<Buffer> =>
    buffer(writeArchive(items(names, more), { compress: false }));
  const archive = await made(['gone', 'linked', 'stays', 'stays/below'], { mayGo: true });
  const text = archive.toString('latin1');
  assert.ok(text.includes('octets of what stays'));
  for (const name of ['gone', 'linked', 'below']) assert.ok(!text.includes(name), name);
  await assert.rejects(made(['stays', 'gone'], {}), /ENOENT/);
});

it('an archive of many files has as many listeners as one of a few, and ends with who reads it', async (t) => {
  const dir = await tempDir();
  t.after(() => dir.remove());
  const file = path.join(dir.path, 'file');
  await writeFile(file, 'octets');
  let most = 0;
  let made = 0;
  async function* items(count: number): AsyncGenerator<ArchiveItem> {
    // The archive is there by then.
    await Promise.resolve();
    for (; made < count; made++) {
      most = Math.max(most, archive.listenerCount('close'));
      yield { name: String(made), file };
    }
  }
  let archive = writeArchive(items(50), { compress: false });
  await buffer(archive);
  assert.equal(made, 50);
  assert.ok(most < 5, `${most} listeners`);
  made = 0;
  archive = writeArchive(items(1_000_000), { compress: false });
  await new Promise((resolve) => archive.once('data', resolve));
  archive.destroy();
  while (made === 0) await new Promise((resolve) => setImmediate(resolve));
  const stopped = made;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(made <= stopped + 2, `${made - stopped} more files were read`);
});
