import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findPrograms, isMissing } from '../../../src/emulators/machine_emulator/programs.ts';
import { tempDir } from '../../support/temp.ts';

describe('the programs of a machine', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  const searched = process.env['PATH'];
  before(async () => {
    dir = await tempDir();
    // Nothing but what the test puts there.
    process.env['PATH'] = dir.path;
  });
  after(async () => {
    process.env['PATH'] = searched;
    await dir.remove();
  });
  const program = async (name: string, version: string): Promise<string> => {
    const file = path.join(dir.path, name);
    await writeFile(file, `#!/bin/sh\necho "QEMU emulator version ${version} (Debian)"\n`);
    await chmod(file, 0o755);
    return file;
  };

  it('are named with the command that installs them when they are missing', async () => {
    const lacks = async (properties: object) => {
      const found = await findPrograms({ ...properties });
      return isMissing(found) ? `${found.needs}: ${found.install}` : 'nothing';
    };
    assert.equal(await lacks({}), 'qemu-system-x86_64: apt-get install qemu-system-x86 qemu-utils');
    assert.equal(
      await lacks({ platform: 'aarch64' }),
      'qemu-system-aarch64: apt-get install qemu-system-arm qemu-utils',
    );
    assert.equal(await lacks({ platform: 'm68k' }), 'qemu-system-m68k: apt-get install qemu-system-misc qemu-utils');
    assert.match(await lacks({ qemu_path: '/opt/qemu' }), /^\/opt\/qemu or qemu-system-x86_64: /);
    await program('qemu-system-i386', '6.2.0');
    assert.match(await lacks({ platform: 'i386' }), /QEMU 7\.2 or newer \(.*i386 is 6\.2\.0\)/);
  });

  it('are the path of the record, then its base name, then that of the platform', async () => {
    const ppc = await program('qemu-system-ppc', '8.0.0');
    const own = await program('my-qemu', '7.2.22');
    const found = async (properties: object) => {
      const programs = await findPrograms({ ...properties });
      return isMissing(programs) ? programs.needs : programs.qemu;
    };
    assert.equal(await found({ platform: 'ppc', qemu_path: own }), own);
    assert.equal(await found({ platform: 'ppc', qemu_path: '/elsewhere/my-qemu' }), own);
    assert.equal(await found({ platform: 'ppc', qemu_path: '/elsewhere/none' }), ppc);
  });

  it('need qemu-img only for a machine with disks', async () => {
    await program('qemu-system-sparc', '9.1.0');
    const bare = await findPrograms({ platform: 'sparc' });
    assert.ok(!isMissing(bare) && bare.qemuImg === null);
    const disks = await findPrograms({ platform: 'sparc', hda_disk_image: 'a.img' });
    assert.deepEqual(disks, { needs: 'qemu-img', install: 'apt-get install qemu-utils' });
  });
});
