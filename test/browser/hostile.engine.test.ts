import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type ServerProcess, request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { launch, noBrowser, openTab } from './browser.ts';
import { hostileProject, NAMES, PICTURES } from './hostile-lab.ts';

describe('a hostile project file in a browser', { skip: noBrowser, timeout: 120_000 }, () => {
  let browser: Browser;
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let server: ServerProcess;
  const { project_id, text } = hostileProject();
  before(async () => {
    dir = await tempDir();
    [browser, server] = await Promise.all([launch(), spawnServer(path.join(dir.path, 'data'))]);
    const place = path.join(dir.path, 'hostile');
    await mkdir(place);
    await writeFile(path.join(place, 'hostile.gns3'), text);
    const loaded = await request(server.url, 'POST', '/v2/projects/load', { path: path.join(place, 'hostile.gns3') });
    assert.equal(loaded.status, 201, loaded.text);
    // What a symbol may be as well.
    for (const [i, picture] of Object.values(PICTURES).entries())
      await fetch(`${server.url}/v2/symbols/hostile${i}.svg/raw`, { method: 'POST', body: picture });
    const { body: nodes } = await request(server.url, 'GET', `/v2/projects/${project_id}/nodes`);
    const [, , third] = nodes as { node_id: string }[];
    const changed = await request(server.url, 'PUT', `/v2/projects/${project_id}/nodes/${third?.node_id}`, {
      symbol: 'hostile0.svg',
    });
    assert.equal(changed.status, 200, changed.text);
  });
  after(async () => {
    await browser.close();
    await server.kill('SIGTERM');
    await dir.remove();
  });

  it('does nothing but show inert pictures and text, wherever it is clicked and whatever is opened', async () => {
    const tab = await openTab(browser);
    // What is refused is printed; that nothing came of it is what counts.
    tab.allow(/Content Security Policy|violates|Failed to load resource|parser|attribute|Error: </i);
    const { page } = tab;
    const asked: string[] = [];
    await page.route(
      (url) => url.origin !== new URL(server.url).origin && url.protocol.startsWith('http'),
      (route) => {
        asked.push(route.request().url());
        return route.abort();
      },
    );
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(server.url);
    await page.getByText('hostile <b onclick').first().waitFor();
    await page.goto(`${server.url}/#/projects/${project_id}`);
    await page.locator('.react-flow__node').first().waitFor();
    for (const name of NAMES.slice(0, 4)) await page.getByText(name.slice(0, 20)).first().waitFor();
    const nodes = page.locator('.react-flow__node');
    for (let i = 0; i < (await nodes.count()); i++) {
      await nodes.nth(i).hover({ force: true });
      await nodes.nth(i).click({ force: true, position: { x: 5, y: 5 } });
      await nodes.nth(i).click({ force: true, button: 'right', position: { x: 5, y: 5 } });
      await page.keyboard.press('Escape');
    }
    // Whatever is later than the clicks.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    await tab.screenshot('hostile');
    assert.equal(await page.evaluate('globalThis.pwned'), undefined);
    assert.deepEqual(asked, []);
    assert.deepEqual(dialogs, []);
    const active = await page.evaluate<number>(
      `document.querySelectorAll('iframe, object, embed, foreignObject, [onload], [onerror], [onclick], script:not([src^="/assets/"])').length`,
    );
    assert.equal(active, 0);
    assert.deepEqual(tab.errors(), []);
    await tab.close();
  });

  it('does nothing either when a picture of it is opened by itself', async () => {
    const tab = await openTab(browser);
    tab.allow(/./);
    for (let i = 0; i < Object.keys(PICTURES).length; i++) {
      const answer = await tab.page.goto(`${server.url}/v2/symbols/hostile${i}.svg/raw`);
      const headers = (await answer?.allHeaders()) ?? {};
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*sandbox/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(await tab.page.evaluate('globalThis.pwned').catch(() => undefined), undefined);
    }
    await tab.close();
  });
});
