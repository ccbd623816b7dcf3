import path from 'node:path';
import { after, describe } from 'node:test';
import { type ServerProcess, spawnServer } from '../../support/server.ts';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, screenText, settles, waitFor } from '../walk.ts';
import { showLab } from '../show-lab.ts';

const AWAY = /ERR_|WebSocket connection to .* failed/;

describe('failures', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-failures');
  const { step } = stage;
  let again: ServerProcess | null = null;
  after(async () => again?.kill('SIGTERM'));

  step('say why a node did not start, beside it, after the 1 gesture that starts all', async (page) => {
    const lab = await showLab(stage, 'failing', 2, false);
    stage.tab.allow(/status of 409/);
    await stage.send('POST', `${lab.at}/nodes`, {
      ...{ name: 'VM', node_type: 'qemu', compute_id: 'local', x: -230, y: 150 },
      properties: { hda_disk_image: 'lacking.img', ram: 32 },
    });
    await nodeOf(page, 'VM').waitFor();
    const hand = handOf(page);
    await hand.click(page.getByRole('button', { name: 'Start all nodes' }));
    await page.getByRole('dialog', { name: '1 node failed' }).waitFor();
    hand.took(1);
    await nodeOf(page, 'PC2').locator('.lab-node.started').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[aria-label^="VM, stopped, failed: "]').waitFor();
  });

  step('of a value are said at its field, and nothing else is changed', async (page) => {
    const hand = handOf(page);
    await hand.click(nodeOf(page, 'VM').locator('.node-symbol'));
    const ram = page.locator('[data-field="ram"]');
    await hand.fill(ram.getByRole('textbox'), '-5');
    await hand.press('Enter');
    hand.took(3);
    await ram.locator('.problem, [role=status]').filter({ hasText: /\S/ }).first().waitFor();
    await settles(() => ram.getByRole('textbox').inputValue(), '-5');
    await page.keyboard.press('Escape');
  });

  step('of the server mend themselves: no gesture, and consoles go on', async (page) => {
    stage.tab.allow(AWAY);
    const hand = handOf(page);
    await hand.doubleClick(nodeOf(page, 'PC1').locator('.node-symbol'));
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    await hand.type('ping 10.0.0.2 -c 1\r');
    await waitFor(async () => (await screenText(page)).includes('icmp_seq=1 '));
    hand.took(2);
    const { port } = new URL(stage.server.url);
    await stage.server.kill('SIGKILL');
    await page.getByText('Connection lost').first().waitFor();
    again = await spawnServer(path.join(stage.dir, 'data'), ['--port', port]);
    await page.getByTestId('connection').getByText('Live').waitFor();
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    hand.took(0);
    await hand.type('ping 10.0.0.2 -c 3\r');
    await waitFor(async () => (await screenText(page)).includes('icmp_seq=3 '));
    hand.took(1);
  });
});
