import assert from 'node:assert/strict';
import type { Tab } from './browser.ts';

const COLOURS = ['light', 'dark'] as const;
/** Colours that are on their way to others are none of the view's: they are there at once. */
const SETTLED = `for (const animation of document.getAnimations())
  if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();`;

/** No view has a serious finding of axe, light or dark. */
export const look = async (tab: Tab, name: string): Promise<void> => {
  for (const colorScheme of COLOURS) {
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    await tab.page.evaluate(SETTLED);
    assert.deepEqual(await tab.findings(), [], `${name}, ${colorScheme}`);
  }
};
