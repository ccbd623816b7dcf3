import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { focusedName, nodeOf, tabTo, timesOf, waitFor, waitForScreen } from './walk.ts';

/** Nothing here touches a mouse: what has the focus is found by Tab, and all else is keys. */
describe('a lab without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard');
  const { step, read, press, at } = stage;
  let lab = '';

  step('is made', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await at(/^New project/, 'Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('by keys');
    await press('Enter');
    await page.getByRole('heading', { name: 'by keys' }).waitFor();
    const [project] = await read<{ project_id: string }[]>('/v2/projects');
    lab = `/v2/projects/${project?.project_id}`;
  });

  step('gets nodes, and a link between them', async (page) => {
    await page.locator('.palette-item').first().waitFor();
    await press('a');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('vpcs');
    await press('Enter', 'Enter');
    await nodeOf(page, 'PC2').waitFor();
    await at(/^PC1, stopped/, 'l');
    await page.getByRole('dialog', { name: 'New link' }).waitFor();
    await at(/^Create link/, 'Enter');
    await page.getByRole('dialog', { name: 'New link' }).waitFor({ state: 'hidden' });
    assert.equal((await read<unknown[]>(`${lab}/links`)).length, 1);
  });

  step('has its nodes moved, and the move undone', async () => {
    const place = async (): Promise<number> =>
      (await read<{ name: string; x: number }[]>(`${lab}/nodes`)).find(({ name }) => name === 'PC1')?.x ?? Number.NaN;
    const before = await place();
    // Presses that come quickly are one move; on a slow machine two would be two.
    await at(/^PC1, stopped/, 'Space', 'Shift+ArrowLeft');
    await waitFor(async () => (await place()) < before);
    await press('Control+z');
    await waitFor(async () => (await place()) === before);
    await press('Escape');
    await stage.tab.screenshot('keyboard-map');
  });

  step('is started, and pinged in consoles that can be left', async (page) => {
    await at(/^Start all nodes/, 'Enter');
    await waitFor(async () => (await page.locator('.lab-node.started').count()) === 2);
    for (const [name, address] of [
      ['PC1', '10.0.0.1'],
      ['PC2', '10.0.0.2'],
    ] as const) {
      await at(new RegExp(`^${name}, started`), 'c');
      await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
      await waitFor(async () => (await focusedName(page)).startsWith(`Console of ${name}`));
      await page.keyboard.type(`ip ${address}/24\r`);
      await waitForScreen(page, (text) => text.includes(`${name} : ${address}`));
      if (name === 'PC1') await press('Shift+Escape');
    }
    await page.keyboard.type('ping 10.0.0.1 -c 2\r');
    await waitForScreen(page, (text) => timesOf(text).length === 2);
    await press('Shift+Escape');
    assert.match(await focusedName(page), /PC2/);
    await press('ArrowLeft');
    await page.getByRole('tab', { name: 'PC1', selected: true }).waitFor();
    await at(/^Show beside the others/, 'Enter');
    await waitFor(async () => (await page.getByRole('tablist').count()) === 2);
  });

  step('has a link filtered and captured', async (page) => {
    await at(/PC1.*PC2|PC2.*PC1|[Ll]ink/);
    await tabTo(page, /^Link/);
    await press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.type('Fil');
    await press('Enter');
    await page.getByRole('complementary').waitFor();
    await at(/^Packet loss$/, 'Space');
    await tabTo(page, /^Chance$/);
    await press('Control+a');
    await page.keyboard.type('5');
    await at(/^Apply$/, 'Enter');
    await page.locator('.lab-link.filtered').waitFor({ state: 'attached' });
    await at(/^Start capturing$/, 'Enter');
    await page.getByTestId('packet-count').waitFor();
    await at(/^Stop capturing$/, 'Enter');
    await page.locator('.lab-link.capturing').waitFor({ state: 'detached' });
    await press('Escape');
  });

  step('is seen as it was, compared, proved and forked', async (page) => {
    await at(/^Moment of the session$/, 'ArrowLeft', 'ArrowLeft');
    await page
      .getByText(/^The past/)
      .first()
      .waitFor();
    await at(/Compare/, 'Enter');
    await page.getByTestId('differences').waitFor();
    await at(/^Back to now|^Compare$/, 'Enter');
    await at(/Verif/, 'Enter');
    await page
      .getByTestId('verify')
      .getByText(/^Verified/)
      .waitFor();
    await at(/Fork from here/, 'Enter');
    await page.getByRole('dialog').waitFor();
    await press('Control+a');
    await page.keyboard.type('forked by keys');
    await press('Enter');
    await page.getByRole('heading', { name: 'forked by keys' }).waitFor();
  });

  step('is deleted, after its name was typed', async (page) => {
    await at(/^All projects$/, 'Enter');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await at(/^More for by keys$/, 'Enter');
    await page.getByRole('menu').waitFor();
    await press('End', 'Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Delete it' }).isDisabled());
    await tabTo(page, /^Type by keys to confirm/);
    await page.keyboard.type('by keys');
    await at(/^Delete it$/, 'Enter');
    await page.getByText('by keys is deleted.').waitFor();
    assert.deepEqual(
      (await read<{ name: string }[]>('/v2/projects')).map(({ name }) => name),
      ['forked by keys'],
    );
  });
});
