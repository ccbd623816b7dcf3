// Makes the pictures of the page in docs/pictures (npm run docs:pictures): drives the built page over a real server, with Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '..');
const pictures = path.join(root, 'docs/pictures');
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (program === undefined) {
  console.error('needs Chromium: apt-get install chromium');
  process.exit(2);
}

const dir = await mkdtemp(path.join(tmpdir(), 'topolog-pictures-'));
const flags = ['serve', '--port', '0', '--data-dir', path.join(dir, 'data'), '--console-ports', '11000-19999'];
const server = spawn(process.execPath, [path.join(root, 'dist/bin/cli/topolog.js'), ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
const url = await new Promise((resolve, reject) => {
  server.once('exit', () => reject(new Error(`the server ended: ${output}`)));
  server.stdout.on('data', (chunk) => {
    output += chunk;
    const found = /listens on (\S+),/.exec(output)?.[1];
    if (found !== undefined) resolve(found);
  });
});
const call = async (method, where, body) => {
  const answer = await fetch(`${url}${where}`, { method, body: JSON.stringify(body ?? {}) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${where}: ${text}`);
  return text === '' ? null : JSON.parse(text);
};
const read = async (where) => (await fetch(`${url}${where}`)).json();

const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const open = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  return context.newPage();
};

try {
  await mkdir(pictures, { recursive: true });
  await cp(path.join(root, 'examples/labs/first-lab'), path.join(dir, 'lab'), { recursive: true });
  const { project_id } = await call('POST', '/v2/projects/load', { path: path.join(dir, 'lab/first-lab.gns3') });
  const lab = `/v2/projects/${project_id}`;
  const nodes = await read(`${lab}/nodes`);
  const { node_id } = nodes.find(({ name }) => name === 'PC1');
  const [{ link_id }] = await read(`${lab}/nodes/${node_id}/links`);
  await call('PUT', lab, { auto_close: false, record_consoles: true });
  await call('POST', `${lab}/nodes/start`);

  const page = await open();
  const keep = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });
  const node = (name) => page.locator('.react-flow__node').filter({ has: page.getByText(name, { exact: true }) });
  const type = async (text) => {
    await page.locator('.panel:not([hidden]) .xterm-helper-textarea').last().focus();
    await page.keyboard.type(`${text}\r`);
  };
  const console_ = async (name) => {
    await node(name).focus();
    await page.keyboard.press('c');
    await page.getByRole('tab', { name }).waitFor();
    await sleep(800);
  };
  await page.goto(`${url}/#/projects/${project_id}`);
  await node('PC1').waitFor();
  await sleep(1000);
  await keep('1-map');

  await console_('PC1');
  await type('ping 10.0.0.2 -t');
  await console_('PC2');
  await page.getByRole('button', { name: 'Show beside the others' }).last().click();
  await sleep(500);
  await type('ping 10.0.0.3 -c 4');
  await sleep(5000);
  await keep('2-consoles');

  await page.locator(`.react-flow__edge[data-id="${link_id}"]`).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Filters/ }).click();
  await page.getByRole('checkbox', { name: 'Packet loss' }).check();
  await page.getByLabel('Chance').first().fill('30');
  await page.getByRole('button', { name: 'Apply' }).click();
  await sleep(9000);
  await keep('3-filters');
  await page.getByRole('button', { name: 'Start capturing' }).click();
  await page.getByTestId('packet-count').waitFor();
  await sleep(5000);
  await keep('4-packets');
  await page.getByRole('complementary').getByRole('button', { name: 'Close', exact: true }).click();

  await call('POST', `${lab}/nodes`, { name: 'PC4', node_type: 'simple_pc', x: 220, y: 170 });
  await call('POST', `${lab}/nodes/${node_id}/stop`);
  await sleep(1000);
  // At the moment that is shown next no console had printed anything: empty panes say nothing.
  const closers = page.getByRole('button', { name: 'Close this tab' });
  while ((await closers.count()) > 0) await closers.last().click();
  const slider = page.getByRole('slider', { name: 'Moment of the session' });
  await slider.focus();
  await page.keyboard.press('Home');
  for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: /^Events/ }).click();
  await sleep(1500);
  await keep('5-past');
  await page.getByRole('button', { name: /^Compare/ }).click();
  await page.getByTestId('differences').waitFor();
  await sleep(1000);
  await page.emulateMedia({ colorScheme: 'dark' });
  await sleep(500);
  await keep('6-compare');
} finally {
  await browser.close();
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}
