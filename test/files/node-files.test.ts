import assert from 'node:assert/strict';
import { promises as files } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createKinds } from '../../src/emulators/registry.ts';
import { gatherNodeFiles } from '../../src/files/read/old/node-files.ts';
import { fixture } from '../fixtures/fixture.ts';
import { read } from './harness.ts';

const kinds = createKinds();

describe('router files of revision 6', () => {
  let root = '';
  let shared = '';
  before(async () => {
    root = await files.mkdtemp(path.join(os.tmpdir(), 'topolog-routers-'));
    shared = path.join(root, 'project-files', 'dynamips');
    await files.mkdir(path.join(shared, 'configs'), { recursive: true });
    for (const name of ['c7200_i2_nvram', 'c7200_i22_nvram', 'configs/i2_startup-config.cfg', 'configs/i1_x.cfg']) {
      await files.writeFile(path.join(shared, name), name);
    }
  });
  after(() => files.rm(root, { recursive: true, force: true }));

  it('are copied into the directory of the router with their number, once', async () => {
    const project = read(fixture('projects/revision-6.gns3'));
    const router = project.nodes.find((n) => n.name === 'R1')?.node_id ?? '';
    assert.equal(await gatherNodeFiles(project, root, kinds), 2);
    const own = path.join(shared, router);
    assert.deepEqual((await files.readdir(own)).sort(), ['c7200_i2_nvram', 'configs']);
    assert.equal(
      await files.readFile(path.join(own, 'configs/i2_startup-config.cfg'), 'utf8'),
      'configs/i2_startup-config.cfg',
    );
    await files.writeFile(path.join(own, 'c7200_i2_nvram'), 'changed since');
    assert.equal(await gatherNodeFiles(project, root, kinds), 0);
    assert.equal(await files.readFile(path.join(own, 'c7200_i2_nvram'), 'utf8'), 'changed since');
    assert.ok((await files.readdir(shared)).includes('c7200_i2_nvram'), 'the original stays');
  });

  it('are left alone for newer revisions and where there are none', async () => {
    assert.equal(await gatherNodeFiles(read(fixture('projects/revision-7.gns3')), root, kinds), 0);
    assert.equal(await gatherNodeFiles(read(fixture('projects/revision-6.gns3')), path.join(root, 'gone'), kinds), 0);
  });
});
