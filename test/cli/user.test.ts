import assert from 'node:assert/strict';
import { chmod, chown, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { once } from 'node:events';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { fillDisk, fillerOf, smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';
import { topolog, topologWith } from './run.ts';

let dir: Awaited<ReturnType<typeof tempDir>>;
let data: string[] = [];
let server: ServerProcess | null = null;
beforeEach(async () => {
  dir = await tempDir();
  data = ['--data-dir', dir.path];
});
afterEach(async () => {
  await server?.kill('SIGTERM');
  server = null;
  await dir.remove();
});
/** An id that is nobody's. */
const OTHER = 54_321;
const notRoot = process.geteuid?.() === 0 ? false : 'only root gives files to others';
const users = (): string => path.join(dir.path, 'users');

describe('topolog user', () => {
  it('adds a user with the password of its standard input, lists and removes it', async () => {
    const added = await topologWith('correct horse\nbattery\n', 'user', 'add', 'ada', ...data);
    assert.deepEqual(added, { code: 0, stdout: `user ada added in ${users()}\n`, stderr: '' });
    assert.match(await readFile(users(), 'utf8'), /^ada:scrypt\$\d+\$\d+\$\d+\$[\w+/=]+\$[\w+/=]+\$[0-9a-f]{8}\n$/);
    assert.equal((await stat(users())).mode & 0o777, 0o600);
    assert.match((await topologWith('x', 'user', 'add', 'ada', ...data)).stdout, /changed/);
    assert.equal((await topolog('user', 'list', ...data)).stdout, 'ada\n');
    assert.equal((await topolog('user', 'remove', 'ada', ...data)).code, 0);
    assert.equal((await topolog('user', 'list', ...data)).stdout, '');
  });

  it('says that the disk is full, as the doctor does, and leaves nothing', async (t) => {
    const disk = await smallDisk(t, 1);
    if (disk === null) return t.skip('a small disk cannot be mounted by this user');
    await fillDisk(disk);
    const { code, stderr } = await topologWith('correct horse\n', 'user', 'add', 'ada', '--data-dir', disk);
    assert.match(stderr, /^topolog: \S+users cannot be written: the disk is full; no user was changed\n$/);
    assert.equal(code, 1);
    assert.deepEqual(await readdir(disk), [path.basename(fillerOf(disk))]);
    const sick = await topolog('doctor', '--data-dir', disk);
    assert.match(sick.stdout, /^data +\S+, on a disk that is full$/m);
    assert.equal(sick.code, 1);
    await truncate(fillerOf(disk), 0);
    assert.match((await topolog('doctor', '--data-dir', disk)).stdout, /^data +\S+, writable, 1 MB free$/m);
  });

  it(
    'leaves the file its owner, group and mode, and a new one to the owner of its directory',
    { skip: notRoot },
    async () => {
      const ofOther = async (): Promise<number[]> => {
        const { uid, gid, mode } = await stat(users());
        return [uid, gid, mode & 0o777];
      };
      await chown(dir.path, OTHER, OTHER + 1);
      await topologWith('lovelace', 'user', 'add', 'ada', ...data);
      assert.deepEqual(await ofOther(), [OTHER, OTHER + 1, 0o600]);
      await chown(users(), OTHER + 2, OTHER + 3);
      await chmod(users(), 0o640);
      await topologWith('hopper', 'user', 'add', 'grace', ...data);
      assert.deepEqual(await ofOther(), [OTHER + 2, OTHER + 3, 0o640]);
      await topolog('user', 'remove', 'ada', ...data);
      assert.deepEqual(await ofOther(), [OTHER + 2, OTHER + 3, 0o640]);
    },
  );

  it('names a line of which one bit has changed', async () => {
    await topologWith('correct horse\n', 'user', 'add', 'eve', ...data);
    const octets = await readFile(users());
    const whole = Buffer.from(octets);
    for (const at of [1, 20, octets.length - 3]) {
      octets.set(whole);
      octets[at] = (octets[at] ?? 0) ^ 2;
      await writeFile(users(), octets);
      const { code, stderr } = await topolog('user', 'list', ...data);
      assert.notEqual(code, 0);
      assert.match(stderr, /line 1 of the users is not valid/);
    }
    await writeFile(users(), whole);
    await topolog('user', 'remove', 'eve', ...data);
  });

  it('refuses no password, a bad name and other words, and changes nothing', async () => {
    for (const [input, ...args] of [
      ['', 'add', 'ada'],
      ['\n', 'add', 'ada'],
      [`${'x'.repeat(600)}\n`, 'add', 'ada'],
      ['x', 'add', 'a:b'],
      ['x', 'add'],
      ['x', 'add', 'a', 'b'],
      ['', 'list', 'ada'],
      ['', 'show', 'ada'],
      [''],
    ] as const) {
      const { code, stderr } = await topologWith(input, 'user', ...args, ...data);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^(?:topolog|usage): /);
    }
    await assert.rejects(stat(users()));
    assert.equal((await topolog('user', 'remove', 'ada', ...data)).code, 1);
  });
});

describe('topolog serve for others', () => {
  it('is refused without users, says what to do, and begins nothing', async () => {
    const { code, stdout, stderr } = await topolog('serve', '--host', '0.0.0.0', '--port', '0', ...data);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /others can reach 0\.0\.0\.0.*topolog user add NAME.*--insecure/);
    await assert.rejects(stat(path.join(dir.path, 'log')));
    for (const host of ['127.0.0.1.example', '::', 'localhost.example'])
      assert.equal((await topolog('serve', '--host', host, '--port', '0', ...data)).code, 1, host);
  });

  it('is refused with a file of users that is broken, or was named and is not there', async () => {
    const missing = await topolog('serve', '--port', '0', '--users', users(), ...data);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /has no users/);
    await writeFile(users(), 'ada:secret\n', { mode: 0o600 });
    const broken = await topolog('serve', '--port', '0', ...data);
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /line 1 of the users is not valid/);
    assert.doesNotMatch(broken.stderr, /secret/);
  });

  it('asks nobody with --insecure, which it says', async () => {
    server = await spawnServer(dir.path, ['--host', '0.0.0.0', '--insecure']);
    assert.match(server.output(), /everyone who reaches 0\.0\.0\.0 can do everything/);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    assert.equal((await request(url, 'GET', '/v2/projects')).status, 200);
  });

  it('with users asks for passwords, listens with consoles on loopback only, and serves the tools of its own user', async () => {
    await writeFile(users(), userLine('ada', 'lovelace'), { mode: 0o600 });
    server = await spawnServer(dir.path, ['--host', '0.0.0.0', '--no-local']);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    assert.equal((await request(url, 'GET', '/v2/version')).status, 401);
    const ada = basic('ada', 'lovelace');
    const project = (await request(url, 'POST', '/v2/projects', { name: 'lab' }, ada)).body as { project_id: string };
    const made = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const nodes = `/v2/projects/${project.project_id}/nodes`;
    const node = (await request(url, 'POST', nodes, made, ada)).body as { node_id: string; console_host: string };
    assert.equal(node.console_host, '127.0.0.1');
    await request(url, 'POST', `${nodes}/start`, {}, ada);

    const log = await topolog('log', 'lab', ...data);
    assert.equal(log.code, 0, log.stderr);
    assert.match(log.stdout, /ada@127\.0\.0\.1 +node\.start_requested/);
    assert.match((await topolog('verify', ...data)).stdout, /the log is whole/);
    assert.match((await topolog('doctor', ...data)).stdout, /runs at http:\/\/0\.0\.0\.0/);
    const session = await topolog('export-session', 'lab', ...data);
    assert.equal(session.code, 0, session.stderr);

    const at = `${url.replace('http', 'ws')}${nodes}/${node.node_id}/console/ws`;
    const socket = new WebSocket(at, { headers: ada });
    await once(socket, 'open');
    socket.terminate();
    await once(socket, 'close');
  });

  it('keeps the token of its tools where only its own user can read it', async () => {
    await writeFile(path.join(dir.path, 'server.json'), '{}', { mode: 0o644 });
    server = await spawnServer(dir.path);
    const file = path.join(dir.path, 'server.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const { token } = JSON.parse(await readFile(file, 'utf8')) as { token: string };
    assert.ok(token.length >= 32);
  });
});
