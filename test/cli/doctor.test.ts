import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { VERSION } from '../../src/common/package.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { markEnvironment, markOf } from '../../src/processes/marker.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { testProgram } from '../support/test-program.ts';
import { topolog } from './run.ts';

const WITH_ECHO = testProgram('serve-with-echo');

/** A process as an engine would have started it. */
const emulator = async (t: TestContext, dataDir: string, node_id: string): Promise<ChildProcess> => {
  const env = { ...process.env, ...markEnvironment({ node_id, project_id: randomUUID() }, await markOf(dataDir)) };
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    env,
    detached: true,
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
};

const runs = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** A server with one running node. */
const served = async (t: TestContext): Promise<{ dataDir: string; server: ServerProcess; node_id: string }> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const server = await spawnServer(dir.path, [], WITH_ECHO);
  t.after(() => server.kill('SIGTERM'));
  const post = async (where: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await request(server.url, 'POST', where, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body as Record<string, unknown>;
  };
  const { project_id } = await post('/v2/projects', { name: 'lab' });
  const nodes = `/v2/projects/${String(project_id)}/nodes`;
  const { node_id } = await post(nodes, { name: 'E1', node_type: 'echo', compute_id: 'local' });
  await post(`${nodes}/${String(node_id)}/start`, {});
  return { dataDir: dir.path, server, node_id: String(node_id) };
};

describe('topolog doctor', () => {
  it('finds all well where nothing is, makes nothing, and tells how to get what is missing', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const { code, stdout, stderr } = await topolog('doctor', '--data-dir', path.join(dir.path, 'data'));
    assert.equal(code, 0, stderr);
    assert.ok(
      stdout.split('\n').some((line) => /^version +\S+$/.test(line) && line.endsWith(` ${VERSION}`)),
      stdout,
    );
    assert.match(stdout, /not there yet/);
    assert.match(stdout, /simple_pc +embedded +ready/);
    assert.doesNotMatch(stdout, / iou +ready/);
    assert.match(stdout, /frames +UDP by (koffi|Node's own sockets)/);
    for (const line of stdout.split('\n').filter((l) => / missing /.test(l))) assert.match(line, /missing +.+: .+/);
    assert.match(stdout, /All is well/);
    await writeFile(path.join(dir.path, 'file'), '');
    const file = await topolog('doctor', '--data-dir', path.join(dir.path, 'file'));
    assert.equal(file.code, 1, file.stdout);
    assert.match(file.stdout, /data +.*file is no directory/);
    const again = await topolog('doctor', '--data-dir', path.join(dir.path, 'data'));
    assert.match(again.stdout, /not there yet/);
  });

  it('lists a process of no node, and ends it with --clean, and only it', async (t) => {
    const { dataDir, server } = await served(t);
    const other = await tempDir();
    t.after(other.remove);
    const left = await emulator(t, dataDir, randomUUID());
    const foreign = await emulator(t, other.path, randomUUID());
    const found = await topolog('doctor', '--data-dir', dataDir);
    assert.equal(found.code, 1, found.stdout);
    assert.match(found.stdout, /server +runs at http/);
    assert.match(found.stdout, /processes +1 of nodes, 1 left over/);
    assert.match(found.stdout, new RegExp(`${left.pid ?? 0} +left over +of node `));
    assert.ok(runs(left));
    const ended = once(left, 'exit');
    const cleaned = await topolog('doctor', '--clean', '--data-dir', dataDir);
    assert.equal(cleaned.code, 0, cleaned.stdout);
    await ended;
    assert.ok(runs(foreign));
    assert.match((await topolog('doctor', '--data-dir', dataDir)).stdout, /processes +1 of nodes, 0 left over/);
    const nodes = await request(server.url, 'GET', '/v2/projects');
    assert.equal(nodes.status, 200);
  });

  it('leaves what waits for the next server after this one was killed', async (t) => {
    const { dataDir, server } = await served(t);
    const fabric = await fabricPid(dataDir);
    await server.kill('SIGKILL');
    const { code, stdout } = await topolog('doctor', '--clean', '--data-dir', dataDir);
    assert.match(stdout, new RegExp(`fabric +process ${fabric}; 1 running nodes wait for a server`));
    assert.match(stdout, /processes +1 of nodes, 0 left over/);
    assert.match(stdout, /log +position \d+, whole/);
    assert.equal(code, 0);
    const next = await spawnServer(dataDir, [], WITH_ECHO);
    t.after(() => next.kill('SIGTERM'));
    assert.match(next.output(), /engines/);
  });

  it('does not take the server of a data directory for that of its copy', async (t) => {
    const { dataDir } = await served(t);
    const copy = await tempDir();
    t.after(copy.remove);
    await cp(path.join(dataDir, 'server.json'), path.join(copy.path, 'server.json'));
    assert.match((await topolog('doctor', '--data-dir', copy.path)).stdout, /server +does not run/);
    assert.match((await topolog('doctor', '--data-dir', dataDir)).stdout, /server +runs at http/);
  });

  it('asks nobody where it is damaged which server runs, and names the file', async (t) => {
    const { dataDir } = await served(t);
    const file = path.join(dataDir, 'server.json');
    const whole = await readFile(file, 'utf8');
    await writeFile(
      file,
      whole.replace(/:(\d+)"/, (_, port: string) => `:${Number(port) ^ 1}"`),
    );
    const { code, stderr } = await topolog('doctor', '--data-dir', dataDir);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /server\.json is damaged, or was changed by hand: it does not fit its checksum; .*remove it where none runs/,
    );
  });

  it('finds nothing left over after a clean stop', async (t) => {
    const { dataDir, server } = await served(t);
    await server.kill('SIGTERM');
    const { code, stdout } = await topolog('doctor', '--data-dir', dataDir);
    assert.match(stdout, /fabric +does not run/);
    assert.match(stdout, /processes +0 of nodes, 0 left over/);
    assert.equal(code, 0);
  });

  it('says where a log is damaged, and then takes no process for left over', async (t) => {
    const { dataDir, server } = await served(t);
    await server.kill('SIGTERM');
    const store = await levelStore(path.join(dataDir, 'log'))();
    await store.batch(
      [
        { type: 'put', key: KEYS.event(3), value: '{}' },
        { type: 'put', key: KEYS.checked, value: '0' },
      ],
      { sync: true },
    );
    await store.close();
    const { code, stdout } = await topolog('doctor', '--data-dir', dataDir);
    assert.match(stdout, /log +position 3: the stored content does not fit its hash/);
    assert.equal(code, 1);
  });
});
