import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { resultsCommand } from '../../src/cli/check/checks.ts';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { choose, linkOf, nodeOf, settles, waitFor } from './walk.ts';
import { twoComputers } from './two-computers.ts';

describe('the checks of a lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('checks');
  const { step } = stage;
  let lab = '';
  let linkId = '';
  const panel = (page: Page): Locator => page.locator('.panel:not([hidden]) .checks');
  const row = (page: Page, title: string | RegExp): Locator => panel(page).locator('.check').filter({ hasText: title });

  step('are told of where there are none, and made by a sentence', async (page) => {
    ({ lab, linkId } = await twoComputers(stage, 'checked'));
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
    await page.getByRole('button', { name: 'Project', exact: true }).click();
    await choose(page, 'Checks');
    await panel(page).getByText('Nothing is checked here yet.').waitFor();
    await look(stage.tab, 'no checks yet');
    const field = panel(page).getByRole('textbox', { name: 'A check as a sentence' });
    await field.fill('PC1 likes PC2');
    await field.press('Enter');
    await panel(page).getByText('Say something like: PC1 reaches PC2').waitFor();
    await field.fill('PC1 reaches PC2 every 200ms');
    await field.press('Enter');
    await row(page, 'PC1 reaches PC2').filter({ hasText: 'Met since' }).waitFor();
    await settles(() => field.inputValue(), '');
    await page.getByRole('button', { name: '1 check met', exact: true }).waitFor();
    await field.fill('PC1 likes PC2');
    await field.press('Enter');
    await panel(page).getByText('Say something like: PC1 reaches PC2').waitFor();
    await field.fill('');
    await panel(page).getByText('Say something like').waitFor({ state: 'detached' });
  });

  step('are broken where somebody cuts a link: with the evidence, a badge and a mark', async (page) => {
    await stage.send('PUT', `${lab}/links/${linkId}`, { suspend: true });
    await row(page, 'PC1 reaches PC2').filter({ hasText: 'Broken since' }).waitFor();
    await nodeOf(page, 'PC1').locator('.light-mark.lit-broken').waitFor();
    await page.getByRole('button', { name: '0 checks met, 1 check broken', exact: true }).waitFor();
    await row(page, 'PC1 reaches PC2').getByRole('button', { expanded: false }).click();
    await panel(page)
      .locator('.evidence')
      .getByText(/probes? to 10\.0\.0\.2 lost/)
      .waitFor();
    await look(stage.tab, 'a broken check');
    await stage.tab.screenshot('checks-broken');
    const nodes = await stage.read<{ node_id: string; name: string }[]>(`${lab}/nodes`);
    const second = `${lab}/nodes/${nodes.find(({ name }) => name === 'PC2')?.node_id ?? ''}`;
    await stage.send('POST', `${second}/stop`, {});
    const lastText = async (): Promise<string | undefined> =>
      (await stage.read<{ result: { last: { text: string } | null } }[]>(`${lab}/checks`))[0]?.result.last?.text;
    await waitFor(async () => /PC2 is stopped$/.test((await lastText()) ?? ''));
    await row(page, 'PC1 reaches PC2').getByRole('button', { expanded: true }).click();
    await row(page, 'PC1 reaches PC2').getByRole('button', { expanded: false }).click();
    await panel(page).getByText('At the last look: PC1 does not reach PC2: PC2 is stopped').waitFor();
    await stage.send('POST', `${second}/start`, {});
    await page.getByRole('button', { name: 'Open the time line' }).click();
    await page.locator('.lane-labels').getByText('Checks broken').waitFor();
    // Below the map little of it is left, and its tools are in sight still.
    const cutOff = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.map-toolbar'))`;
    await waitFor(async () => (await page.evaluate<number>(cutOff)) <= 0);
    await page.getByRole('button', { name: 'Close the time line' }).click();
  });

  step('are as they were at a moment of the past', async (page) => {
    await row(page, 'PC1 reaches PC2').getByRole('button', { name: 'Show this moment' }).click();
    await page.getByTestId('past').waitFor();
    await row(page, 'PC1 reaches PC2').filter({ hasText: 'Broken since' }).waitFor();
    await settles(() => panel(page).getByRole('button', { name: 'New check …' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByTestId('past').waitFor({ state: 'detached' });
  });

  step('hold again once it is joined, and are looked at when asked for', async (page) => {
    await stage.send('PUT', `${lab}/links/${linkId}`, { suspend: false });
    await row(page, 'PC1 reaches PC2').filter({ hasText: 'Met since' }).waitFor();
    await nodeOf(page, 'PC1').locator('.light-mark.lit-broken').waitFor({ state: 'detached' });
    await panel(page).getByRole('button', { name: 'Look now: PC1 reaches PC2' }).click();
    await panel(page).getByText('It holds now').waitFor();
    await row(page, 'PC1 reaches PC2').hover();
    await nodeOf(page, 'PC2').locator('.lab-node.lit-shown').waitFor();
  });

  step('are made and changed by a form', async (page) => {
    await panel(page).getByRole('button', { name: 'New check …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'What is to hold' }).selectOption('state');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('fields are not right').waitFor();
    await look(stage.tab, 'the form of a check');
    for (const name of ['Node', 'Is']) {
      const first = dialog.getByRole('combobox', { name, exact: true }).locator('option').first();
      await settles(() => first.textContent(), 'choose …');
    }
    await dialog.getByRole('combobox', { name: 'Node', exact: true }).selectOption({ label: 'PC2' });
    await dialog.getByRole('combobox', { name: 'Is', exact: true }).selectOption('started');
    await dialog.getByText('Name, times and points').click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('PC2 runs');
    await dialog.getByRole('textbox', { name: 'Points', exact: true }).fill('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'PC2 runs').filter({ hasText: 'Met since' }).waitFor();
    await panel(page).getByRole('button', { name: 'Change PC2 runs' }).click();
    await dialog.getByRole('combobox', { name: 'Is', exact: true }).selectOption('stopped');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'PC2 runs').filter({ hasText: 'Broken since' }).waitFor();
    const checks = await stage.read<{ name?: string; points?: number }[]>(`${lab}/checks`);
    assert.equal(checks.find(({ name }) => name === 'PC2 runs')?.points, 2.5);
  });

  step('are passed in stages, and deleted', async (page) => {
    const stages = [
      { name: 'First', checks: ['PC1 reaches PC2'], unlocks: ['Second'] },
      { name: 'Second', checks: ['PC2 runs'] },
    ];
    await stage.send('PUT', lab, { stages });
    const list = panel(page).getByRole('list', { name: 'Stages' });
    await list.getByText('Second').waitFor();
    await look(stage.tab, 'stages');
    await stage.tab.screenshot('checks-stages');
    const downloading = page.waitForEvent('download');
    await panel(page).getByRole('button', { name: 'Result sheet' }).click();
    const zip = unzipSync(await readFile(await (await downloading).path()));
    for (const [name, content] of Object.entries(zip)) await writeFile(path.join(stage.dir, name), content);
    assert.match(await readFile(path.join(stage.dir, 'results.csv'), 'utf8'), /,First,yes,/);
    assert.equal(await resultsCommand.run(['--verify', path.join(stage.dir, 'results.csv')]), 0);
    await panel(page).getByRole('button', { name: 'Delete PC2 runs' }).click();
    await waitFor(async () => (await row(page, 'PC2 runs').count()) === 0);
    await list.getByText('there is no such check').waitFor();
  });

  step('are made of two nodes that are selected', async (page) => {
    await nodeOf(page, 'PC2').click();
    await nodeOf(page, 'PC1').click({ modifiers: ['Control'] });
    await nodeOf(page, 'PC1').click({ button: 'right' });
    await choose(page, /^Check that PC\d reaches PC\d$/);
    await waitFor(async () => (await panel(page).locator('.check').count()) === 2);
    await linkOf(page, linkId).waitFor({ state: 'attached' });
  });
});
