import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { launch, openTab, type Tab } from './browser.ts';
import { focusedName, tabTo } from './walk.ts';

/** A server, a browser and one tab for the steps of a suite, which go on from each other. */
export interface Stage {
  readonly browser: Browser;
  readonly server: ServerProcess;
  readonly tab: Tab;
  readonly page: Page;
  /** Of the server's files; its data are in `data`. */
  readonly dir: string;
  /** A test; none after one that has failed is tried, for it would only wait for what it lacks. */
  readonly step: (what: string, work: (page: Page) => Promise<void>) => void;
  readonly press: (...keys: string[]) => Promise<void>;
  /** Goes by Tab to what has the name, and then presses the keys. */
  readonly at: (name: RegExp, ...keys: string[]) => Promise<void>;
  /** Chooses from the menu that is open, by the arrow keys. */
  readonly pick: (item: string) => Promise<void>;
  /** Replaces the text of the field of that name. */
  readonly fill: (field: RegExp, text: string) => Promise<void>;
  /** What the server answers; fails unless it is a success. */
  readonly read: <T>(where: string) => Promise<T>;
  readonly send: <T>(method: string, where: string, body?: unknown) => Promise<T>;
  /** Starts the server again, where it was, after it was killed. */
  readonly startAgain: () => Promise<void>;
  /** A project with consoles recorded; its path at the server. */
  readonly lab: (name: string) => Promise<string>;
}

/** TOPOLOG_TEST_SLOWDOWN=8: the page has an eighth of the processor, to find what holds only on a fast machine. */
const slowDown = async (page: Page): Promise<void> => {
  const rate = Number(process.env['TOPOLOG_TEST_SLOWDOWN'] ?? 1);
  if (rate > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
};

/** Call it in a `describe`. `name` is that of the screenshot of a failure. */
export const createStage = (name: string): Stage => {
  let there: { browser: Browser; server: ServerProcess; tab: Tab } | null = null;
  let dir: Awaited<ReturnType<typeof tempDir>> | null = null;
  let hasFailed = false;
  const now = (): NonNullable<typeof there> => there ?? assert.fail('the suite has not begun');
  before(async () => {
    dir = await tempDir();
    const [browser, server] = await Promise.all([launch(), spawnServer(path.join(dir.path, 'data'))]);
    const tab = await openTab(browser, { acceptDownloads: true });
    tab.page.setDefaultTimeout(30_000);
    await slowDown(tab.page);
    there = { browser, server, tab };
  });
  after(async () => {
    await there?.browser.close();
    await there?.server.kill('SIGTERM');
    await dir?.remove();
  });
  const stage: Stage = {
    get browser() {
      return now().browser;
    },
    get server() {
      return now().server;
    },
    get tab() {
      return now().tab;
    },
    get page() {
      return now().tab.page;
    },
    get dir() {
      return dir?.path ?? assert.fail('the suite has not begun');
    },
    step(what, work) {
      it(what, async () => {
        assert.ok(!hasFailed, 'a step before this one has failed');
        hasFailed = true;
        await work(stage.page).catch(async (error: unknown) => {
          await stage.tab.screenshot(`${name}-failed`);
          throw error;
        });
        assert.deepEqual(stage.tab.errors().splice(0), []);
        hasFailed = false;
      });
    },
    async press(...keys) {
      for (const key of keys) await stage.page.keyboard.press(key);
    },
    async at(what, ...keys) {
      await tabTo(stage.page, what);
      await stage.press(...keys);
    },
    async pick(item) {
      await stage.page.getByRole('menu').waitFor();
      const seen: string[] = [];
      for (let n = 0; n < 30; n++) {
        const focused = await focusedName(stage.page);
        if (focused === item) return stage.press('Enter');
        seen.push(focused);
        await stage.press('ArrowDown');
      }
      return assert.fail(`the menu has no ${item}: ${seen.join(' | ')}`);
    },
    async fill(field, text) {
      await stage.at(field, 'Control+a');
      await stage.page.keyboard.type(text);
    },
    read: (where) => stage.send('GET', where),
    async send<T>(method: string, where: string, body?: unknown) {
      const answer = await request(stage.server.url, method, where, body);
      assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
      return answer.body as T;
    },
    async startAgain() {
      const { port } = new URL(stage.server.url);
      there = { ...now(), server: await spawnServer(path.join(stage.dir, 'data'), ['--port', port]) };
    },
    async lab(called) {
      const { project_id } = await stage.send<{ project_id: string }>('POST', '/v2/projects', { name: called });
      await stage.send('PUT', `/v2/projects/${project_id}`, { record_consoles: true });
      return `/v2/projects/${project_id}`;
    },
  };
  return stage;
};
