import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { MOST_OF_SERVER } from '../../src/common/bounds.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab } from './test-lab.ts';

describe('a server that is full', () => {
  it('makes no project more, in any way, and no template', async (t) => {
    const dir = await tempDir();
    const lab = await testLab({ dir: dir.path });
    const { commands, records } = lab;
    t.after(async () => {
      await lab.close();
      await dir.remove();
    });
    const { project_id, path: place, filename } = await commands.createProject(CALLER, { name: 'lab' });
    await commands.closeProject(CALLER, project_id);
    const file = path.join(dir.path, 'other', filename);
    await mkdir(path.dirname(file));
    await copyFile(path.join(place, filename), file);
    const { pending } = records;
    const [projects, ofServer] = [pending.projects.bind(pending), pending.ofServer.bind(pending)];
    const filled = <T>(some: readonly T[], most: number): T[] => Array.from({ length: most }, () => some[0] as T);
    pending.projects = () => filled(projects(), MOST_OF_SERVER.project);
    const full = /at most 10000 projects/;
    await assert.rejects(commands.createProject(CALLER, { name: 'more' }), full);
    await assert.rejects(commands.duplicateProject(CALLER, project_id, { name: 'more' }), full);
    await assert.rejects(commands.forkProject(CALLER, project_id, { name: 'more' }), full);
    await assert.rejects(commands.loadProject(CALLER, file, { new_id: true }), full);
    pending.projects = projects;
    pending.ofServer = (what) => filled(ofServer(what), MOST_OF_SERVER.template);
    const template = { kind: 'simple_pc', name: 'mine', settings: {} };
    await assert.rejects(commands.createTemplate(CALLER, template), /at most 5000 templates/);
  });
});

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
