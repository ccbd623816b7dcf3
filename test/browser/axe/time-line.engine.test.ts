import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { choose, nodeOf } from '../walk.ts';

describe('the views of the time line, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-time-line');
  const { step } = stage;
  const { see, end } = createLooks(stage);

  step('open, with its lists', async (page) => {
    const lab = await stage.lab('seen');
    await stage.send('POST', `${lab}/snapshots`, { name: 'before' });
    for (const [n, name] of ['PC1', 'PC2'].entries()) {
      const body = { name, node_type: 'vpcs', compute_id: 'local', x: 200 * n, y: 0 };
      const { node_id } = await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body);
      await stage.send('PUT', `${lab}/nodes/${node_id}`, { x: 50 + 200 * n });
      await stage.send('POST', `${lab}/nodes/${node_id}/start`, {});
    }
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'PC2').waitFor();
    for (const name of ['What happened', 'Filter']) {
      await page.getByTitle(name, { exact: true }).click();
      await page.getByRole('region', { name, exact: true }).waitFor();
      await see(`${name}, over the strip`);
    }
    await page.getByRole('button', { name: 'Open the time line' }).click();
    await page.locator('.lane-labels').getByText('Starts').waitFor();
    await see('the open time line, with its filter');
    await page.getByTitle('What happened', { exact: true }).click();
    await page.getByRole('region', { name: 'What happened' }).locator('.event').first().waitFor();
    await see('the open time line, with the events');
  });

  step('in the past, compared, and restored', async (page) => {
    await page.getByRole('slider', { name: 'Moment of the session' }).press('Home');
    await page.getByTestId('past').waitFor();
    await page.getByRole('button', { name: 'One change on' }).click();
    await see('the past');
    await page.getByRole('button', { name: 'Restore all …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).waitFor();
    await see('restoring');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Fork from here/ }).click();
    await page.getByRole('dialog').waitFor();
    await see('forking');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByTestId('differences').waitFor();
    await see('compared');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByTestId('past').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Close the time line' }).click();
  });

  step('with a snapshot beside now', async (page) => {
    await page.getByRole('button', { name: /^Snapshot before,/ }).click();
    await choose(page, 'Side by side with now');
    const dialog = page.getByRole('dialog', { name: 'Side by side' });
    await dialog.getByText(/^\d+ added, /).waitFor();
    await see('side by side');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  step('in the history of a node', async (page) => {
    await nodeOf(page, 'PC1').focus();
    await page.keyboard.press('Enter');
    await choose(page, 'History');
    await page.getByRole('button', { name: 'Show this moment' }).first().waitFor();
    await see('history');
    await page.getByRole('button', { name: 'Your last edits' }).click();
    await page.getByRole('menu').waitFor();
    await see('the last edits');
  });

  end();
});
