import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser, openTab, type Tab } from './browser.ts';
import { CUT_OFF } from './cut-off.ts';
import { showLab } from './show-lab.ts';
import { createStage } from './stage.ts';
import { choose, linkOf, nodeOf, waitFor } from './walk.ts';

/** Texts that are shown, each once; names and what is typed are not. */
const SHOWN = `[...new Set([...document.querySelectorAll('button, h1, h2, h3, label, legend, th, summary, option, p, span, [title], [aria-label]')]
  .filter((e) => e.checkVisibility() && e.closest('.xterm, .react-flow__viewport, [hidden]') === null)
  .flatMap((e) => [e.children.length === 0 ? e.textContent : '', e.getAttribute('title') ?? '', e.getAttribute('aria-label') ?? ''])
  .map((text) => text.trim())
  .filter((text) => text !== ''))]`;

/** What of the inspector would have to be scrolled sideways. */
const WIDE = `[...document.querySelectorAll('.inspector-body, .inspector-body table')]
  .filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
  .map((e) => 'is too wide: ' + e.className)`;

/** Of a telephone, and of a laptop, which the steps go on with. */
const SIZES = [
  { width: 360, height: 740 },
  { width: 1366, height: 650 },
] as const;

/** The other language: longer words, and none of them forgotten. */
describe('the page in German', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('german');
  const { step } = stage;
  let tab: Tab | null = null;
  let english: ReadonlySet<string> = new Set();
  const german = (): Page => (tab ?? assert.fail('there is no page in German')).page;
  const found: string[] = [];
  /** Keeps what is cut off, and what is still English. */
  const see = async (view: string): Promise<void> => {
    for (const size of SIZES) {
      await german().setViewportSize(size);
      await german().evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const cut = [...(await german().evaluate<string[]>(CUT_OFF)), ...(await german().evaluate<string[]>(WIDE))];
      found.push(...cut.map((one) => `${view}, ${size.width} px: ${one}`));
    }
    const shown = await german().evaluate<string[]>(SHOWN);
    found.push(...shown.filter((text) => english.has(text)).map((one) => `${view}: ${one}`));
  };

  step('begins with what is English in English only', async () => {
    const url = pathToFileURL(`${process.cwd()}/dist/page/web/src/words/german.js`).href;
    const { everything } = (await import(url)) as { everything: Readonly<Record<string, string>> };
    const words = Object.entries(everything);
    const both = new Set(words.map(([, text]) => text));
    english = new Set(words.map(([text]) => text).filter((text) => !both.has(text)));
    tab = await openTab(stage.browser, { locale: 'de-DE', viewport: SIZES[1] });
    tab.page.setDefaultTimeout(30_000);
  });

  step('shows projects', async () => {
    const page = german();
    await page.goto(stage.server.url);
    await page.getByRole('heading', { name: 'Projekte' }).waitFor();
    await see('no projects');
  });

  step('shows a lab, what is selected of it, and how it was', async () => {
    const { at, links } = await showLab(stage, 'labor', 2);
    const page = german();
    await page.goto(`${stage.server.url}/#${at.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
    await see('the project');
    for (const name of ['PC1', 'SW']) {
      await nodeOf(page, name).click();
      await page.locator('.inspector').getByRole('heading', { name }).waitFor();
      await see(`the node ${name}`);
    }
    await linkOf(page, links[0] ?? '')
      .locator('.react-flow__edge-interaction')
      .click();
    await page.getByRole('heading', { name: 'Verkehr der letzten Minute' }).waitFor();
    await see('a link');
    await page.getByRole('button', { name: 'Ereignisse', exact: true }).click();
    await page.getByText('Was geschehen ist').waitFor();
    await see('events');
    await page.getByRole('button', { name: 'Vergleichen', exact: true }).click();
    await page.getByRole('heading', { name: 'Unterschiede' }).waitFor();
    await waitFor(async () =>
      (await page.locator('.differences').innerText()).includes('Konsolen aufzeichnen: aus → an'),
    );
    await see('what differs');
    const bar = await page.locator('.time-line-strip .bar-row').boundingBox();
    assert.ok(bar !== null && bar.width > 300, `the bar that moments are dragged on has ${bar?.width} px`);
    await page.getByRole('button', { name: 'Zurück zu jetzt' }).click();
    // What is no longer compared takes no room.
    await page.getByRole('heading', { name: 'Unterschiede' }).waitFor({ state: 'detached' });
  });

  step('shows consoles, the search and the panels of a lab', async () => {
    const page = german();
    await nodeOf(page, 'PC1').click();
    await page.keyboard.press('Enter');
    await choose(page, 'Konsole');
    await page.locator('.panel:not([hidden])').getByText('Verbunden').waitFor();
    await see('a console');
    for (const panel of ['Notizen', 'Prüfungen', 'Wetter', 'Snapshots']) {
      await page.getByRole('button', { name: 'Alles durchsuchen (Strg+K)' }).click();
      await page.keyboard.type(panel);
      await page.getByRole('option', { name: panel }).first().waitFor();
      await see(`the search for ${panel}`);
      await page.keyboard.press('Enter');
      if (panel !== 'Snapshots') await page.getByRole('tab', { name: panel }).waitFor();
      await see(panel);
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await see('the keys');
    await page.keyboard.press('Escape');
  });

  step('says in German why a node is not reached, and what was refused', async () => {
    const { at, links } = await showLab(stage, 'getrennt', 2);
    const page = german();
    await stage.send('PUT', `${at}/links/${links[0]}`, { suspend: true });
    const second = { name: 'R1', node_type: 'dynamips', compute_id: 'local' };
    await fetch(`${stage.server.url}${at}/nodes`, { method: 'POST', body: JSON.stringify(second) });
    await page.goto(`${stage.server.url}/#${at.replace('/v2', '')}`);
    await nodeOf(page, 'PC1').click({ button: 'right' });
    await choose(page, 'Warum erreicht er nicht …');
    await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'PC2' });
    await page.getByRole('dialog').getByRole('button', { name: 'Herausfinden' }).click();
    await page.locator('.why-answer.ends').waitFor();
    assert.match(
      await page.locator('.why-answer').innerText(),
      /^PC1 erreicht PC2 nicht: der Link .+ ist ausgesetzt\.$/,
    );
    const deed = await page.locator('.why-since .wrap').innerText();
    assert.match(deed, /^Jemand hat den Link .+ ausgesetzt \(Ereignis \d+\)$/);
    await see('why');
    await page.getByRole('button', { name: 'Ereignisse', exact: true }).click();
    await page.getByText('Das geht so nicht: platform fehlt, und Knoten dieser Art brauchen es').waitFor();
    await see('what was refused');
  });

  step('shows the catalogue', async () => {
    const page = german();
    for (const section of ['images', 'templates', 'appliances', 'symbols']) {
      await page.goto(`${stage.server.url}/#/catalogue/${section}`);
      // As its folder calls it.
      if (section === 'templates') await page.getByText('Einfacher PC · eingebaut').waitFor();
      await page.getByRole('heading').nth(1).waitFor();
      await see(section);
    }
  });

  step('and nothing of it is cut off, or English', async () => {
    assert.deepEqual(tab?.errors(), []);
    assert.deepEqual([...new Set(found)], []);
    return Promise.resolve();
  });
});
