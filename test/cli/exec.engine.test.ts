import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import { type Podman, podmanLacks, startPodman } from '../support/podman.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { type Ended, topologIn } from './run.ts';

const lacks = await podmanLacks();

describe('a console of a container for programs', { skip: lacks ?? false, timeout: 300_000 }, () => {
  let podman: Podman;
  let server: TestServer;
  const topolog = (...args: string[]): Promise<Ended> => topologIn({ TOPOLOG_DATA_DIR: server.dataDir }, ...args);

  before(async () => {
    podman = await startPodman();
    server = await testServer(['--docker-host', `unix://${podman.socket}`]);
    const client = server.client();
    const { project_id } = await client.post('/v2/projects', { body: { name: 'box' } });
    const body = { name: 'web', node_type: 'container' as const, properties: { image: podman.image } };
    const { node_id } = await client.post('/v2/projects/{project_id}/nodes', { path: { project_id }, body });
    await client.post('/v2/projects/{project_id}/nodes/{node_id}/start', { path: { project_id, node_id } });
  });
  after(async () => {
    await server.close();
    await podman.close();
  });

  it('answers a command, also one that is longer than the terminal, fails, or takes its time', async () => {
    assert.deepEqual(await topolog('exec', 'web', 'echo a; echo b'), { code: 0, stdout: 'a\nb\n', stderr: '' });
    const long = `echo ${'x'.repeat(150)} end`;
    assert.deepEqual(await topolog('exec', 'web', long), { code: 0, stdout: `${'x'.repeat(150)} end\n`, stderr: '' });
    assert.deepEqual(await topolog('exec', 'web', 'false'), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(await topolog('exec', 'web', 'sleep 2; echo late'), { code: 0, stdout: 'late\n', stderr: '' });
  });

  it('shows all of what a pipe types', async () => {
    const child = spawn(process.execPath, [programFile('cli/topolog'), 'console', 'web'], {
      env: { ...process.env, TOPOLOG_DATA_DIR: server.dataDir },
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stdin.end('sleep 1; echo $((40 + 2))\necho $((50 + 5))\n');
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.match(stdout, /^42$[^]*^55$/m);
  });
});
