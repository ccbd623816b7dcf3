import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, screenText, waitFor, waitForScreen } from '../walk.ts';
import { showLab } from '../show-lab.ts';

describe('consoles', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-consoles');
  const { step } = stage;

  step('of all nodes open in 2 gestures: all are selected, and C', async (page) => {
    await showLab(stage, 'consoles', 3);
    await nodeOf(page, 'PC3').waitFor();
    const hand = handOf(page);
    await hand.press('Control+a', 'c');
    await waitFor(async () => (await page.getByRole('tab').count()) === 3);
    hand.took(2);
  });

  step('all get one line in 4 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'More for the dock' }));
    await hand.click(page.getByRole('menuitemradio', { name: 'Send to several consoles' }));
    const bar = page.getByRole('region', { name: 'Send to several consoles' });
    await waitFor(async () => (await page.locator('.dock').getByText('Connected', { exact: true }).count()) === 3);
    await hand.fill(bar.getByLabel('Line to send'), 'ping 10.0.0.2 -c 1');
    await hand.press('Enter');
    await bar.getByText('Sent to 3 consoles: ping 10.0.0.2 -c 1').waitFor();
    hand.took(4);
    for (const name of ['PC1', 'PC2', 'PC3']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      await waitForScreen(page, (text) => text.includes('icmp_seq=1 '));
    }
    await bar.getByRole('button', { name: 'Stop sending to several' }).click();
  });

  step('stand side by side after 1 gesture, and find a word in 3', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Show beside the others' }));
    await waitFor(async () => (await page.getByRole('tablist').count()) === 2);
    hand.took(1);
    const screen = page.locator('.pane.focused .panel:not([hidden])');
    await hand.click(screen.getByRole('button', { name: 'More for this console' }));
    await hand.click(page.getByRole('menuitem', { name: 'Find' }));
    await hand.type('10.0.0');
    await page
      .getByRole('search')
      .getByText(/^\d+ of \d+$/)
      .waitFor();
    hand.took(3);
  });

  step('play what they were in 2 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Recordings of this console' }).first());
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Play', exact: true }).first());
    await page.getByRole('tab', { name: /recording/, selected: true }).waitFor();
    await waitFor(async () => (await screenText(page)).includes('PC'));
    hand.took(2);
  });
});
