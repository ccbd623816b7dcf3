import assert from 'node:assert/strict';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';

const started = async (t: TestContext): Promise<{ server: ServerProcess; data: string; aside: string }> => {
  const dir = await tempDir();
  const [data, aside] = [path.join(dir.path, 'data'), path.join(dir.path, 'aside')];
  const server = await spawnServer(data);
  t.after(async () => {
    await server.kill('SIGTERM');
    await dir.remove();
  });
  const made = await request(server.url, 'POST', '/v2/projects', { name: 'lab', project_id: PROJECT });
  assert.equal(made.status, 201, made.text);
  return { server, data, aside };
};

const until = async (server: ServerProcess, status: string): Promise<string> => {
  const { log } = await waitFor(`the server is ${status}`, async () => {
    const { body } = await request(server.url, 'GET', '/v2/health');
    const health = body as { status: string; log: { reason: string | null } };
    return health.status === status && health;
  });
  return log.reason ?? '';
};

const writes = [
  ['POST', '/v2/projects', { name: 'other' }],
  ['POST', `/v2/projects/${PROJECT}/drawings`, { svg: '<svg></svg>' }],
  ['POST', `/v2/projects/${PROJECT}/files/a`, 'content'],
  ['POST', `/v2/projects/${PROJECT}/snapshots`, { name: 'now' }],
  ['POST', `/v2/projects/${PROJECT}/duplicate`, { name: 'copy' }],
] as const;

it('a data directory that is moved away is noticed, not made again, and written to again once it is back', async (t) => {
  const { server, data, aside } = await started(t);
  await rename(data, aside);
  assert.match(await until(server, 'read_only'), /the data directory .* is gone: it was removed or moved away/);
  for (const [method, place, body] of writes) {
    const { status, text } = await request(server.url, method, place, body);
    assert.equal(status, 503, `${method} ${place}: ${text}`);
    assert.match(text, /is gone: it was removed or moved away/);
  }
  assert.equal((await request(server.url, 'GET', `/v2/projects/${PROJECT}`)).status, 200);
  await assert.rejects(access(data), { code: 'ENOENT' });
  await rename(aside, data);
  await until(server, 'ok');
  const drawn = await request(server.url, 'POST', `/v2/projects/${PROJECT}/drawings`, { svg: '<svg></svg>' });
  assert.equal(drawn.status, 201, drawn.text);
});

it('another directory in the place of the data directory is not written to', async (t) => {
  const { server, data } = await started(t);
  await rm(data, { recursive: true });
  await mkdir(path.join(data, 'log'), { recursive: true });
  await until(server, 'read_only');
  const { status, text } = await request(server.url, 'POST', '/v2/projects', { name: 'other' });
  assert.equal(status, 503, text);
});
