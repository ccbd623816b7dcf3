import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../src/common/promises.ts';

/** What a person does on a lab's page, by what can be seen of it. */

/** A node of the map by its name. */
export const nodeOf = (page: Page, name: string): Locator =>
  page.locator('.react-flow__node').filter({ has: page.getByText(name, { exact: true }) });

/** Of the two ends' ids. */
export const linkOf = (page: Page, linkId: string): Locator => page.locator(`.react-flow__edge[data-id="${linkId}"]`);

export const choose = async (page: Page, item: string | RegExp): Promise<void> =>
  page.getByRole('menuitem', { name: item }).first().click();

const LOOK_MS = 50;

/** Looks again and again until it holds. */
export const waitFor = async (holds: () => Promise<boolean>, ms = 30_000): Promise<void> => {
  assert.ok(await until(holds, { every: LOOK_MS, within: ms }), `not within ${ms} ms: ${String(holds)}`);
};

/** Longest until a page shows what the server knows by then. Milliseconds. */
const SHOWN_MS = 10_000;

/** What is read of the page becomes this: it hears of changes a moment after the server has them. */
export const settles = async <T>(read: () => Promise<T>, wanted: T): Promise<void> => {
  let is: T | undefined;
  await until(async () => (is = await read()) === wanted, { every: LOOK_MS, within: SHOWN_MS });
  assert.equal(is, wanted);
};

/** Shows everything, and waits until the map, which moves there, stands. */
export const fitMap = async (page: Page): Promise<void> => {
  const moves = (): Promise<number> => page.evaluate(`performance.getEntriesByName('topolog:map:move').length`);
  const before = await moves();
  await page.keyboard.press('0');
  await waitFor(async () => (await moves()) > before);
};

/** Goes back from a console's own window, which closes: the click may not be answered any more. */
export const backIntoTheLab = async (own: Page): Promise<void> => {
  const closed = own.waitForEvent('close');
  const button = own.getByRole('button', { name: 'Back into the lab' });
  await button.click().catch((error: unknown) => {
    if (!own.isClosed()) throw error;
  });
  await closed;
};

/** Opens a node's console and waits until it is there. */
export const openConsole = async (page: Page, name: string): Promise<void> => {
  await nodeOf(page, name).click();
  await page.keyboard.press('Enter');
  await choose(page, 'Console');
  await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
};

/** Text of the console in front. */
export const screenText = async (page: Page): Promise<string> => {
  const text = await page.locator('.panel:not([hidden]) .xterm-rows').first().innerText();
  return text.replaceAll('\u00a0', ' ');
};

/** Looks at the console in front until it holds; else fails with what is on it. */
export const waitForScreen = async (page: Page, holds: (text: string) => boolean): Promise<void> => {
  await waitFor(async () => holds(await screenText(page))).catch(async (cause: unknown) => {
    assert.fail(`${String(cause)}\n${await screenText(page)}`);
  });
};

/** Types a line into the console in front, and waits for what it prints; resolves with that. */
export const typeLine = async (page: Page, line: string, until: RegExp): Promise<string> => {
  await page.locator('.panel:not([hidden]) .xterm-helper-textarea').first().focus();
  await page.keyboard.type(`${line}\r`);
  let printed = '';
  await waitForScreen(page, (text) => {
    const begin = text.lastIndexOf(line);
    printed = begin < 0 ? '' : text.slice(begin);
    return until.test(printed);
  });
  return printed;
};

/** Round trips of the pings on a screen, in milliseconds. */
export const timesOf = (text: string): number[] => [...text.matchAll(/time=([\d.]+) ms/g)].map(([, ms]) => Number(ms));

/**
 * Presses Tab until what has the focus has that name: rounds are faster than what is still being loaded. Fails when the focus has gone
 * round for 30 s without. A console keeps Tab for its node: it is left as it says, and the way is gone backwards from there.
 */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const seen = new Set<string>();
  let key = 'Tab';
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const focused = await focusedName(page);
    if (name.test(focused)) return;
    seen.add(focused);
    if (/^Console of/.test(focused)) {
      await page.keyboard.press('Shift+Escape');
      key = 'Shift+Tab';
    }
    await page.keyboard.press(key);
  }
  assert.fail(`Tab does not lead to ${String(name)}: ${[...seen].join(' | ')}`);
};

/** The name of what has the focus, as a screen reader would say it, or near to it. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return '';
    const ids = (at.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
    const labels = [...(at.labels ?? [])].map((one) => one.textContent);
    return (at.getAttribute('aria-label') ?? (ids.length > 0 ? ids.map((id) => document.getElementById(id)?.textContent).join(' ') : null)
      ?? (labels.length > 0 ? labels.join(' ') : null) ?? at.textContent ?? '').trim().slice(0, 200);
  })()`);
