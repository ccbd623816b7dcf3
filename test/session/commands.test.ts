import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import { fingerprint } from '../../src/session/keys.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { cellFlags, keyFlags, onDisk } from '../support/own-log.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

const program = programFile('cli/topolog');
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const topolog = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { maxBuffer: 1 << 26 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** Ends with the exit code of `topolog verify -` on this input. */
const verifyInput = async (input: string): Promise<number> => {
  const child = spawn(process.execPath, [program, 'verify', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(input);
  const [code] = (await once(child, 'exit')) as [number];
  return code;
};

describe('sessions of a server', () => {
  let server: TestServer;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let project: string;
  let dataDir: string[];
  let publicKey: string;

  before(async () => {
    server = await testServer();
    dir = await tempDir();
    dataDir = ['--data-dir', server.dataDir, ...cellFlags(server.dataDir), ...keyFlags()];
    const client = server.client();
    const made = await client.post('/v2/projects', { body: { name: 'proved' } });
    project = made.project_id;
    const lab = { path: { project_id: project } };
    const pc = (name: string) =>
      client.post('/v2/projects/{project_id}/nodes', { ...lab, body: { name, node_type: 'simple_pc' } });
    const [{ node_id }] = [await pc('PC1'), await pc('PC2')];
    await client.post('/v2/projects/{project_id}/nodes/start', lab);
    const recordings = path.join(made.path ?? '', 'project-files/recordings', node_id);
    await mkdir(recordings, { recursive: true });
    await writeFile(path.join(recordings, 'a.cast'), '{"version":3}\n[0.1,"o","secret"]\n');
    publicKey = (await client.get('/v2/health')).public_key;
  });
  after(async () => {
    await server.close();
    await dir.remove();
  });

  const session = (query = ''): Promise<string> =>
    server.request('GET', `/v2/projects/${project}/session${query}`).then(({ text }) => text);

  it('come as NDJSON, signed with the key that health shows', async () => {
    const answer = await server.request('GET', `/v2/projects/${project}/session`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    assert.ok((await verifySession(answer.text, { key: publicKey })).ok);
    assert.ok(answer.text.includes('secret'));
  });

  it('come in parts and without consoles', async () => {
    const text = await session('?from=2&to=4&redact=console');
    const verdict = await verifySession(text);
    assert.ok(verdict.ok);
    assert.deepEqual([verdict.head.from, verdict.head.to, verdict.redacted], [2, 4, 1]);
    assert.ok(!text.includes('secret'));
  });

  it('are refused in the words of the interface', async () => {
    const status = async (path_: string): Promise<number> => (await server.request('GET', path_)).status;
    assert.equal(await status(`/v2/projects/${UNKNOWN}/session`), 404);
    for (const query of ['from=0', 'from=x', 'from=9999', 'from=3&to=2', 'redact=all'])
      assert.equal(await status(`/v2/projects/${project}/session?${query}`), 400, query);
    assert.equal(await status('/v2/verify?project_id=x'), 400);
  });

  it('leave nothing behind when the client goes away', async () => {
    const gone = new AbortController();
    const answer = await fetch(`${server.url}/v2/projects/${project}/session`, { signal: gone.signal });
    assert.equal(answer.status, 200);
    gone.abort();
    assert.deepEqual(await readdir(path.join(server.dataDir, 'spool')), []);
  });

  it('verify the log while the server runs', async () => {
    const { body } = await server.request('GET', '/v2/verify');
    const { ok, facts } = body as { ok: boolean; facts: number };
    assert.ok(ok && facts > 5);
    const one = (await server.request('GET', `/v2/verify?project_id=${project}`)).body as { facts: number };
    assert.ok(one.facts < facts);
  });

  /** What `topolog verify` says, with these arguments. */
  const verified = async (...args: string[]): Promise<string> => (await topolog('verify', ...args, ...dataDir)).stdout;

  it('verify the files that the log knows while the server runs', async () => {
    assert.equal(
      (await server.request('POST', `/v2/projects/${project}/files/notes.txt`, 'as it was sent')).status,
      201,
    );
    assert.match(await verified(), /the log is whole/);
    const { project_id, path: directory } = (await server.request('GET', `/v2/projects/${project}`)).body as {
      project_id: string;
      path: string;
    };
    const file = path.join(directory, 'notes.txt');
    const before = await readFile(file);
    await writeFile(file, 'changed by others');
    for (const args of [[], ['--project', project_id]])
      assert.match(await verified(...args), /^position \d+, file .*notes\.txt: it is not what was written/);
    assert.equal(((await server.request('GET', '/v2/verify?files=no')).body as { ok: boolean }).ok, true);
    await writeFile(file, before);
    const users = path.join(server.dataDir, 'users');
    await writeFile(users, 'no user');
    assert.match(await verified(), /^users: /);
    await rm(users);
    assert.match(await verified(), /the log is whole/);
    assert.equal((await server.request('GET', '/v2/verify?files=maybe')).status, 400);
  });

  it('are exported and verified by commands, whether the server runs or not', { skip: onDisk() }, async () => {
    const check = async (name: string): Promise<void> => {
      const file = path.join(dir.path, name);
      const exported = await topolog('export-session', 'proved', '--redact', 'console', '-o', file, ...dataDir);
      assert.deepEqual(exported, { code: 0, stdout: '', stderr: '' });
      const verified = await topolog('verify', file, '--key', publicKey);
      assert.equal(verified.code, 0, verified.stdout);
      assert.match(verified.stdout, new RegExp(`signed by ${fingerprint(publicKey)}`));
      const whole = await topolog('verify', '--project', 'proved', ...dataDir);
      assert.match(whole.stdout, /the log is whole: \d+ events/);
      assert.equal(whole.code, 0);
      const out = await topolog('export-session', project, '--from', '2', ...dataDir);
      assert.equal(await verifyInput(out.stdout), 0);
      const wrong = await topolog('export-session', project, '--from', '9999', ...dataDir);
      assert.notEqual(wrong.code, 0);
      assert.match(wrong.stderr, /from must be a version from 1 to/);
    };
    await check('running.ndjson');
    await server.running.close('test');
    await check('closed.ndjson');
    await server.restart();
  });

  it('that were changed are named with their line', { skip: onDisk() }, async () => {
    const lines = (await readFile(path.join(dir.path, 'running.ndjson'), 'utf8')).split('\n');
    const file = path.join(dir.path, 'changed.ndjson');
    await writeFile(file, lines.with(3, (lines[3] ?? '').replace('"version":3', '"version":8')).join('\n'));
    const { code, stdout } = await topolog('verify', file);
    assert.equal(code, 1);
    assert.match(stdout, /changed\.ndjson, line 4: /);
    assert.equal((await readdir(dir.path)).filter((name) => name.endsWith('.tmp')).length, 0);
  });
});
