import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promises as files } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import { type Disk, loadProjectFile, saveProjectFile, settleProjectFile } from '../../src/files/write/save.ts';
import { missing } from '../support/programs.ts';

const OLD = '{"old": true}\n';
const NEW = '{"new": true}\n';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const noPipe = await missing('mkfifo');

const roots: string[] = [];
const scratch = async (): Promise<string> => {
  const root = await files.mkdtemp(path.join(os.tmpdir(), 'topolog-files-'));
  roots.push(root);
  return root;
};
after(() => Promise.all(roots.map((root) => files.rm(root, { recursive: true, force: true }))));

const failure = (code: string): Error => Object.assign(new Error(`${code}: made for the test`), { code });

const rejection = async (promise: Promise<unknown>): Promise<TopologError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TopologError, String(error));
  return error;
};

describe('saving a project file', () => {
  let root = '';
  let file = '';
  beforeEach(async () => {
    root = await scratch();
    file = path.join(root, 'lab.gns3');
    await files.writeFile(file, OLD, { mode: 0o600 });
  });

  it('replaces what was there, keeps its mode, gives the hash and leaves nothing else', async () => {
    assert.deepEqual(await saveProjectFile(file, NEW), { sha256: sha256(NEW) });
    assert.equal(await files.readFile(file, 'utf8'), NEW);
    assert.equal((await files.stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await files.readdir(root), ['lab.gns3']);
  });

  it('makes a file that was not there', async () => {
    const fresh = path.join(root, 'fresh.gns3');
    await saveProjectFile(fresh, NEW);
    assert.equal(await files.readFile(fresh, 'utf8'), NEW);
  });

  it('goes on after a crash that left its temporary behind', async () => {
    await files.writeFile(`${file}.topolog-tmp`, '{"half');
    await saveProjectFile(file, NEW);
    assert.deepEqual(await files.readdir(root), ['lab.gns3']);
    assert.equal(await files.readFile(file, 'utf8'), NEW);
  });

  it('writes through a symbolic link', async () => {
    const link = path.join(root, 'link.gns3');
    await files.symlink(file, link);
    await saveProjectFile(link, NEW);
    assert.ok((await files.lstat(link)).isSymbolicLink());
    assert.equal(await files.readFile(file, 'utf8'), NEW);
  });

  it('at the same time keeps the last, and every caller gets an answer', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n, fill: 'x'.repeat(10_000) }));
    const answers = await Promise.all(texts.map((text) => saveProjectFile(file, text)));
    assert.deepEqual(
      answers.map((a) => a.sha256),
      texts.map(sha256),
    );
    assert.equal(await files.readFile(file, 'utf8'), texts.at(-1));
    assert.deepEqual(await files.readdir(root), ['lab.gns3']);
  });

  it('goes on after a save that failed', async () => {
    const broken: Disk = { ...disk(), rename: () => Promise.reject(failure('EIO')) };
    const [first, second] = await Promise.allSettled([
      saveProjectFile(file, OLD, { disk: broken }),
      saveProjectFile(file, NEW),
    ]);
    assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
    assert.equal(await files.readFile(file, 'utf8'), NEW);
  });

  const oldIsUntouched = async (): Promise<void> => {
    assert.equal(await files.readFile(file, 'utf8'), OLD);
    assert.deepEqual(await files.readdir(root), ['lab.gns3']);
  };

  for (const [code, expected] of [
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'conflict'],
    ['EACCES', 'conflict'],
    ['EIO', 'conflict'],
  ] as const) {
    for (const step of ['open', 'write', 'sync', 'readFile', 'rename'] as const) {
      it(`leaves the old file when ${step} fails with ${code}`, async () => {
        const error = await rejection(saveProjectFile(file, NEW, { disk: failing(step, code) }));
        assert.equal(error.code, expected);
        assert.equal(error.details.path, file);
        if (expected === 'conflict') assert.match(error.message, /The project file .*lab\.gns3 cannot be written: /);
        await oldIsUntouched();
      });
    }
  }

  it('leaves the old file when less is read back than was written', async () => {
    const short: Disk = {
      ...disk(),
      readFile: (async (name: string) => (await files.readFile(name)).subarray(0, 5)) as Disk['readFile'],
    };
    const error = await rejection(saveProjectFile(file, NEW, { disk: short }));
    assert.match(error.message, /does not read back as it was written/);
    await oldIsUntouched();
  });

  it('leaves the old file when what is to be written is no JSON', async () => {
    assert.equal((await rejection(saveProjectFile(file, '{"cut": '))).code, 'conflict');
    await oldIsUntouched();
  });

  it('puts the new file in its place behind what puts it on record', async () => {
    const before: unknown[] = [];
    await saveProjectFile(file, NEW, {
      record: async (sum) =>
        before.push(sum, await files.readFile(file, 'utf8'), await files.readFile(`${file}.topolog-tmp`, 'utf8')),
    });
    assert.deepEqual(before, [sha256(NEW), OLD, NEW]);
    assert.equal(await files.readFile(file, 'utf8'), NEW);
    assert.deepEqual(await files.readdir(root), ['lab.gns3']);
  });

  it('settles what is left beside it: it takes its place if it is on record, and goes if not', async () => {
    const refused = { record: () => Promise.reject(failure('EIO')) };
    for (const [recorded, left] of [
      [null, OLD],
      [sha256(OLD), OLD],
      [sha256(NEW), NEW],
    ] as const) {
      await assert.rejects(saveProjectFile(file, NEW, refused), /EIO/);
      assert.equal(await files.readFile(file, 'utf8'), OLD);
      await settleProjectFile(file, recorded);
      assert.equal(await files.readFile(file, 'utf8'), left);
      assert.deepEqual(await files.readdir(root), ['lab.gns3']);
    }
    await settleProjectFile(file, sha256(OLD));
    await settleProjectFile(path.join(root, 'gone', 'lab.gns3'), sha256(OLD));
    assert.equal(await files.readFile(file, 'utf8'), NEW);
  });

  it('says when the directory is missing', async () => {
    const error = await rejection(saveProjectFile(path.join(root, 'gone', 'lab.gns3'), NEW));
    assert.match(error.message, /gone\/lab\.gns3 cannot be written: it does not exist/);
  });
});

const disk = (): Disk => ({
  open: files.open,
  readFile: files.readFile,
  realpath: files.realpath,
  rename: files.rename,
  rm: files.rm,
  stat: files.stat,
});

const failing = (step: 'open' | 'write' | 'sync' | 'readFile' | 'rename', code: string): Disk => {
  const fail = (): Promise<never> => Promise.reject(failure(code));
  if (step === 'open' || step === 'readFile' || step === 'rename') return { ...disk(), [step]: fail };
  const open: Disk['open'] = async (...args) => {
    const handle = await files.open(...args);
    Object.defineProperty(handle, step === 'write' ? 'writeFile' : 'sync', { value: fail });
    return handle;
  };
  return { ...disk(), open };
};

describe('loading a project file', () => {
  let root = '';
  let file = '';
  beforeEach(async () => {
    root = await scratch();
    file = path.join(root, 'lab.gns3');
  });

  it('gives its text and the hash that saving gave', async () => {
    const { sha256: saved } = await saveProjectFile(file, '{"name": "größer"}');
    assert.deepEqual(await loadProjectFile(file), { text: '{"name": "größer"}', sha256: saved });
  });

  it('refuses a path that is not absolute, or that no system takes', async () => {
    for (const name of ['lab.gns3', './lab.gns3', '', '/tmp/a\0b']) {
      const error = await rejection(loadProjectFile(name));
      assert.equal(error.code, 'invalid_request');
      assert.match(error.message, /path must be the absolute path/);
    }
  });

  it('says what is wrong with a file that cannot be read', async () => {
    const sparse = await files.open(path.join(root, 'large.gns3'), 'w');
    await sparse.truncate(64 * 1024 * 1024 + 1);
    await sparse.close();
    await files.writeFile(path.join(root, 'latin.gns3'), Buffer.from('{"name": "gr\xf6\xdfer"}', 'latin1'));
    for (const [name, why] of [
      ['missing.gns3', /it does not exist/],
      ['', /not a regular file/],
      ['large.gns3', /larger than 67108864 bytes/],
      ['latin.gns3', /not UTF-8/],
      ['latin.gns3/x.gns3', /not a directory/],
    ] as const) {
      const error = await rejection(loadProjectFile(path.join(root, name)));
      assert.equal(error.code, 'conflict');
      assert.match(error.message, why);
      assert.ok(error.message.includes(path.join(root, name)));
    }
  });

  it('does not wait for the other end of a named pipe', { skip: noPipe }, async () => {
    const pipe = path.join(root, 'pipe.gns3');
    execFileSync('mkfifo', [pipe]);
    assert.match((await rejection(loadProjectFile(pipe))).message, /not a regular file/);
  });
});
