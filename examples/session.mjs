#!/usr/bin/env node
// Records a session, exports it, verifies it and replays it at 20 times its speed.
//   node examples/session.mjs [url]
// Without a url it runs a server of its own; with one, the server's data directory is that of TOPOLOG_DATA_DIR.
// Exit code 0: the replay did not differ from the recording.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, connect } from 'topolog/client';

const here = import.meta.dirname;
const topolog = process.env.TOPOLOG_PROGRAM ?? path.join(here, '../dist/bin/cli/topolog.js');
const work = await mkdtemp(path.join(tmpdir(), 'topolog-session-'));
const env = { ...process.env };

const say = (text) => console.log(`\n# ${text}`);

/** Runs a topolog command, shows what it prints, and resolves with its exit code. */
const run = async (...args) => {
  console.log(`$ topolog ${args.join(' ')}`);
  const [code] = await once(spawn(process.execPath, [topolog, ...args], { env, stdio: 'inherit' }), 'exit');
  return code;
};

const startServer = async () => {
  env.TOPOLOG_DATA_DIR = path.join(work, 'data');
  const child = spawn(process.execPath, [topolog, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const [, found] = /listens on (\S+),/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${output}`)));
  });
  return { url, child };
};

/** Types a line at a telnet console and resolves once it has printed what is waited for. */
const type = async (port, line, waitedFor) => {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.setTimeout(30_000, () => socket.destroy());
  socket.write(`${line}\r\n`);
  let seen = '';
  for await (const chunk of socket) {
    // Telnet commands (RFC 854): IAC, a verb, an option.
    seen += chunk.toString('latin1').replace(/\xff[\xfb-\xfe]./gs, '');
    if (waitedFor.test(seen)) break;
  }
  socket.destroy();
  if (!waitedFor.test(seen)) throw new Error(`the console is silent or closed: ${seen}`);
  return seen;
};

const LINK = '/v2/projects/{project_id}/links/{link_id}';
const NODE = '/v2/projects/{project_id}/nodes/{node_id}';

/** What a user does; everything of it is on the record. */
const session = async (topolog) => {
  say('load a copy of the first lab');
  await cp(path.join(here, 'labs/first-lab'), path.join(work, 'first-lab'), { recursive: true });
  const file = path.join(work, 'first-lab/first-lab.gns3');
  const { project_id } = await topolog.post('/v2/projects/load', { body: { path: file } });
  const lab = { path: { project_id } };

  say('start every node');
  await topolog.post('/v2/projects/{project_id}/nodes/start', lab);
  const nodes = await topolog.get('/v2/projects/{project_id}/nodes', lab);
  const node = (name) => nodes.find((n) => n.name === name);
  const at = (name) => ({ path: { project_id, node_id: node(name).node_id } });

  say('ping PC2 from the console of PC1');
  console.log(await type(node('PC1').console, 'ping 10.0.0.2 -c 3', /seq=3 .*\r\n/));

  say('make the link of PC1 slow and lossy');
  const [{ link_id }] = await topolog.get(`${NODE}/links`, at('PC1'));
  const link = { path: { project_id, link_id } };
  await topolog.put(LINK, { ...link, body: { filters: { delay: [40, 5], packet_loss: [10] } } });

  say('stop PC3');
  await topolog.post(`${NODE}/stop`, at('PC3'));

  say('ask for what is not possible: it is refused, and that is on the record too');
  try {
    await topolog.put(LINK, { ...link, body: { filters: { packet_loss: [120] } } });
    throw new Error('it was not refused');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(`${error.status} ${error.code}: ${error.message}`);
  }
  return project_id;
};

const main = async (given) => {
  const { url, child } = given === undefined ? await startServer() : { url: given };
  try {
    const project_id = await session(connect({ url }));
    const file = path.join(work, 'session.ndjson');
    say('the session as one signed file');
    if ((await run('export-session', project_id, '-o', file)) !== 0) return 1;
    say('is every byte as it was signed?');
    if ((await run('verify', file)) !== 0) return 1;
    say('everything again, 20 times as fast, on a new project');
    return await run('replay', file, '--speed', '20');
  } finally {
    if (child !== undefined) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(work, { recursive: true, force: true });
  }
};

process.exitCode = await main(process.argv[2]);
