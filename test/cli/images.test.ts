import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { topologIn } from './run.ts';
import { type WithServer, withServer } from './with-server.ts';

/** ELF, 32 bits: of a big-endian MIPS, and of a little-endian 386. */
const elf = (order: number, machine: number[]): Buffer =>
  Buffer.from([
    0x7f,
    0x45,
    0x4c,
    0x46,
    1,
    order,
    1,
    ...Array<number>(9).fill(0),
    ...machine,
    ...Array<number>(40).fill(7),
  ]);

describe('images and templates by commands', { timeout: 600_000 }, () => {
  let on: WithServer;
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    const made = path.join(on.directory, name);
    await writeFile(made, content);
    return made;
  };

  before(async () => {
    on = await withServer();
  });
  after(() => on.close());

  it('are stored for the kind that the file is for, listed and deleted', async () => {
    assert.equal(await on.well('images'), '');
    const disk = await file('disk.qcow2', 'a disk');
    assert.match(await on.well('images', 'add', disk), /^disk\.qcow2 +machine_emulator +6 octets +[0-9a-f]{32}\n$/);
    const router = await file('c3600.bin', elf(2, [0, 2, 0, 8]));
    assert.match(await on.well('images', 'add', router), /^c3600\.bin +router_emulator/);
    const iou = await file('l3.bin', elf(1, [2, 0, 3, 0]));
    assert.match(await on.well('images', 'add', iou, '--name', 'i86.bin'), /^i86\.bin +switch_router_emulator/);
    assert.match(await on.well('images', 'add', iou, '--kind', 'qemu'), /^l3\.bin +machine_emulator/);
    assert.equal((JSON.parse(await on.well('images', 'ls', '--json')) as unknown[]).length, 4);
    await writeFile(disk, 'another disk');
    await on.ill(
      2,
      /not replaced: image machine_emulator\/disk\.qcow2; add --yes, or confirm at a terminal$/m,
      'images',
      'add',
      disk,
    );
    assert.match(await on.well('images', 'add', disk, '-y'), /12 octets/);
    await on.ill(2, /not deleted: image machine_emulator\/disk\.qcow2; add --yes/, 'images', 'rm', 'disk.qcow2');
    assert.equal(
      await on.well('images', 'rm', 'disk.qcow2', 'i86', '--yes'),
      'image machine_emulator/disk.qcow2     deleted\nimage switch_router_emulator/i86.bin  deleted\n',
    );
    await on.allIll([
      [2, /nope cannot be read: it does not exist$/m, 'images', 'add', path.join(on.directory, 'nope')],
      [2, /cannot be read: it is not a file$/m, 'images', 'add', on.directory],
      [
        2,
        /--kind takes machine_emulator, qemu.*, not qemuu; did you mean qemu\?$/m,
        'images',
        'add',
        disk,
        '--kind',
        'qemuu',
      ],
      [2, /--kind takes machine_emulator, qemu, .*, not simple_pc/, 'images', 'add', disk, '--kind', 'simple_pc'],
      [1, /Image c3600\.bim does not exist; did you mean c3600\.bin\?$/m, 'images', 'rm', 'c3600.bim', '-y'],
      [2, /topolog images takes ls, add, rm, not ad; did you mean add\?$/m, 'images', 'ad', 'x'],
      [2, /^usage: topolog images add FILE\n$/, 'images', 'add'],
      [2, /^usage: topolog images ls\n$/, 'images', 'ls', 'x'],
    ]);
  });

  it('make nodes, and are shown and deleted', async () => {
    const body = { name: 'My PC', template_type: 'simple_pc' };
    await on.client.post('/v2/templates', { body: body as never });
    assert.match(await on.well('templates'), /^My PC +simple_pc\n[^]*^VPCS +simple_pc +built in$/m);
    assert.match(await on.well('templates', 'show', 'My'), /^name +My PC$/m);
    const shown = JSON.parse(await on.well('templates', 'show', 'My PC', '--json')) as { template_type: string };
    assert.equal(shown.template_type, 'simple_pc');
    await on.allIll([
      [2, /not deleted: template My PC; add --yes/, 'templates', 'rm', 'My PC'],
      [1, /VPCS is built in: it cannot be deleted/, 'templates', 'rm', 'VPCS', '-y'],
      [1, /Template vpcs does not exist; did you mean VPCS\?$/m, 'templates', 'show', 'vpcs'],
      [2, /topolog templates takes ls, show, rm, not add$/m, 'templates', 'add', 'x'],
      [2, /^usage: topolog templates show TEMPLATE\n$/, 'templates', 'show'],
    ]);
    assert.equal(await on.well('templates', 'rm', 'My PC', '-y'), 'template My PC  deleted\n');
  });

  it('and the server are told in a few lines', async () => {
    await on.well('new', 'lab');
    const told = await on.well('status');
    assert.match(told, /^server +\S+ at http:\/\/127\.0\.0\.1:\d+, writer, data in /);
    assert.match(told, /^log +is well, \d+ events$/m);
    assert.match(told, /^engines +.*simple_pc\/embedded/m);
    assert.match(told, /^labs +1, 1 opened; 0 nodes, 0 started$/m);
    assert.match(told, /^computes +1, all connected$/m);
    const status = JSON.parse(await on.well('status', '--json')) as Record<string, unknown>;
    assert.deepEqual([status['running'], status['status']], [true, 'ok']);
    await on.ill(2, /^usage: topolog status\n$/, 'status', 'lab');
  });

  it('are told not to be there where no server runs', async () => {
    const env = { TOPOLOG_DATA_DIR: path.join(on.directory, 'nothing') };
    const { code, stdout, stderr } = await topologIn(env, 'status');
    assert.deepEqual([code, stderr], [1, '']);
    assert.match(stdout, /^server  does not run on .*nothing: topolog serve starts it\n$/);
    const json = await topologIn(env, 'status', '--json');
    assert.deepEqual([json.code, (JSON.parse(json.stdout) as { running: boolean }).running], [1, false]);
  });
});
