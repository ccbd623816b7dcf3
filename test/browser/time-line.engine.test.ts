import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { nodeOf, settles, waitFor } from './walk.ts';

/** The time line by mouse: open, hover, zoom, search, and a moment that is sent to somebody. */
describe('the time line', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('time-line');
  const { step } = stage;
  let lab = '';

  const barOf = async (page: Page): Promise<{ x: number; y: number; width: number; height: number }> => {
    const box = await page.locator('.bar').boundingBox();
    assert.ok(box !== null);
    return box;
  };
  const axis = async (page: Page): Promise<string> => page.locator('.axis').innerText();

  step('is a strip, and opens with lanes and times', async (page) => {
    lab = await stage.lab('session');
    const made = await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, {
      ...{ name: 'PC3', node_type: 'vpcs', compute_id: 'local', x: 0, y: 0 },
    });
    const at = `${lab}/nodes/${made.node_id}`;
    await stage.send('PUT', at, { name: 'host124' });
    await stage.send('PUT', at, { x: 50, y: 20 });
    await stage.send('POST', `${at}/start`, {});
    await stage.send('POST', `${at}/stop`, {});
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'host124').waitFor();
    const opener = page.getByRole('button', { name: 'Open the time line' });
    // Until it is loaded, its place is kept by another element.
    await opener.waitFor();
    assert.ok(((await page.locator('.time-line').boundingBox())?.height ?? 99) <= 40);
    await opener.click();
    await page.locator('.lane-labels').getByText('Starts').waitFor();
    await waitFor(async () => /\d\d:\d\d/.test(await axis(page)));
    const { height = 0 } = (await page.locator('.lab-middle').boundingBox()) ?? {};
    assert.ok(height >= 0.6 * (page.viewportSize()?.height ?? 0), `${height} px of map`);
  });

  step('says what happened in sentences, and lights up what it was about', async (page) => {
    await page.getByTitle('What happened').click();
    const list = page.getByRole('region', { name: 'What happened' });
    await list.locator('.event').first().waitFor();
    await list.locator('.event').first().press('Home');
    await list.getByText('Somebody renamed PC3 to host124').waitFor();
    await list.getByText('Somebody moved host124').waitFor();
    await settles(() => list.getByText('=').count(), 0);
    await list.getByText('Somebody renamed PC3 to host124').hover();
    await page.locator('.react-flow__node[data-pointed]').waitFor();
    await page.mouse.move(5, 300);
    await page.locator('.react-flow__node[data-pointed]').waitFor({ state: 'detached' });
  });

  step('is searched, and leaves moves out', async (page) => {
    const list = page.getByRole('region', { name: 'What happened' });
    const moved = list.getByText('Somebody moved host124');
    await list.getByLabel('Ignore moves').check();
    await moved.waitFor({ state: 'detached' });
    await list.getByLabel('Ignore moves').uncheck();
    await moved.waitFor();
    await list.getByLabel('Search the events').fill('pc3');
    await moved.waitFor({ state: 'detached' });
    await list.getByText('renamed PC3').waitFor();
    await list.getByLabel('Search the events').fill('');
    await moved.waitFor();
  });

  step('tells what happened under the pointer', async (page) => {
    const { x, y } = await barOf(page);
    await page.mouse.move(x + 1, y + 40);
    await page.locator('.hover-card .entry').first().waitFor();
    await page.mouse.move(5, 300);
    await page.locator('.hover-card').waitFor({ state: 'detached' });
  });

  step('zooms by the wheel, by keys, and to what is dragged over', async (page) => {
    const whole = await axis(page);
    const { x, y, width, height } = await barOf(page);
    await page.mouse.move(x + width / 4, y + 40);
    await page.mouse.wheel(0, -300);
    await waitFor(async () => (await axis(page)) !== whole);
    await page.getByRole('button', { name: 'Show the whole session' }).click();
    await page.getByRole('button', { name: 'Show the whole session' }).and(page.locator(':disabled')).waitFor();
    await page.mouse.move(x + width * 0.2, y + height + 8);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.4, y + height + 8, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Show the whole session' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('slider', { name: 'Moment of the session' }).press('0');
    await page.getByRole('button', { name: 'Show the whole session' }).and(page.locator(':disabled')).waitFor();
    await page.getByRole('slider', { name: 'Moment of the session' }).press('+');
    await page.getByRole('button', { name: 'Show the whole session' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('slider', { name: 'Moment of the session' }).press('0');
  });

  step('has the moment in the address, and who opens that sees it', async (page) => {
    await page.getByRole('region', { name: 'What happened' }).getByText('Somebody added PC3').click();
    await nodeOf(page, 'PC3').waitFor();
    await page.waitForURL(/\?at=/);
    await page.reload();
    await nodeOf(page, 'PC3').waitFor();
    await page.getByTestId('past').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await nodeOf(page, 'host124').waitFor();
    await page.waitForURL(/#\/projects\/[0-9a-f-]{36}$/);
  });

  step('tells of a console port that was taken as a warning there, and not over the map', async (page) => {
    const other = await stage.lab('other');
    const pc = { name: 'PC', node_type: 'vpcs', compute_id: 'local' };
    const { console: port } = await stage.send<{ console: number }>('POST', `${other}/nodes`, pc);
    await stage.send('POST', `${other}/close`, {});
    await stage.send('POST', `${lab}/nodes`, { ...pc, console: port });
    await page.goto(`${stage.server.url}/#${other.replace('/v2', '')}`);
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByTitle('What happened').click();
    const list = page.getByRole('region', { name: 'What happened' });
    await list.locator('.event.warning').getByText(`console port ${port} of PC is taken`).waitFor();
    await settles(() => page.getByText(/is taken/).count(), 1);
    await page.locator('.lane-labels').getByText('Warnings').waitFor();
    await settles(() => page.locator('.lane-labels').getByText('Failures').count(), 0);
    await page.getByRole('button', { name: 'Close What happened' }).click();
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await nodeOf(page, 'host124').waitFor();
  });

  step('says that the events are whole, and how long that took to see', async (page) => {
    const badge = page.getByTestId('verify');
    // What the page checks by itself would be cancelled.
    await badge.getByText('Verified').waitFor();
    await badge.click();
    await badge.getByText('Verified').waitFor();
    assert.match((await badge.getAttribute('title')) ?? '', /\d+ events? checked in [\d.]+ s/);
  });
});
