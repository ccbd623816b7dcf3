import assert from 'node:assert/strict';
import path from 'node:path';
import { describe } from 'node:test';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, settles, waitFor } from './walk.ts';

interface Project {
  project_id: string;
  name: string;
  status: string;
  show_grid: boolean;
}

/** What is done to a project as a whole; nothing here touches a mouse. */
describe('projects without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard-projects');
  const { step, at, press, pick } = stage;
  const projects = (): Promise<Project[]> => stage.read('/v2/projects');
  const named = async (name: string): Promise<Project | undefined> =>
    (await projects()).find((one) => one.name === name);

  step('are uploaded, as a file and as a folder', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    const folder = page.waitForEvent('filechooser');
    await at(/^Upload folder$/, 'Enter');
    await (await folder).setFiles(path.resolve('examples/labs/first-lab'));
    await page.getByRole('button', { name: 'Open first-lab' }).waitFor();
    const file = page.waitForEvent('filechooser');
    await at(/^Upload file$/, 'Enter');
    await (await file).setFiles(path.resolve('examples/labs/vlans/vlans.gns3'));
    await page.getByRole('button', { name: 'Open vlans' }).waitFor();
  });

  step('are opened, closed and shown', async (page) => {
    await at(/^Open first-lab$/, 'Enter');
    await nodeOf(page, 'PC1').waitFor();
    await at(/^All projects$/, 'Enter');
    await page.getByRole('button', { name: 'Close first-lab' }).waitFor();
    await at(/^Close first-lab$/, 'Enter');
    await page.getByRole('dialog').waitFor();
    await at(/^Close it$/, 'Enter');
    await page.getByRole('button', { name: 'Open first-lab' }).waitFor();
    await at(/^Open first-lab$/, 'Enter');
    await nodeOf(page, 'PC1').waitFor();
    await at(/^All projects$/, 'Enter');
    await page.getByRole('link', { name: 'Show first-lab' }).waitFor();
  });

  step('are renamed, duplicated and forked', async (page) => {
    for (const [item, name] of [
      ['Duplicate', 'a copy'],
      ['Rename', 'renamed'],
    ] as const) {
      await at(/^More for first-lab$/, 'Enter');
      await pick(item);
      await page.getByRole('dialog', { name: `${item} first-lab` }).waitFor();
      await stage.fill(/^Name$/, name);
      await press('Enter');
      await page.getByRole('button', { name: `More for ${name}` }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await at(/^More for renamed$/, 'Enter');
    await pick('Fork');
    await page.getByRole('dialog', { name: 'Fork renamed' }).waitFor();
    await stage.fill(/^Name$/, 'a fork');
    await press('Enter');
    await page.getByRole('button', { name: 'More for a fork' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.equal((await projects()).length, 4);
  });

  step('are downloaded', async (page) => {
    const download = page.waitForEvent('download');
    await at(/^More for renamed$/, 'Enter');
    await pick('Download');
    assert.match((await download).suggestedFilename(), /renamed.*\.gns3project$/);
  });

  step('have settings, and can be forked, downloaded and closed where they are shown', async (page) => {
    await at(/^Show renamed$/, 'Enter');
    await nodeOf(page, 'PC1').waitFor();
    const before = (await named('renamed'))?.show_grid;
    await at(/^Project$/, 'Enter');
    await pick('Settings');
    await page.getByRole('complementary', { name: 'Project' }).waitFor();
    await stage.fill(/^Name$/, 'settled');
    await press('Enter');
    await page.getByRole('heading', { name: 'settled' }).waitFor();
    await at(/^Map$/, 'Enter');
    await at(/^Show the grid$/, 'Space');
    await waitFor(async () => (await named('settled'))?.show_grid === (before !== true));
    const download = page.waitForEvent('download');
    await at(/^Project$/, 'Enter');
    await pick('Download');
    assert.match((await download).suggestedFilename(), /settled/);
    await at(/^Project$/, 'Enter');
    await pick('Close project');
    await page.getByRole('dialog').waitFor();
    await at(/^Close it$/, 'Enter');
    await page.getByText('This project is closed').waitFor();
    await at(/^Open it$/, 'Enter');
    await waitFor(async () => (await named('settled'))?.status === 'opened');
    await page.getByText('This project is closed').waitFor({ state: 'hidden' });
    await at(/^Project$/, 'Enter');
    await pick('Fork');
    await page.getByRole('dialog', { name: 'Fork settled' }).waitFor();
    await stage.fill(/^Name$/, 'forked inside');
    await press('Enter');
    await page.getByRole('heading', { name: 'forked inside' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await nodeOf(page, 'PC1').waitFor();
    await page.getByTestId('connection').getByText('Live').waitFor();
  });

  step('are looked at under a name, in light and dark', async (page) => {
    await at(/Only you are looking/, 'Enter');
    await page.getByRole('dialog', { name: 'Who is looking' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await at(/^You are /, 'Enter');
    await pick('Change your name');
    await page.getByRole('dialog', { name: 'Your name' }).waitFor();
    await stage.fill(/^Name$/, 'ada');
    await press('Enter');
    await page.getByRole('button', { name: /^You are ada/ }).waitFor();
    for (const theme of ['Light', 'Dark']) {
      await at(/^You are /, 'Enter');
      await pick(theme);
      await page.locator(`html[data-theme=${theme.toLowerCase()}]`).waitFor();
    }
  });

  step('are found by words, with the nodes of the lab and its commands', async (page) => {
    // Nobody waits for it: what is typed at once goes into it as well.
    await press('Control+k');
    await page.keyboard.type('console pc1');
    await settles(() => page.getByRole('combobox', { name: 'Search everything' }).inputValue(), 'console pc1');
    await page.getByRole('option', { name: 'Console of PC1' }).waitFor();
    await press('Control+k');
    await page.keyboard.type('start all');
    await page.getByRole('option', { name: 'Start all nodes' }).waitFor();
    await page.keyboard.type(' nowhere');
    await page.getByText('Nothing found. Try fewer words.').waitFor();
    await press('Escape');
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor({ state: 'hidden' });
    await press('Control+k');
    await page.keyboard.type('all projects');
    await press('Enter');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });

  step('are put into a folder, tagged, and found by both', async (page) => {
    await at(/^More for settled$/, 'Enter');
    await pick('Folder and tags');
    await stage.fill(/^Folder$/, 'Course / Week 1');
    await stage.fill(/^Tags$/, 'ospf, exam');
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More for settled' }).waitFor({ state: 'hidden' });
    await at(/^Course 1$/, 'Enter');
    await at(/^Week 1 1$/, 'Enter');
    await page.getByRole('button', { name: 'More for settled' }).waitFor();
    await at(/^All projects$/, 'Enter');
    await at(/^exam/, 'Enter');
    await page.getByRole('button', { name: 'More for settled' }).waitFor();
  });

  step('are shown in German, by the choice of the user', async (page) => {
    await at(/^You are /, 'Enter');
    await pick('Deutsch');
    await page.getByRole('heading', { name: 'Projekte' }).waitFor();
    await page.locator('html[lang=de]').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projekte' }).waitFor();
  });
});
