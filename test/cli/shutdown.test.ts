import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { identityOf } from '../../src/processes/identity.ts';
import { Shutdown } from '../../src/server/shutdown.ts';
import { readCounter } from '../support/echo-engine.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { loggerTo } from '../support/logger.ts';
import { missing } from '../support/programs.ts';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { testProgram } from '../support/test-program.ts';
import { waitFor } from '../support/wait-for.ts';

const directory = async (t: TestContext): Promise<{ path: string }> => {
  const dir = await tempDir();
  t.after(() => dir.remove());
  return dir;
};

/** A process that was killed has a moment until it is gone; that nobody has collected it yet is not ours. */
const gone = async (pid: number): Promise<void> => {
  await waitFor('the process is gone', async () => (await identityOf(pid)) === null);
};

const noPipe = await missing('mkfifo');

const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Version: 13',
];

describe('the end of the server', () => {
  it('ends a fabric that is stopped, and clients that never read', async (t) => {
    const dir = await directory(t);
    const server = await spawnServer(dir.path);
    t.after(() => server.kill('SIGKILL'));
    const fabric = await fabricPid(dir.path);
    const { hostname, port } = new URL(server.url);
    const feed = connect(Number(port), hostname);
    feed.on('error', () => undefined);
    feed.write(['GET /v2/notifications/ws HTTP/1.1', `Host: ${hostname}:${port}`, ...UPGRADE, '', ''].join('\r\n'));
    await once(feed, 'readable');
    process.kill(fabric, 'SIGSTOP');
    await server.kill('SIGTERM');
    feed.destroy();
    assert.equal(server.child.exitCode, 0, server.output());
    assert.match(
      server.output(),
      new RegExp(`the fabric \\(process ${fabric}\\) did not end when it was asked to and is killed`),
    );
    await gone(fabric);
  });

  it('ends a program of a node that is stopped', async (t) => {
    const dir = await directory(t);
    const server = await spawnServer(dir.path, [], testProgram('serve-with-echo'));
    t.after(() => server.kill('SIGKILL'));
    const project = `/v2/projects/${randomUUID()}`;
    const project_id = project.slice('/v2/projects/'.length);
    await request(server.url, 'POST', '/v2/projects', { name: 'lab', project_id });
    const made = await request(server.url, 'POST', `${project}/nodes`, {
      name: 'E',
      node_type: 'echo',
      compute_id: 'local',
    });
    const { node_id, node_directory } = made.body as { node_id: string; node_directory: string };
    const started = await request(server.url, 'POST', `${project}/nodes/${node_id}/start`, {});
    assert.equal(started.status, 200, started.text);
    let pid: number | undefined;
    while (pid === undefined) pid = (await readCounter(node_directory))?.pid;
    process.kill(pid, 'SIGSTOP');
    await server.kill('SIGTERM');
    assert.equal(server.child.exitCode, 0, server.output());
    await gone(pid);
  });

  it('waits for no container service that never answers', async (t) => {
    const dir = await directory(t);
    const silent = createServer(() => undefined).listen(path.join(dir.path, 'docker.sock'));
    await once(silent, 'listening');
    t.after(() => silent.close());
    const server = await spawnServer(path.join(dir.path, 'data'), ['--docker-host', `unix://${dir.path}/docker.sock`]);
    t.after(() => server.kill('SIGKILL'));
    const asked = request(server.url, 'GET', '/v2/compute/capabilities').catch(() => null);
    await server.kill('SIGTERM');
    await asked;
    assert.equal(server.child.exitCode, 0, server.output());
  });

  it(
    'gives up what waits for a disk that does not answer, one sentence each, and ends',
    { skip: noPipe },
    async (t) => {
      const dir = await directory(t);
      const [pipe, hang] = [path.join(dir.path, 'pipe'), path.join(dir.path, 'hang.mjs')];
      execFileSync('mkfifo', [pipe]);
      // Every thread that could work on the disk waits for somebody to write into the pipe.
      const threads = `for (let n = 0; n < 64; n++) void open(${JSON.stringify(pipe)}).catch(() => undefined);`;
      await writeFile(hang, `import { open } from 'node:fs/promises'; process.on('SIGUSR2', () => { ${threads} });`);
      const data = path.join(dir.path, 'data');
      const server = await spawnServer(data, [], undefined, { NODE_OPTIONS: `--import=${hang}` });
      t.after(() => server.kill('SIGKILL'));
      const fabric = await fabricPid(data);
      server.child.kill('SIGUSR2');
      assert.equal((await request(server.url, 'GET', '/v2/version')).status, 200);
      await server.kill('SIGTERM');
      assert.equal(server.child.signalCode, 'SIGKILL');
      assert.match(server.output(), /shutting down: HTTP did not end within 10 s and is given up/);
      assert.match(server.output(), /shutting down: the last event did not end within 2 s and is given up/);
      assert.match(server.output(), /shutting down: the log did not end within 2 s and is given up/);
      await gone(fabric);
    },
  );

  it('goes on behind a step that hangs and one that fails, in reverse order', async () => {
    const [said, ended]: [string[], string[]] = [[], []];
    const shutdown = new Shutdown(loggerTo((line) => said.push(line)));
    shutdown.add('the log', () => ended.push('the log'));
    shutdown.add('an engine', () => new Promise(() => undefined), 10);
    shutdown.add('a file', () => Promise.reject(new Error('no room')));
    await shutdown.runAll();
    assert.deepEqual(said, [
      'shutting down: a file: no room',
      'shutting down: an engine did not end within 0 s and is given up',
    ]);
    assert.deepEqual(ended, ['the log']);
    assert.equal(shutdown.givenUp, 1);
  });
});
