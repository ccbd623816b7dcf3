import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { builtPage } from '../../src/files/pages.ts';
import { OPEN } from '../../src/http/access/admission.ts';
import { openUsers } from '../../src/http/access/users.ts';
import { loggerTo } from '../support/logger.ts';
import { tempDir } from '../support/temp.ts';
import { userLine } from '../support/users.ts';
import { fakeLab, serve } from './fake-lab.ts';

const INDEX = '<!doctype html><script type="module" src="/assets/index-1a2b.js"></script>';
const SCRIPT = 'export const page = 1;\n'.repeat(200);

describe('the page of the server', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let app = serve(fakeLab());
  before(async () => {
    dir = await tempDir();
    const root = path.join(dir.path, 'web');
    await mkdir(path.join(root, 'assets'), { recursive: true });
    await writeFile(path.join(root, 'index.html'), INDEX);
    await writeFile(path.join(root, 'assets/index-1a2b.js'), SCRIPT);
    await writeFile(path.join(root, 'assets/index-1a2b.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(path.join(root, 'assets/index-1a2b.js.gz'), gzipSync(SCRIPT));
    await writeFile(path.join(dir.path, 'secret.txt'), 'secret');
    await writeFile(path.join(dir.path, 'users'), userLine('ada', 'lovelace'), { mode: 0o600 });
    const users = openUsers(path.join(dir.path, 'users'), loggerTo());
    app = serve(fakeLab(), { page: await builtPage(root), access: { ...OPEN, users } });
  });
  after(async () => {
    await app.close();
    await dir.remove();
  });

  it('is public, while everything that it shows asks for a password', async () => {
    const index = await app.inject('/');
    assert.deepEqual([index.statusCode, index.body], [200, INDEX]);
    assert.match(String(index.headers['content-type']), /^text\/html; charset=utf-8/i);
    assert.equal((await app.inject('/assets/index-1a2b.js')).statusCode, 200);
    for (const url of ['/v2/projects', '/v2/version', '/assets/other.js', '/nowhere'])
      assert.equal((await app.inject(url)).statusCode, 401, url);
    assert.equal((await app.inject({ url: '/', method: 'POST' })).statusCode, 401);
  });

  it('is held against Host as everything is', async () => {
    assert.equal((await app.inject({ url: '/', headers: { host: 'evil.example' } })).statusCode, 403);
  });

  it('runs no script but its own, and is shown in no frame', async () => {
    for (const url of ['/', '/assets/index-1a2b.js']) {
      const { headers } = await app.inject(url);
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
      );
      assert.equal(policy.get('default-src'), "'self'");
      assert.equal(policy.get('script-src'), "'self'");
      assert.equal(policy.get('object-src'), "'none'");
      assert.equal(policy.get('base-uri'), "'none'");
      assert.equal(policy.get('frame-ancestors'), "'none'");
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-frame-options'], 'DENY');
    }
  });

  it('is asked for each time and sent when it has changed; its assets are kept for a year', async () => {
    const index = await app.inject('/');
    assert.equal(index.headers['cache-control'], 'no-cache');
    const etag = String(index.headers['etag']);
    const again = await app.inject({ url: '/', headers: { 'if-none-match': etag } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    const asset = await app.inject('/assets/index-1a2b.js');
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(asset.headers['content-type']), /javascript/);
  });

  it('comes compressed to those who take it, as the build has left it', async () => {
    for (const [accept, encoding, content] of [
      ['gzip, br', 'br', brotliCompressSync(SCRIPT)],
      ['gzip', 'gzip', gzipSync(SCRIPT)],
    ] as const) {
      const answer = await app.inject({ url: '/assets/index-1a2b.js', headers: { 'accept-encoding': accept } });
      assert.equal(answer.headers['content-encoding'], encoding);
      assert.match(String(answer.headers['vary']), /accept-encoding/i);
      assert.match(String(answer.headers['content-type']), /javascript/);
      assert.deepEqual(answer.rawPayload, content);
    }
    const plain = await app.inject('/assets/index-1a2b.js');
    assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, SCRIPT]);
  });

  it('answers HEAD, and names its route as everything does', async () => {
    const answer = await app.inject({ url: '/', method: 'HEAD' });
    assert.deepEqual([answer.statusCode, answer.body], [200, '']);
    assert.equal(answer.headers['x-route'], '/');
  });

  it('leads to no file beside it, nor to its compressed variants by name', async () => {
    const open = serve(fakeLab(), { page: await builtPage(path.join(dir.path, 'web')) });
    for (const url of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/index-1a2b.js.br',
      '/assets/',
      '/assets',
      '/index.html/',
    ]) {
      const answer = await open.inject(url);
      assert.equal(answer.statusCode, 404, url);
      assert.equal(answer.json<{ code: string }>().code, 'no_route');
    }
    await open.close();
  });

  it('says so where it is not built, and the interface is there all the same', async () => {
    const unbuilt = serve(fakeLab(), { page: await builtPage(path.join(dir.path, 'nothing')) });
    const answer = await unbuilt.inject('/');
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /npm run build/);
    assert.equal((await unbuilt.inject('/v2/version')).statusCode, 200);
    await unbuilt.close();
  });

  it('is no part of the interface’s document', async () => {
    const open = serve(fakeLab(), { page: await builtPage(path.join(dir.path, 'web')) });
    const { paths } = (await open.inject('/v2/openapi.json')).json<{ paths: object }>();
    for (const at of Object.keys(paths)) assert.ok(at.startsWith('/v2/') || at === '/metrics', at);
    await open.close();
  });
});
