import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { userLine } from '../../support/users.ts';
import { noBrowser, openTab } from '../browser.ts';
import { createLooks } from '../look.ts';
import { createStage } from '../stage.ts';
import { choose } from '../walk.ts';

const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

describe('the views of projects, at every size, light and dark,', { skip: noBrowser, timeout: 400_000 }, () => {
  const stage = createStage('axe-projects');
  const { step } = stage;
  const { see, end } = createLooks(stage);

  step('without a project, and with a new one', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await see('no project');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').waitFor();
    await see('new project');
    await closeDialog(page);
  });

  step('as cards, in folders, with tags and a menu', async (page) => {
    const named = async (name: string, settings: object): Promise<void> => {
      await stage.send('PUT', await stage.lab(name), settings);
    };
    await named('a project with a name that is much longer than the card is wide, in one_word_that_does_not_end', {});
    await named('seen', { tags: ['ospf', 'exam'] });
    await named('in a folder', { folder: ['Course', 'Week 1'] });
    await stage.send('POST', `${await stage.lab('closed')}/close`);
    await page.getByRole('link', { name: 'Show seen' }).waitFor();
    await page.getByRole('button', { name: 'Course 1' }).waitFor();
    await see('projects');
    await page.getByRole('button', { name: 'Course 1' }).click();
    await page.getByRole('navigation', { name: 'Folder' }).waitFor();
    await see('a folder');
    await page.getByRole('button', { name: 'All projects' }).click();
    await page.getByRole('button', { name: 'More for seen' }).click();
    await page.getByRole('menu').waitFor();
    await see('menu of a project');
  });

  step('in the dialogs of a project', async (page) => {
    await choose(page, 'Folder and tags');
    await page.getByRole('dialog').waitFor();
    await see('folder and tags');
    await closeDialog(page);
    await page.getByRole('button', { name: 'More for seen' }).click();
    await choose(page, 'Fork');
    await page.getByRole('dialog').waitFor();
    await see('fork');
    await closeDialog(page);
    await page.getByRole('button', { name: 'More for seen' }).click();
    await choose(page, 'Delete');
    await page.getByLabel('Type seen to confirm').waitFor();
    await see('deleting');
    await closeDialog(page);
  });

  step('in what the header opens', async (page) => {
    await page.getByRole('button', { name: /^You are/ }).click();
    await page.getByRole('menu').waitFor();
    await see('menu of the user');
    await choose(page, 'Change your name');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('§');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await see('a name that is refused');
    await closeDialog(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
    await see('search');
    await page.keyboard.type('there is no such thing');
    await page.getByText('Nothing found. Try fewer words.').waitFor();
    await see('search without a find');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Computes' }).click();
    await page.getByRole('heading', { name: 'This server' }).waitFor();
    await see('computes');
    await page.getByRole('button', { name: 'Add a compute' }).click();
    await page.getByRole('dialog', { name: 'Add a compute' }).waitFor();
    await see('a new compute');
    // Behind it is the list.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Computes' }).waitFor();
    await closeDialog(page);
  });

  step('where there is no such project, and where one is closed', async (page) => {
    stage.tab.allow(/404|4404|WebSocket/);
    await page.goto(`${stage.server.url}/#/projects/00000000-0000-4000-8000-000000000000`);
    await page.getByText('There is no such project.').waitFor();
    await see('no such project');
    const projects = await stage.read<{ name: string; project_id: string }[]>('/v2/projects');
    const closed = projects.find(({ name }) => name === 'closed') ?? assert.fail('it is not there');
    await page.goto(`${stage.server.url}/#/projects/${closed.project_id}`);
    await page.getByText('This project is closed').waitFor();
    await see('a closed project');
  });

  step('where one logs in', async () => {
    const dir = await tempDir();
    const users = path.join(dir.path, 'users');
    await writeFile(users, userLine('ada', 'lovelace'), { mode: 0o600 });
    const asking = await spawnServer(path.join(dir.path, 'data'), ['--users', users]);
    const tab = await openTab(stage.browser);
    try {
      // Chromium prints each request that is refused, the feed as well.
      tab.allow(/status of 401|Authentication failed/);
      await tab.page.goto(asking.url);
      await tab.page.getByLabel('User').fill('ada');
      await tab.page.getByLabel('Password').fill('wrong');
      await tab.page.getByRole('button', { name: 'Log in' }).click();
      await tab.page.getByRole('alert').waitFor();
      await see('log in, refused', tab.page);
      assert.deepEqual(tab.errors(), []);
    } finally {
      await tab.close();
      await asking.kill('SIGTERM');
      await dir.remove();
    }
  });

  end();
});
