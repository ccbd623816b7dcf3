import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { safeName, safeTarget } from '../../../src/files/archive/entry-names.ts';
import { ARCHIVE_LIMITS } from '../../../src/files/archive/limits.ts';
import { openArchive } from '../../../src/files/archive/read-archive.ts';
import { type ArchiveItem, writeArchive } from '../../../src/files/archive/write-archive.ts';
import { tempDir } from '../../support/temp.ts';
import { type ZipEntry, zipOf } from '../../support/zip.ts';

const place = async (t: TestContext): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  return dir.path;
};

const refusal = async (
  t: TestContext,
  entries: ZipEntry[],
  limits: Partial<typeof ARCHIVE_LIMITS>,
): Promise<string> => {
  const file = path.join(await place(t), 'a.zip');
  await writeFile(file, zipOf(entries));
  const opened = openArchive(file, { ...ARCHIVE_LIMITS, ...limits });
  return opened.then(
    (archive) => {
      archive.close();
      return 'taken';
    },
    (error: unknown) => (error as Error).message,
  );
};

describe('an archive is held against limits', () => {
  const three = ['a', 'b', 'c'].map((name): ZipEntry => ({ name, data: Buffer.alloc(1000, name) }));

  it('of entries', async (t) => {
    assert.match(await refusal(t, three, { entries: 2 }), /3 entries; 2 are the most/);
    assert.equal(await refusal(t, three, { entries: 3 }), 'taken');
  });

  it('of bytes', async (t) => {
    assert.match(await refusal(t, three, { bytes: 2999 }), /unpack to 3000 bytes, and may to 2999/);
    assert.equal(await refusal(t, three, { bytes: 3000 }), 'taken');
  });

  it('of bytes for each of its own, beyond what is always free', async (t) => {
    assert.match(await refusal(t, three, { free: 100, ratio: 2 }), /would unpack to/);
    assert.equal(await refusal(t, three, { free: 3000, ratio: 2 }), 'taken');
    assert.equal(await refusal(t, three, { free: 100, ratio: 100 }), 'taken');
  });

  it('of the project file', async (t) => {
    const file = path.join(await place(t), 'a.zip');
    await writeFile(file, zipOf(three));
    const archive = await openArchive(file, { ...ARCHIVE_LIMITS, projectFile: 999 });
    t.after(() => archive.close());
    await assert.rejects(archive.text('a'), /larger than 999/);
    await assert.rejects(archive.text('d'), /has no d/);
  });
});

describe('a link of an archive', () => {
  const step = fc.constantFrom('..', '.', 'a', 'b', 'l');
  const target = fc.array(step, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
  const link = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }).map((parts) => [...parts, 'l'].join('/'));

  it('that is taken leads nowhere but inside, whatever the others are', async (t) => {
    const root = await place(t);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(link, target), { minLength: 1, maxLength: 4 }), async (links) => {
        const taken = links.filter(([name, to]) => isTaken(() => safeTarget(name, to)));
        const own = path.join(root, String(round++));
        const inside = path.join(own, 'deep', 'project');
        await mkdir(path.join(inside, 'a', 'b'), { recursive: true });
        for (const [name, to] of taken) {
          await mkdir(path.dirname(path.join(inside, name)), { recursive: true }).catch(() => undefined);
          await symlink(to, path.join(inside, name)).catch(() => undefined);
        }
        for (const [name] of taken) {
          const led = await stat(path.join(inside, name)).catch(() => null);
          for (const outside of [own, path.join(own, 'deep'), root])
            assert.ok(led === null || led.ino !== (await stat(outside)).ino, JSON.stringify(taken));
        }
      }),
      { numRuns: 150 },
    );
  });
});

const isTaken = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

describe('a name of an archive', () => {
  it('that is taken stays below where it is unpacked', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'C:', 'a', '\\', '...', ' '), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('/')),
        (name) => {
          if (!isTaken(() => safeName(name))) return;
          for (const { resolve, sep } of [path.posix, path.win32]) {
            const root = resolve('/root/project');
            assert.ok(resolve(root, safeName(name)).startsWith(root + sep), name);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('what is written as an archive', () => {
  it('is read back as it was: empty and large files, directories, links, executables, any name', async (t) => {
    const root = await place(t);
    const large = Buffer.alloc(3_000_000, 'content ');
    await writeFile(path.join(root, 'large'), large);
    await writeFile(path.join(root, 'empty'), '');
    await writeFile(path.join(root, 'run'), '#!/bin/sh\n', { mode: 0o755 });
    async function* items(): AsyncGenerator<ArchiveItem> {
      yield { name: 'project.gns3', text: '{}' };
      yield { name: 'd/empty-directory', directory: true };
      yield { name: 'd/\u{1f600} large', file: path.join(root, 'large') };
      yield { name: 'd/empty', file: path.join(root, 'empty') };
      yield { name: 'd/run', file: path.join(root, 'run') };
      yield { name: 'd/link', link: 'run' };
    }
    for (const compress of [true, false]) {
      const file = path.join(root, `${String(compress)}.zip`);
      const bytes = await buffer(writeArchive(items(), { compress }));
      assert.equal(bytes.length > large.length, !compress);
      await writeFile(file, bytes);
      const archive = await openArchive(file);
      t.after(() => archive.close());
      assert.equal(await archive.text('project.gns3'), '{}');
      const out = path.join(root, `out-${String(compress)}`);
      await archive.unpack(out);
      assert.deepEqual((await readdir(path.join(out, 'd'))).sort(), [
        ...['empty', 'empty-directory', 'link', 'run', '\u{1f600} large'],
      ]);
      assert.deepEqual(await readFile(path.join(out, 'd', '\u{1f600} large')), large);
      assert.equal((await stat(path.join(out, 'd', 'empty'))).size, 0);
      assert.notEqual((await stat(path.join(out, 'd', 'run'))).mode & 0o100, 0);
      assert.equal(await readlink(path.join(out, 'd', 'link')), 'run');
    }
  });

  it('ends with an error when a file of it goes away, and never as if it were whole', async (t) => {
    const root = await place(t);
    async function* items(): AsyncGenerator<ArchiveItem> {
      yield { name: 'a', text: 'a' };
      yield { name: 'b', file: path.join(root, 'gone') };
    }
    await assert.rejects(buffer(writeArchive(items(), { compress: true })), { code: 'ENOENT' });
  });

  it('reads no further once nobody wants it any more', async (t) => {
    const root = await place(t);
    await writeFile(path.join(root, 'large'), Buffer.alloc(1_000_000));
    let asked = 0;
    let ended = (): void => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    async function* items(): AsyncGenerator<ArchiveItem> {
      try {
        for (; ; asked++) yield { name: `f${asked}`, file: path.join(root, 'large') };
      } finally {
        ended();
      }
    }
    const stream = writeArchive(items(), { compress: false });
    for await (const _ of stream) break;
    await end;
    assert.ok(asked < 100);
  });
});
