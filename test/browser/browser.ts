import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const { NEEDED, program } = (await import(pathToFileURL(path.resolve('scripts/chromium.mjs')).href)) as {
  NEEDED: string;
  program: string | undefined;
};

/** For `skip` of a suite: false where there is a browser. */
export const noBrowser: string | false = program === undefined ? NEEDED : false;

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
  /** Findings of axe in what is shown now. */
  findings(rules?: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Tests beside this one make interfaces and take them away: the browser drops its requests, and the page asks again. */
const MACHINE = /net::ERR_NETWORK_CHANGED/;

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
    if (!MACHINE.test(text) && !allowed.some((expected) => expected.test(text))) errors.push(text);
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
    findings: (rules) => findingsIn(page, rules),
    close: () => context.close(),
  };
};

/** Findings of axe, of every level: rule, help, and the elements. */
export const findingsIn = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  // By the debugger, which no policy of the page stops.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const options = { ...AXE, ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }) };
  const found = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};

/** The page has no other frames and no media; only what fails is wanted. */
const AXE = { resultTypes: ['violations'], preload: false, iframes: false };

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[] }[];
}
