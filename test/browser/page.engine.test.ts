import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Request } from 'playwright-core';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { basic, userLine } from '../support/users.ts';
import { launch, noBrowser, openTab, type Tab } from './browser.ts';
import { tabTo } from './walk.ts';

describe('the page in a browser', { skip: noBrowser, timeout: 120_000 }, () => {
  let browser: Browser;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: ServerProcess;
  const tabs: Tab[] = [];
  const open = async (...args: Parameters<typeof openTab> extends [unknown, ...infer R] ? R : never): Promise<Tab> => {
    const tab = await openTab(browser, ...args);
    tabs.push(tab);
    return tab;
  };
  before(async () => {
    dir = await tempDir();
    [browser, server] = await Promise.all([launch(), spawnServer(dir.path)]);
  });
  after(async () => {
    await browser.close();
    await server.kill('SIGTERM');
    await dir.remove();
  });
  afterEach(async () => {
    for (const tab of tabs.splice(0)) {
      await tab.close();
      assert.deepEqual(tab.errors(), []);
    }
  });

  it('is shown, and hears at once what others do', async () => {
    const { page } = await open();
    await page.goto(server.url);
    await page.getByText('No project yet').waitFor();
    const made = await fetch(`${server.url}/v2/projects`, { method: 'POST', body: '{"name":"from elsewhere"}' });
    assert.equal(made.status, 201);
    await page.getByRole('link', { name: 'from elsewhere', exact: true }).waitFor();
  });

  it('runs no script that gets into it, and loads nothing from elsewhere', async () => {
    const tab = await open();
    tab.allow(/Content Security Policy|violates/);
    const asked: string[] = [];
    await tab.page.route('http://elsewhere.example/**', (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await tab.page.goto(server.url);
    await tab.page.getByRole('heading', { name: 'Projects' }).waitFor();
    const ran = await tab.page.evaluate(async () => {
      const at = globalThis as unknown as {
        document: {
          createElement(name: string): { textContent: string; src: string };
          body: { append(e: object): void };
        };
        ran?: boolean;
      };
      const inline = at.document.createElement('script');
      inline.textContent = 'globalThis.ran = true';
      const remote = at.document.createElement('script');
      remote.src = 'http://elsewhere.example/x.js';
      const picture = at.document.createElement('img');
      picture.src = 'http://elsewhere.example/x.png';
      at.document.body.append(inline);
      at.document.body.append(remote);
      at.document.body.append(picture);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return at.ran === true;
    });
    assert.equal(ran, false);
    assert.deepEqual(asked, []);
  });

  it('needs less than 250 KB for its first load, compressed', async () => {
    const tab = await open();
    let size = 0;
    const measured: Promise<void>[] = [];
    const measure = (request: Request): void => {
      const add = async (): Promise<void> => {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        size += responseBodySize + responseHeadersSize;
      };
      measured.push(add());
    };
    tab.page.on('requestfinished', measure);
    await tab.page.goto(server.url);
    await tab.page.getByRole('heading', { name: 'Projects' }).waitFor();
    // What ends when the tab is closed has no size.
    tab.page.off('requestfinished', measure);
    await Promise.all(measured);
    assert.ok(size > 10_000 && size < 250_000, `${size} octets`);
  });

  it('asks for the password once, keeps none of it, and WebSockets and pictures are let in as well', async () => {
    const users = path.join(dir.path, 'users-of-page');
    await writeFile(users, userLine('ada', 'lovelace'), { mode: 0o600 });
    const own = await tempDir();
    const asking = await spawnServer(own.path, ['--users', users]);
    try {
      const tab = await open();
      const { page } = tab;
      // Chromium prints each 401.
      tab.allow(/status of 401/);
      await page.goto(asking.url);
      await page.getByLabel('User').fill('ada');
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Password').fill('lovelace');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      const headers = basic('ada', 'lovelace');
      await fetch(`${asking.url}/v2/projects`, { method: 'POST', body: '{"name":"of ada"}', headers });
      // Told by the feed, which is a WebSocket.
      await page.getByRole('link', { name: 'of ada', exact: true }).waitFor();
      const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
      assert.doesNotMatch(String(kept), /lovelace|topolog-/);
      const picture = await page.evaluate(
        "fetch('/v2/symbols/%3A%2Fsymbols%2Fcomputer.svg/raw').then(({ status }) => status)",
      );
      assert.equal(picture, 200);
      await page.reload();
      await page.getByRole('link', { name: 'of ada', exact: true }).waitFor();
      await tabTo(page, /^You are ada/);
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Log out ada' }).press('Enter');
      await page.getByLabel('User').waitFor();
      await page.reload();
      await page.getByLabel('User').waitFor();
    } finally {
      await asking.kill('SIGTERM');
      await own.remove();
    }
  });
});
