import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { userDirectory } from '../../src/fabric/client/runtime-directory.ts';
import { findFabrics } from '../../src/fabric/client/fabric-process.ts';
import { programFile } from '../../src/common/package.ts';
import { openConsole } from '../support/console.ts';
import { onDisk } from '../support/own-log.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';

/** What a login of a user has of its own; it goes when the user logs out. */
const session = async (root: string, name: string): Promise<Record<string, string>> => {
  const places = { TMPDIR: path.join(root, name, 'tmp'), XDG_RUNTIME_DIR: path.join(root, name, 'run') };
  for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
  return places;
};

/** Two hosts at a link; resolves with their records. */
const buildLab = async ({ url }: ServerProcess): Promise<{ project: string; consoles: number[] }> => {
  const project_id = randomUUID();
  const project = `/v2/projects/${project_id}`;
  assert.equal((await request(url, 'POST', '/v2/projects', { name: 'lab', project_id })).status, 201);
  const nodes: { node_id: string; console: number }[] = [];
  for (const n of [1, 2]) {
    const startup_script = `ip 10.0.0.${n}/24`;
    const node = { name: `PC${n}`, node_type: 'simple_pc', compute_id: 'local', properties: { startup_script } };
    const { status, body, text } = await request(url, 'POST', `${project}/nodes`, node);
    assert.equal(status, 201, text);
    nodes.push(body as (typeof nodes)[number]);
  }
  const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  assert.equal((await request(url, 'POST', `${project}/links`, { nodes: ends })).status, 201);
  assert.equal((await request(url, 'POST', `${project}/nodes/start`, {})).status, 204);
  return { project, consoles: nodes.map(({ console }) => console) };
};

const killed = async (t: TestContext, dataDir: string): Promise<void> => {
  const root = path.dirname(path.dirname(dataDir));
  const first = await session(root, 'first');
  const server = await spawnServer(dataDir, [], programFile('cli/topolog'), first);
  t.after(() => server.kill('SIGKILL'));
  const { project, consoles } = await buildLab(server);
  const [fabric] = await findFabrics(dataDir);
  const console = await openConsole(consoles[0] ?? 0);
  t.after(() => console.close());
  await console.type('ping 10.0.0.2 -t -i 20', /icmp_seq=3/);
  await server.kill('SIGKILL');
  await rm(path.join(root, 'first'), { recursive: true });

  const next = await spawnServer(dataDir, [], programFile('cli/topolog'), await session(root, 'next'));
  t.after(() => next.kill('SIGTERM'));
  const { body } = await request(next.url, 'GET', `${project}/nodes`);
  assert.deepEqual(
    (body as { status: string }[]).map(({ status }) => status),
    ['started', 'started'],
    next.output(),
  );
  assert.match(next.output(), /the fabric was still running\): 2 nodes adopted, 0 lost/);
  assert.deepEqual(await findFabrics(dataDir), [fabric]);
  // Of the same command, which nothing has interrupted.
  const seen = [...(await console.until(/icmp_seq=1\d\d /)).matchAll(/icmp_seq=(\d+)/g)].map(([, seq]) => Number(seq));
  assert.deepEqual(
    seen,
    seen.map((_, index) => index + 1),
  );
  await next.kill('SIGTERM');
  await waitFor('the fabric has ended', async () => (await findFabrics(dataDir)).length === 0);
  const place = await userDirectory();
  const outside = await readdir(place);
  const links = await Promise.all(outside.map((name) => readlink(path.join(place, name)).catch(() => '')));
  assert.deepEqual(
    links.filter((link) => link.startsWith(root)),
    [],
  );
};

describe('a server after a crash, in another session', { skip: onDisk() }, () => {
  it('takes over what runs, whatever TMPDIR and XDG_RUNTIME_DIR are, and though those of the first are gone', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    await killed(t, path.join(dir.path, 'd', 'data'));
  });

  it('does so where the path of the data directory is too long for a socket', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    await killed(t, path.join(dir.path, 'a'.repeat(120), 'data'));
  });
});
