// Records the log that test/replay keeps of a version: a real session over HTTP, with a kill and a recovery in it, then the event
// types that no session can produce on demand, appended by hand. Writes test/replay/recorded-v<major.minor>.* .
//   node scripts/record-log.mjs [directory of the compiled program, default dist]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const load = (module) => import(pathToFileURL(path.join(dist, 'src', module)).href);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const target = path.join(root, 'test/replay', `recorded-v${version.split('.').slice(0, 2).join('.')}`);
const directory = mkdtempSync(path.join(tmpdir(), 'topolog-recorded-'));
const dataDir = path.join(directory, 'data');

const serve = async () => {
  const args = ['serve', '--port', '0', '--data-dir', dataDir, '--simulate', '--console-ports', '11000-19999'];
  const child = spawn(process.execPath, [path.join(dist, 'bin/cli/topolog.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (block) => {
      output += block;
      const found = /listens on (\S+),/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
  return { url, end: (signal) => ended(child, signal) };
};
const ended = async (child, signal) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
};

let server = await serve();
/** Answers the parsed body; fails for a status that was not expected. */
const call = async (method, where, body, expected = 2, headers = {}) => {
  const init = body === undefined ? { headers } : { body: JSON.stringify(body), headers };
  const answer = await fetch(`${server.url}/v2${where}`, { method, ...init });
  const text = await answer.text();
  if (Math.floor(answer.status / 100) !== expected) throw new Error(`${method} ${where}: ${answer.status} ${text}`);
  return answer.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text;
};

/** Objects of the server rather than of a project. */
const recordSettings = async () => {
  const made = await call('POST', '/templates', { name: 'Recorded', template_type: 'simple_pc' });
  await call('PUT', `/templates/${made.template_id}`, { category: 'firewall', usage: 'recorded' });
  const copy = await call('POST', `/templates/${made.template_id}/duplicate`, {});
  await call('DELETE', `/templates/${copy.template_id}`);
  const controller_id = '00000000-0000-4000-8000-000000000001';
  await call('PUT', '/compute/controller', { controller_id, name: 'recorded', epoch: 1 });
  await call('DELETE', '/compute/controller', undefined, 2, { 'X-Topolog-Controller': `${controller_id} 1` });
  await call('PUT', '/iou_license', { iourc_content: 'recorded' });
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
  const { status } = await fetch(`${server.url}/v2/symbols/recorded.svg/raw`, { method: 'POST', body });
  if (status !== 204) throw new Error(`the symbol was answered with ${status}`);
};

const recordSession = async () => {
  const {
    project_id,
    path: home,
    filename,
  } = await call('POST', '/projects', { name: 'recorded' }, 2, {
    'Idempotency-Key': 'the-first',
  });
  const at = `/projects/${project_id}`;
  await call('PUT', at, { name: 'recorded log', scene_width: 1500, variables: [{ name: 'a', value: 'b' }] });
  await call('PUT', at, { record_consoles: true });
  const node = (kind, name, more = {}) =>
    call('POST', `${at}/nodes`, { name, node_type: kind, compute_id: 'local', ...more });
  const pcs = [];
  for (const n of [1, 2, 3])
    pcs.push(
      await node('simple_pc', `PC${n}`, { properties: { startup_script: `set pcname PC${n}\nip 10.0.0.${n}/24\n` } }),
    );
  const hub = await node('ethernet_switch', 'Switch1');
  const router = await node('router_emulator', 'R1', {
    properties: { platform: 'c7200', ram: 512, image: 'any.image' },
  });
  const doomed = await node('nat', 'NAT1');
  const tracer = await call('POST', `/compute${at}/trace_tool/nodes`, {
    name: 'Trace1',
    ip_address: '10.0.0.5/24',
    default_destination: '10.0.0.9',
  });
  await call('PUT', `${at}/nodes/${pcs[0].node_id}`, { x: -100, y: 20, label: { text: 'first' } });
  const end = ({ node_id }, port_number) => ({ node_id, adapter_number: 0, port_number });
  const link = (a, b) => call('POST', `${at}/links`, { nodes: [a, b] });
  const links = [];
  for (const [i, pc] of [...pcs, tracer].entries()) links.push(await link(end(pc, 0), end(hub, i)));
  const drawing = await call('POST', `${at}/drawings`, { svg: '<svg width="10" height="10"></svg>', x: 5 });
  await call('PUT', `${at}/drawings/${drawing.drawing_id}`, { x: 50, rotation: 90 });
  const gone = await call('POST', `${at}/drawings`, { svg: '<svg width="1" height="1"></svg>' });
  await call('DELETE', `${at}/drawings/${gone.drawing_id}`);
  await call('POST', `${at}/nodes/start`, {});
  await call('PUT', `${at}/links/${links[0].link_id}`, { filters: { delay: [50, 5] } });
  await call('PUT', `${at}/links/${links[0].link_id}`, { suspend: true });
  await call('PUT', `${at}/links/${links[0].link_id}`, { suspend: false, filters: {} });
  await call('POST', `${at}/links/${links[1].link_id}/start_capture`, { data_link_type: 'DLT_EN10MB' });
  await call('POST', `/compute${at}/trace_tool/nodes/${tracer.node_id}/start`, { destination: '10.0.0.1' });
  for (const action of ['suspend', 'start', 'reload', 'stop', 'start'])
    await call('POST', `${at}/nodes/${router.node_id}/${action}`, {});
  const port = `/compute${at}/router_emulator/nodes/${router.node_id}/adapters/0/ports/0`;
  const nio = { type: 'nio_udp', lport: 20_001, rhost: '127.0.0.1', rport: 20_002 };
  await call('POST', `${port}/nio`, nio);
  await call('PUT', `${port}/nio`, { ...nio, suspend: true });
  await call('POST', `${port}/start_capture`, { capture_file_name: 'r1.pcap', data_link_type: 'DLT_EN10MB' });
  await call('POST', `${port}/stop_capture`, {});
  await call('DELETE', `${port}/nio`);
  await call('POST', '/compute/machine_emulator/images/disks/small.img', 'an image');
  const files = { destination_node_id: pcs[2].node_id };
  await call('POST', `${at}/nodes/${pcs[2].node_id}/stop`, {});
  await call('POST', `/compute${at}/simple_pc/nodes/${pcs[1].node_id}/duplicate`, files);
  await call('POST', `${at}/nodes/${pcs[2].node_id}/start`, {});
  await call('POST', `${at}/nodes`, { name: 'PC9', node_type: 'nothing' }, 4);
  await call('POST', `${at}/links`, { nodes: [end(pcs[0], 0), end(pcs[1], 0)] }, 4);
  await call('DELETE', `${at}/nodes/${doomed.node_id}`);
  await server.end('SIGKILL');
  server = await serve();
  await call('POST', `${at}/links/${links[1].link_id}/stop_capture`, {});
  await call('DELETE', `${at}/links/${links[2].link_id}`);
  await call('POST', `${at}/nodes/${pcs[2].node_id}/stop`, {});
  writeFileSync(`${target}.session.ndjson`, await call('GET', `${at}/session?from=4`));
  await call('POST', `${at}/nodes/stop`, {});
  await call('POST', `${at}/files/README.txt`, { text: 'any' });
  const { snapshot_id } = await call('POST', `${at}/snapshots`, { name: 'before' });
  await call('PUT', `${at}/nodes/${pcs[0].node_id}`, { x: 300 });
  await call('DELETE', `${at}/links/${links[0].link_id}`);
  await call('DELETE', `${at}/drawings/${drawing.drawing_id}`);
  await call('POST', `${at}/snapshots/${snapshot_id}/restore`, {});
  await call('DELETE', `${at}/snapshots/${snapshot_id}`);
  await call('POST', `${at}/close`, {});
  const file = path.join(home, filename);
  const edited = JSON.parse(readFileSync(file, 'utf8'));
  edited.topology.nodes = edited.topology.nodes.filter((n) => n.name !== 'PC2');
  edited.scene_height = 700;
  edited.unknown_key = 1;
  writeFileSync(file, JSON.stringify(edited));
  await call('POST', '/projects/load', { path: file });
  const second = await call('POST', '/projects', { name: 'deleted' });
  await call('POST', `/projects/${second.project_id}/nodes`, {
    name: 'PC1',
    node_type: 'simple_pc',
    compute_id: 'local',
  });
  await call('DELETE', `/projects/${second.project_id}`);
  await server.end('SIGTERM');
};

/** Data of the types that a session cannot produce on demand, for a node, link and project of the session. */
const byHand = ({ project_id, node_id, link_id }) => {
  const node = { node_id, project_id };
  const failure = { code: 'engine_failed', message: 'the engine ended: exit status 1' };
  const run = { engine: 'recorded', pid: 4711, console: 5100, command_line: 'engine --port 5100' };
  const port = { adapter_number: 0, port_number: 0 };
  const compute = { compute_id: 'far' };
  return {
    'warning.raised': { message: 'a warning', node_id },
    'project.open_failed': { project_id, failure },
    'project.nodes_requested': { project_id, action: 'start' },
    'project.nodes_finished': { project_id, action: 'start', done: 2, failed: [{ node_id, name: 'PC1', failure }] },
    'project.unattended': { project_id },
    'project.attended': { project_id },
    'project.restore_failed': { project_id, snapshot_id: project_id, failure },
    'node.start_requested': { ...node, arguments: {} },
    'node.start_failed': { ...node, failure },
    'node.started': { ...node, ...run },
    'node.stop_requested': node,
    'node.stop_failed': { ...node, failure },
    'node.stopped': node,
    'node.suspend_requested': node,
    'node.suspend_failed': { ...node, failure },
    'node.suspended': node,
    'node.resume_requested': node,
    'node.resume_failed': { ...node, failure },
    'node.resumed': node,
    'node.reload_requested': node,
    'node.reload_failed': { ...node, failure },
    'node.reloaded': { ...node, ...run },
    'node.adopted': { ...node, ...run, state: 'started' },
    'node.exited': { ...node, code: 1, signal: null, output: 'panic\n' },
    'node.lost': { ...node, reason: 'its process is gone' },
    'node.recording_started': { ...node, file: '2026-01-01.cast' },
    'node.recording_stopped': { ...node, file: '2026-01-01.cast' },
    'node.trace_finished': {
      ...node,
      destination: '10.0.0.1',
      reached: true,
      hops: [{ ttl: 1, address: null, rtt_ms: 0.5 }],
    },
    'capture.failed': { ...node, link_id, ...port, failure },
    'node.unreachable': { ...node, reason: 'nothing was heard of it for 5 s' },
    'node.reachable': node,
    'weather.started': { project_id, seed: 7, since: 1_700_000_000_000 },
    'weather.stepped': { project_id, at: 50, since: 1_700_000_000_000, storms: ['rain'], down: [node_id], up: [] },
    'weather.paused': { project_id, at: 60 },
    'weather.resumed': { project_id, at: 60, since: 1_700_000_000_000 },
    'weather.ended': { project_id, at: 70 },
    'link.tunnel_made': {
      link_id,
      project_id,
      ends: [
        { compute_id: 'local', host: '192.0.2.1', lport: 20000 },
        { compute_id: 'far', host: '192.0.2.2', lport: 20001 },
      ],
    },
    'compute.added': { ...compute, name: 'far', protocol: 'http', host: '192.0.2.2', port: 3080, user: null },
    'compute.updated': { ...compute, changes: { port: 3081 } },
    'compute.connected': { ...compute, version: '2.2.60', topolog: null, node_types: ['vpcs'], platform: 'linux' },
    'compute.disconnected': { ...compute, reason: 'nothing was heard of it for 5 s' },
    'compute.removed': compute,
    'server.took_over': { server: 'b', name: 'lab2', from: 'a' },
  };
};

/** Only a repair writes them; a log that has them is not whole. */
const OF_REPAIRS = ['event.lost', 'log.repaired', 'project.repaired'];

const completeLog = async () => {
  const { levelStore } = await load('events/store/level-store.js');
  const { EventLog } = await load('events/log/log.js');
  const { EVENTS } = await load('events/schemas.js');
  const { SYSTEM } = await load('events/event.js');
  const { readEvents, readRecords, readTexts } = await load('events/read.js');
  const { Records } = await load('projections/store.js');
  const { fold } = await load('projections/fold/fold.js');
  const records = new Records();
  const log = await EventLog.open(levelStore(path.join(dataDir, 'log')), records);
  const stored = [];
  for await (const [collection, id, record] of readRecords(log.store)) stored.push({ collection, id, record });
  records.restore(stored);
  const seen = new Set();
  for await (const event of readEvents(log.store)) seen.add(event.type);
  const [project] = records.committed.projects();
  const [node] = records.committed.ofProject('node', project.project_id);
  const [link] = records.committed.ofProject('link', project.project_id);
  const data = byHand({ ...project, node_id: node.node_id, link_id: link.link_id });
  const missing = Object.keys(EVENTS).filter((type) => !seen.has(type) && !OF_REPAIRS.includes(type));
  const unknown = missing.filter((type) => data[type] === undefined);
  if (unknown.length > 0) throw new Error(`no session and no data for ${unknown.join(', ')}: add them to this script`);
  const envelope = { project_id: project.project_id, by: SYSTEM, request_id: null, cause: null };
  for (const type of missing) await log.append([{ ...envelope, type, data: data[type] }]);
  const texts = [];
  for (
    let page = await readTexts(log.store);
    page.length > 0;
    page = await readTexts(log.store, undefined, { from: texts.length + 1 })
  )
    texts.push(...page);
  const folded = new Records();
  const changes = [];
  for await (const event of readEvents(log.store)) {
    const changed = fold(folded.committed, event);
    changes.push(JSON.stringify({ position: event.position, type: event.type, changes: changed }));
    folded.apply(changed);
  }
  await log.close();
  return { texts, changes, folded: [...folded.all()], missing };
};

try {
  await recordSettings();
  await recordSession();
  const { texts, changes, folded, missing } = await completeLog();
  const asLines = (lines) => lines.map((line) => `${line}\n`).join('');
  writeFileSync(`${target}.ndjson`, asLines(texts));
  writeFileSync(`${target}.changes.ndjson`, asLines(changes));
  writeFileSync(`${target}.records.json`, `${JSON.stringify(folded, null, 1)}\n`);
  console.log(`${texts.length} events, ${folded.length} records; by hand: ${missing.join(', ')}`);
} finally {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}
