import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { TopologError } from '../../../src/common/errors.ts';
import type { ImagePlaces } from '../../../src/emulators/shared/images/image-files.ts';
import { checkedImage } from '../../../src/emulators/machine_emulator/images.ts';
import { readHead } from '../../../src/emulators/machine_emulator/image-head.ts';
import { runQemuImg } from '../../../src/emulators/machine_emulator/disks.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';
import { tempDir } from '../../support/temp.ts';

const run = promisify(execFile);
const skip = (await which('qemu-img')) === null ? 'qemu-img is not installed' : false;

describe('an image, before QEMU sees it', { skip }, () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let root = '';
  let secret = '';
  beforeEach(async () => {
    dir = await tempDir();
    root = path.join(dir.path, 'images');
    await mkdir(root);
    secret = path.join(dir.path, 'secret');
    await writeFile(secret, Buffer.alloc(65_536, 's'));
  });
  afterEach(() => dir.remove());

  const at = (name: string): string => path.join(root, name);
  const places = (local: boolean): ImagePlaces => ({ roots: [root], images: [root], project: null, local });
  const create = (file: string, ...more: string[]) => run('qemu-img', ['create', '-q', '-f', ...more, file, '1M']);
  /** A qcow2 whose backing file and format are these, whatever they are. */
  const over = async (name: string, backing: string, format: string | null = 'raw'): Promise<string> => {
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', at(name), '1M']);
    await run('qemu-img', ['rebase', '-u', '-f', 'qcow2', '-b', backing, '-F', format ?? 'raw', at(name)]);
    if (format === null) await forgetFormat(at(name));
    return at(name);
  };
  /** Makes the header extension with the format one that nobody knows. */
  const forgetFormat = async (file: string): Promise<void> => {
    const octets = await readFile(file);
    octets.writeUInt32BE(0x12345678, octets.indexOf(Buffer.from('e2792aca', 'hex')));
    await writeFile(file, octets);
  };
  const vmdk = async (name: string, lines: string): Promise<string> => {
    await writeFile(at(name), `# Disk DescriptorFile\nversion=1\nCID=fffffffe\nparentCID=ffffffff\n${lines}\n`);
    return at(name);
  };
  const refuses = async (image: string, part: RegExp): Promise<void> => {
    for (const local of [true, false])
      await assert.rejects(checkedImage(image, places(local)), (error: { status: number; message: string }) => {
        assert.equal(error.status, 409, error.message);
        assert.ok(error.message.includes(image), error.message);
        assert.match(error.message, part);
        return true;
      });
  };

  it('has its format told as qemu-img tells it, and its size', async () => {
    for (const format of ['qcow2', 'qcow', 'qed', 'vmdk', 'vdi', 'vhdx', 'vpc', 'parallels', 'raw']) {
      await create(at(format), format);
      const told = JSON.parse((await run('qemu-img', ['info', '--output=json', at(format)])).stdout) as Record<
        string,
        unknown
      >;
      const head = await checkedImage(at(format), places(false));
      assert.equal(head.format, told['format'], format);
      if (head.size !== null) assert.equal(head.size, told['virtual-size'], format);
    }
    await create(at('flat.vmdk'), 'vmdk', '-o', 'subformat=monolithicFlat');
    assert.deepEqual((await checkedImage(at('flat.vmdk'), places(false))).parts, ['flat-flat.vmdk']);
    await create(at('split.vmdk'), 'vmdk', '-o', 'subformat=twoGbMaxExtentSparse');
    assert.equal((await checkedImage(at('split.vmdk'), places(false))).parts.length, 1);
  });

  it('may be a copy on write of others among the images, by absolute and by relative names', async () => {
    await create(at('base.qcow2'), 'qcow2');
    await over('one.qcow2', at('base.qcow2'), 'qcow2');
    await over('two.qcow2', 'one.qcow2', 'qcow2');
    await over('three.qcow2', 'file:two.qcow2', null);
    assert.equal((await checkedImage(at('three.qcow2'), places(false))).format, 'qcow2');
  });

  it('is refused where it names a network, a device or any other protocol', async () => {
    for (const name of [
      'http://127.0.0.1:1/x',
      'ssh://user@127.0.0.1/etc/shadow',
      'nbd:127.0.0.1:10809',
      'nbd+unix:///x?socket=/run/x',
      'fat:/etc',
      'json:{"driver":"raw","file":{"driver":"file","filename":"/etc/shadow"}}',
      'host_device:/dev/sda',
      'rbd:pool/image',
    ]) {
      await refuses(await over('named.qcow2', name), /refers to .+, which is no path of a file/);
      await refuses(
        await vmdk('named.vmdk', `RW 128 FLAT "${name.replaceAll('"', "'")}" 0`),
        /which is no path of a file/,
      );
    }
  });

  it('is refused where a part of it is a file of this machine, at any depth and in any format', async () => {
    const deep = await over('hostile.qcow2', secret);
    await refuses(deep, /refers to .*secret/);
    await refuses(await over('deep.qcow2', deep, 'qcow2'), /hostile\.qcow2 refers to .*secret/);
    await refuses(await over('unsaid.qcow2', deep, null), /hostile\.qcow2 refers to .*secret/);
    await refuses(await over('up.qcow2', '../secret'), /refers to .*secret/);
    for (const lines of [
      `RW 128 FLAT "${secret}" 0`,
      `RW\n128\nSPARSE\n"${secret}"`,
      `RW 128VMFSSPARSE"${secret}"`,
      `parentFileNameHint="${secret}"`,
      `parentFileNameHint: ${secret}"`,
      `RW 128 SPARSE "hostile.vmdk"`,
    ])
      await refuses(await vmdk('hostile.vmdk', lines), /refers to/);
    const data = path.join(dir.path, 'data');
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-o', `data_file=${data}`, at('data.qcow2'), '1M']);
    await refuses(at('data.qcow2'), /refers to .*data/);
  });

  it('is refused where the parent of a VMDK stands where only QEMU looks for it', async () => {
    const file = Buffer.alloc(65_536);
    file.write('KDMV');
    file.writeUInt32LE(1, 4);
    file.writeBigUInt64LE(128n, 12);
    file.writeBigUInt64LE(64n, 28);
    file.writeBigUInt64LE(1n, 36);
    file.write(`parentFileNameHint="${secret}"`, 0x200);
    await writeFile(at('sparse.vmdk'), file);
    await refuses(at('sparse.vmdk'), /refers to .*secret/);
  });

  it('is refused where a part is to be read as what it does not seem to be', async () => {
    await writeFile(at('seems.raw'), 'RW 128 FLAT "/etc/shadow" 0\n');
    await refuses(await over('posing.qcow2', at('seems.raw'), 'vmdk'), /as vmdk, which it is not/);
    await refuses(await over('protocol.qcow2', at('seems.raw'), 'nbd'), /as nbd, which it is not/);
  });

  it('is refused where it, or a part, is a FIFO, a device, a directory or a link that leads out, and nobody waits', async () => {
    await run('mkfifo', [at('fifo')]);
    await symlink('/dev/zero', at('zero'));
    await symlink(secret, at('link'));
    await mkdir(at('folder'));
    await refuses(at('fifo'), /no regular file/);
    await refuses(at('zero'), /no regular file/);
    for (const part of ['fifo', 'zero', 'folder'])
      await refuses(await over('to.qcow2', at(part)), /refers to|no regular file|directory/);
    await refuses(await over('loop.qcow2', at('loop.qcow2'), 'qcow2'), /more than 64 files/);
    await assert.rejects(checkedImage(await over('out.qcow2', at('link')), places(false)), {
      status: 409,
      message: /refers to .*link/,
    });
  });

  it('may lead by links of who runs the server, and beside the image that such a link leads to', async () => {
    await symlink(secret, at('link'));
    assert.ok(await checkedImage(await over('own.qcow2', at('link')), places(true)));
    const elsewhere = path.join(dir.path, 'disk.qcow2');
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', secret, elsewhere, '1M']);
    await symlink(elsewhere, at('disk.qcow2'));
    assert.ok(await checkedImage(at('disk.qcow2'), places(true)));
    await assert.rejects(checkedImage(at('disk.qcow2'), places(false)), { status: 409 });
  });

  it('of random octets behind a magic is told to be broken, or is refused, and never opens anything', async () => {
    for (let seed = 1; seed <= 300; seed++) {
      let state = seed;
      const octets = Buffer.from(
        Array.from({ length: 700 }, () => ((state = (state * 1_103_515_245 + 12_345) >>> 0) >>> 16) & 0xff),
      );
      octets.write(['QFI\xfb', 'QED\0', 'KDMV', 'COWD'][seed % 4] ?? '', 'latin1');
      if (seed % 4 === 0) octets.writeUInt32BE(2 + (seed % 3), 4);
      await writeFile(at('random'), octets);
      await readHead(at('random')).catch((error: unknown) => assert.ok(error instanceof TopologError, String(error)));
    }
  });
});

it('ends a qemu-img that takes too long', { skip: process.platform !== 'linux' }, async () => {
  const late = runQemuImg('/bin/sleep', ['1000'], { what: 'disk', signal: new AbortController().signal, longest: 50 });
  await assert.rejects(late, { code: 'engine_failed', message: /disk: .*took longer than 0\.05 s/ });
});
