import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { programFile, VERSION } from '../../src/common/package.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';
import { waitFor } from '../support/wait-for.ts';

describe('topolog serve', () => {
  it('says where it listens, where its data are and which engines it found', async () => {
    const dir = await tempDir();
    const server = await spawnServer(dir.path);
    try {
      const said = server.output().split('\n');
      const begins = `topolog ${VERSION} listens on ${server.url}, data in ${dir.path}, engines: `;
      assert.ok(said.some((line) => line.startsWith(begins) && line.includes('simple_pc/embedded')));
      assert.equal((await request(server.url, 'GET', '/v2/version')).status, 200);
    } finally {
      await server.kill('SIGTERM');
      assert.equal(server.child.exitCode, 0, server.output());
      await assert.rejects(access(path.join(dir.path, 'server.json')));
      await dir.remove();
    }
  });

  it('tells systemd once it listens, and hands the way to do so to nobody else', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const told = path.join(dir.path, 'told');
    const notify = `#!/bin/sh\necho "$@ $NOTIFY_SOCKET" > '${told}'\n`;
    await writeFile(path.join(dir.path, 'systemd-notify'), notify, { mode: 0o755 });
    const env = { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${dir.path}:${process.env['PATH']}` };
    const data = path.join(dir.path, 'data');
    const server = await spawnServer(data, [], programFile('cli/topolog'), env);
    t.after(() => server.kill('SIGTERM'));
    const said = (): Promise<string> => readFile(told, 'utf8').catch(() => '');
    await waitFor('systemd is told', async () => (await said()).endsWith('\n'));
    assert.equal(await said(), '--ready /run/systemd/notify\n');
    const environment = await readFile(`/proc/${await fabricPid(data)}/environ`, 'utf8');
    assert.ok(!environment.includes('NOTIFY_SOCKET'));
  });

  for (const [flags, what] of [
    [[], 'is stopped, and the next start starts what ran'],
    [['--keep-running'], 'goes on, and the next start takes over what runs'],
  ] as const)
    it(`says what ended it and what becomes of its nodes${flags.length === 0 ? '' : `, with ${flags.join(' ')}`}`, async (t) => {
      const dir = await tempDir();
      t.after(dir.remove);
      const server = await spawnServer(dir.path, [...flags]);
      const { body } = await request(server.url, 'POST', '/v2/projects', { name: 'lab' });
      const project = `/v2/projects/${(body as { project_id: string }).project_id}`;
      const pc = { node_type: 'simple_pc', name: 'PC1', compute_id: 'local' };
      assert.equal((await request(server.url, 'POST', `${project}/nodes`, pc)).status, 201);
      assert.equal((await request(server.url, 'POST', `${project}/nodes/start`, {})).status, 204);
      await server.kill('SIGTERM');
      assert.match(server.output(), new RegExp(`^topolog: SIGTERM ends the server: 1 running node ${what}$`, 'm'));
      const next = await spawnServer(dir.path);
      assert.equal((await request(next.url, 'POST', '/v2/shutdown', {})).status, 201);
      await once(next.child, 'exit');
      assert.match(
        next.output(),
        /^topolog: \S+ at 127\.0\.0\.1, by POST \/v2\/shutdown, ends the server: 1 running node/m,
      );
    });

  it('says that in JSON as well', async () => {
    const dir = await tempDir();
    const server = await spawnServer(dir.path, ['--log-format', 'json']);
    await server.kill('SIGTERM');
    await dir.remove();
    const lines = server.output().trim().split('\n');
    const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    assert.ok(said.some((msg) => msg.startsWith(`topolog ${VERSION} listens on ${server.url}, data in ${dir.path}`)));
  });

  it('makes nothing that others can use, and closes a data directory that was open to them', async () => {
    const dir = await tempDir();
    const data = path.join(dir.path, 'data');
    const before = process.umask(0);
    await mkdir(path.join(data, 'images'), { recursive: true, mode: 0o777 });
    const server = await spawnServer(data).finally(() => process.umask(before));
    try {
      assert.match(server.output(), new RegExp(`could be used by others[^\n]*: ${data}, ${data}/images`));
      const send = (method: string, to: string, body: unknown) => request(server.url, method, to, body);
      const { body } = await send('POST', '/v2/projects', { name: 'lab' });
      const project = `/v2/projects/${(body as { project_id: string }).project_id}`;
      const node = { node_type: 'simple_pc', name: 'PC1', compute_id: 'local', properties: { startup_script: 'echo' } };
      const made = (await send('POST', `${project}/nodes`, node)).body as { node_id: string };
      assert.equal((await send('POST', `${project}/nodes/${made.node_id}/start`, {})).status, 200);
      assert.equal((await send('POST', `${project}/files/a/b`, 'text')).status, 201);
      assert.equal((await send('POST', `${project}/nodes/${made.node_id}/stop`, {})).status, 200);
      assert.equal((await send('POST', `${project}/snapshots`, { name: 's' })).status, 201);
      assert.equal((await send('POST', '/v2/compute/qemu/images/a.img', 'image')).status, 204);
      assert.equal((await send('POST', `${project}/close`, {})).status, 204);
    } finally {
      await server.kill('SIGTERM');
    }
    const open: string[] = [];
    for (const name of [data, ...(await readdir(data, { recursive: true })).map((n) => path.join(data, n))])
      if (((await lstat(name)).mode & 0o077) !== 0) open.push(name);
    assert.deepEqual(open, []);
    await dir.remove();
  });

  it('refuses a data directory that another server has, and leaves that one alone', async () => {
    const dir = await tempDir();
    const server = await spawnServer(dir.path);
    try {
      const { code, stdout, stderr } = await topolog('serve', '--port', '0', '--data-dir', dir.path);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, new RegExp(`another server uses ${dir.path}`));
      const made = await request(server.url, 'POST', '/v2/projects', { name: 'lab' });
      assert.equal(made.status, 201, made.text);
    } finally {
      await server.kill('SIGTERM');
      await dir.remove();
    }
  });

  it('says that its port is taken', async () => {
    const dir = await tempDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as { port: number };
      const { code, stdout, stderr } = await topolog('serve', '--port', String(port), '--data-dir', dir.path);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, new RegExp(`port ${port} of 127\\.0\\.0\\.1 is in use by another program`));
    } finally {
      other.close();
      await dir.remove();
    }
  });

  it('says that it cannot listen on an address that this machine has not', async () => {
    const dir = await tempDir();
    try {
      const args = ['--host', '192.0.2.1', '--insecure', '--port', '0', '--data-dir', dir.path];
      const { code, stderr } = await topolog('serve', ...args);
      assert.equal(code, 1);
      assert.match(stderr, /192\.0\.2\.1 is not an address of this machine/);
    } finally {
      await dir.remove();
    }
  });

  it('says on standard error what it is told to say, as words or as JSON', async () => {
    const dir = await tempDir();
    try {
      const args = ['--host', '192.0.2.1', '--insecure', '--port', '0', '--data-dir', dir.path];
      const said = async (...flags: string[]): Promise<string> => (await topolog('serve', ...args, ...flags)).stderr;
      const words = /^topolog: (everyone who reaches 192\.0\.2\.1 can do everything.*)\n/;
      const [, message] = words.exec(await said()) ?? [];
      assert.ok(message);
      const [line = ''] = (await said('--log-format', 'json')).split('\n');
      const { level, msg } = JSON.parse(line) as Record<string, unknown>;
      assert.deepEqual([level, msg], [40, message]);
      assert.doesNotMatch(await said('--log-level', 'error'), words);
      assert.match(await said('--log-level', 'loud'), /--log-level must be error or warn or info or debug, not loud/);
    } finally {
      await dir.remove();
    }
  });

  it('says in a sentence that its data directory cannot be made', async () => {
    const dir = await tempDir();
    const file = path.join(dir.path, 'file');
    await writeFile(file, '');
    try {
      // In /proc a directory is there and nothing can be made in it.
      const proc = process.platform === 'linux' ? ['/proc/1/nope', '/proc/nope/deeper'] : [];
      for (const place of [file, path.join(file, 'below'), ...proc]) {
        const { code, stdout, stderr } = await topolog('serve', '--port', '0', '--data-dir', place);
        assert.deepEqual([code, stdout], [2, ''], stderr);
        assert.match(
          stderr,
          new RegExp(
            `^topolog: the data directory ${place} cannot be made: (a file|a part|it does|its file system|no permission)[^:]*\n$`,
          ),
        );
      }
    } finally {
      await dir.remove();
    }
  });
});
