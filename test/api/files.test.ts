import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { type Api, type Bag, id, startApi } from './api.ts';
import { connectConsole } from './console-client.ts';

const P = '/v2/projects/{project_id}';

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api.close());

/** Paths as they are, which fetch would tidy. */
const raw = (
  method: string,
  url: string,
  body: string | Buffer = '',
): Promise<{ status: number; route: string; bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const sending = request({ hostname, port, method, path: url }, (answer) => {
      const blocks: Buffer[] = [];
      answer.on('data', (block: Buffer) => blocks.push(block));
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          route: String(answer.headers['x-route']),
          bytes: Buffer.concat(blocks),
        }),
      );
    });
    sending.once('error', reject);
    sending.end(body);
  });

const lab = async (): Promise<{ project_id: string; directory: string; pc: Bag }> => {
  const project_id = await api.project();
  const pc = await api.node(project_id, 'simple_pc', { startup_script: 'echo first\n' });
  const { path: directory } = await api.get(200, `GET ${P}`, { project_id });
  return { project_id, directory: String(directory), pc };
};
const events = async (project_id: string): Promise<Bag[]> => {
  const answer = await api.get(200, `GET ${P}/events`, { project_id });
  return (answer['events'] as Bag[]).filter((f) => f['type'] === 'file.written').map((f) => f['data'] as Bag);
};

describe('what the server itself keeps in a project', () => {
  it('is not written over, in whatever spelling, over whatever link, by either group', async () => {
    const { project_id, directory, pc } = await lab();
    await raw('POST', `/v2/projects/${project_id}/close`);
    const { filename } = await api.get(200, `GET ${P}`, { project_id });
    const file = path.join(directory, String(filename));
    const before = await readFile(file, 'utf8');
    await symlink(directory, path.join(directory, 'round'));
    await symlink(String(filename), path.join(directory, 'alias'));
    await link(file, path.join(directory, 'twin'));
    const own = String(filename);
    const names = [
      own,
      `.//${own}`,
      own.toUpperCase(),
      `${own}.topolog-tmp`,
      `${own}/inside`,
      'other.gns3',
      'alias',
      'twin',
      `round/${own}`,
      `round/round/${own}`,
      '.topolog/upload',
      '.Topolog/upload',
      'notes/.topolog-mine',
      'round/.topolog/upload',
      'snapshots/x',
      'Snapshots/x',
      'round/snapshots/x',
    ];
    for (const name of names)
      for (const base of ['/v2/projects', '/v2/compute/projects']) {
        const { status, bytes } = await raw('POST', `${base}/${project_id}/files/${encodeURI(name)}`, 'mine');
        assert.equal(status, 403, `${base} ${name}: ${bytes.toString()}`);
        assert.match(bytes.toString(), /server's own|server writes|snapshots/);
      }
    assert.equal(await readFile(file, 'utf8'), before);
    assert.deepEqual(await events(project_id), []);
    // What is below a node's directory is the node's.
    const node = `/v2/projects/${project_id}/nodes/${String(pc['node_id'])}/files`;
    assert.equal((await raw('POST', `${node}/mine.gns3`, 'mine')).status, 201);
    assert.equal((await raw('POST', `${node}/.topolog/x`, 'mine')).status, 403);
  });
});

describe('a file of a project', () => {
  it('is written as a whole and read back, and the log says so without what is in it', async () => {
    const { project_id } = await lab();
    const base = `/v2/projects/${project_id}/files`;
    const bytes = randomBytes(300_000);
    const {
      status,
      bytes: answer,
      route,
    } = await raw('POST', `${base}/notes/deep/a file.bin`.replace(' ', '%20'), bytes);
    assert.deepEqual([status, answer.length, route], [201, 0, `${P}/files/{path}`]);
    assert.deepEqual((await raw('GET', `${base}/notes/deep/a%20file.bin`)).bytes, bytes);
    assert.equal((await raw('POST', `${base}/notes/deep/a%20file.bin`, 'short')).status, 201);
    assert.equal((await raw('GET', `${base}//notes//deep/a%20file.bin`)).bytes.toString(), 'short');
    const written = await events(project_id);
    const { upload: _, ...first } = written[0] ?? {};
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(first, { project_id, node_id: null, path: 'notes/deep/a file.bin', bytes: 300_000, sha256 });
    assert.equal(written.length, 2);
  });

  it('is read and written while its project is closed, and listed for the compute group', async () => {
    const { project_id } = await lab();
    await api.get(204, `POST ${P}/close`, { project_id });
    const base = `/v2/compute/projects/${project_id}/files`;
    assert.equal((await raw('POST', `${base}/README.txt`, 'hello')).status, 201);
    assert.equal((await raw('GET', `/v2/projects/${project_id}/files/README.txt`)).bytes.toString(), 'hello');
    assert.equal((await raw('GET', `${base}/README.txt`)).bytes.toString(), 'hello');
    const list = JSON.parse((await raw('GET', base)).bytes.toString()) as { path: string; md5sum: string }[];
    assert.deepEqual(list[0], { path: 'README.txt', md5sum: '5d41402abc4b2a76b9719d911017c592' });
    assert.equal(list.length, 2);
  });

  it('has an ETag of its content, and is written only over what a client has read', async () => {
    const { project_id } = await lab();
    const url = `${api.url}/v2/projects/${project_id}/files/README.txt`;
    const read = async (query = ''): Promise<{ etag: string; text: string }> => {
      const answer = await fetch(`${url}${query}`);
      assert.equal(answer.status, 200);
      return { etag: String(answer.headers.get('etag')), text: await answer.text() };
    };
    const write = async (body: string, etag: string): Promise<Response> =>
      fetch(url, { method: 'POST', body, headers: { 'If-Match': etag } });
    const nothing = await read('?if_missing=empty');
    assert.equal(nothing.text, '');
    assert.equal((await fetch(url)).status, 404);
    assert.equal((await fetch(`${url}?if_missing=what`)).status, 400);
    assert.equal((await write('first', nothing.etag)).status, 201);
    const refused = await write('late', nothing.etag);
    assert.equal(refused.status, 412);
    const first = await read();
    assert.deepEqual([first.text, first.etag], ['first', `"${createHash('sha256').update('first').digest('hex')}"`]);
    assert.match(((await refused.json()) as { message: string }).message, new RegExp(`README.txt .*${first.etag}`));
    assert.equal((await fetch(url, { headers: { 'If-None-Match': first.etag } })).status, 304);
    // Of many who have read the same, one is not written over by another.
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((text) => write(text, first.etag)));
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 412, 412, 412]);
    assert.equal((await write('', '*')).status, 201);
    assert.equal((await read()).text, '');
    // What is too large to be read for it has none, but can be expected all the same.
    const large = Buffer.alloc((1 << 20) + 1, 'x');
    assert.equal((await fetch(url, { method: 'POST', body: large })).status, 201);
    const { headers } = await fetch(url);
    assert.deepEqual([headers.get('etag'), headers.get('x-content-type-options')], [null, 'nosniff']);
    assert.equal((await write('small', `"${createHash('sha256').update(large).digest('hex')}"`)).status, 201);
  });

  it('is told of by the feed, to those who want what is not sent again', async () => {
    const { project_id } = await lab();
    const feed = `/v2/projects/${project_id}/notifications/ws`;
    const [live, plain] = await Promise.all([listen(api.url, `${feed}?live=true`), listen(api.url, feed)]);
    try {
      await Promise.all([live.next('ping'), plain.next('ping')]);
      assert.equal((await raw('POST', `/v2/projects/${project_id}/files/README.txt`, 'hello')).status, 201);
      const { event } = await live.next('file.written');
      const sha256 = createHash('sha256').update('hello').digest('hex');
      assert.deepEqual(event, { node_id: null, path: 'README.txt', bytes: 5, sha256 });
      await api.get(200, `PUT ${P}`, { project_id }, { show_grid: true });
      assert.equal((await plain.next(({ action }) => action !== 'ping')).action, 'project.updated');
    } finally {
      await Promise.all([live.close(), plain.close()]);
    }
  });

  it('that is not there is a 404, and so is a directory', async () => {
    const { project_id } = await lab();
    for (const name of ['nothing', 'project-files', 'project-files/vpcs/', '']) {
      const answer = await raw('GET', `/v2/projects/${project_id}/files/${name}`);
      assert.equal(answer.status, 404, name);
      // By which clients tell it from a failure.
      const { message } = JSON.parse(answer.bytes.toString()) as { message: string };
      assert.match(message, /Not Found.*not found/);
    }
    assert.equal((await raw('POST', `/v2/projects/${project_id}/files/project-files`, 'x')).status, 409);
  });

  it('is never outside: 403 for every way out, and nothing is written', async () => {
    const { project_id, directory } = await lab();
    const outside = path.join(api.server.dataDir, 'outside');
    await mkdir(outside, { recursive: true });
    await writeFile(path.join(outside, 'secret'), 'secret');
    await symlink(outside, path.join(directory, 'link'));
    await symlink(path.join(outside, 'secret'), path.join(directory, 'file'));
    await symlink(path.join(outside, 'new'), path.join(directory, 'dangling'));
    const base = `/v2/projects/${project_id}/files`;
    const ways = [
      ...['../outside/secret', '%2e%2e/outside/secret', 'a/../../outside/secret', '..%2f..%2foutside/secret'],
      ...['link/secret', 'file', 'dangling', 'link/new/deeper', '..%5coutside', 'C:/x', '.topolog/x', 'a%00b'],
    ];
    for (const way of ways) {
      assert.equal((await raw('GET', `${base}/${way}`)).status, 403, way);
      assert.equal((await raw('POST', `${base}/${way}`, 'overwritten')).status, 403, way);
    }
    assert.equal((await raw('POST', `${base}/snapshots/x`, 'x')).status, 403);
    assert.deepEqual(await readdir(outside), ['secret']);
    assert.equal(await readFile(path.join(outside, 'secret'), 'utf8'), 'secret');
    // An absolute name is one below the project, as clients send it.
    assert.equal((await raw('GET', `${base}//etc/passwd`)).status, 404);
    assert.deepEqual(await events(project_id), []);
  });

  it('keeps what was there when a new one breaks off', async () => {
    const small = await startApi(['--simulate']);
    try {
      const project_id = await small.project();
      const url = `${small.url}/v2/projects/${project_id}/files/a`;
      assert.equal((await fetch(url, { method: 'POST', body: 'old' })).status, 201);
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from('new');
        throw new Error('gone');
      }
      await assert.rejects(
        fetch(url, { method: 'POST', body: Readable.from(broken()), duplex: 'half' } as unknown as RequestInit),
      );
      assert.equal(await (await fetch(url)).text(), 'old');
    } finally {
      await small.close();
    }
  });

  it('that comes while its project is deleted leaves nothing of it on the disk', async () => {
    const { project_id, directory } = await lab();
    const { hostname, port } = new URL(api.url);
    const sending = request({ hostname, port, method: 'POST', path: `/v2/projects/${project_id}/files/a/b` });
    const status = new Promise<number>((resolve, reject) => {
      sending.once('error', reject);
      sending.once('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
    });
    sending.setHeader('Content-Length', 6);
    sending.write('one');
    const staging = path.join(directory, '.topolog');
    for (let there: string[] = []; there.length === 0;) there = await readdir(staging).catch(() => []);
    await api.get(204, `DELETE ${P}`, { project_id });
    sending.end('two');
    assert.equal(await status, 404);
    await assert.rejects(readdir(directory), { code: 'ENOENT' });
  });
});

describe('a file of a node', () => {
  it('startup.vpc is what the node runs at its next start, and as it is kept there', async () => {
    const { project_id, pc } = await lab();
    const url = `/v2/projects/${project_id}/nodes/${id(pc)}/files/startup.vpc`;
    assert.equal((await raw('GET', url)).bytes.toString(), 'echo first\n');
    assert.equal((await raw('POST', url, 'ip 10.9.8.7/24\n')).status, 201);
    const node = await api.get(200, `POST ${P}/nodes/{node_id}/start`, { project_id, node_id: id(pc) });
    const console = await connectConsole(Number(node['console']), `${String(pc['name'])}> `);
    assert.match(await console.run('show ip'), /10\.9\.8\.7/);
    console.end();
    const [event] = await events(project_id);
    assert.deepEqual([event?.['node_id'], event?.['path']], [id(pc), 'startup.vpc']);
  });

  it('has its directories made, slashes doubled or not, and is confined to the node', async () => {
    const { project_id, pc } = await lab();
    const base = `/v2/projects/${project_id}/nodes/${id(pc)}/files`;
    assert.equal((await raw('POST', `${base}//etc/network/interfaces`, 'auto eth0')).status, 201);
    assert.equal((await raw('GET', `${base}/etc/network/interfaces`)).bytes.toString(), 'auto eth0');
    assert.equal(
      await readFile(path.join(String(pc['node_directory']), 'etc', 'network', 'interfaces'), 'utf8'),
      'auto eth0',
    );
    assert.equal((await raw('GET', `${base}/../../../lab.gns3`)).status, 403);
    assert.equal((await raw('GET', `/v2/projects/${project_id}/nodes/${project_id}/files/x`)).status, 404);
  });

  it('of a router is found by the name that clients have for it', async () => {
    const { project_id } = await lab();
    const router = await api.node(project_id, 'router_emulator', { startup_config_content: 'hostname R1\n' });
    const base = `/v2/projects/${project_id}/nodes/${id(router)}/files/configs`;
    const alias = `${base}/i${id(router)}_startup-config.cfg`;
    assert.equal((await raw('GET', alias)).bytes.toString(), 'hostname R1\n');
    assert.equal((await raw('POST', alias, 'hostname R2\n')).status, 201);
    const own = `${base}/i${String(router['dynamips_id'])}_startup-config.cfg`;
    assert.equal((await raw('GET', own)).bytes.toString(), 'hostname R2\n');
  });

  it('of a kind without files is not there', async () => {
    const { project_id } = await lab();
    const hub = await api.node(project_id, 'ethernet_switch');
    const url = `/v2/projects/${project_id}/nodes/${id(hub)}/files/x`;
    assert.equal((await raw('GET', url)).status, 404);
    assert.equal((await raw('POST', url, 'x')).status, 409);
  });
});
