// Makes the pictures of the page in docs/pictures (npm run docs:pictures): drives the built page over a real server, with Chromium.
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkOf, nodeOf, openConsole, root, typeLine, withPage } from './page.mjs';

const SIZE = { width: 1366, height: 768 };
const pictures = path.join(root, 'docs/pictures');

for (const file of await readdir(pictures).catch(() => []))
  if (file.endsWith('.png')) await rm(path.join(pictures, file));
await mkdir(pictures, { recursive: true });
await withPage(async ({ dir, url, call, open }) => {
  await cp(path.join(root, 'examples/labs/first-lab'), path.join(dir, 'lab'), { recursive: true });
  const { project_id } = await call('POST', '/v2/projects/load', { path: path.join(dir, 'lab/first-lab.gns3') });
  const lab = `/v2/projects/${project_id}`;
  const nodes = await call('GET', `${lab}/nodes`);
  const { node_id } = nodes.find(({ name }) => name === 'PC1');
  const [{ link_id }] = await call('GET', `${lab}/nodes/${node_id}/links`);
  await call('PUT', lab, { auto_close: false, record_consoles: true });
  await call('POST', `${lab}/nodes/start`);

  const page = await open(SIZE, 'ada');
  const keep = async (name) => {
    // Nothing on its way, and no notice of what was done for the picture.
    const notices = page.getByRole('button', { name: 'Dismiss' });
    while ((await notices.count()) > 0) await notices.first().click();
    await page.mouse.move(SIZE.width - 1, 0);
    await page.evaluate('document.activeElement?.blur()');
    await sleep(700);
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  };
  await page.goto(`${url}/#/projects/${project_id}`);
  await nodeOf(page, 'PC1').waitFor();
  await nodeOf(page, 'PC1').click();
  await page.getByLabel('Startup script').waitFor();
  await keep('1-map');

  await page.getByRole('button', { name: 'Inspector (Alt+Enter)' }).click();
  await page.getByRole('button', { name: 'Put the templates away' }).click();
  await openConsole(page, 'PC1');
  await typeLine(page, 'ping 10.0.0.2 -t');
  await openConsole(page, 'PC2');
  await page.getByRole('button', { name: 'Show beside the others' }).last().click();
  await typeLine(page, 'ping 10.0.0.3 -c 4');
  const edge = page.getByRole('separator', { name: 'Height of the dock' });
  await edge.focus();
  await page.keyboard.press('PageUp');
  await sleep(4500);
  await keep('2-consoles');

  await linkOf(page, link_id).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Filters/ }).click();
  await page.getByRole('checkbox', { name: 'Packet loss' }).check();
  await page.getByLabel('Chance').first().fill('30');
  await page.getByRole('button', { name: 'Apply' }).click();
  await sleep(9000);
  await keep('3-filters');

  await page.getByRole('button', { name: 'Close this tab' }).last().click();
  await page.getByRole('button', { name: 'Start capturing' }).click();
  const packets = page.locator('.panel:not([hidden])').filter({ has: page.getByTestId('packet-count') });
  await packets.getByText('Echo reply').first().waitFor();
  await page.getByRole('complementary').getByRole('button', { name: 'Close', exact: true }).click();
  await edge.press('PageUp');
  await page.getByRole('checkbox', { name: 'Follow', exact: true }).uncheck();
  await packets.locator('tr.packet').filter({ hasText: 'Echo request' }).first().click();
  await packets.getByRole('region', { name: /^Packet \d+$/ }).waitFor();
  await sleep(4000);
  await keep('4-packets');

  await call('POST', `${lab}/nodes`, { name: 'PC4', node_type: 'simple_pc', compute_id: 'local', x: 220, y: 170 });
  await call('POST', `${lab}/nodes/${node_id}/stop`);
  // At the moment that is shown next no console had printed anything: empty panes say nothing.
  const closers = page.getByRole('button', { name: 'Close this tab' });
  while ((await closers.count()) > 0) await closers.last().click();
  await page.getByRole('button', { name: 'Open the time line' }).click();
  await page.getByTitle('What happened', { exact: true }).click();
  await page.getByRole('button', { name: 'One change back' }).click();
  await page.getByTestId('past').waitFor();
  await keep('5-past');
  await page.getByRole('slider', { name: 'Moment of the session' }).press('Home');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByTestId('differences').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await keep('6-compare');
});
