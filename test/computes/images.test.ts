import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ComputeImages, type ImageProgress } from '../../src/computes/nodes/images.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { FakeCompute } from '../support/fake-compute.ts';
import { tempDir } from '../support/temp.ts';
import { plainClient } from './plain-client.ts';

const kindOf = (name: string) => {
  const found = createKinds().get(name);
  assert.ok(found);
  return found;
};
const VM = kindOf('machine_emulator');
const ROUTER = kindOf('router_emulator');
const md5 = (text: string | Buffer): string => createHash('md5').update(text).digest('hex');
const uploads = (fake: FakeCompute): string[] => fake.asked(({ method }) => method === 'POST');
const nodeWith = (properties: Record<string, unknown>) => ({ properties, node_directory: null });
const { signal } = new AbortController();

let dir: Awaited<ReturnType<typeof tempDir>>;
let fake: FakeCompute;
let images: ComputeImages;
let told: ImageProgress[];

const ours = async (folder: string, name: string, content: string | Buffer): Promise<void> => {
  const file = path.join(dir.path, 'images', folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
};

before(async () => (dir = await tempDir()));
after(() => dir.remove());
beforeEach(async () => {
  fake = await FakeCompute.start({ pingMs: 0 });
  told = [];
  images = new ComputeImages({
    client: plainClient(fake.url),
    compute: 'far',
    images: { filesDir: dir.path },
    progress: (progress) => told.push(progress),
  });
  await ours('QEMU', 'disk.img', 'a disk');
});
afterEach(() => fake.close());

describe('images for a compute', () => {
  it('are sent when they are missing there, with progress, and the node can be made', async () => {
    await ours('QEMU', 'cd.iso', 'a disc');
    const node = nodeWith({ hda_disk_image: 'disk.img', cdrom_image: 'cd.iso', hdb_disk_image: '' });
    await images.send(node, VM, signal);
    assert.deepEqual(uploads(fake).sort(), ['POST /qemu/images/cd.iso', 'POST /qemu/images/disk.img']);
    assert.equal(String(fake.lab.imagesOf('qemu').get('disk.img')), 'a disk');
    assert.deepEqual(
      told.filter(({ name }) => name === 'disk.img'),
      [0, 6].map((done) => ({ name: 'disk.img', done, total: 6 })),
    );
    const asked = fake.requests.length;
    await images.send(node, VM, signal);
    assert.equal(fake.requests.length, asked, 'what is known to be there is not asked for again');
  });

  it('are sent once for two nodes that need them at the same time', async () => {
    const held = fake.stall('POST /qemu/images/disk.img');
    const both = ['a', 'b'].map(() => images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal));
    await held.arrived;
    const late = images.send(nodeWith({ hdb_disk_image: 'disk.img' }), VM, signal);
    held.release();
    await Promise.all([...both, late]);
    assert.deepEqual(uploads(fake), ['POST /qemu/images/disk.img']);
  });

  it('are not sent when the compute has the same, in a folder too, and replaced when it has another', async () => {
    fake.lab.imagesOf('qemu').set('old/disk.img', Buffer.from('a disk'));
    await images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal);
    assert.deepEqual(uploads(fake), []);
    fake.lab.imagesOf('qemu').set('old/disk.img', Buffer.from('another disk'));
    images.forget();
    await images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal);
    assert.equal(md5(fake.lab.imagesOf('qemu').get('disk.img') ?? ''), md5('a disk'));
  });

  it('keep their folders, so that a node that names one finds it', async () => {
    await ours('QEMU', 'debian 12/disk.img', 'a system');
    await images.send(nodeWith({ hda_disk_image: 'debian 12/disk.img' }), VM, signal);
    assert.deepEqual([...fake.lab.imagesOf('qemu').keys()], ['debian 12/disk.img']);
  });

  it('are sent again when ours has changed, or the compute is known no more', async () => {
    const node = nodeWith({ hda_disk_image: 'changing.img' });
    await ours('QEMU', 'changing.img', 'one');
    await images.send(node, VM, signal);
    await ours('QEMU', 'changing.img.md5sum', md5('the other'));
    await ours('QEMU', 'changing.img', 'the other');
    await images.send(node, VM, signal);
    assert.equal(String(fake.lab.imagesOf('qemu').get('changing.img')), 'the other');
    fake.lab.imagesOf('qemu').clear();
    images.forget();
    await images.send(node, VM, signal);
    assert.equal(uploads(fake).length, 3);
  });

  it('that we do not have, or that are named by a path of this machine, are left to the compute', async () => {
    const node = nodeWith({ hda_disk_image: 'unknown.img', hdb_disk_image: '/etc/hostname', kernel_image: '../x' });
    await images.send(node, VM, signal);
    await images.send(nodeWith({ image: 'busybox' }), kindOf('container'), signal);
    assert.deepEqual(fake.requests, []);
  });

  it('must have our MD5 sum afterwards', async () => {
    const held = fake.stall('POST /qemu/images/disk.img');
    const sent = assert.rejects(images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal), {
      code: 'conflict',
      message: new RegExp(
        `the image disk.img has the MD5 sum ${md5('cut')} at far after it was sent, and ${md5('a disk')}`,
      ),
    });
    await held.arrived;
    fake.lab.imagesOf('qemu').set('disk.img', Buffer.from('cut'));
    held.release();
    await sent;
  });

  it('that lists leave out, as they do not begin as images do, are sent once', async () => {
    await ours('IOS', 'no-router.image', 'text');
    const node = nodeWith({ image: 'no-router.image' });
    const client = plainClient(fake.url);
    const other = new ComputeImages({
      client: { ...client, request: async (...call) => (call[1].endsWith('/images') ? [] : client.request(...call)) },
      ...{ compute: 'far', images: { filesDir: dir.path } },
    });
    await other.send(node, ROUTER, signal);
    await other.send(node, ROUTER, signal);
    assert.deepEqual(uploads(fake), ['POST /dynamips/images/no-router.image']);
    await ours('IOS', 'router.image', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 2, 1, 0]));
    await assert.rejects(
      other.send(nodeWith({ image: 'router.image' }), ROUTER, signal),
      /far, which does not list it/,
    );
  });

  it('are given up when nobody waits for them any more', async () => {
    const held = fake.stall('POST /qemu/images/disk.img', { before: true });
    const end = new AbortController();
    const node = nodeWith({ hda_disk_image: 'disk.img' });
    const sent = images.send(node, VM, end.signal);
    await held.arrived;
    end.abort(new Error('nobody is left'));
    await assert.rejects(sent, /nobody is left/);
    held.release();
    await images.send(node, VM, signal);
    assert.equal(md5(fake.lab.imagesOf('qemu').get('disk.img') ?? ''), md5('a disk'));
  });

  it('need a list that is one', async () => {
    fake.answerNext('GET /qemu/images', 200, { nothing: 'of this' });
    await assert.rejects(images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal), {
      code: 'conflict',
      message: /^far answers no list of the images of qemu: it: /,
    });
    await images.send(nodeWith({ hda_disk_image: 'disk.img' }), VM, signal);
  });
});
