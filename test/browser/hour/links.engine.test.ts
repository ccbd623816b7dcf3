import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { linkOf, nodeOf, waitFor } from '../walk.ts';
import { type Made, showLab } from '../show-lab.ts';

interface Link {
  link_id: string;
  suspend: boolean;
  capturing: boolean;
  filters: Record<string, number[]>;
}

describe('links', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-links');
  const { step } = stage;
  let lab: Made = { at: '', ids: new Map(), links: [] };
  const link = async (index: number): Promise<Link> => stage.read(`${lab.at}/links/${lab.links[index] ?? ''}`);
  const all = (): Promise<Link[]> => stage.read(`${lab.at}/links`);

  step('are made by one gesture: a drag', async (page) => {
    lab = await showLab(stage, 'links', 2);
    const body = { name: 'PC3', node_type: 'vpcs', compute_id: 'local', x: 170, y: 40 };
    await stage.send('POST', `${lab.at}/nodes`, body);
    await nodeOf(page, 'PC3').waitFor();
    const hand = handOf(page);
    await nodeOf(page, 'PC3').locator('.node-symbol').hover();
    await hand.drag(nodeOf(page, 'PC3').locator('.middle-handle'), nodeOf(page, 'SW').locator('.node-symbol'));
    await waitFor(async () => (await all()).length === 3);
    hand.took(1);
  });

  step('are slowed down in 4 gestures: the link, the filter, its value, Enter', async (page) => {
    const hand = handOf(page);
    await hand.click(linkOf(page, lab.links[0] ?? '').locator('.react-flow__edge-interaction'));
    await page.getByRole('complementary', { name: 'PC1 – SW' }).waitFor();
    await hand.click(page.getByRole('checkbox', { name: 'Delay' }));
    await hand.fill(page.getByLabel('Latency'), '40');
    await hand.press('Enter');
    await waitFor(async () => (await link(0)).filters['delay']?.[0] === 40);
    hand.took(4);
  });

  step('are suspended in 2 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(linkOf(page, lab.links[1] ?? '').locator('.react-flow__edge-interaction'));
    await page.getByRole('complementary', { name: 'PC2 – SW' }).waitFor();
    await hand.click(page.getByRole('checkbox', { name: 'Suspended' }));
    await waitFor(async () => (await link(1)).suspend);
    hand.took(2);
    await page.getByRole('checkbox', { name: 'Suspended' }).click();
    await waitFor(async () => !(await link(1)).suspend);
  });

  step('are captured, and their packets seen, in 2 gestures', async (page) => {
    const hand = handOf(page);
    await hand.click(linkOf(page, lab.links[0] ?? '').locator('.react-flow__edge-interaction'));
    await hand.click(page.getByRole('button', { name: 'Start capturing' }));
    await page.locator('.panel:not([hidden])').getByTestId('packet-count').waitFor();
    await waitFor(async () => (await link(0)).capturing);
    hand.took(2);
  });
});
