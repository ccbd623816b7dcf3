import assert from 'node:assert/strict';
import path from 'node:path';
import { describe } from 'node:test';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { choose, linkOf, nodeOf, openConsole, settles, timesOf, typeLine, waitFor } from './walk.ts';

interface Node {
  node_id: string;
  name: string;
}

/** From an empty server to a fork of the lab's beginning: each step goes on where the one before has ended. */
describe('a lab in the browser', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('walk');
  const { step, read } = stage;
  let lab = '';
  const nodeNamed = async (name: string): Promise<Node> => {
    const found = (await read<Node[]>(`${lab}/nodes`)).find((node) => node.name === name);
    return found ?? assert.fail(`there is no ${name}`);
  };
  const linkOfPc1 = async (): Promise<string> => {
    const { node_id } = await nodeNamed('PC1');
    const [link] = await read<{ link_id: string }[]>(`${lab}/nodes/${node_id}/links`);
    return link?.link_id ?? assert.fail('PC1 has no link');
  };
  const findings: string[] = [];
  /** What is seen is kept, and looked at by axe. */
  const look = async (name: string): Promise<void> => {
    await stage.tab.screenshot(name);
    findings.push(...(await stage.tab.findings()).map((finding) => `${name}: ${finding}`));
  };

  step('is uploaded as a folder, and opened', async (page) => {
    await page.goto(stage.server.url);
    await page.getByText('No project yet').waitFor();
    await page.getByLabel('Upload folder').setInputFiles(path.resolve('examples/labs/first-lab'));
    await page.getByRole('button', { name: 'Open first-lab' }).click();
    await nodeOf(page, 'PC1').waitFor();
    const [project] = await read<{ project_id: string }[]>('/v2/projects');
    lab = `/v2/projects/${project?.project_id}`;
    await page.goBack();
    await page.getByRole('link', { name: 'Show first-lab' }).waitFor();
    await look('1-projects');
    await page.getByRole('link', { name: 'Show first-lab' }).click();
    await nodeOf(page, 'PC1').waitFor();
    await look('2-map');
  });

  step('is started, and its states are seen', async (page) => {
    // A switch and a hub run whenever the project is open.
    await settles(() => page.locator('.lab-node.started').count(), 2);
    await page.getByRole('button', { name: 'Start all nodes' }).click();
    await waitFor(async () => (await page.locator('.lab-node.started').count()) === 5);
  });

  step('is pinged in a console', async (page) => {
    await openConsole(page, 'PC1');
    const text = await typeLine(page, 'ping 10.0.0.2 -c 3', /icmp_seq=3 /);
    assert.equal(timesOf(text).length, 3);
    await look('3-console');
  });

  step('gets a node from a template, and a link that is drawn with the mouse', async (page) => {
    await page.getByRole('searchbox').fill('vpcs');
    await stage.tab.screenshot('4-templates');
    await page.locator('.palette-item').first().click();
    const added = nodeOf(page, 'PC4');
    await added.waitFor();
    await page.getByRole('button', { name: /^Link tool/ }).click();
    const [from, to] = [await added.boundingBox(), await nodeOf(page, 'Switch1').boundingBox()];
    if (from === null || to === null) assert.fail('a node cannot be seen');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    await page.mouse.up();
    await page.getByRole('button', { name: /^Link tool/ }).click();
    const { node_id } = await nodeNamed('PC4');
    await waitFor(async () => (await read<unknown[]>(`${lab}/nodes/${node_id}/links`)).length === 1);
    const [link] = await read<{ link_id: string }[]>(`${lab}/nodes/${node_id}/links`);
    await linkOf(page, link?.link_id ?? '').waitFor({ state: 'attached' });
  });

  step('has its pings slowed down by a delay that is set on a link', async (page) => {
    const before = timesOf(await typeLine(page, 'ping 10.0.0.2 -c 1', /icmp_seq=1 /));
    assert.ok((before.at(-1) ?? 1e9) < 150, `${before.at(-1)} ms before`);
    const link = linkOf(page, await linkOfPc1());
    await link.focus();
    await page.keyboard.press('Enter');
    await choose(page, 'Filters, traffic and capture');
    await page.getByRole('checkbox', { name: 'Delay' }).check();
    await page.getByLabel('Latency').fill('150');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.lab-link.filtered').waitFor({ state: 'attached' });
    const after = timesOf(await typeLine(page, 'ping 10.0.0.2 -c 2', /icmp_seq=2 [^\n]*time=3\d\d/));
    assert.ok((after.at(-1) ?? 0) >= 300, `${after.at(-1)} ms after`);
    await look('5-delay');
  });

  step('is captured, and the packets are seen', async (page) => {
    await page.getByRole('button', { name: 'Start capturing' }).click();
    // The panel is there from the request on, frames are captured from the start on.
    await page.getByRole('button', { name: 'Stop capturing' }).waitFor();
    await page.getByTestId('packet-count').waitFor();
    await page.getByRole('tab', { name: /^PC1$/ }).click();
    await typeLine(page, 'ping 10.0.0.3 -c 1', /10\.0\.0\.3 icmp_seq=1 /);
    await page.getByRole('tab', { name: /PC1 – Switch1|Switch1 – PC1/ }).click();
    const packets = page.getByRole('region', { name: 'Packets', exact: true });
    await packets
      .getByText(/Echo request/)
      .first()
      .waitFor();
    await packets
      .getByText(/Echo reply/)
      .first()
      .waitFor();
    assert.match(await packets.innerText(), /10\.0\.0\.1\s+10\.0\.0\.3\s+ICMP/);
    await look('6-packets');
    await page.getByRole('complementary').getByRole('button', { name: 'Close', exact: true }).click();
  });

  step('heals without a reload when the server is killed and started again, and nothing is missed', async (page) => {
    stage.tab.allow(
      /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONNECTION_RESET|WebSocket connection to .* failed/,
    );
    await page.evaluate('globalThis.isTheSamePage = true');
    await stage.server.kill('SIGKILL');
    await page.getByText('Connection lost').first().waitFor();
    await stage.tab.screenshot('7-lost');
    await stage.startAgain();
    // Probably before the page learns of the new server.
    const { node_id } = await nodeNamed('PC4');
    await stage.send('PUT', `${lab}/nodes/${node_id}`, { name: 'Renamed' });
    await page.getByTestId('connection').getByText('Live').waitFor();
    await page.getByText('Renamed').first().waitFor();
    await page.getByRole('tab', { name: /^PC1$/ }).click();
    await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
    await typeLine(page, 'ping 10.0.0.2 -c 1 -w 3000', /icmp_seq=1 /);
    assert.equal(await page.evaluate('globalThis.isTheSamePage'), true);
    await waitFor(async () => (await page.locator('.lab-node.started').count()) === 5);
  });

  step('is seen as it was at the beginning, clearly marked as the past', async (page) => {
    const slider = page.getByRole('slider', { name: 'Moment of the session' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page
      .getByText(/^The past/)
      .first()
      .waitFor();
    for (let n = 0; n < 2; n++) await page.keyboard.press('ArrowRight');
    await nodeOf(page, 'PC1').locator('.lab-node.stopped').waitFor();
    await settles(() => page.getByText('Renamed').count(), 0);
    assert.ok(await page.getByRole('button', { name: 'Start all nodes' }).isDisabled());
    await look('8-past');
  });

  step('is compared with what it is now', async (page) => {
    await page.getByRole('button', { name: 'Compare' }).click();
    const differences = page.getByTestId('differences');
    await differences.waitFor();
    assert.match(await differences.innerText(), /[1-9]\d* added, \d+ removed, [1-9]\d* changed/);
    await page.getByRole('region', { name: 'What differs' }).getByText('Renamed').first().waitFor();
    await look('9-compare');
    await page.getByRole('button', { name: 'Compare' }).click();
  });

  step('proves its history', async (page) => {
    const badge = page.getByTestId('verify');
    await badge.click();
    await badge.getByText(/^Verified/).waitFor();
  });

  step('is forked from a moment of the past', async (page) => {
    const slider = page.getByRole('slider', { name: 'Moment of the session' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page
      .getByText(/^The past/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /Fork from here/ }).click();
    await page
      .getByRole('region', { name: 'Time line' })
      .getByRole('textbox', { name: 'Name', exact: true })
      .fill('the beginning again');
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('heading', { name: 'the beginning again' }).waitFor();
    const forked = (await read<{ name: string; project_id: string }[]>('/v2/projects')).find(
      ({ name }) => name === 'the beginning again',
    );
    const nodes = await read<Node[]>(`/v2/projects/${forked?.project_id}/nodes`);
    assert.ok(!nodes.some(({ name }) => name === 'Renamed'), JSON.stringify(nodes.map(({ name }) => name)));
    await look('10-fork');
  });

  step('has no view in which axe finds anything serious', async () => {
    assert.deepEqual(findings, []);
    return Promise.resolve();
  });
});
