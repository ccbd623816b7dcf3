import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findImage } from '../../../src/emulators/shared/images/image-files.ts';
import { checkImage, imagePlaces } from '../../../src/emulators/switch_router_emulator/image.ts';
import { placeLicence } from '../../../src/emulators/switch_router_emulator/license.ts';
import { launcher } from '../../fakes/iou-image.ts';
import { tempDir } from '../../support/temp.ts';

const temp = async (t: TestContext): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  return dir.path;
};
const put = async (file: string, content: string | Buffer, mode = 0o755): Promise<string> => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { mode });
  return file;
};
const IMAGE = launcher('/bin/true', '/x');

/** An image that asks for a loader: one more program header, and the loader's name behind everything. */
const withLoader = (loader: string): Buffer => {
  const bytes = Buffer.concat([IMAGE.subarray(0, 120), Buffer.alloc(56), Buffer.from(`${loader}\0`)]);
  bytes.writeUInt16LE(2, 56);
  bytes.writeUInt32LE(3, 120);
  bytes.writeBigUInt64LE(176n, 128);
  bytes.writeBigUInt64LE(BigInt(loader.length + 1), 152);
  return bytes;
};

describe('an image', () => {
  it('is looked for among the images of its kind, in their folders, then in the project', async (t) => {
    const dir = await temp(t);
    const node_directory = path.join(dir, 'projects/p/project-files/iou/n');
    const places = imagePlaces({ filesDir: dir }, { node_directory });
    const inProject = await put(path.join(dir, 'projects/p/own.bin'), IMAGE);
    const inFolder = await put(path.join(dir, 'images/IOU/15.4/l3.bin'), IMAGE);
    assert.equal(await findImage('path', 'l3.bin', places), inFolder);
    assert.equal(await findImage('path', '15.4/l3.bin', places), inFolder);
    assert.equal(await findImage('path', 'own.bin', places), inProject);
    assert.equal(await findImage('path', inFolder, places), inFolder);
    assert.equal(await findImage('path', inProject, places), inProject);
    const top = await put(path.join(dir, 'images/IOU/l3.bin'), IMAGE);
    assert.equal(await findImage('path', 'l3.bin', places), top);
  });

  it('must not be a link that leads out of the project, nor among the images of a server that is not local', async (t) => {
    const dir = await temp(t);
    const node_directory = path.join(dir, 'projects/p/project-files/iou/n');
    const outside = await put(path.join(dir, 'outside.bin'), IMAGE);
    await put(path.join(dir, 'images/IOU/l3.bin'), IMAGE);
    await put(path.join(dir, 'projects/p/l2.bin'), IMAGE);
    await symlink(outside, path.join(dir, 'projects/p/own.bin'));
    await symlink(outside, path.join(dir, 'images/IOU/link.bin'));
    for (const local of [true, false]) {
      const places = imagePlaces({ filesDir: dir, local }, { node_directory });
      await assert.rejects(findImage('path', 'own.bin', places), { code: 'conflict', message: /leads out of/ });
      const link = findImage('path', 'link.bin', places);
      if (local) assert.equal(await link, path.join(dir, 'images/IOU/link.bin'));
      else await assert.rejects(link, { code: 'conflict', message: /leads out of/ });
    }
  });

  it('that is not there, or elsewhere, is a conflict that says where it belongs', async (t) => {
    const places = imagePlaces({ filesDir: await temp(t) }, { node_directory: null });
    for (const [name, message] of [
      ['l3.bin', /l3\.bin is not there; looked for in .*images\/IOU/],
      [path.join(places.images[0], 'l3.bin'), /is not there/],
      ['/bin/true', /outside .*images; put the image into/],
      ['../../l3.bin', /leads out/],
    ] as const)
      await assert.rejects(findImage('path', name, places), { code: 'conflict', message });
  });

  it('must be a program for x86', async (t) => {
    const dir = await temp(t);
    const script = await put(path.join(dir, 'a'), '#!/bin/sh\n'.repeat(10));
    await assert.rejects(checkImage(script), { code: 'conflict', message: /no IOU image/ });
    const image = await put(path.join(dir, 'b'), IMAGE);
    await checkImage(image);
  });

  it('becomes executable when it is not', async (t) => {
    const image = await put(path.join(await temp(t), 'b'), IMAGE, 0o644);
    await checkImage(image);
    assert.equal((await stat(image)).mode & 0o777, 0o755);
  });

  it('names the loader and the libraries that are not installed', async (t) => {
    const dir = await temp(t);
    const image = path.join(dir, 'c');
    await put(image, withLoader('/lib/none.so'));
    await assert.rejects(checkImage(image), { message: /64 bits and needs \/lib\/none\.so/ });
    const loader = await put(
      path.join(dir, 'ld.so'),
      `#!/bin/sh\n[ "$1 $2" = "--list ${image}" ] && printf '\\tlibc.so.6 => /lib/libc.so.6\\n\\tlibcrypto.so.4 => not found\\n'\n`,
    );
    await put(image, withLoader(loader));
    await assert.rejects(checkImage(image), { message: /c needs libcrypto\.so\.4, which/ });
    await put(loader, '#!/bin/sh\nexit 0\n');
    await chmod(loader, 0o755);
    await checkImage(image);
  });
});

describe('the licence of a start', () => {
  const GOOD = `[license]\r\n${hostname()} = 0123456789abcdef;\r\n`;
  const none = {};

  it('is kept for this user only, and found again at the next start', async (t) => {
    const dir = await temp(t);
    const file = await placeLicence(dir, { content: GOOD, check: true }, none);
    assert.equal(file, path.join(dir, 'iourc'));
    assert.equal((await stat(path.join(dir, 'iourc'))).mode & 0o777, 0o600);
    assert.equal(await readFile(path.join(dir, 'iourc'), 'utf8'), GOOD.replaceAll('\r', ''));
    assert.equal(await placeLicence(dir, { content: null, check: true }, none), file);
  });

  it('is the one of IOURC where the node has none', async (t) => {
    const dir = await temp(t);
    const elsewhere = await put(path.join(dir, 'elsewhere'), GOOD);
    assert.equal(await placeLicence(dir, { content: null, check: true }, { IOURC: elsewhere }), elsewhere);
  });

  it('is refused when it is wrong, unless nobody is to look', async (t) => {
    const dir = await temp(t);
    const content = '[license]\nother = 0123456789abcdef;';
    const refused = { code: 'conflict', message: /iourc has no line for this host/ };
    await assert.rejects(placeLicence(dir, { content, check: true }, none), refused);
    await assert.rejects(placeLicence(dir, { content, check: null }, none), refused);
    assert.equal(await placeLicence(dir, { content, check: false }, none), path.join(dir, 'iourc'));
    assert.equal(await placeLicence(dir, { content: null, check: null }, none), path.join(dir, 'iourc'));
  });

  it('that is to be checked must be there', async (t) => {
    const dir = await temp(t);
    const IOURC = path.join(dir, 'none');
    await assert.rejects(placeLicence(dir, { content: null, check: true }, { IOURC }, dir), {
      code: 'conflict',
      message: /no IOU licence: looked for in .*iourc/,
    });
    assert.equal(await placeLicence(dir, { content: null, check: null }, { IOURC }, dir), null);
  });
});
