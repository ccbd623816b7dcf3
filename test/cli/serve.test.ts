import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

describe('topolog serve', () => {
  it('says where it listens, where its data are and which engines it found', async () => {
    const dir = await tempDir();
    const server = await spawnServer(dir.path);
    try {
      assert.match(
        server.output(),
        new RegExp(`^topolog listens on ${server.url}, data in ${dir.path}, engines: .*simple_pc/embedded`, 'm'),
      );
      assert.equal((await request(server.url, 'GET', '/v2/version')).status, 200);
    } finally {
      await server.kill('SIGTERM');
      assert.equal(server.child.exitCode, 0, server.output());
      await assert.rejects(access(path.join(dir.path, 'server.json')));
      await dir.remove();
    }
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
        assert.match(stderr, new RegExp(`^topolog: the data directory ${place} cannot be made: E\\w+: .*\n$`));
      }
    } finally {
      await dir.remove();
    }
  });
});
