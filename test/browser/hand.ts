import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** Does what a person does, and counts it: a click, a drag, a key with those held, a text typed at one place are one gesture each. */
export interface Hand {
  click(what: Locator, options?: Parameters<Locator['click']>[0]): Promise<void>;
  doubleClick(what: Locator): Promise<void>;
  /** Keys after each other, each a gesture. */
  press(...keys: string[]): Promise<void>;
  /** Where the focus is. */
  type(text: string): Promise<void>;
  /** Replaces what is in a field. */
  fill(what: Locator, text: string): Promise<void>;
  select(what: Locator, label: string): Promise<void>;
  /** From the middle of one thing to the middle of another. */
  drag(from: Locator, to: Locator): Promise<void>;
  /** Files or folders for what a button asks. */
  give(button: Locator, files: string | readonly string[]): Promise<void>;
  /** As many as these since the last time, and no more. */
  took(gestures: number): void;
}

const middleOf = async (of: Locator): Promise<{ x: number; y: number }> => {
  const box = (await of.boundingBox()) ?? assert.fail(`${String(of)} cannot be seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export const handOf = (page: Page): Hand => {
  let count = 0;
  const once = async (work: () => Promise<unknown>): Promise<void> => {
    count += 1;
    await work();
  };
  return {
    click: (what, options) => once(() => what.click(options)),
    doubleClick: (what) => once(() => what.dblclick()),
    async press(...keys) {
      for (const key of keys) await once(() => page.keyboard.press(key));
    },
    type: (text) => once(() => page.keyboard.type(text)),
    fill: (what, text) => once(() => what.fill(text)),
    select: (what, label) => once(() => what.selectOption({ label })),
    drag: (from, to) =>
      once(async () => {
        const [begin, there] = [await middleOf(from), await middleOf(to)];
        await page.mouse.move(begin.x, begin.y, { steps: 4 });
        await page.mouse.down();
        await page.mouse.move(there.x, there.y, { steps: 8 });
        await page.mouse.up();
      }),
    give: (button, files) =>
      once(async () => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
        await chooser.setFiles(typeof files === 'string' ? files : [...files]);
      }),
    took(gestures) {
      assert.equal(count, gestures, 'gestures');
      count = 0;
    },
  };
};
