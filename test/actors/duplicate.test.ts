import assert from 'node:assert/strict';
import { mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab } from './test-lab.ts';

describe('a copy of a node', () => {
  it('has the files of the original, each its own', async (t) => {
    const dir = await tempDir();
    const lab = await testLab({ dir: dir.path });
    const { commands } = lab;
    t.after(async () => {
      await lab.close();
      await dir.remove();
    });
    const { project_id } = await commands.createProject(CALLER, { name: 'lab' });
    const properties = { startup_script: 'ip 10.0.0.1/24' };
    const given = { name: 'PC1', kind: 'simple_pc', compute_id: 'local', properties };
    const original = await commands.createNode(CALLER, project_id, given, 'make_unique');
    const fileOf = (directory: string | null, name: string): string => path.join(directory ?? '', name);
    await mkdir(fileOf(original.node_directory, 'disks'));
    await writeFile(fileOf(original.node_directory, 'disks/hda'), 'written by the node');
    await symlink('hda', fileOf(original.node_directory, 'disks/sda'));

    const copy = await commands.duplicateNode(CALLER, original, { x: 1, y: 2 });
    assert.notEqual(copy.node_directory, original.node_directory);
    assert.equal(await readFile(fileOf(copy.node_directory, 'startup.vpc'), 'utf8'), 'ip 10.0.0.1/24');
    await writeFile(fileOf(copy.node_directory, 'disks/hda'), 'by the copy');
    assert.equal(await readFile(fileOf(original.node_directory, 'disks/hda'), 'utf8'), 'written by the node');
    assert.equal(await readlink(fileOf(copy.node_directory, 'disks/sda')), 'hda');
  });
});
