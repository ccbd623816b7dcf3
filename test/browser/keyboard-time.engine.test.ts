import { describe } from 'node:test';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, waitFor } from './walk.ts';

/** The time line: steps, playing, events, filter, comparing; nothing here touches a mouse. */
describe('the time line without a mouse', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('keyboard-time');
  const { step, at, press } = stage;

  step('goes from change to change, and back to now', async (page) => {
    const lab = await stage.lab('time');
    for (const [name, x] of [
      ['PC1', -200],
      ['PC2', 200],
    ] as const)
      await stage.send('POST', `${lab}/nodes`, { name, node_type: 'vpcs', compute_id: 'local', x, y: 0 });
    // The server writes the project's file a while after a change: an event too, at which comparing ends, but no step.
    const events = (): Promise<{ events: { type: string }[] }> => stage.read(`${lab}/events`);
    await waitFor(async () => (await events()).events.at(-1)?.type === 'project.file_written');
    await page.goto(stage.server.url);
    await page.getByRole('link', { name: 'Show time' }).waitFor();
    await at(/^Show time$/, 'Enter');
    await nodeOf(page, 'PC2').waitFor();
    await at(/^One change back$/, 'Enter');
    await page.getByTestId('past').waitFor();
    await nodeOf(page, 'PC2').waitFor({ state: 'hidden' });
    await at(/^One change on$/, 'Enter');
    await nodeOf(page, 'PC2').waitFor();
    await at(/^Back to now$/, 'Enter');
    await page.getByTestId('past').waitFor({ state: 'hidden' });
  });

  step('is played from its beginning to now', async (page) => {
    await at(/^Moment of the session$/, 'Home');
    await page.getByTestId('past').waitFor();
    await nodeOf(page, 'PC1').waitFor({ state: 'hidden' });
    await at(/^Speed of playing$/, 'End');
    await at(/^Play the session/, 'Enter');
    await nodeOf(page, 'PC2').waitFor();
    await page.getByRole('button', { name: /^Play the session/ }).waitFor();
    await at(/^Moment of the session$/, 'Escape');
    await page.getByTestId('past').waitFor({ state: 'hidden' });
  });

  step('tells the events, and goes to one', async (page) => {
    await at(/^Events$/, 'Enter');
    const drawer = page.getByRole('region', { name: 'What happened' });
    await drawer.waitFor();
    await at(/added PC1/, 'Enter');
    await page.getByTestId('past').waitFor();
    await nodeOf(page, 'PC2').waitFor({ state: 'hidden' });
    await press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await at(/^Back to now$/, 'Enter');
    await page.getByTestId('past').waitFor({ state: 'hidden' });
  });

  step('is filtered by person, object and kind', async (page) => {
    await at(/^Filter/, 'Enter');
    const drawer = page.getByRole('region', { name: 'Filter', exact: true });
    await drawer.waitFor();
    const count = async (): Promise<number> => Number(/^(\d+)/.exec(await drawer.getByRole('status').innerText())?.[1]);
    await waitFor(async () => (await count()) > 0);
    const before = await count();
    await at(/^Person$/, 'End');
    await waitFor(async () => (await drawer.getByLabel('Person').inputValue()) !== '');
    await press('Home');
    await waitFor(async () => (await drawer.getByLabel('Person').inputValue()) === '');
    // What was counted for the person must not be taken for what follows.
    await waitFor(async () => (await count()) === before);
    await at(/^Node, link or drawing$/, 'End');
    await waitFor(async () => (await count()) < before);
    const some = await count();
    await at(/^Added$/, 'Space');
    await waitFor(async () => (await count()) < some);
    await page.getByRole('img', { name: 'is on' }).waitFor();
    await at(/^Reset$/, 'Enter');
    await waitFor(async () => (await count()) === before);
    await at(/^Close Filter$/, 'Enter');
    await drawer.waitFor({ state: 'hidden' });
  });

  step('compares two moments, which are moved and swapped', async (page) => {
    await at(/^Compare$/, 'Enter');
    const differences = page.getByTestId('differences');
    await differences.getByText('2 added, 0 removed').waitFor();
    await at(/^Compare to$/, 'ArrowLeft', 'ArrowLeft');
    await differences.getByText('1 added, 0 removed').waitFor();
    await press('End');
    await differences.getByText('2 added, 0 removed').waitFor();
    await at(/^Compare from$/);
    await waitFor(async () => {
      await press('ArrowRight');
      return /^[01] added/.test(await differences.innerText());
    });
    await press('Home');
    await differences.getByText('2 added, 0 removed').waitFor();
    await at(/^Swap$/, 'Enter');
    await differences.getByText('0 added, 2 removed').waitFor();
    await at(/^History of PC1$/, 'Enter');
    const sheet = page.getByRole('complementary', { name: 'History of PC1' });
    await sheet.waitFor();
    await press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await at(/^Compare$/, 'Enter');
    await differences.waitFor({ state: 'hidden' });
  });
});
