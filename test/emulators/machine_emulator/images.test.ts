import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { md5Of, otherImages } from '../../../src/emulators/shared/images/checksum.ts';
import { findImages, imagePlaces } from '../../../src/emulators/machine_emulator/images.ts';
import { machineEmulator } from '../../../src/emulators/machine_emulator/kind.ts';
import { settingsOf } from '../../../src/emulators/machine_emulator/schema.ts';
import { tempDir } from '../../support/temp.ts';
import { nodeOf } from '../sample.ts';

/** MD5 of `disk`. */
const SUM = '75688b0220ad16c4e02152b6c2b56424';

let dir: Awaited<ReturnType<typeof tempDir>>;
let data = '';
let project = '';
beforeEach(async () => {
  dir = await tempDir();
  [data, project] = [path.join(dir.path, 'data'), path.join(dir.path, 'project')];
  await mkdir(path.join(data, 'images', 'QEMU', 'vendor', 'x'), { recursive: true });
  await mkdir(project, { recursive: true });
});
afterEach(() => dir.remove());

const find = async (properties: object, local = true, imageDirectories: string[] = []): Promise<string> => {
  const node = nodeOf(machineEmulator, { ...properties });
  const places = imagePlaces(
    { filesDir: data, local, imageDirectories },
    path.join(project, 'project-files', 'qemu', 'n'),
  );
  return (await findImages(settingsOf(node.properties), places)).hda_disk_image;
};
const put = async (...where: string[]): Promise<string> => {
  const file = path.join(...where);
  await writeFile(file, 'disk');
  return file;
};
const images = (...below: string[]): string => path.join(data, 'images', 'QEMU', ...below);

describe('an image', () => {
  it('is found by its name in the directory of images, in folders below it, then in the project', async () => {
    const name = 'disk.qcow2';
    const inProject = await put(project, name);
    assert.equal(await find({ hda_disk_image: name }), inProject);
    const deep = await put(images('vendor', 'x'), name);
    assert.equal(await find({ hda_disk_image: name }), deep);
    assert.equal(await find({ hda_disk_image: 'vendor/x/disk.qcow2' }), deep);
    const top = await put(images(), name);
    assert.equal(await find({ hda_disk_image: name }), top);
  });

  it('may be named by its path inside those directories, and nowhere else', async () => {
    const file = await put(images('vendor'), 'a.img');
    assert.equal(await find({ hda_disk_image: file }), file);
    const own = await put(project, 'b.img');
    assert.equal(await find({ hda_disk_image: own }), own);
    const outside = await put(dir.path, 'c.img');
    for (const name of [outside, `${project}/../c.img`, '../../../c.img', '/etc/passwd'])
      await assert.rejects(find({ hda_disk_image: name }), { status: 409, message: /hda_disk_image/ });
  });

  it('must not be a link that leads out of those directories, by name or by a folder', async () => {
    await put(dir.path, 'secret.img');
    await symlink(path.join(dir.path, 'secret.img'), images('link.img'));
    await symlink(dir.path, images('folder'));
    await symlink(dir.path, path.join(project, 'folder'));
    for (const name of [
      'link.img',
      images('link.img'),
      'folder/secret.img',
      path.join(project, 'folder', 'secret.img'),
    ])
      await assert.rejects(find({ hda_disk_image: name }, false), { status: 409, message: /leads out of/ }, name);
    const inside = await put(images('vendor'), 'real.img');
    await symlink(inside, images('alias.img'));
    assert.equal(await find({ hda_disk_image: 'alias.img' }, false), images('alias.img'));
  });

  it('of the local server may be a link among the images, which nobody else makes, and none in a project', async () => {
    const file = await put(dir.path, 'big.img');
    await symlink(file, images('link.img'));
    assert.equal(await find({ hda_disk_image: 'link.img' }), images('link.img'));
    await symlink(file, path.join(project, 'own.img'));
    await assert.rejects(find({ hda_disk_image: 'own.img' }), { status: 409, message: /leads out of/ });
  });

  it('may be in a directory of images that is itself a link', async () => {
    const elsewhere = path.join(dir.path, 'elsewhere');
    await rename(path.join(data, 'images'), elsewhere);
    await symlink(elsewhere, path.join(data, 'images'));
    const file = await put(images(), 'a.img');
    assert.equal(await find({ hda_disk_image: 'a.img' }), file);
  });

  it('that is not there is a conflict that says where it was looked for', async () => {
    await assert.rejects(find({ hda_disk_image: 'none.img' }), (error: Error & { status?: number }) => {
      assert.equal(error.status, 409);
      for (const part of ['none.img', images(), project]) assert.ok(error.message.includes(part), part);
      return true;
    });
  });

  it('is found in other directories, with a folder for the kind or without', async () => {
    const [one, two] = [path.join(dir.path, 'one'), path.join(dir.path, 'two')];
    for (const folder of [path.join(one, 'QEMU', 'deep'), path.join(one, 'IOS'), two])
      await mkdir(folder, { recursive: true });
    const flat = await put(two, 'a.img');
    const others = [one, two];
    assert.equal(await find({ hda_disk_image: 'a.img' }, false, others), flat);
    const deep = await put(one, 'QEMU', 'deep', 'a.img');
    assert.equal(await find({ hda_disk_image: 'a.img' }, false, others), deep);
    const top = await put(one, 'QEMU', 'a.img');
    for (const name of ['a.img', top]) assert.equal(await find({ hda_disk_image: name }, false, others), top);
    const own = await put(images(), 'a.img');
    assert.equal(await find({ hda_disk_image: 'a.img' }, false, others), own);
    await assert.rejects(find({ hda_disk_image: top }), { status: 409, message: /outside/ });
  });

  it('is found in folders that are links, each looked into once', async () => {
    const elsewhere = path.join(dir.path, 'elsewhere', 'deep');
    await mkdir(elsewhere, { recursive: true });
    await put(elsewhere, 'a.img');
    await symlink(path.join(dir.path, 'elsewhere'), images('vendor', 'there'));
    await symlink(images(), images('vendor', 'around'));
    const found = images('vendor', 'there', 'deep', 'a.img');
    assert.equal(await find({ hda_disk_image: 'a.img' }), found);
    await assert.rejects(find({ hda_disk_image: 'a.img' }, false), { status: 409, message: /leads out of/ });
  });

  it('that has another checksum than the record is told, or refused', async () => {
    const file = await put(images(), 'a.img');
    const other = '0'.repeat(32);
    const told = (sum: string | null, strict = false): Promise<string[]> => {
      const node = nodeOf(machineEmulator, { hda_disk_image: 'a.img', hda_disk_image_md5sum: sum });
      return otherImages(machineEmulator, { ...node, node_directory: null }, { filesDir: data, strict });
    };
    for (const right of [null, SUM, SUM.toUpperCase()]) assert.deepEqual(await told(right, true), []);
    const [sentence = ''] = await told(other);
    for (const part of ['hda_disk_image', file, other, SUM]) assert.ok(sentence.includes(part), sentence);
    await assert.rejects(told(other, true), { status: 409, message: /0{32}/ });
  });
});

describe('the checksum of an image', () => {
  it('is kept beside it and computed again when the image is newer', async () => {
    const file = await put(images(), 'a.img');
    assert.equal(await md5Of(file), SUM);
    assert.equal(await readFile(`${file}.md5sum`, 'utf8'), SUM);
    const kept = 'f'.repeat(32);
    await writeFile(`${file}.md5sum`, `${kept}\n`);
    assert.equal(await md5Of(file), kept);
    const later = new Date(Date.now() + 10_000);
    await utimes(file, later, later);
    assert.equal(await md5Of(file), SUM);
    await writeFile(`${file}.md5sum`, 'no sum');
    await utimes(`${file}.md5sum`, new Date(Date.now() + 20_000), new Date(Date.now() + 20_000));
    assert.equal(await md5Of(file), SUM);
  });
});
