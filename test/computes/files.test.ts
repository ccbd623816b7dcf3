import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FileLists, fetchFiles, fetchProject, type NodeFiles, sendFiles } from '../../src/computes/nodes/files.ts';
import { FakeCompute } from '../support/fake-compute.ts';
import { tempDir } from '../support/temp.ts';
import { plainClient } from './plain-client.ts';

let dir: Awaited<ReturnType<typeof tempDir>>;
let fake: FakeCompute;
let project_id: string;
const parts = () => ({ client: plainClient(fake.url), compute: 'far' });

beforeEach(async () => {
  dir = await tempDir();
  fake = await FakeCompute.start({ pingMs: 0 });
  project_id = randomUUID();
  await parts().client.request('POST', '/projects', { body: { name: 'lab', project_id } });
});
afterEach(async () => {
  await fake.close();
  await dir.remove();
});

const newNode = (): NodeFiles & { root: string } => {
  const node_id = randomUUID();
  const root = path.join(dir.path, 'project-files', 'vpcs', node_id);
  return { node: { project_id, node_id, node_directory: root }, directory: 'vpcs', root };
};
const write = async (root: string, files: Record<string, string>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
};
const read = async (root: string): Promise<Record<string, string>> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (file) => [path.relative(root, file), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(contents.sort()) as Record<string, string>;
};
const far = (at: NodeFiles, files: Record<string, string | Buffer>): void => {
  for (const [name, content] of Object.entries(files))
    fake.lab.filesOf(project_id).set(`project-files/vpcs/${at.node.node_id}/${name}`, Buffer.from(content));
};
const transfers = (): string[] =>
  fake
    .asked(({ path: where }) => where.includes('/files/'))
    .map((call) => call.replace(/ .*\/(?:[0-9a-f-]{36})\//, ' '))
    .sort();

describe('files of a node that goes to a compute', () => {
  it('are sent where they are missing there or are others, once', async () => {
    const at = newNode();
    await write(at.root, {
      'startup.vpc': 'ip 10.0.0.1',
      'deep/two words.txt': 'b',
      'same.txt': 'same',
      'vpcs.log': 'l',
    });
    await symlink('/etc/hostname', path.join(at.root, 'link'));
    far(at, { 'startup.vpc': 'older', 'same.txt': 'same', 'only-there': 'x' });
    await sendFiles({ ...parts(), lists: new FileLists() }, at);
    assert.deepEqual(transfers(), ['POST deep/two words.txt', 'POST startup.vpc']);
    const place = `project-files/vpcs/${at.node.node_id}`;
    const there = fake.lab.filesOf(project_id);
    assert.equal(String(there.get(`${place}/deep/two words.txt`)), 'b');
    assert.equal(String(there.get(`${place}/startup.vpc`)), 'ip 10.0.0.1');
    await sendFiles({ ...parts(), lists: new FileLists() }, at);
    assert.equal(transfers().length, 2);
  });

  it('are none where there is no directory', async () => {
    const at = newNode();
    await sendFiles({ ...parts(), lists: new FileLists() }, at);
    await sendFiles({ ...parts(), lists: new FileLists() }, { ...at, node: { ...at.node, node_directory: null } });
    assert.deepEqual(transfers(), []);
  });
});

describe('files of a node that come back', () => {
  it('make its directory what the compute has; logs, links, and what is of no node stay', async () => {
    const at = newNode();
    await write(at.root, { 'startup.vpc': 'older', 'same.txt': 'same', 'gone/away.txt': 'x', 'own.log': 'mine' });
    await symlink('/etc/hostname', path.join(at.root, 'link'));
    far(at, { 'startup.vpc': 'newer', 'same.txt': 'same', 'new/one.txt': 'n', 'vpcs.log': 'theirs', 'tmp/kept': 't' });
    for (const name of ['captures/a.pcap', 'recordings/b.cast', 'tmp/c'])
      fake.lab.filesOf(project_id).set(`project-files/${name}`, Buffer.from('no node'));
    await fetchFiles(parts(), at);
    assert.deepEqual(await read(at.root), {
      ...{ 'startup.vpc': 'newer', 'same.txt': 'same', 'new/one.txt': 'n', 'own.log': 'mine', 'tmp/kept': 't' },
    });
    assert.deepEqual((await readdir(at.root)).sort(), ['link', 'new', 'own.log', 'same.txt', 'startup.vpc', 'tmp']);
    assert.deepEqual(transfers(), ['GET new/one.txt', 'GET startup.vpc', 'GET tmp/kept']);
    assert.deepEqual(await readdir(path.dirname(at.root)), [at.node.node_id]);
    await fetchFiles(parts(), at);
    assert.equal(transfers().length, 3);
  });

  it('that are compressed are stored as they are', async () => {
    const at = newNode();
    const packed = gzipSync('text');
    far(at, { 'backup.gz': packed, 'broken.tgz': 'no gzip at all' });
    await fetchFiles(parts(), at);
    assert.deepEqual(await readFile(path.join(at.root, 'backup.gz')), packed);
    assert.equal(await readFile(path.join(at.root, 'broken.tgz'), 'utf8'), 'no gzip at all');
  });

  it('may be a directory where a file was, and the other way round', async () => {
    const at = newNode();
    await write(at.root, { a: 'file', 'b/c': 'below' });
    far(at, { 'a/d': 'below now', b: 'file now' });
    await fetchFiles(parts(), at);
    assert.deepEqual(await read(at.root), { 'a/d': 'below now', b: 'file now' });
  });

  it('change nothing when one cannot be fetched, or is another than was listed', async () => {
    const at = newNode();
    await write(at.root, { a: 'old', z: 'old' });
    far(at, { a: 'new', b: 'new' });
    fake.answerNext('GET /b', 500, 'Traceback');
    await assert.rejects(fetchFiles(parts(), at), /500: Traceback/);
    assert.deepEqual(await read(at.root), { a: 'old', z: 'old' });
    fake.answerNext('GET /b', 404, { message: 'GET b not found', status: 404 });
    await assert.rejects(fetchFiles(parts(), at), { code: 'not_found' });
    const held = fake.stall('GET /a', { before: true });
    const changed = assert.rejects(fetchFiles(parts(), at), { code: 'conflict', message: /has changed meanwhile/ });
    await held.arrived;
    far(at, { a: 'newer' });
    held.release();
    await changed;
    assert.deepEqual(await read(at.root), { a: 'old', z: 'old' });
    assert.deepEqual(await readdir(path.dirname(at.root)), [at.node.node_id]);
  });

  it('stay where the compute has none of the node: it has lost them', async () => {
    const at = newNode();
    await write(at.root, { a: 'the only one' });
    await fetchFiles(parts(), at);
    assert.deepEqual(await read(at.root), { a: 'the only one' });
  });

  it('are refused with names that lead out of the directory, over links too, and nothing is written', async () => {
    for (const name of ['../other/x', 'a/../../x', '.topolog/x', 'a\\..\\x', 'c:/x']) {
      const at = newNode();
      await write(at.root, { kept: 'kept' });
      far(at, { [name]: 'evil', fine: 'fine' });
      await assert.rejects(fetchFiles(parts(), at), { code: 'forbidden' }, name);
      assert.deepEqual(await read(at.root), { kept: 'kept' });
    }
    const at = newNode();
    const outside = path.join(dir.path, 'outside');
    await write(outside, { 'x.txt': 'untouched' });
    await write(at.root, { kept: 'kept' });
    await symlink(outside, path.join(at.root, 'way'));
    far(at, { 'way/x.txt': 'evil' });
    await assert.rejects(fetchFiles(parts(), at), { code: 'forbidden', message: /leads out .* over a link/ });
    assert.deepEqual(await read(outside), { 'x.txt': 'untouched' });
    // A link that has the name itself makes room for the file.
    const linked = newNode();
    await mkdir(linked.root, { recursive: true });
    await symlink(path.join(outside, 'x.txt'), path.join(linked.root, 'x.txt'));
    far(linked, { 'x.txt': 'mine' });
    await fetchFiles(parts(), linked);
    assert.deepEqual(await read(linked.root), { 'x.txt': 'mine' });
    assert.deepEqual(await read(outside), { 'x.txt': 'untouched' });
  });
});

describe('files of all nodes of a project', () => {
  it('are fetched with one list, a few nodes at a time', async () => {
    const nodes = Array.from({ length: 9 }, newNode);
    for (const at of nodes) far(at, { 'a.txt': at.node.node_id });
    const isFile = (request: { path: string }): boolean => request.path.endsWith('/a.txt');
    const held = fake.stall(isFile);
    const done = fetchProject(parts(), project_id, nodes);
    await held.arrived;
    while (fake.asked(isFile).length < 4) await fake.next(isFile);
    held.release();
    await done;
    for (const at of nodes) assert.deepEqual(await read(at.root), { 'a.txt': at.node.node_id });
    assert.equal(fake.asked('GET /files').length, 1);
  });

  it('end with the first that fails', async () => {
    const nodes = Array.from({ length: 9 }, newNode);
    for (const at of nodes) far(at, { 'a.txt': 'a' });
    fake.answerNext('GET /a.txt', 500, 'Traceback');
    await assert.rejects(fetchProject(parts(), project_id, nodes), /Traceback/);
    assert.ok(fake.asked('GET /a.txt').length < 9);
    await fetchProject(parts(), project_id, nodes);
    await fetchProject(parts(), project_id, []);
  });
});
