import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findingsIn, type Tab } from './browser.ts';
import { CUT_OFF } from './cut-off.ts';
import type { Stage } from './stage.ts';

const COLOURS = ['light', 'dark'] as const;
/** Colours that are on their way to others are none of the view's: they are there at once. */
const SETTLED = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;
/** What follows a size is drawn. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Of a telephone, of a laptop at 200 %, of a laptop, of a wall. */
const SIZES = {
  'at 360 px': { width: 360, height: 740 },
  'at 200 %': { width: 683, height: 384 },
  'at 1366 px': { width: 1366, height: 768 },
  'at 3840 px': { width: 3840, height: 2160 },
} as const;

const inColour = async (page: Page, colorScheme: (typeof COLOURS)[number]): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
  await page.evaluate(SETTLED);
};

/** No view has a finding of axe, light or dark. */
export const look = async (tab: Tab, name: string): Promise<void> => {
  for (const colour of COLOURS) {
    await inColour(tab.page, colour);
    assert.deepEqual(await tab.findings(), [], `${name}, ${colour}`);
  }
};

/** Of all views in the dark: there colours are all that differs, and no colour depends on the size. */
const IN_THE_DARK = 'at 1366 px';

/** The same at every size, where nothing may be out of reach either; answers what was found. */
const lookAround = async (page: Page, name: string): Promise<string[]> => {
  const before = page.viewportSize();
  const found: string[] = [];
  await inColour(page, 'light');
  for (const [called, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await page.evaluate(DRAWN);
    await page.evaluate(SETTLED);
    const light = [...(await findingsIn(page)), ...(await page.evaluate<string[]>(CUT_OFF))];
    found.push(...light.map((one) => `${name}, ${called}: ${one}`));
    if (called !== IN_THE_DARK) continue;
    await inColour(page, 'dark');
    const dark = await findingsIn(page, ['color-contrast']);
    found.push(...dark.map((one) => `${name}, ${called}, dark: ${one}`));
    await inColour(page, 'light');
  }
  if (before !== null) await page.setViewportSize(before);
  await page.evaluate(DRAWN);
  return found;
};

export interface Looks {
  /** Keeps what is found in the view. */
  readonly see: (name: string, page?: Page) => Promise<void>;
  /** The last step: nothing was. */
  readonly end: () => void;
}

/** Looks around in all views of a suite. */
export const createLooks = (stage: Stage): Looks => {
  const found: string[] = [];
  return {
    see: async (name, page = stage.page) => void found.push(...(await lookAround(page, name))),
    end: () =>
      stage.step('and nothing is found in any of them', async () => {
        assert.deepEqual(found, []);
        return Promise.resolve();
      }),
  };
};
