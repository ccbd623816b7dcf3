import assert from 'node:assert/strict';
import { access, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CALLER, testLab } from '../actors/test-lab.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000c1';
const SCRIPT = 'echo from the beginning\n';

const placesIn = async (t: TestContext): Promise<{ first: string; second: string; root: string }> => {
  const dir = await tempDir();
  t.after(async () => {
    // Servers first: one whose files are taken away cannot end well.
    await Promise.all((servers.get(t) ?? []).map((server) => server.kill('SIGKILL')));
    await dir.remove();
  });
  return { root: dir.path, first: path.join(dir.path, 'first'), second: path.join(dir.path, 'second') };
};

const copy = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true, preserveTimestamps: true });

interface Node {
  node_id: string;
  node_directory: string;
  status: string;
  console: number;
}

/** Of each test, to end with it. */
const servers = new WeakMap<TestContext, ServerProcess[]>();

/** A server that ends with its test. */
const serve = async (t: TestContext, dataDir: string): Promise<ServerProcess> => {
  const server = await spawnServer(dataDir);
  servers.set(t, [...(servers.get(t) ?? []), server]);
  return server;
};

const read = async <T>({ url }: ServerProcess, what: string): Promise<T> => {
  const { status, body, text } = await request(url, 'GET', what);
  assert.equal(status, 200, text);
  return body as T;
};
const nodesOf = (server: ServerProcess): Promise<Node[]> => read(server, `/v2/projects/${PROJECT}/nodes`);

/** A lab with a PC that has a start-up script and runs, and a file; the server has ended. */
const labIn = async (t: TestContext, dataDir: string, place?: string): Promise<void> => {
  const server = await serve(t, dataDir);
  const send = async (method: string, to: string, body: unknown): Promise<unknown> => {
    const answer = await request(server.url, method, to, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const project = {
    name: 'lab',
    project_id: PROJECT,
    auto_close: false,
    ...(place === undefined ? {} : { path: place }),
  };
  await send('POST', '/v2/projects', project);
  const node = { node_type: 'simple_pc', name: 'PC1', compute_id: 'local', properties: { startup_script: SCRIPT } };
  const { node_id } = (await send('POST', `/v2/projects/${PROJECT}/nodes`, node)) as Node;
  await send('POST', `/v2/projects/${PROJECT}/files/notes`, 'kept');
  await send('POST', `/v2/projects/${PROJECT}/nodes/${node_id}/start`, {});
  await server.kill('SIGTERM');
};

/** It runs, by what is in this data directory. */
const checkLab = async (server: ServerProcess, dataDir: string): Promise<void> => {
  const { path: place } = await read<{ path: string }>(server, `/v2/projects/${PROJECT}`);
  assert.equal(place, path.join(dataDir, 'projects', PROJECT));
  const [pc] = await nodesOf(server);
  assert.ok(pc);
  assert.ok(pc.node_directory.startsWith(`${place}/`));
  assert.equal(pc.status, 'started');
  assert.equal(await readFile(path.join(pc.node_directory, 'startup.vpc'), 'utf8'), SCRIPT);
  assert.equal((await request(server.url, 'GET', `/v2/projects/${PROJECT}/files/notes`)).text, 'kept');
};

describe('a data directory', () => {
  it('is backed up by a copy after a clean end, and restored in its place', async (t) => {
    const { first, second } = await placesIn(t);
    await labIn(t, first);
    await copy(first, second);
    await rm(first, { recursive: true });
    await copy(second, first);
    const server = await serve(t, first);
    await checkLab(server, first);
    assert.doesNotMatch(server.output(), /the data directory was/);
  });

  it('runs from another path: nodes begin with their start-up files from there, and it says where it was', async (t) => {
    const { first, second } = await placesIn(t);
    await labIn(t, first);
    await rename(first, second);
    const server = await serve(t, second);
    await checkLab(server, second);
    assert.match(server.output(), new RegExp(`the data directory was ${first}; it is ${second} now`));
    const [pc] = await nodesOf(server);
    assert.ok(pc);
    const again = `/v2/projects/${PROJECT}/nodes/${pc.node_id}`;
    assert.equal((await request(server.url, 'POST', `${again}/stop`, {})).status, 200);
    await rm(pc.node_directory, { recursive: true });
    const refused = await request(server.url, 'POST', `${again}/start`, {});
    assert.equal(refused.status, 409);
    assert.ok(refused.text.includes(`${pc.node_directory}/startup.vpc is gone`), refused.text);
    assert.equal((await request(server.url, 'PUT', again, { properties: { startup_script: SCRIPT } })).status, 200);
    assert.equal((await request(server.url, 'POST', `${again}/start`, {})).status, 200);
    await assert.rejects(access(first));
  });

  it('has no paths of its own in the log', async (t) => {
    const { first } = await placesIn(t);
    await labIn(t, first);
    const { stdout } = await topolog('log', PROJECT, '--json', '--data-dir', first);
    assert.ok(stdout.includes(`"path":"projects/${PROJECT}"`), stdout);
    assert.ok(stdout.includes(`"node_directory":"projects/${PROJECT}/project-files/`));
    assert.ok(!stdout.includes(first), stdout);
    const { code, stdout: said } = await topolog('rebuild', '--check', '--data-dir', first);
    assert.equal(code, 0, said);
  });

  it('copied beside its original runs by itself: neither takes over nor ends what is the other’s', async (t) => {
    const { first, second } = await placesIn(t);
    await labIn(t, first);
    await copy(first, second);
    const original = await serve(t, first);
    // What it says of itself is in a copy that is made while it runs.
    await copy(path.join(first, 'server.json'), path.join(second, 'server.json'));
    const asked = await topolog('doctor', '--clean', '--data-dir', second);
    assert.match(asked.stdout, /server +does not run/);
    const twin = await serve(t, second);
    await checkLab(original, first);
    await checkLab(twin, second);
    await twin.kill('SIGTERM');
    await rm(second, { recursive: true });
    await checkLab(original, first);
  });

  it('of a version that kept whole paths is known by its projects', async (t) => {
    const { root, first, second } = await placesIn(t);
    const lab = await testLab({ dir: first });
    const { path: place } = await lab.commands.createProject(CALLER, { name: 'lab', project_id: PROJECT });
    await lab.commands.createNode(CALLER, PROJECT, { kind: 'simple_pc', name: 'PC1', properties: {} }, 'conflict');
    assert.equal(place, path.join(first, 'projects', PROJECT));
    await lab.close();
    await rename(first, second);
    await mkdir(path.join(root, 'first'));
    const server = await serve(t, second);
    const known = await read<{ path: string }>(server, `/v2/projects/${PROJECT}`);
    assert.equal(known.path, path.join(second, 'projects', PROJECT));
    const [pc] = await nodesOf(server);
    assert.ok(pc?.node_directory.startsWith(`${known.path}/`));
    await server.kill('SIGTERM');
    // Once more, now that the log tells where it was.
    await rm(first, { recursive: true });
    await rename(second, first);
    const again = await serve(t, first);
    const [moved] = await nodesOf(again);
    assert.ok(moved?.node_directory.startsWith(path.join(first, 'projects', PROJECT)));
    await again.kill('SIGTERM');
    assert.equal((await topolog('rebuild', '--check', '--data-dir', first)).code, 0);
  });
});

describe('a project outside of the data directory', () => {
  it('that is gone is a warning, and its nodes do not start without their files', async (t) => {
    const { root, first } = await placesIn(t);
    const place = path.join(root, 'elsewhere');
    await labIn(t, first, place);
    await rename(place, path.join(root, 'moved'));
    const server = await serve(t, first);
    const gone = new RegExp(`${place}, the directory of lab, is gone`);
    assert.match(server.output(), gone);
    const { events } = await read<{ events: { type: string; data: { message: string } }[] }>(
      server,
      `/v2/projects/${PROJECT}/events?type=warning.raised`,
    );
    assert.ok(events.some(({ data }) => gone.test(data.message)));
    const [pc] = await nodesOf(server);
    assert.equal(pc?.status, 'stopped');
    const refused = await request(server.url, 'POST', `/v2/projects/${PROJECT}/nodes/${pc.node_id}/start`, {});
    assert.equal(refused.status, 409);
    assert.ok(refused.text.includes(`${place}, the directory of its project, is gone`), refused.text);
  });
});
