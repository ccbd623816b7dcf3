import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import { announce, findServer } from '../../src/server/found-server.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

interface Follower {
  /** Resolves once this was printed. */
  prints(what: RegExp): Promise<string>;
  stdout(): string;
}

const follow = (t: TestContext, dataDir: string, ...flags: string[]): Follower => {
  const program = programFile('cli/topolog');
  const args = [program, 'log', 'lab', '--follow', '--data-dir', dataDir, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let stdout = '';
  let heard: (() => void)[] = [];
  const hear = (): void => {
    for (const one of heard.splice(0)) one();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
    hear();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    hear();
  });
  const ended = once(child, 'exit').then(hear);
  t.after(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return {
    async prints(what) {
      while (!what.test(output)) {
        assert.equal(child.exitCode, null, `it ended: ${output}`);
        await new Promise<void>((one) => (heard = [...heard, one]));
      }
      return output;
    },
    stdout: () => stdout,
  };
};

const served = async (t: TestContext): Promise<{ dataDir: string; server: ServerProcess; draw(): Promise<string> }> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const served = { server: await spawnServer(dir.path) };
  t.after(() => served.server.kill('SIGTERM'));
  const made = await request(served.server.url, 'POST', '/v2/projects', { name: 'lab' });
  const { project_id } = made.body as { project_id: string };
  return {
    dataDir: dir.path,
    get server() {
      return served.server;
    },
    set server(next) {
      served.server = next;
    },
    async draw() {
      const where = `/v2/projects/${project_id}/drawings`;
      const { body } = await request(served.server.url, 'POST', where, { svg: '<svg></svg>' });
      return (body as { drawing_id: string }).drawing_id;
    },
  };
};

describe('topolog log --follow', () => {
  it('goes on with what happens, also after the server was killed and is back somewhere else', async (t) => {
    const lab = await served(t);
    const follower = follow(t, lab.dataDir);
    await follower.prints(/project\.created/);
    await follower.prints(new RegExp(`drawing\\.created +${await lab.draw()}`));
    await lab.server.kill('SIGKILL');
    await follower.prints(/the server is away/);
    lab.server = await spawnServer(lab.dataDir);
    await follower.prints(new RegExp(`drawing\\.created +${await lab.draw()}`));
    const positions = follower
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => Number.parseInt(line, 10));
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
      'an event was printed twice',
    );
    assert.doesNotMatch(follower.stdout(), /\u001b/);
  });

  it('prints stored events with --json', async (t) => {
    const lab = await served(t);
    const follower = follow(t, lab.dataDir, '--json');
    const drawing = await lab.draw();
    await follower.prints(new RegExp(drawing));
    for (const line of follower.stdout().trimEnd().split('\n'))
      assert.equal(typeof (JSON.parse(line) as { hash: unknown }).hash, 'string');
  });

  it('says that it needs a server where none runs', async (t) => {
    const lab = await served(t);
    await lab.server.kill('SIGTERM');
    const { code, stderr } = await topolog('log', 'lab', '--follow', '--data-dir', lab.dataDir);
    assert.equal(code, 1);
    assert.match(stderr, /--follow needs a running server, and none holds/);
  });
});

describe('a server that holds a data directory', () => {
  it('is not taken for gone while it is silent', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close().closeAllConnections());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await announce(dir.path, { pid: process.pid, url, token: 'x' });
    await assert.rejects(findServer(dir.path, 50), new RegExp(`the server at ${url} does not answer`));
    silent.close().closeAllConnections();
    assert.equal(await findServer(dir.path), null);
  });
});

describe('topolog log --since', () => {
  it('prints what happened since, by the names that were given before', async (t) => {
    const lab = await served(t);
    const [project] = (await request(lab.server.url, 'GET', '/v2/projects')).body as { project_id: string }[];
    const nodes = `/v2/projects/${project?.project_id ?? ''}/nodes`;
    const pc = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const { node_id } = (await request(lab.server.url, 'POST', nodes, pc)).body as { node_id: string };
    const all = (await topolog('log', 'lab', '--json', '--data-dir', lab.dataDir)).stdout.trimEnd().split('\n');
    const last = JSON.parse(all.at(-1) ?? '') as { at: string };
    const since = new Date(Date.parse(last.at) + 1).toISOString();
    await request(lab.server.url, 'POST', `${nodes}/${node_id}/start`, {});
    for (const running of [true, false]) {
      if (!running) await lab.server.kill('SIGTERM');
      const { stdout, stderr } = await topolog('log', 'lab', '--since', since, '--data-dir', lab.dataDir);
      assert.match(stdout, /^\S+ +\S+ +\S+ +node\.start_requested +PC1/m, stderr);
      assert.doesNotMatch(stdout, /project\.created/);
    }
    const none = await topolog('log', 'lab', '--since', 'soon', '--data-dir', lab.dataDir);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /--since must be an ISO time/);
  });
});
