// A long run of everything at once: `npm run soak`, 30 minutes; `npm run soak -- --minutes 5 --seed 7`. Linux only, as it reads /proc.
// 500 embedded nodes; some are started and stopped at random, links made again, filtered and captured, drawings changed, also by two
// at once with If-Match, sessions exported, and 100 listeners follow. At the end it compares what everybody has seen. Exit code 1
// when memory or handles grew, or anything was lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeLab } from '../lab.mjs';
import { fabricOf } from '../server.mjs';
import { begin } from './activity.mjs';
import { Feed } from './feed.mjs';
import { growth, isFlat, probed, sample } from './samples.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '500' },
    feeds: { type: 'string', default: '100' },
  },
});
const [minutes, seed, nodes, feeds] = ['minutes', 'seed', 'nodes', 'feeds'].map((name) => Number(values[name]));
const SAMPLE_MS = 10_000;
const PINGS = 5;

const program = path.resolve(import.meta.dirname, '../../dist/bin/cli/topolog.js');
const { connectFabric } = await import('../../dist/src/fabric/client/connect.js');
const { socketPaths } = await import('../../dist/src/fabric/client/runtime-directory.js');

const directory = await mkdtemp(path.join(process.env.TOPOLOG_BENCH_DIR ?? tmpdir(), 'topolog-soak-'));
const dataDir = path.join(directory, 'data');
const probeFile = path.join(directory, 'probe.ndjson');
const failures = [];
const fail = (text) => {
  failures.push(text);
  console.error(`soak: ${text}`);
};

const startServer = async () => {
  const flags = ['--import', path.join(import.meta.dirname, 'probe.mjs'), program, 'serve', '--port', '0'];
  const more = [
    '--data-dir',
    dataDir,
    '--console-ports',
    '20000-29999',
    '--udp-ports',
    '30000-32000',
    '--keep-running',
  ];
  const env = { ...process.env, TOPOLOG_SOAK_FILE: probeFile, TOPOLOG_SOAK_MS: String(SAMPLE_MS) };
  const child = spawn(process.execPath, [...flags, ...more], { stdio: ['ignore', 'pipe', 'inherit'], env });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /listens on (\S+),/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${code ?? signal}): ${output}`)));
  });
  child.on('exit', (code, signal) => {
    if (!child.killed) fail(`the server ended by itself (${code ?? signal})`);
  });
  return { child, url };
};

const agent = new Agent({ keepAlive: true });

/** One request. A status that was not expected is an error that says what was answered. */
const caller =
  (url) =>
  (method, where, body, headers = {}, statuses = [200, 201, 204]) =>
    new Promise((resolve, reject) => {
      const asked = request(`${url}${where}`, { method, agent, headers }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const status = answer.statusCode;
          if (!statuses.includes(status))
            reject(new Error(`${method} ${where} answers ${status}: ${text.slice(0, 300)}`));
          else {
            const isJson = text !== '' && (answer.headers['content-type'] ?? '').startsWith('application/json');
            resolve({ status, text, etag: answer.headers.etag, body: isJson ? JSON.parse(text) : null });
          }
        });
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });

const runCli = async (...args) => {
  const child = spawn(process.execPath, [program, ...args, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output: output.trim() };
};

/** The lab: PCs on a switch; some ping and are captured all the time, others are started and stopped, some links are made again. */
const build = async (call) => {
  const { project_id, file, node_ids } = await writeLab(directory, nodes - 1);
  await call('POST', '/v2/projects/load', { path: file });
  const project = `/v2/projects/${project_id}`;
  await call('POST', `${project}/nodes/start`);
  const consoles = new Map();
  for (const { node_id, console } of (await call('GET', `${project}/nodes`)).body) consoles.set(node_id, console);
  const links = (await call('GET', `${project}/links`)).body;
  const linkOf = (id) => links.find((l) => l.nodes.some((end) => end.node_id === id)).link_id;
  const captures = [];
  for (const id of node_ids.slice(0, PINGS)) {
    const { body } = await call('POST', `${project}/links/${linkOf(id)}/start_capture`, {});
    captures.push(body.capture_file_path);
  }
  return {
    project_id,
    consoles,
    captures,
    pings: node_ids.slice(0, PINGS).map((id, i) => [id, PINGS + i]),
    toggled: node_ids.slice(2 * PINGS + 40),
    quiet_links: node_ids.slice(2 * PINGS, 2 * PINGS + 20).map(linkOf),
    relinked: node_ids.slice(2 * PINGS + 20, 2 * PINGS + 40).map((id) => ({ link_id: linkOf(id) })),
  };
};

const kindOf = (i) => (i % 5 === 1 ? 'slow' : i % 5 === 2 ? 'coming' : 'steady');

/** Positions of the project's events that any listener must have received, whatever else it received. */
const toldPositions = async (call, project_id, after) => {
  const types =
    'drawing.created,drawing.updated,drawing.deleted,node.started,node.stopped,link.created,link.updated,link.deleted';
  const { text } = await call('GET', `/v2/projects/${project_id}/events?from=${after + 1}&type=${types}`, undefined, {
    Accept: 'application/x-ndjson',
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(/^{"position":(\d+)/.exec(line)[1]));
};

/** Records in a pcap file; null when it ends within one. */
const packetsIn = async (file) => {
  const bytes = await readFile(file);
  let packets = 0;
  let at = 24;
  for (; at + 16 <= bytes.length; packets++) at += 16 + bytes.readUInt32LE(at + 8);
  return at === bytes.length ? packets : null;
};

const compareFeeds = (listeners, positions, marker) => {
  const [first] = listeners;
  for (const [i, feed] of listeners.entries()) {
    for (const problem of new Set(feed.problems)) fail(`feed ${i} (${kindOf(i)}): ${problem}`);
    if (feed.digest() !== first.digest())
      fail(`feed ${i} (${kindOf(i)}) heard ${feed.frames} frames, which are not the ${first.frames} of the first`);
  }
  const heard = new Map();
  for (const position of first.positions) heard.set(position, (heard.get(position) ?? 0) + 1);
  const lost = positions.filter((position) => position <= marker && !heard.has(position));
  if (lost.length > 0) fail(`${lost.length} changes were never told, the first at position ${lost[0]}`);
  return positions.length;
};

const askFabric = async (...ops) => {
  for (const socket of await socketPaths(dataDir)) {
    const client = await connectFabric(socket).catch(() => null);
    if (client === null) continue;
    try {
      return await client.run(ops);
    } finally {
      client.close();
    }
  }
  throw new Error('the fabric does not answer');
};

const compareCaptures = async (lab) => {
  const [said] = await askFabric({ op: 'statistics' });
  const { captures } = said.value;
  const expected = captures.map(({ frames }) => frames).sort((a, b) => a - b);
  for (const { dropped } of captures) if (dropped > 0) fail(`a capture dropped ${dropped} frames`);
  await askFabric({ op: 'shutdown' }).catch(() => undefined);
  await sleep(1000);
  const found = [];
  for (const file of lab.captures) found.push(await packetsIn(file));
  found.sort((a, b) => a - b);
  if (found.includes(null)) fail('a capture file ends within a packet');
  if (found.join() !== expected.join())
    fail(`captures have ${found.join(', ')} packets; the fabric said ${expected.join(', ')}`);
  return expected;
};

const POINTS = 15;
/** Means of as many parts of the run, one after another. */
const course = (values) => {
  const size = Math.max(1, Math.ceil(values.length / POINTS));
  const parts = Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
  return parts.map((part) => (part.reduce((sum, v) => sum + v, 0) / part.length).toFixed(1)).join(' ');
};

const report = (name, values) => {
  for (const what of Object.keys(values[0] ?? {})) {
    const { mean, grown } = growth(values.map((v) => v[what]));
    const flat = isFlat(what, { mean, grown });
    const unit = what === 'handles' || what === 'resources' ? '' : ' MiB';
    const line = `${name}: ${what} ${mean.toFixed(1)}${unit} in the second half, ${grown >= 0 ? '+' : ''}${grown.toFixed(1)}${unit} from its beginning to its end`;
    if (flat) console.log(line);
    else fail(`${line}: it grows`);
    console.log(`  over the whole time: ${course(values.map((v) => v[what]))}`);
  }
};

/** Only when something failed is it still there. */
const endFabric = (pid) => {
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

let fabricPid = null;
const { child, url } = await startServer();
try {
  const call = caller(url);
  const lab = await build(call);
  fabricPid = await fabricOf(directory);
  const project = `/v2/projects/${lab.project_id}`;
  const begun = (await call('GET', '/v2/health')).body.log.position;
  const positions = [];
  let marker = null;
  const waiting = new Set();
  const listeners = Array.from({ length: feeds }, (_, i) => {
    const feed = new Feed(`${url}${project}/notifications`, kindOf(i), (text, position) => {
      if (i === 0) positions.push(position);
      if (text.includes('"svg":"<svg>the end</svg>"')) {
        if (i === 0) marker = position;
        waiting.delete(i);
      }
    });
    waiting.add(i);
    return feed;
  });
  listeners[0].positions = positions;
  await Promise.all(listeners.map(({ ready }) => ready));
  console.log(`soak of ${minutes} minutes, ${nodes} nodes, ${feeds} feeds, seed ${seed}; data in ${directory}`);
  const counts = {};
  const problems = [];
  const end = await begin({ lab, call, seed, counts, problems });
  const samples = { server: [], fabric: [] };
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until && child.exitCode === null) {
    await sleep(Math.min(SAMPLE_MS, until - Date.now()));
    samples.server.push(await sample(child.pid));
    samples.fabric.push(await sample(fabricPid));
  }
  const [drawing] = await end();
  for (const problem of problems.slice(0, 10)) fail(problem);
  if (problems.length > 10) fail(`${problems.length - 10} more requests failed`);
  await call('POST', `${project}/nodes/stop`);
  await call('PUT', `${project}/drawings/${drawing}`, { svg: '<svg>the end</svg>' });
  for (let waited = 0; waiting.size > 0 && waited < 60; waited++) await sleep(1000);
  if (waiting.size > 0) fail(`${waiting.size} feeds did not hear the end within a minute`);
  const told = compareFeeds(listeners, await toldPositions(call, lab.project_id, begun), marker);
  const events = (await call('GET', '/v2/health')).body.log.position;
  child.kill('SIGTERM');
  await once(child, 'exit');
  for (const feed of listeners) feed.end();
  const packets = await compareCaptures(lab);
  for (const command of [['verify'], ['rebuild', '--check']]) {
    const { code, output } = await runCli(...command);
    console.log(`topolog ${command.join(' ')}: ${output.split('\n').at(-1)}`);
    if (code !== 0) fail(`topolog ${command.join(' ')} ends with ${code}`);
  }
  report('server', samples.server);
  report('server', await probed(probeFile));
  report('fabric', samples.fabric);
  console.log(`${events} events, ${told} changes told to each of ${feeds} feeds in ${listeners[0].frames} frames`);
  console.log(`${listeners.reduce((sum, f) => sum + f.reconnects, 0)} times a feed went on with ?since=`);
  console.log(
    `captures of ${packets.join(', ')} packets; ${Object.entries(counts)
      .map(([what, n]) => `${what} ${n}`)
      .join(', ')}`,
  );
} catch (error) {
  fail(error.stack);
} finally {
  child.kill('SIGKILL');
  endFabric(fabricPid);
  agent.destroy();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures.length === 0 ? 'PASSED: flat, and nothing lost' : `FAILED: ${failures.length} problems`);
process.exit(failures.length === 0 ? 0 : 1);
