import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser, openTab, type Tab } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, waitFor } from '../walk.ts';
import { type Made, showLab } from '../show-lab.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;

describe('two users', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-two-users');
  const { step } = stage;
  let lab: Made = { at: '', ids: new Map(), links: [] };
  let other: Tab | null = null;
  const ada = (): Page => (other ?? assert.fail('ada has not come')).page;

  step('see each other at once, without a gesture', async (page) => {
    lab = await showLab(stage, 'two', 3, false);
    other = await openTab(stage.browser);
    await ada().addInitScript(`localStorage.setItem('topolog.name', 'ada')`);
    await ada().goto(page.url());
    await nodeOf(ada(), 'PC1').waitFor();
    await page.getByRole('button', { name: 'With you: ada' }).waitFor();
  });

  step('follow the other in 2 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'With you: ada' }));
    await hand.click(page.getByRole('menuitemradio', { name: 'Follow ada' }));
    hand.took(2);
    await nodeOf(ada(), 'PC2').click();
    await page.locator('.react-flow__node.selected').getByText('PC2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop following' }).click();
    await ada().keyboard.press('Escape');
  });

  step('are told in words when what one renames was deleted by the other', async (page) => {
    stage.tab.allow(/status of 404/);
    const path = `${lab.at}/nodes/${lab.ids.get('PC3') ?? ''}`;
    // The other is faster by what the request takes.
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'PUT') await stage.send('DELETE', path).catch(() => undefined);
      await route.continue();
    });
    const hand = handOf(page);
    await hand.click(nodeOf(page, 'PC3'));
    await hand.press('F2');
    await hand.type('late');
    await hand.press('Enter');
    hand.took(4);
    const notice = page.locator('.notice.error, .notice.warning, .notice.info');
    await notice.first().waitFor();
    assert.doesNotMatch(await notice.first().innerText(), UUID);
    assert.match(await notice.first().innerText(), /PC3/);
    await nodeOf(page, 'PC3').waitFor({ state: 'hidden' });
    await page.unroute(`**${path}`);
  });

  step('undo only what is their own, in 1 gesture', async (page) => {
    await nodeOf(ada(), 'PC1').click();
    await ada().keyboard.press('F2');
    await ada().keyboard.type('hers');
    await ada().keyboard.press('Enter');
    await nodeOf(page, 'hers').waitFor();
    const hand = handOf(ada());
    await ada().getByRole('button', { name: 'Undo: rename PC1 to hers (Ctrl+Z)', disabled: false }).waitFor();
    await hand.press('Control+z');
    await nodeOf(page, 'PC1').waitFor();
    hand.took(1);
    await waitFor(async () => (await stage.read<unknown[]>(`${lab.at}/nodes`)).length === 3);
    await ada().context().close();
  });
});
