import type { Page } from 'playwright-core';

/**
 * Listens as a screen reader does, from now on: what changes in a live region that was there before, and each alert that comes. A region
 * that comes with its text is not told by most of them.
 */
export const LISTEN = `(() => {
  const LIVE = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
  const said = (globalThis.said = []);
  const known = new WeakSet(document.querySelectorAll(LIVE));
  const tell = (region) => {
    const text = region.textContent.replaceAll(/\\s+/g, ' ').trim();
    if (text !== '' && said.at(-1) !== text) said.push(text);
  };
  new MutationObserver((changes) => {
    const told = new Set();
    for (const { target, addedNodes } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE);
      if (region && known.has(region)) told.add(region);
      for (const node of addedNodes)
        if (node.nodeType === 1)
          for (const alert of [node, ...node.querySelectorAll('[role=alert]')]) if (alert.matches('[role=alert]')) told.add(alert);
    }
    for (const region of told) tell(region);
    for (const region of document.querySelectorAll(LIVE)) known.add(region);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** What was told since the last time. */
export const said = (page: Page): Promise<string[]> => page.evaluate<string[]>('globalThis.said.splice(0)');

/** The tree that a screen reader goes by: landmarks with their names, and headings with their levels, in their order. */
export const outlineOf = async (page: Page): Promise<{ landmarks: string[]; headings: [number, string][] }> => {
  const tree = await page.locator('body').ariaSnapshot();
  const lines = tree.split('\n').map((line) => line.trim());
  return {
    landmarks: lines
      .filter((line) => /^- (banner|main|navigation|complementary|region|search|contentinfo)\b/.test(line))
      .map((line) => line.replace(/^- /, '').replace(/:$/, '')),
    headings: lines.flatMap((line): [number, string][] => {
      const [, name = '', level] = /^- heading "(.*)" \[level=(\d)\]/.exec(line) ?? [];
      return level === undefined ? [] : [[Number(level), name]];
    }),
  };
};
