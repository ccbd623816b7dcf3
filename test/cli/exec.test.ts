import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import type { Client } from '../../src/client/index.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { type Ended, topologIn } from './run.ts';

const LAB = `lab: Consoles
version: 1
nodes:
  SW: { kind: ethernet_switch }
  PC1: { kind: simple_pc, address: 10.0.0.1/24 }
  PC2: { kind: simple_pc, address: 10.0.0.2/24 }
  Off: { kind: simple_pc }
links:
  - [PC1:0, SW:0]
  - [PC2:0, SW:1]
`;

describe('a console for programs', { timeout: 300_000 }, () => {
  let server: TestServer;
  let client: Client;
  let env: NodeJS.ProcessEnv;
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  /** With this as its standard input. */
  const piped = async (input: string, ...args: string[]): Promise<Ended> => {
    const child = spawn(process.execPath, [programFile('cli/topolog'), ...args], { env: { ...process.env, ...env } });
    child.stdin.end(input);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  };

  before(async () => {
    server = await testServer();
    client = server.client();
    env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
    const { project_id } = await client.post('/v2/labs/apply', { body: { text: LAB, start: true } });
    const nodes = await client.get('/v2/projects/{project_id}/nodes', { path: { project_id } });
    const { node_id } = nodes.find(({ name }) => name === 'Off') ?? { node_id: '' };
    await client.post('/v2/projects/{project_id}/nodes/{node_id}/stop', { path: { project_id, node_id } });
  });
  after(() => server.close());

  it('shows the whole answer of what a pipe types, and ends at the prompt', async () => {
    const pings = await piped('ping 10.0.0.2 -c 3\n', 'console', 'PC1');
    assert.deepEqual([pings.code, pings.stderr], [0, '']);
    assert.match(pings.stdout, /icmp_seq=3 ttl=64[^]*PC1> \n$/);
    const lines = await piped('echo one\nping 10.0.0.2 -c 2\necho two\n', 'console', 'PC1');
    assert.match(lines.stdout, /^one$[^]*icmp_seq=2 ttl=64[^]*^two\n[^]*PC1> \n$/m);
    // Nothing of what the console had shown before, and plain ends of lines.
    assert.doesNotMatch(lines.stdout, /icmp_seq=3|\r/);
  });

  it('is left at once where nothing is typed, and after a while where a line is left unfinished', async () => {
    const nothing = await piped('', 'console', 'PC2');
    assert.deepEqual([nothing.code, nothing.stderr], [0, '']);
    const part = await piped('echo a', 'console', 'PC2');
    assert.deepEqual([part.code, part.stderr], [0, '']);
    await piped('\u0003', 'console', 'PC2');
  });

  it('ends with 1 where the prompt does not come back in time', async () => {
    const endless = await piped('ping 10.0.0.2 -t\n', 'console', 'PC1', '--timeout', '2s');
    assert.equal(endless.code, 1, endless.stdout);
    assert.match(endless.stderr, /Consoles\/PC1 was still busy 2s after the end of the input/);
    await piped('\u0003', 'console', 'PC1');
  });

  it('is told a command by exec, which prints its output alone', async () => {
    assert.deepEqual(await topolog('exec', 'PC1', 'echo a b'), { code: 0, stdout: 'a b\n', stderr: '' });
    const { code, stdout } = await topolog('exec', 'Consoles/PC1', 'ping 10.0.0.2 -c 2');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^\n84 bytes from 10\.0\.0\.2 icmp_seq=1 [^\n]*\n84 bytes from 10\.0\.0\.2 icmp_seq=2 [^\n]*\n$/,
    );
    // The prompt is another one afterwards.
    assert.deepEqual(await topolog('exec', 'PC2', 'set pcname other'), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(await topolog('exec', 'PC2', 'echo # 100%'), { code: 0, stdout: '# 100%\n', stderr: '' });
  });

  it('says by its exit code why there is no answer', async () => {
    const busy = await topolog('exec', 'PC1', 'ping 10.0.0.2 -t', '--timeout', '2s');
    assert.equal(busy.code, 3, busy.stdout);
    assert.match(busy.stdout, /icmp_seq=1 ttl=64/);
    assert.match(busy.stderr, /Consoles\/PC1 did not come back to its prompt within 2s/);
    // Nothing is typed into what still runs.
    const still = await topolog('exec', 'PC1', 'echo never', '--timeout', '1s');
    assert.equal(still.code, 3);
    assert.match(still.stderr, /Consoles\/PC1 is at no prompt/);
    const freed = await piped('\u0003', 'console', 'PC1');
    assert.doesNotMatch(freed.stdout, /never/);
    for (const [args, code, says] of [
      [['Off', 'echo a'], 1, /Off is not started/],
      [['SW', 'help'], 1, /SW has no text console/],
      [['PC9', 'echo a'], 1, /Node PC9 does not exist/],
      [['PC1'], 2, /topolog exec NODE COMMAND/],
      [
        ['PC1', 'ping', '10.0.0.2', '-c', '3'],
        2,
        /Unknown option '-c'; options of the command are in its quotes, or behind --/,
      ],
      [['PC1', 'echo a', '--timeout', 'soon'], 2, /--timeout must be a duration/],
      [['PC1', 'echo a\necho b'], 2, /one line/],
    ] as const) {
      const ended = await topolog('exec', ...args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], `${args.join(' ')}: ${ended.stderr}`);
      assert.match(ended.stderr, says);
    }
    assert.equal((await topolog('exec', 'PC2', '--', 'echo', '-n', 'x')).stdout, '-n x\n');
    assert.match((await topolog('help', 'exec')).stdout, /Exit codes: 0 [^]*3 /);
  });
});
