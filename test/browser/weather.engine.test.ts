import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { twoComputers } from './two-computers.ts';
import { choose, linkOf, nodeOf, waitFor } from './walk.ts';

describe('the weather of a lab, on the page', { skip: noBrowser, timeout: 200_000 }, () => {
  const stage = createStage('weather');
  const { step } = stage;
  let lab = '';
  let linkId = '';
  const panel = (page: Page): Locator => page.locator('.panel:not([hidden]) .weather');
  const press = (page: Page, name: string): Promise<void> =>
    panel(page).getByRole('button', { name, exact: true }).click();

  step('is made by a form, which says what is wrong', async (page) => {
    ({ lab, linkId } = await twoComputers(stage, 'stormy'));
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await choose(page, 'Weather');
    await panel(page).getByText('Nothing is to happen here yet.').waitFor();
    await look(stage.tab, 'no weather yet');
    await press(page, 'New weather …');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('storm');
    await dialog.getByRole('textbox', { name: /^Filters/ }).fill('delay');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Filters: delay needs a value').waitFor();
    await look(stage.tab, 'the form of weather');
    await dialog.getByRole('textbox', { name: /^Filters/ }).fill('delay 50 5\npacket_loss 10');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await panel(page).locator('.weather-entry').getByText('storm').waitFor();
    await press(page, 'New weather …');
    await dialog.getByRole('combobox', { name: 'What happens' }).selectOption('flap');
    await dialog.getByRole('textbox', { name: 'At' }).fill('10m');
    await dialog.getByRole('textbox', { name: 'For', exact: true }).fill('5m');
    await dialog.getByRole('checkbox').first().check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await waitFor(async () => (await panel(page).locator('.weather-entry').count()) === 2);
    const { entries } = await stage.read<{ entries: { filters?: unknown; links?: string[] }[] }>(`${lab}/weather`);
    assert.deepEqual(entries[0]?.filters, { delay: [50, 5], packet_loss: [10] });
    assert.deepEqual(entries[1]?.links, [linkId]);
  });

  step('is started with a seed, and shows at its links', async (page) => {
    await panel(page).getByRole('textbox', { name: 'Seed' }).fill('7');
    await press(page, 'Start the weather');
    await panel(page)
      .getByText(/seed 7/)
      .waitFor();
    await linkOf(page, linkId).locator('.link-badge.storm').waitFor();
    await panel(page).locator('.weather-entry.on').getByText('storm').waitFor();
    await look(stage.tab, 'weather that is on');
    await stage.tab.screenshot('weather-on');
  });

  step('is paused, goes on, is skipped and ended, with marks of its own', async (page) => {
    await press(page, 'Pause');
    await panel(page).getByText('Paused').waitFor();
    await press(page, 'To the next change');
    await panel(page)
      .getByText(/10:0\d/)
      .first()
      .waitFor();
    await press(page, 'Resume');
    await panel(page).getByRole('button', { name: 'Pause' }).waitFor();
    await press(page, 'End');
    await panel(page).getByText('Off', { exact: true }).waitFor();
    await linkOf(page, linkId).locator('.link-badge.storm').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open the time line' }).click();
    await page.locator('.lane-labels').getByText('Weather').waitFor();
    await page.getByRole('button', { name: 'Close the time line' }).click();
    await press(page, 'Delete storm');
    await waitFor(async () => (await panel(page).locator('.weather-entry').count()) === 1);
  });
});
