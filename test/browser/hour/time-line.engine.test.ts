import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, waitFor } from '../walk.ts';
import { type Made, showLab } from '../show-lab.ts';

interface Named {
  name: string;
}

describe('the time line', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-time-line');
  const { step } = stage;
  let lab: Made = { at: '', ids: new Map(), links: [] };
  const names = async (): Promise<string[]> =>
    (await stage.read<Named[]>(`${lab.at}/nodes`)).map(({ name }) => name).sort();

  step('brings back what was deleted in 3 gestures, with its link', async (page) => {
    // The form asks for the script of a node that is about to come back.
    stage.tab.allow(/404 \(Not Found\).*startup/);
    lab = await showLab(stage, 'time', 2, false);
    await nodeOf(page, 'PC2').click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await waitFor(async () => (await names()).length === 2);
    await nodeOf(page, 'PC2').waitFor({ state: 'hidden' });
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'One change back' }));
    await nodeOf(page, 'PC2').waitFor();
    await hand.click(page.getByRole('button', { name: 'Restore all …' }));
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }));
    await waitFor(async () => (await names()).join() === 'PC1,PC2,SW');
    hand.took(3);
    assert.equal((await stage.read<unknown[]>(`${lab.at}/links`)).length, 2);
    await page.getByTestId('past').waitFor({ state: 'hidden' });
  });

  step('says who renamed a node in 2 gestures, without a search', async (page) => {
    await stage.send('PUT', `${lab.at}/nodes/${lab.ids.get('PC1') ?? ''}`, { name: 'web' });
    const hand = handOf(page);
    await hand.click(page.getByTitle('What happened', { exact: true }));
    await page.getByText('Somebody renamed PC1 to web').waitFor();
    await hand.click(page.getByText('Somebody renamed PC1 to web'));
    await page.getByTestId('past').waitFor();
    hand.took(2);
    await page.getByRole('button', { name: 'Back to now' }).click();
  });

  step('shows what differs since the beginning in 1 gesture', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Compare', exact: true }));
    await page
      .getByTestId('differences')
      .getByText(/^[1-9]\d* added, 0 removed/)
      .waitFor();
    hand.took(1);
    await page.getByRole('button', { name: 'Back to now' }).click();
  });

  step('forks the lab at a moment of the past in 3 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'One change back' }));
    await page.getByTestId('past').waitFor();
    await hand.click(page.getByRole('button', { name: /Fork from here/ }));
    await page.getByRole('dialog').waitFor();
    await hand.press('Enter');
    await page.getByRole('heading', { name: 'time fork' }).waitFor();
    await nodeOf(page, 'SW').waitFor();
    hand.took(3);
  });

  step('says that a long check goes on, and ends it in 1 gesture', async (page) => {
    const badge = page.getByTestId('verify');
    // What is checked of itself would be cancelled.
    await badge.getByText('Verified').waitFor();
    const held: (() => void)[] = [];
    await page.route('**/verify**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      // The page has ended it meanwhile.
      await route.abort().catch(() => undefined);
    });
    await badge.click();
    await badge.getByText(/^Checking … \d+%$/).waitFor();
    const hand = handOf(page);
    await hand.click(badge);
    await badge.getByText('Check cancelled').waitFor();
    hand.took(1);
    for (const go of held) go();
    await page.unroute('**/verify**');
  });
});
