import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FileLists, fetchFiles, sendFiles } from '../../src/computes/nodes/files.ts';
import { ComputeImages } from '../../src/computes/nodes/images.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { plainClient } from './plain-client.ts';

let server: TestServer;
let dir: Awaited<ReturnType<typeof tempDir>>;
const { signal } = new AbortController();
before(async () => {
  dir = await tempDir();
  server = await testServer();
});
after(async () => {
  await server.close();
  await dir.remove();
});

describe('a Topolog as compute', () => {
  it('takes images, with folders too, and is not sent them twice', async () => {
    const VM = createKinds().get('machine_emulator');
    assert.ok(VM?.images);
    const folder = path.join(dir.path, 'images', VM.images.folder);
    await mkdir(path.join(folder, 'debian 12'), { recursive: true });
    await writeFile(path.join(folder, 'disk.img'), 'a disk');
    await writeFile(path.join(folder, 'debian 12', 'system.img'), 'a system');
    const node = {
      properties: { hda_disk_image: 'disk.img', hdb_disk_image: 'debian 12/system.img' },
      node_directory: null,
    };
    const client = plainClient(server.url);
    const sent: string[] = [];
    const upload: typeof client.upload = (where, ...rest) => {
      sent.push(where);
      return client.upload(where, ...rest);
    };
    for (let connection = 0; connection < 2; connection++) {
      const parts = { client: { ...client, upload }, compute: 'far', images: { filesDir: dir.path } };
      await new ComputeImages(parts).send(node, VM, signal);
    }
    assert.deepEqual(sent, ['/qemu/images/disk.img', '/qemu/images/debian%2012/system.img']);
    const there = path.join(server.dataDir, 'images', VM.images.folder, 'debian 12', 'system.img');
    assert.equal(await readFile(there, 'utf8'), 'a system');
  });

  it('takes files of a node and gives them back', async () => {
    const parts = { client: plainClient(server.url), compute: 'far' };
    const [project_id, node_id] = [randomUUID(), randomUUID()];
    await parts.client.request('POST', '/projects', { body: { name: 'lab', project_id } });
    const made = await parts.client.request('POST', `/projects/${project_id}/vpcs/nodes`, {
      body: { name: 'PC1', node_id },
    });
    assert.ok(made);
    const root = path.join(dir.path, 'project-files', 'vpcs', node_id);
    await mkdir(path.join(root, 'more'), { recursive: true });
    const files = { 'startup.vpc': 'ip 10.0.0.1/24\n', 'more/two words.gz': 'no gzip' };
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(root, name), content);
    const at = { node: { project_id, node_id, node_directory: root }, directory: 'vpcs' };
    await sendFiles({ ...parts, lists: new FileLists() }, at);
    await rm(root, { recursive: true });
    await fetchFiles(parts, at);
    for (const [name, content] of Object.entries(files))
      assert.equal(await readFile(path.join(root, name), 'utf8'), content);
    assert.deepEqual((await readdir(root)).sort(), ['more', 'startup.vpc']);
  });
});
