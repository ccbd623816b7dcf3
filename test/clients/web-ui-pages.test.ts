import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { topolog } from '../cli/run.ts';
import { tempDir } from '../support/temp.ts';
import { startClient } from './client.ts';

/** A compiled web client, made up: what counts is where its files are. */
const dir = await tempDir();
const root = path.join(dir.path, 'web-ui');
await writeFile(path.join(dir.path, 'secret.txt'), 'secret');
await mkdir(path.join(root, 'assets'), { recursive: true });
await writeFile(path.join(root, 'index.html'), '<base href="/static/web-ui/"><script src="main.js"></script>');
await writeFile(path.join(root, 'main.js'), 'start();');
await writeFile(path.join(root, 'assets', 'logo.svg'), '<svg />');
await symlink(path.join(dir.path, 'secret.txt'), path.join(root, 'linked.txt'));
const client = await startClient({ accept: 'text/html' }, ['--web-ui', root]);
after(async () => {
  await client.close();
  await dir.remove();
});

describe('the page of the web client', () => {
  it('is found from the root, with its scripts and pictures, in types that a browser takes', async () => {
    const { headers } = await client.send(302, 'GET /');
    assert.equal(headers.get('location'), '/static/web-ui/bundled');
    for (const [name, type] of [
      ['bundled', 'text/html; charset=utf-8'],
      ['', 'text/html; charset=utf-8'],
      ['server/1/project/2', 'text/html; charset=utf-8'],
      ['main.js', 'application/javascript'],
      ['assets/logo.svg', 'image/svg+xml'],
    ] as const) {
      const page = await client.send(200, `GET /static/web-ui/${name}`);
      assert.equal(page.headers.get('content-type'), type, name);
      assert.match(page.text, type.startsWith('text/html') ? /<base href/ : /start|svg/);
    }
  });

  it('leads to no file beside it', async () => {
    for (const name of ['..%2Fsecret.txt', 'assets/..%2F..%2Fsecret.txt', 'linked.txt', '%2e%2e%2fsecret.txt'])
      assert.doesNotMatch((await client.send(403, `GET /static/web-ui/${name}`)).text, /^secret/, name);
  });

  it('must be there when the server starts', async () => {
    const flags = ['--port', '0', '--data-dir', path.join(dir.path, 'data'), '--web-ui', path.join(root, 'assets')];
    const { code, stderr } = await topolog('serve', ...flags);
    assert.equal(code, 2);
    assert.match(stderr, /--web-ui: .*assets has no index\.html/);
  });
});
