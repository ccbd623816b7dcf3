import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { createStage } from './stage.ts';
import { twoComputers } from './two-computers.ts';
import { choose, linkOf, nodeOf, waitFor } from './walk.ts';

describe('why a node does not reach another, on the page', { skip: noBrowser, timeout: 200_000 }, () => {
  const stage = createStage('why');
  const { step } = stage;
  let lab = '';
  let linkId = '';

  step('shows the way on the map, and that it arrives', async (page) => {
    ({ lab, linkId } = await twoComputers(stage, 'asked'));
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC1').locator('.lab-node.started').waitFor();
    await nodeOf(page, 'PC1').click({ button: 'right' });
    await choose(page, 'Why can it not reach …');
    await look(stage.tab, 'what a node does not reach');
    await page.getByRole('dialog').getByRole('button', { name: 'Find out why' }).click();
    await page.getByRole('heading', { name: 'From PC1 to PC2' }).waitFor();
    await page.locator('.why-way li').nth(1).getByText('PC2').waitFor();
    await nodeOf(page, 'PC2').locator('.lab-node.lit-way').waitFor();
  });

  step('says where it ends once the link is cut, since which event, and goes to its moment', async (page) => {
    await stage.send('PUT', `${lab}/links/${linkId}`, { suspend: true });
    await page.locator('.why-answer.ends').waitFor();
    await linkOf(page, linkId).locator('.lab-link.lit-end').waitFor();
    // Who did it and when is said once.
    assert.doesNotMatch(await page.locator('.why-answer').innerText(), /suspended the link/);
    assert.match(await page.locator('.why-since').innerText(), /suspended the link PC1 .* \(event \d+\)\n/);
    await look(stage.tab, 'why a node is not reached');
    await stage.tab.screenshot('why-cut');
    await page.locator('.why-since').click();
    await page.getByTestId('past').waitFor();
    await page.locator('.why-answer.ends').waitFor();
    await page.getByRole('button', { name: 'One change back' }).first().click();
    await page.locator('.why-answer:not(.ends)').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.locator('.why-answer.ends').waitFor();
  });

  step('asks the other way round, and leaves the map as it was', async (page) => {
    await page.getByRole('button', { name: 'The other way round' }).click();
    await page.getByRole('heading', { name: 'From PC2 to PC1' }).waitFor();
    await page.keyboard.press('Escape');
    await waitFor(async () => (await page.locator('.lit-way, .lit-end').count()) === 0);
  });
});
