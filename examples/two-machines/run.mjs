#!/usr/bin/env node
// A lab over two machines, both of them here: starts two servers, makes the second one a compute of the first, runs the lab, pings from one
// to the other, and stops both. Exit code 0: the ping was answered.
//   node examples/two-machines/run.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'topolog/client';

const here = import.meta.dirname;
const program = process.env.TOPOLOG_PROGRAM ?? path.join(here, '../../dist/bin/cli/topolog.js');
const work = await mkdtemp(path.join(tmpdir(), 'topolog-two-machines-'));
const servers = [];
let stopped = null;

/** What a signal does is in `finally` below; a second one ends this program at once. */
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => {
    stopped = code;
    for (const child of servers) child.kill('SIGTERM');
  });

/** Resolves once it listens, on a port of its own. */
const startServer = async (name) => {
  const args = [program, 'serve', '--port', '0', '--data-dir', path.join(work, name)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, url] = /listens on (\S+),/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the server ${name} did not start: ${output}`)));
  });
};

/** Types a line at a telnet console and resolves with the lines of an answer that fit. */
const type = async (port, line, fits, count) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.setTimeout(30_000, () => socket.destroy());
  socket.write(`${line}\r\n`);
  let seen = '';
  const lines = () => seen.split(/\r?\n/).filter((text) => fits.test(text));
  for await (const chunk of socket) {
    seen += chunk.toString('latin1');
    if (lines().length >= count && seen.endsWith('> ')) break;
  }
  socket.destroy();
  return lines();
};

const main = async () => {
  const [first, second] = [await startServer('first'), await startServer('second')];
  const topolog = connect({ url: first });
  const { hostname: host, port } = new URL(second);
  const compute = { compute_id: 'second', name: 'second', protocol: 'http', host, port: Number(port) };
  await topolog.post('/v2/computes', { body: compute });

  const lab = path.join(work, 'lab');
  await cp(here, lab, { recursive: true });
  const { project_id } = await topolog.post('/v2/projects/load', {
    body: { path: path.join(lab, 'two-machines.gns3') },
  });
  await topolog.post('/v2/projects/{project_id}/nodes/start', { path: { project_id } });
  const nodes = await topolog.get('/v2/projects/{project_id}/nodes', { path: { project_id } });
  for (const { name, status, compute_id } of nodes) console.log(`${name.padEnd(9)}${status}  ${compute_id}`);

  const answers = await type(nodes.find(({ name }) => name === 'PC1').console, 'ping 10.0.0.2 -c 2', /bytes from/, 2);
  for (const line of answers) console.log(line);
  return answers.length === 2 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (stopped === null) throw error;
} finally {
  // The controller first: it stops its nodes at the other.
  for (const child of servers) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(work, { recursive: true, force: true });
  process.exitCode = stopped ?? process.exitCode;
}
