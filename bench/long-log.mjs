// Logs as long as years of use make them, written by the server's own log code: only the fsync of each batch is left out. Ten closed
// projects of 40 PCs on a switch each, with 15 drawings; whatever the length, the records are the same, so that only the length differs.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Level } from 'level';

const product = (name) => import(pathToFileURL(path.resolve(import.meta.dirname, `../dist/src/${name}.js`)).href);
const { DEFAULT_SETTINGS } = await product('model/project');

const PROJECTS = Number(process.env.TOPOLOG_BENCH_PROJECTS ?? 10);
const PCS = 40;
const DRAWINGS = 15;
/** Events appended at once: as large as a batch of the log. */
const BATCH = 4000;
/** LevelDB merges less often what it gathers in larger parts. Octets. */
const BUFFER = 64 * 1024 * 1024;
/** One user's lab session of requests; the content does not matter to the figures, its size does. */
const BY = { principal: 'user', address: '127.0.0.1', agent: 'bench/1' };

/** The shortest log that has all of the records. */
export const SHORTEST = PROJECTS * (2 + PCS * 2 + DRAWINGS);

/**
 * Writes a log of `events` events into the data directory. Resolves with the ids of its projects, each with as many events as the
 * others. `apart`: milliseconds from one event to the next, so that the last is of now; null: as they are written.
 */
export const writeLongLog = async (dataDir, events, { projects = PROJECTS, apart = null } = {}) => {
  const { CheckedStore } = await product('events/store/checked-store');
  const { EventLog } = await product('events/log/log');
  const { keepCheckpoints } = await product('projections/past/checkpoints');
  const { Records } = await product('projections/store');
  await mkdir(dataDir, { recursive: true });
  const db = new Level(path.join(dataDir, 'log'), { writeBufferSize: BUFFER });
  const records = new Records();
  const open = async () => new CheckedStore(await db.open().then(() => unsynced(db)), { allSealed: false });
  let at = Date.now() - events * (apart ?? 0);
  const clock = apart === null ? {} : { clock: () => (at += apart) };
  const log = await EventLog.open(open, records, clock);
  keepCheckpoints(log, records.committed);
  const labs = [];
  for (let i = 0; i < projects; i++) labs.push(await lab(dataDir, i));
  const next = takingTurns(labs);
  let batch = [];
  let written = Promise.resolve();
  for (let n = 0; n < events; n++) {
    batch.push(next());
    if (batch.length < BATCH && n < events - 1) continue;
    const full = batch;
    batch = [];
    await written;
    written = log.append(full);
  }
  await written;
  await log.close();
  return labs.map(({ project_id, drawing_ids }) => ({ project_id, drawing_ids }));
};

/** What a crash could take of such a log does not matter: it is not there before it is closed. */
const unsynced = (store) => ({
  batch: (ops) => store.batch(ops, { sync: false }),
  get: (key) => store.get(key),
  getMany: (keys) => store.getMany(keys),
  iterator: (range) => store.iterator(range),
  close: () => store.close(),
});

const takingTurns = (labs) => {
  let n = 0;
  return () => labs[n++ % labs.length].drafts.next().value;
};

const lab = async (dataDir, n) => {
  const project_id = randomUUID();
  const place = path.join(dataDir, 'projects', project_id);
  await mkdir(place, { recursive: true });
  const ids = (count) => Array.from({ length: count }, () => randomUUID());
  const known = { project_id, place, n, node_ids: ids(PCS + 1), link_ids: ids(PCS), drawing_ids: ids(DRAWINGS) };
  return { ...known, drafts: drafts(known) };
};

/** Makes drafts of events of a project. */
export const draftsOf = (project_id) => (type, data) => ({
  project_id,
  type,
  data: { project_id, ...data },
  by: BY,
  request_id: randomUUID(),
  cause: null,
});

/** First what makes the lab, then its use without an end. */
function* drafts(lab) {
  const { project_id, node_ids, link_ids, drawing_ids } = lab;
  const draft = draftsOf(project_id);
  yield draft('project.created', project(lab));
  for (const [i, node_id] of node_ids.entries()) yield draft('node.created', node(lab, node_id, i));
  for (const [i, link_id] of link_ids.entries()) yield draft('link.created', link(lab, link_id, i));
  for (const [i, drawing_id] of drawing_ids.entries()) yield draft('drawing.created', drawing(drawing_id, i));
  for (let turn = 0; ; turn++) {
    const node_id = node_ids[turn % PCS];
    yield draft('node.start_requested', { node_id, arguments: {} });
    yield draft('node.started', {
      node_id,
      engine: 'embedded',
      pid: null,
      console: 5000 + (turn % PCS) + lab.n * PCS,
      command_line: '',
    });
    yield draft('node.updated', { node_id, changes: { x: turn % 1000, y: (turn * 7) % 1000 } });
    yield draft('drawing.updated', { drawing_id: drawing_ids[turn % DRAWINGS], changes: { x: turn, y: -turn } });
    yield draft('link.updated', { link_id: link_ids[turn % PCS], changes: { filters: { delay: [turn % 100, 5] } } });
    yield draft('node.stop_requested', { node_id });
    yield draft('node.stopped', { node_id });
  }
}

export const project = ({ place, n }) => ({
  name: `lab ${n}`,
  path: place,
  filename: 'lab.gns3',
  file_sha256: null,
  extra: {},
  ...DEFAULT_SETTINGS,
  auto_close: true,
});

const label = (text) => ({ text, style: 'font-family: TypeWriter;font-size: 10.0', x: 0, y: -25, rotation: 0 });
const port = (n) => ({
  name: `Ethernet${n}`,
  short_name: `e${n}`,
  adapter_number: 0,
  port_number: n,
  link_type: 'ethernet',
  data_link_types: { Ethernet: 'DLT_EN10MB' },
});

/** The last one is the switch. */
const node = ({ place, n }, node_id, i) => {
  const isSwitch = i === PCS;
  const name = isSwitch ? 'Switch1' : `PC${i + 1}`;
  const ports = isSwitch ? Array.from({ length: PCS }, (_, at) => port(at)) : [port(0)];
  return {
    node_id,
    compute_id: 'local',
    kind: isSwitch ? 'switch' : 'simple_pc',
    name,
    template_id: null,
    console: isSwitch ? null : 5000 + i + n * PCS,
    console_type: isSwitch ? 'none' : 'telnet',
    console_auto_start: false,
    properties: {},
    label: label(name),
    symbol: null,
    width: 65,
    height: 45,
    x: i * 10,
    y: i,
    z: 1,
    locked: false,
    port_name_format: 'Ethernet{0}',
    port_segment_size: 0,
    first_port_name: null,
    custom_adapters: [],
    ports,
    node_directory: path.join(place, 'project-files', node_id),
    extra: {},
    failure: null,
  };
};

const link = ({ node_ids }, link_id, i) => ({
  link_id,
  link_type: 'ethernet',
  nodes: [
    { node_id: node_ids[i], adapter_number: 0, port_number: 0, label: label('e0') },
    { node_id: node_ids[PCS], adapter_number: 0, port_number: i, label: label(`e${i}`) },
  ],
  suspend: false,
  filters: {},
  link_style: {},
  extra: {},
});

export const drawing = (drawing_id, i) => ({
  drawing_id,
  x: i * 100,
  y: 0,
  z: 0,
  rotation: 0,
  locked: false,
  svg: '<svg width="100" height="50"><rect width="100" height="50" fill="#ffffff"/></svg>',
  extra: {},
});
