// The built page over a server of its own in Chromium, for the scripts that show it (screenshots.mjs, film.mjs).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { NEEDED, program } from './chromium.mjs';

export const root = path.resolve(import.meta.dirname, '..');

const startServer = async (dir, port) => {
  const flags = ['serve', '--port', port, '--data-dir', path.join(dir, 'data'), '--console-ports', '11000-19999'];
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
  return { server, url };
};

/** Runs the work with a server, a browser and what they need; everything ends with it. */
export const withPage = async (work) => {
  if (program === undefined) {
    console.error(NEEDED);
    process.exit(2);
  }
  const dir = await mkdtemp(path.join(tmpdir(), 'topolog-shown-'));
  const first = await startServer(dir, '0');
  const { url } = first;
  let { server } = first;
  const call = async (method, where, body, user) => {
    const answer = await fetch(`${url}${where}`, {
      method,
      ...(user === undefined ? {} : { headers: { 'X-Topolog-User': user } }),
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${where}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  const open = async (size, name) => {
    const context = await browser.newContext({ viewport: size });
    const page = await context.newPage();
    if (name !== undefined) await page.addInitScript(`localStorage.setItem('topolog.name', ${JSON.stringify(name)})`);
    return page;
  };
  /** As if its machine had lost its power; then it is started again. */
  const crash = async (while_) => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    await while_();
    ({ server } = await startServer(dir, new URL(url).port));
  };
  try {
    await work({ dir, url, call, open, crash });
  } finally {
    await browser.close();
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** A node of the map by its name. */
export const nodeOf = (page, name) =>
  page.locator('.react-flow__node-lab').filter({ has: page.getByText(name, { exact: true }) });

export const linkOf = (page, linkId) => page.locator(`.react-flow__edge[data-id="${linkId}"]`);

/** The console in front, once it is connected. */
export const openConsole = async (page, name) => {
  await nodeOf(page, name).locator('.node-symbol').click();
  await page.keyboard.press('c');
  await page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
  await page.locator('.panel:not([hidden])').getByText('Connected').last().waitFor();
};

/** Types a line into the console that has the focus, or into the last one in front. */
export const typeLine = async (page, line, delay = 0) => {
  await page.locator('.panel:not([hidden]) .xterm-helper-textarea').last().focus();
  await page.keyboard.type(`${line}\r`, { delay });
};
