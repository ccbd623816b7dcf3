import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { prepareDisks } from '../../../src/emulators/machine_emulator/disks.ts';
import type { DiskFile } from '../../../src/emulators/machine_emulator/command-line.ts';
import type { ImagePlaces } from '../../../src/emulators/shared/images/image-files.ts';
import { machineEmulator } from '../../../src/emulators/machine_emulator/kind.ts';
import { IMAGES, type ImageField, settingsOf } from '../../../src/emulators/machine_emulator/schema.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { tempDir } from '../../support/temp.ts';
import { nodeOf } from '../sample.ts';

const qemuImg = await which('qemu-img');
const run = promisify(execFile);

describe('disks of a machine', { skip: qemuImg === null ? 'qemu-img is not installed' : false }, () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let image = '';
  beforeEach(async () => {
    dir = await tempDir();
    image = path.join(dir.path, 'base.qcow2');
    await create(image, '8M');
  });
  afterEach(() => dir.remove());

  const create = async (file: string, size: string, format = 'qcow2'): Promise<void> => {
    await run('qemu-img', ['create', '-q', '-f', format, file, size]);
  };
  const directory = (): string => path.join(dir.path, 'node');
  const prepare = async (
    file: string,
    properties: object = {},
    places: ImagePlaces = { roots: [dir.path], images: [dir.path], project: null, local: true },
  ): Promise<DiskFile | undefined> => {
    const node = nodeOf(machineEmulator, { hda_disk_image: file, ...properties });
    const images = Object.fromEntries(IMAGES.map((field) => [field, ''])) as Record<ImageField, string>;
    const tools = { qemuImg: qemuImg ?? '', directory: directory(), signal: new AbortController().signal, places };
    const [disk] = await prepareDisks(settingsOf(node.properties), { ...images, hda_disk_image: file }, tools);
    return disk;
  };
  const backing = async (file: string): Promise<unknown> => {
    const { stdout } = await run('qemu-img', ['info', '--output=json', file]);
    return (JSON.parse(stdout) as Record<string, unknown>)['full-backing-filename'];
  };

  it('are copies on write in the directory of a linked clone, which stay from start to start', async () => {
    const own = path.join(directory(), 'hda_disk.qcow2');
    assert.deepEqual(await prepare(image), { disk: 'hda', interface: 'ide', path: own, format: 'qcow2' });
    assert.equal(await backing(own), image);
    const { ino } = await stat(own);
    await prepare(image);
    assert.equal((await stat(own)).ino, ino);
  });

  it('are the images themselves without that, in whatever format they have', async () => {
    const raw = path.join(dir.path, 'raw.img');
    await create(raw, '4M', 'raw');
    const linked_clone = false;
    assert.deepEqual(await prepare(image, { linked_clone }), {
      disk: 'hda',
      interface: 'ide',
      path: image,
      format: 'qcow2',
    });
    assert.equal((await prepare(raw, { linked_clone, hda_disk_interface: 'virtio' }))?.format, 'raw');
  });

  it('follow an image that was moved', async () => {
    const own = (await prepare(image))?.path ?? '';
    const elsewhere = path.join(dir.path, 'elsewhere', 'base.qcow2');
    await mkdir(path.dirname(elsewhere));
    await rename(image, elsewhere);
    await prepare(elsewhere);
    assert.equal(await backing(own), elsewhere);
    await assert.rejects(stat(`${own}.old`));
  });

  it('are made again for another image, and what was written before is put aside', async () => {
    const own = (await prepare(image))?.path ?? '';
    const other = path.join(dir.path, 'other.qcow2');
    await create(other, '16M');
    await prepare(other);
    assert.equal(await backing(own), other);
    assert.equal(await backing(`${own}.old`), image);
  });

  it('that cannot be read are told with the reason', async () => {
    const broken = path.join(dir.path, 'broken.qcow2');
    await writeFile(broken, Buffer.concat([Buffer.from('QFI\xfb', 'latin1'), Buffer.alloc(600, 0xff)]));
    await assert.rejects(prepare(broken), {
      status: 409,
      message: /broken\.qcow2 cannot be used: version \d+ of qcow/,
    });
  });

  it('keep nothing of a copy on write that somebody else has put there', async () => {
    await mkdir(directory());
    const own = path.join(directory(), 'hda_disk.qcow2');
    const data = path.join(dir.path, 'base.qcow2');
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-o', `data_file=${data}.data`, own, '8M']);
    await prepare(image);
    assert.equal(await backing(own), image);
    await stat(`${own}.old`);
  });
});
