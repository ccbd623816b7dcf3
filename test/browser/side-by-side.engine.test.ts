import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser, openTab } from './browser.ts';
import { createStage } from './stage.ts';
import { choose, nodeOf, settles, waitFor } from './walk.ts';

/** Two moments, or two labs, beside each other. */
describe('side by side', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('side-by-side');
  const { step, at, press } = stage;
  let lab = '';
  let forked = '';

  const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Side by side' });
  const sideOf = (page: Page, which: 'Left' | 'Right'): Locator =>
    dialogOf(page).getByRole('region', { name: new RegExp(`^${which}:`) });
  const inSide = (page: Page, which: 'Left' | 'Right', name: string): Locator =>
    sideOf(page, which)
      .locator('.react-flow__node')
      .filter({ has: page.getByText(name, { exact: true }) });
  const counted = (page: Page, text: string): Promise<void> =>
    dialogOf(page).getByTestId('side-differences').getByText(text, { exact: true }).waitFor();
  const viewsOf = (page: Page): Promise<string[]> =>
    dialogOf(page)
      .locator('.react-flow__viewport')
      .evaluateAll((all) => all.map((one) => (one as unknown as { style: { transform: string } }).style.transform));
  const momentsOf = async (page: Page): Promise<string[]> => [
    await sideOf(page, 'Left').getByRole('status').innerText(),
    await sideOf(page, 'Right').getByRole('status').innerText(),
  ];
  const sameViews = async (page: Page, before: string): Promise<boolean> => {
    const [left, right] = await viewsOf(page);
    return left !== undefined && left !== before && left === right;
  };

  step('shows a snapshot beside now, with what differs on both', async (page) => {
    lab = await stage.lab('campus');
    const made: string[] = [];
    for (const [name, x] of [
      ['PC1', -200],
      ['PC2', 200],
    ] as const) {
      const node = { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 };
      made.push((await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, node)).node_id);
    }
    await stage.send('POST', `${lab}/snapshots`, { name: 'before' });
    const fork = await stage.send<{ project_id: string }>('POST', `${lab}/fork`, { name: 'campus fork' });
    forked = fork.project_id;
    await stage.send('POST', '/v2/projects', { name: 'another' });
    await stage.send('PUT', `${lab}/nodes/${made[0]}`, { name: 'host124' });
    await stage.send('DELETE', `${lab}/nodes/${made[1]}`);
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'host124').waitFor();
    await page.getByRole('button', { name: /^Snapshot before,/ }).click();
    await choose(page, 'Side by side with now');
    await counted(page, '0 added, 1 removed, 1 changed');
    await inSide(page, 'Left', 'PC2').locator('.removed').waitFor();
    for (const [which, name] of [
      ['Left', 'PC1'],
      ['Right', 'host124'],
    ] as const)
      await inSide(page, which, name).locator('.changed').waitFor();
    await dialogOf(page).getByText('name: PC1 → host124').waitFor();
    assert.deepEqual(await stage.tab.findings(), []);
  });

  step('pans and zooms both by hand, and lights up what a difference is about', async (page) => {
    const [before = ''] = await viewsOf(page);
    const box = await sideOf(page, 'Right').locator('.react-flow').boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await waitFor(() => sameViews(page, before));
    const [panned = ''] = await viewsOf(page);
    await page.mouse.wheel(0, -300);
    await waitFor(() => sameViews(page, panned));
    await dialogOf(page)
      .getByRole('button', { name: /host124/ })
      .hover();
    await waitFor(async () => (await dialogOf(page).locator('.react-flow__node[data-pointed]').count()) === 2);
    await press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
  });

  step('is reached and used without a mouse, and each side has its own moment', async (page) => {
    await at(/^Moment of the session$/, 'Home');
    await page.getByTestId('past').waitFor();
    await press('ContextMenu');
    await stage.pick('Side by side with now');
    await counted(page, '1 added, 0 removed, 0 changed');
    const [before = ''] = await viewsOf(page);
    await at(/^Map of campus, now$/, '+');
    await waitFor(() => sameViews(page, before));
    const [zoomed = ''] = await viewsOf(page);
    await press('ArrowRight');
    await waitFor(() => sameViews(page, zoomed));
    await press('0');
    await waitFor(() => sameViews(page, zoomed));
    await sideOf(page, 'Left').getByRole('button', { name: 'One change on' }).focus();
    const moment = sideOf(page, 'Left').getByRole('status');
    while ((await inSide(page, 'Left', 'PC1').count()) === 0) {
      const shown = await moment.innerText();
      await press('Enter');
      await waitFor(async () => (await moment.innerText()) !== shown);
      await waitFor(async () => (await sideOf(page, 'Left').getAttribute('aria-busy')) === 'false');
    }
    await counted(page, '0 added, 0 removed, 1 changed');
    await sideOf(page, 'Right').getByRole('slider').focus();
    await press('Home');
    await counted(page, '0 added, 1 removed, 0 changed');
    await at(/^Swap$/, 'Enter');
    await counted(page, '1 added, 0 removed, 0 changed');
  });

  step('stands in the address: after a reload, for somebody else, and no longer once it is closed', async (page) => {
    const moments = await momentsOf(page);
    assert.notEqual(moments[0], moments[1]);
    await page.reload();
    await counted(page, '1 added, 0 removed, 0 changed');
    assert.deepEqual(await momentsOf(page), moments);
    const other = await openTab(stage.browser);
    await other.page.goto(page.url());
    await counted(other.page, '1 added, 0 removed, 0 changed');
    assert.deepEqual(await momentsOf(other.page), moments);
    await other.page.close();
    await press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /left|right/);
    await at(/^Back to now$/, 'Enter');
  });

  step('offers a fork first, and any other project', async (page) => {
    await press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('side by side with a fork');
    await press('Enter');
    await counted(page, '1 added, 0 removed, 1 changed');
    const select = sideOf(page, 'Right').getByLabel('Project on the right');
    await settles(() => select.inputValue(), forked);
    assert.deepEqual(await select.locator('optgroup').first().locator('option').allInnerTexts(), [
      'campus',
      'campus fork',
    ]);
    await inSide(page, 'Right', 'PC2').locator('.added').waitFor();
    await select.selectOption({ label: 'another' });
    await counted(page, '0 added, 1 removed, 0 changed');
    await select.selectOption({ label: 'campus fork' });
    await counted(page, '1 added, 0 removed, 1 changed');
    await page.reload();
    await counted(page, '1 added, 0 removed, 1 changed');
    await waitFor(async () => (await select.inputValue()) === forked);
    const nodes = await stage.read<{ node_id: string; name: string }[]>(`/v2/projects/${forked}/nodes`);
    await stage.send('POST', `/v2/projects/${forked}/open`, {});
    const pc1 = nodes.find(({ name }) => name === 'PC1');
    await stage.send('PUT', `/v2/projects/${forked}/nodes/${pc1?.node_id}`, { name: 'core' });
    await inSide(page, 'Right', 'core').waitFor();
  });

  step('lies one over the other in a narrow window, and finds no fault with axe', async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await waitFor(async () => {
      const [left, right] = [await sideOf(page, 'Left').boundingBox(), await sideOf(page, 'Right').boundingBox()];
      return left !== null && right !== null && right.y >= left.y + left.height && right.x === left.x;
    });
    assert.deepEqual(await stage.tab.findings(), []);
    await page.setViewportSize({ width: 1280, height: 800 });
    await press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
  });

  step('restores a snapshot from its mark', async (page) => {
    await at(/^Snapshot before,/, 'Enter');
    await stage.pick('Restore the snapshot before …');
    await page.getByRole('dialog', { name: 'Restore before?' }).getByRole('button', { name: 'Restore' }).click();
    await nodeOf(page, 'PC2').waitFor();
    await nodeOf(page, 'PC1').waitFor();
  });
});
