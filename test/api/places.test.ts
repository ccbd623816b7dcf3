import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Answer, type TestServer, testServer } from '../support/server.ts';
import { emptyProject, zipOf } from '../support/zip.ts';

type Bag = Record<string, unknown>;

describe('a directory that another project has', () => {
  let server: TestServer;
  before(async () => (server = await testServer()));
  after(() => server.close());

  let root = '';
  let taken = '';
  let first = '';
  beforeEach(async () => {
    root = path.join(server.dataDir, '..', randomUUID());
    taken = path.join(root, 'lab');
    await mkdir(root);
    const made = await create(taken, 'first');
    assert.equal(made.status, 201, made.text);
    first = String((made.body as Bag)['project_id']);
  });

  const create = (at: string, name = 'second'): Promise<Answer> =>
    server.request('POST', '/v2/projects', { name: `${name} ${randomUUID()}`, path: at });
  const duplicate = (at: string): Promise<Answer> =>
    server.request('POST', `/v2/projects/${first}/duplicate`, { name: randomUUID(), path: at });
  const importInto = async (at: string): Promise<Answer> => {
    const bytes = zipOf([{ name: 'project.gns3', data: emptyProject({}) }]);
    const where = `${server.url}/v2/projects/${randomUUID()}/import?path=${encodeURIComponent(at)}`;
    const answer = await fetch(where, { method: 'POST', body: bytes });
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text) as unknown, headers: answer.headers };
  };
  const count = async (): Promise<number> => ((await server.request('GET', '/v2/projects')).body as Bag[]).length;

  /** Each way of making a project there is refused, and leaves nothing. */
  const assertRefused = async (at: string, ways = [create, duplicate, importInto]): Promise<void> => {
    const beside = (): Promise<string[]> => readdir(path.dirname(path.resolve(at))).catch(() => []);
    const [projects, names] = [await count(), await beside()];
    for (const way of ways) {
      const answer = await way(at);
      assert.equal(answer.status, 409, `${at}: ${answer.text}`);
      const { field, message } = answer.body as Bag;
      assert.equal(field, 'path');
      assert.match(String(message), /path/);
    }
    assert.equal(await count(), projects);
    assert.deepEqual(await beside(), names);
  };

  it('is refused, however it is written, and while that one is closed', async () => {
    await symlink(root, `${root}-link`);
    const same = [taken, `${taken}/`, `${taken}/../lab`, `${taken}/.`, path.join(`${root}-link`, 'lab')];
    for (const at of same) await assertRefused(at);
    assert.equal((await server.request('POST', `/v2/projects/${first}/close`)).status, 204);
    for (const at of same) await assertRefused(at);
  });

  it('is refused to one of several at the same time', async () => {
    const at = path.join(root, 'race');
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(at)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  it('is refused below what the project takes along, and where nothing is beside it, not', async () => {
    await assertRefused(path.join(taken, 'project-files', 'vpcs'), [create, importInto]);
    await assertRefused(path.join(taken, 'snapshots', 'x'), [create, importInto]);
    const own = (await server.request('POST', '/v2/projects', { name: randomUUID() })).body as Bag;
    await assertRefused(path.join(String(own['path']), 'inner'));
    assert.equal((await create(path.join(root, 'beside'))).status, 201);
    assert.equal((await duplicate(path.join(root, 'copy'))).status, 201);
    assert.equal((await importInto(path.join(root, 'brought'))).status, 201);
  });

  it('is refused where the server keeps its own', async () => {
    const { dataDir } = server;
    const places = ['', 'projects', 'images', 'images/QEMU', 'staging/x', 'symbols', 'log', 'run'];
    for (const place of places) assert.equal((await create(path.join(dataDir, place))).status, 409, place);
    for (const place of [path.dirname(dataDir), '/']) assert.equal((await create(place)).status, 409, place);
    assert.equal((await create(path.join(dataDir, 'projects', 'by-name'))).status, 201);
  });

  it('is not written over where a project file is that nobody loaded', async () => {
    const at = path.join(root, 'unknown');
    await mkdir(at);
    await writeFile(path.join(at, 'mine.gns3'), 'mine');
    const answer = await server.request('POST', '/v2/projects', { name: 'mine', path: at });
    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.text, /mine\.gns3 already; load that/);
    assert.equal(await readFile(path.join(at, 'mine.gns3'), 'utf8'), 'mine');
    assert.equal((await create(at)).status, 201);
  });

  it('is refused to the one whose id it has for a name', async () => {
    const project_id = randomUUID();
    assert.equal((await create(path.join(server.dataDir, 'projects', project_id))).status, 201);
    const answer = await server.request('POST', '/v2/projects', { name: project_id, project_id });
    assert.equal(answer.status, 409, answer.text);
  });

  it('is free again when that one is deleted', async () => {
    assert.equal((await server.request('DELETE', `/v2/projects/${first}`)).status, 204);
    assert.equal((await create(taken)).status, 201);
  });

  it('is recorded without what is only another way to write it', async () => {
    const made = (await create(`${root}/a/../b/`)).body as Bag;
    assert.equal(made['path'], path.join(root, 'b'));
    await access(path.join(root, 'b'));
  });

  it('holds no second lab to load where the server made it for one, and does elsewhere', async () => {
    const own = (await server.request('POST', '/v2/projects', { name: randomUUID() })).body as Bag;
    const project_id = randomUUID();
    const text = emptyProject({ project_id, name: project_id });
    const inside = path.join(String(own['path']), 'other.gns3');
    await writeFile(inside, text);
    const refused = await server.request('POST', '/v2/projects/load', { path: inside });
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, new RegExp(String(own['project_id'])));
    const beside = path.join(taken, 'other.gns3');
    await cp(inside, beside);
    assert.equal((await server.request('POST', '/v2/projects/load', { path: beside })).status, 201);
  });
});
