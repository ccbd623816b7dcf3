import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Answer, type TestServer, testServer } from '../support/server.ts';

type Bag = Record<string, unknown>;

describe('a project file whose project_id is loaded already', () => {
  let server: TestServer;
  before(async () => (server = await testServer()));
  after(() => server.close());

  const directory = (name: string): string => path.join(server.dataDir, '..', name);
  const load = (file: string, query = ''): Promise<Answer> =>
    server.request('POST', `/v2/projects/load${query}`, { path: file });

  /** A closed lab with one PC that has a start-up file. */
  const lab = async (name: string): Promise<{ file: string; project_id: string; node_id: string }> => {
    const made = (await server.request('POST', '/v2/projects', { name, path: directory(name) })).body as Bag;
    const project_id = String(made['project_id']);
    const properties = { startup_script: 'set pcname here\n' };
    const body = { name: 'PC1', node_type: 'vpcs', compute_id: 'local', properties };
    const node = (await server.request('POST', `/v2/projects/${project_id}/nodes`, body)).body as Bag;
    assert.equal((await server.request('POST', `/v2/projects/${project_id}/close`)).status, 204);
    const file = path.join(directory(name), String(made['filename']));
    return { file, project_id, node_id: String(node['node_id']) };
  };

  const copyOf = async (file: string, to: string): Promise<string> => {
    await cp(path.dirname(file), directory(to), { recursive: true });
    return path.join(directory(to), path.basename(file));
  };

  for (const state of ['opened', 'closed'])
    it(`is refused while that is ${state}, and the answer says where it was loaded from`, async () => {
      const { file, project_id } = await lab(`first ${state}`);
      if (state === 'opened') await server.request('POST', `/v2/projects/${project_id}/open`);
      const copy = await copyOf(file, `copy ${state}`);
      const answer = await load(copy);
      assert.equal(answer.status, 409, answer.text);
      const { message, project_id: told, path: where } = answer.body as Bag;
      assert.ok(String(message).includes(file) && String(message).includes('new_id=true'), String(message));
      assert.deepEqual([told, where], [project_id, file]);
      assert.equal(((await server.request('GET', `/v2/projects/${project_id}`)).body as Bag)['status'], state);
    });

  it('is loaded beside it with new_id=true, with its files', async () => {
    const { file, project_id, node_id } = await lab('one');
    const copy = await copyOf(file, 'two');
    const answer = await load(copy, '?new_id=true');
    assert.equal(answer.status, 201, answer.text);
    const { project_id: own, name } = answer.body as Bag;
    assert.notEqual(own, project_id);
    assert.notEqual(name, 'one');
    const [node] = (await server.request('GET', `/v2/projects/${String(own)}/nodes`)).body as Bag[];
    assert.notEqual(node?.['node_id'], node_id);
    const script = path.join(String(node?.['node_directory']), 'startup.vpc');
    assert.equal(await readFile(script, 'utf8'), 'set pcname here\n');
    assert.ok(script.startsWith(directory('two')));
    // The file says what it is now, so that it is that project however often it is loaded.
    assert.equal((JSON.parse(await readFile(copy, 'utf8')) as Bag)['project_id'], own);
    for (const query of ['', '?new_id=true']) assert.equal(((await load(copy, query)).body as Bag)['project_id'], own);
    assert.equal(((await load(file)).body as Bag)['project_id'], project_id);
  });

  it('is that project when the file was moved, or is reached over a link', async () => {
    const { file, project_id } = await lab('here');
    const link = path.join(directory('here'), 'link.gns3');
    await symlink(file, link);
    assert.equal(((await load(link)).body as Bag)['project_id'], project_id);
    await server.request('POST', `/v2/projects/${project_id}/close`);
    await rename(directory('here'), directory('there'));
    const moved = path.join(directory('there'), path.basename(file));
    assert.equal(((await load(moved)).body as Bag)['path'], directory('there'));
    await mkdir(directory('here'));
    await writeFile(file, await readFile(moved));
    assert.equal((await load(file)).status, 409);
    assert.equal((await load(file, '?new_id=perhaps')).status, 400);
  });
});
