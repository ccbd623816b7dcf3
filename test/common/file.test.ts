import assert from 'node:assert/strict';
import { appendFile, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readBounded, textIfThere } from '../../src/common/file.ts';
import { readTexts } from '../../src/emulators/router_emulator/configs.ts';
import { commentOutEscapes } from '../../src/emulators/simple_pc/vpcs-escapes.ts';
import { importConfigs } from '../../src/emulators/switch_router_emulator/files/configs.ts';
import { tempDir } from '../support/temp.ts';

const directoryFor = async (t: TestContext): Promise<string> => {
  const { path: directory, remove } = await tempDir();
  t.after(remove);
  return directory;
};

describe('a file that somebody else may have written', () => {
  it('is read up to its bound', async (t) => {
    const file = path.join(await directoryFor(t), 'a');
    assert.equal(await textIfThere(file, 3), null);
    await writeFile(file, 'abc');
    assert.equal(String(await readBounded(file, 3)), 'abc');
    assert.equal(await textIfThere(file, 3), 'abc');
    await appendFile(file, 'd');
    await assert.rejects(readBounded(file, 3, { called: 'it' }), {
      code: 'conflict',
      message: 'it is larger than 3 bytes',
    });
    // Its size is told without reading it.
    await truncate(file, 2 ** 40);
    await assert.rejects(textIfThere(file, 3), /a is larger than 3 bytes/);
  });

  it('is a regular one, and no link where it must not lead elsewhere', async (t) => {
    const directory = await directoryFor(t);
    const [file, link, folder] = ['file', 'link', 'folder'].map((name) => path.join(directory, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, 'x');
    await symlink(file, link);
    await mkdir(folder);
    await assert.rejects(readBounded(folder, 9), /folder is not a regular file/);
    assert.equal(String(await readBounded(link, 9)), 'x');
    await assert.rejects(readBounded(link, 9, { follow: false }), { code: 'ELOOP' });
  });

  it('of a node keeps it from starting where it is larger than any configuration', async (t) => {
    const directory = await directoryFor(t);
    const sparse = async (name: string): Promise<void> => {
      await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
      await writeFile(path.join(directory, name), '');
      await truncate(path.join(directory, name), 2 ** 40);
    };
    await sparse('startup.vpc');
    await sparse('configs/i7_startup-config.cfg');
    await sparse('startup-config.cfg');
    await assert.rejects(commentOutEscapes(directory), /startup\.vpc is larger than 1048576 bytes/);
    await assert.rejects(readTexts(directory, { id: 7 }), /i7_startup-config\.cfg is larger than 1048576 bytes/);
    await assert.rejects(
      importConfigs(directory, 7, async () => 64),
      /startup-config\.cfg is larger than 1048576 bytes/,
    );
  });
});
