import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { withResolvers } from '../../../src/common/promises.ts';
import { createStage } from '../stage.ts';
import { nodeOf, screenText, waitFor } from '../walk.ts';
import { showLab } from '../show-lab.ts';

/** From a telephone to a wall: the same work, nothing out of reach. */
describe('a lab of any size of window', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-sizes');
  const { step } = stage;
  const fits = async (page: Page): Promise<void> => {
    const { width = 0 } = page.viewportSize() ?? {};
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), width);
  };

  step('is started and used on a telephone in 4 gestures', async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await showLab(stage, 'sizes', 2, false);
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Start all nodes' }));
    await nodeOf(page, 'PC1').locator('.lab-node.started').waitFor();
    await hand.click(nodeOf(page, 'PC1').locator('.node-symbol'));
    await hand.press('c');
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    await hand.type('ping 10.0.0.2 -c 1\r');
    await waitFor(async () => (await screenText(page)).includes('icmp_seq=1 '));
    hand.took(4);
    await fits(page);
  });

  step('has its settings there in 1 gesture, and the map again in 1', async (page) => {
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Inspector (Alt+Enter)' }));
    await page.getByRole('complementary').waitFor();
    hand.took(1);
    await fits(page);
    await hand.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
    hand.took(1);
  });

  step('has the larger part of a laptop for its map', async (page) => {
    await page.setViewportSize({ width: 1366, height: 650 });
    await page.getByRole('button', { name: 'Close this tab' }).click();
    await waitFor(async () => ((await page.locator('.lab-middle').boundingBox())?.height ?? 0) >= 0.6 * 650);
    await fits(page);
  });

  step('stands still while the parts around it are on their way', async (page) => {
    const { promise: arrived, resolve: arrive } = withResolvers();
    await page.route(/assets\/(inspector|time-line)-[^/]+\.js$/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.reload();
    await nodeOf(page, 'PC1').waitFor();
    const place = (): Promise<unknown> => nodeOf(page, 'PC1').boundingBox();
    const early = await place();
    arrive();
    await page.getByRole('complementary').getByRole('heading').first().waitFor();
    await page.getByRole('button', { name: 'Open the time line' }).waitFor();
    assert.deepEqual(await place(), early);
    await page.unrouteAll();
  });

  step('stands in the middle of a wall', async (page) => {
    await page.setViewportSize({ width: 3840, height: 2160 });
    await page.keyboard.press('0');
    await waitFor(async () => {
      const [map, one, two] = await Promise.all(
        ['.react-flow', '[aria-label^="PC1,"]', '[aria-label^="PC2,"]'].map((what) => page.locator(what).boundingBox()),
      );
      if (!map || !one || !two) return false;
      return Math.abs((one.x + two.x + two.width) / 2 - (map.x + map.width / 2)) < 100;
    });
    await fits(page);
  });
});
