import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where distributions have it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];
const program = PLACES.find((place) => existsSync(place));

/** For `skip` of a suite: false where there is a browser. */
export const noBrowser: string | false = program === undefined ? 'needs Chromium: apt-get install chromium' : false;

/** Ignored by git; CI keeps it. */
const SCREENSHOTS = path.resolve('test-screenshots');

/** A tab that says at its end what went wrong in it. */
export interface Tab {
  page: Page;
  /** Errors that it has printed, and those that it has thrown; those that are allowed are left out. */
  errors(): string[];
  /** From here on such errors are no fault: a server is killed. */
  allow(expected: RegExp): void;
  screenshot(name: string): Promise<void>;
  /** Serious findings of axe in what is shown now: rule, help, and the elements. */
  findings(): Promise<string[]>;
  close(): Promise<void>;
}

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program ?? '',
    // Containers have no user namespaces, and little in /dev/shm.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

/** A tab of its own, with nothing of others in it. */
export const openTab = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  const allowed: RegExp[] = [];
  const failed = (text: string): void => {
    if (!allowed.some((expected) => expected.test(text))) errors.push(text);
  };
  page.on('console', (message) => {
    // What the policy refuses is printed as an error as well.
    if (message.type() === 'error') failed(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => failed(error.stack ?? error.message));
  return {
    page,
    errors: () => errors,
    allow: (expected) => void allowed.push(expected),
    async screenshot(name) {
      await mkdir(SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
    },
    async findings() {
      // By the debugger, which no policy of the page stops.
      await page.evaluate(axe.source);
      const found = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)');
      return found
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    close: () => context.close(),
  };
};

interface Violation {
  id: string;
  help: string;
  impact: string | null;
  nodes: { target: string[] }[];
}
