import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { conflict, invalid, messageOf } from '../common/errors.ts';
import { VERSION } from '../common/package.ts';
import { placeOf as secretPlace, secretsOf, SERVER_ID, serverIdIn } from '../common/secrets.ts';
import { createEngines, type Engines } from '../emulators/kit/engines.ts';
import { KIND_FLAGS, KIND_OPTIONS, type KindOptions, kindOptionsOf } from '../emulators/options.ts';
import { createKinds } from '../emulators/registry.ts';
import { firstProblem, refuseUnfinished } from '../events/log/startup.ts';
import { lastPosition, lastWriter, readRecords } from '../events/read.ts';
import { KEYS, type Store } from '../events/store/store.ts';
import type { FabricClient } from '../fabric/client/client.ts';
import { findFabrics, servingFabric } from '../fabric/client/fabric-process.ts';
import { findSockets } from '../fabric/io/sockets.ts';
import type { Directories } from '../files/project/data-directory.ts';
import { endProcesses } from '../processes/end.ts';
import { identityOf } from '../processes/identity.ts';
import { findMarked, type Marked, markOf } from '../processes/marker.ts';
import type { NodeRecord, ProjectRecord } from '../projections/records.ts';
import { ELSEWHERE, isOfCell } from '../server/data-directory.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';
import { command, FILES, FILES_HELP, LOG, LOG_HELP, parse } from './command.ts';
import { doctorOfCompute } from './doctor-compute.ts';
import { openView, type Place, placeOf } from './source.ts';
import { printRows } from './table.ts';

const HELP = `topolog doctor [--clean | --compute NAME] [--log URL --cell NAME] [--data-dir DIR]${KIND_OPTIONS.map(({ flag, form }) => ` [--${flag} ${form}]`).join('')}

Checks the installation: the version, the data directory, its log, the server and its fabric; processes that an earlier server has left and
that no longer belong to a node. Lists the engines with their versions, and for each that is missing the command that installs it.
--clean ends the processes that are left over and takes away their interfaces, namespaces and containers, and nothing else; without
it, they are listed. What belongs to another data directory is never touched. Exit code 0 if nothing is wrong; a missing engine is no fault.
--compute NAME asks the running server about one of its computes instead: whether it answers, its version, whose it is, its addresses, and
its engines.

${LOG_HELP}${FILES_HELP}`;

interface LeftOver {
  marked: Marked;
  what: string;
}

const OWN = { clean: { type: 'boolean' }, compute: { type: 'string' } } as const;

/** `topolog doctor` */
export const doctorCommand = command(HELP, async (args) => {
  const { values } = parse({ args, options: { ...KIND_FLAGS, ...LOG, ...FILES, ...OWN } as const });
  const place = placeOf(values);
  const { dataDir } = place;
  if (values.compute !== undefined) {
    if (values.clean === true) throw invalid('--clean is for this machine, --compute for another: take one of them');
    return doctorOfCompute(dataDir, values.compute);
  }
  // Processes are listed before the records are read, so that none belongs to a node that they do not have yet.
  const processes = await findMarked(await markOf(dataDir));
  const server = await findServer(dataDir);
  if (values.clean === true && server === null && place.cell === null && (await isOfCell(dataDir)))
    throw conflict(`${dataDir}: ${ELSEWHERE}; without it nobody knows what is left over`);
  const url = server?.url ?? null;
  const known = await knownOf(place, server);
  const data = await dataHealth(dataDir);
  const left = await leftOvers(dataDir, url, known, processes);
  const running = processes.length - left.filter(({ marked }) => processes.includes(marked)).length;
  printRows([
    ['version', VERSION],
    ['data', data.text],
    ['log', known.log.text],
    ['server', url === null ? 'does not run' : `runs at ${url}`],
    ['fabric', await fabricText(dataDir, known)],
    ['frames', (await findSockets()).description],
    ['processes', `${running} of nodes, ${left.length} left over`],
  ]);
  const stays = await report(left, values.clean === true);
  const outside = await withEngines(place, kindOptionsOf(values), async (engines) => {
    // While a server runs, nothing is removed: it may belong to a node that has started since. The server's next start sweeps.
    const found = await sweep(engines, known, values.clean === true && server === null);
    await printEngines(engines);
    return found;
  });
  const well = data.isWell && known.log.isWell && stays === 0 && outside === 0;
  process.stdout.write(well ? '\nAll is well.\n' : '');
  return well ? 0 : 1;
});

const dataHealth = async (dataDir: string): Promise<{ text: string; isWell: boolean }> => {
  const found = await stat(dataDir).catch(() => null);
  if (found === null) return { text: `${dataDir} is not there yet; the first server makes it`, isWell: true };
  if (!found.isDirectory()) return { text: `${dataDir} is no directory`, isWell: false };
  try {
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    if (free < 1e6) return { text: `${dataDir}, on a disk that is full`, isWell: false };
    const told = free < 1e9 ? `${Math.floor(free / 1e6)} MB` : `${(free / 1e9).toFixed(1)} GB`;
    return { text: `${dataDir}, writable, ${told} free`, isWell: true };
  } catch (error) {
    return { text: `${dataDir} cannot be written: ${messageOf(error)}`, isWell: false };
  }
};

const fabricText = async (dataDir: string, { nodes }: Known): Promise<string> => {
  const serving = await servingFabric(dataDir);
  if (serving === null || !(await findFabrics(dataDir)).includes(serving)) return 'does not run';
  const waits = nodes.waiting === 0 ? '' : `; ${nodes.waiting} running nodes wait for a server`;
  return `process ${serving}${waits}`;
};

/** Processes with a marker whose node should not run by the records, and fabrics that nobody uses. */
const leftOvers = async (
  dataDir: string,
  url: string | null,
  { nodes }: Known,
  processes: Marked[],
): Promise<LeftOver[]> => {
  const serving = await servingFabric(dataDir);
  const isUsed = (pid: number): boolean => pid === serving && (url !== null || nodes.waiting > 0 || nodes.all === null);
  const fabrics = (await findFabrics(dataDir)).filter((pid) => !isUsed(pid));
  const found = await Promise.all(fabrics.map(async (pid) => ({ pid, identity: await identityOf(pid) })));
  return [
    ...processes
      .filter(({ node_id }) => !nodes.has(node_id))
      .map((marked) => ({ marked, what: `of node ${nodes.name(marked.node_id) ?? marked.node_id}` })),
    ...found.flatMap(({ pid, identity }): LeftOver[] => {
      if (identity === null) return [];
      // A fabric leads no process group, so it is ended alone.
      const marked = { ...identity, group: 0, node_id: '', project_id: null, argv: ['topolog-fabric'] };
      return [{ marked, what: `fabric ${pid === serving ? 'that nothing needs' : 'that serves nobody'}` }];
    }),
  ];
};

/** Lists processes that are left over, ends them if `clean`, and returns how many remain. */
const report = async (left: LeftOver[], clean: boolean): Promise<number> => {
  if (left.length === 0) return 0;
  const stay = clean ? await endProcesses(left.map(({ marked }) => marked)) : left.map(({ marked }) => marked);
  const rows = left.map(({ marked, what }) => {
    const fate = !clean ? 'left over' : stay.includes(marked) ? 'does not end' : 'ended';
    return [`  ${marked.pid}`, fate, what, marked.argv.join(' ').slice(0, 100)];
  });
  process.stdout.write('\n');
  printRows(rows);
  if (!clean) process.stdout.write('topolog doctor --clean ends them.\n');
  return stay.length;
};

/** Lists interfaces, namespaces and containers of nodes that do not run, removes them if `clean`, and returns how many remain. */
const sweep = async (engines: Engines, { nodes }: Known, clean: boolean): Promise<number> => {
  if (nodes.all === null) return 0;
  let failed = 0;
  const report = (message: string): void => {
    failed++;
    process.stderr.write(`topolog: ${message}\n`);
  };
  const left = await engines.sweep(nodes.all, clean, report);
  if (left.length > 0) process.stdout.write('\n');
  printRows(left.map((line) => ['  ', clean ? 'taken away' : 'left over', line]));
  if (left.length > 0 && !clean)
    process.stdout.write('The next start takes it away, and so does topolog doctor --clean while no server runs.\n');
  return clean ? failed : left.length + failed;
};

const printEngines = async (engines: Engines): Promise<void> => {
  const found = await engines.report();
  process.stdout.write('\nengines\n');
  printRows(
    found.map(({ kind, engine, available, version, missing }) => [
      `  ${kind}`,
      engine,
      available ? 'ready' : 'missing',
      missing === null ? (version ?? '') : `needs ${missing.needs}: ${missing.install}`,
    ]),
  );
};

const refuse = (): Promise<never> => Promise.reject(new Error('there is no fabric here'));
const NO_FABRIC: FabricClient = {
  run: refuse,
  one: refuse,
  inventory: refuse,
  console: refuse,
  onEvent: () => undefined,
  onLost: () => undefined,
  close: () => undefined,
};

/** Makes engines without a fabric, which reports and sweeps do not need. */
const withEngines = async <T>(
  { dataDir, filesDir }: Directories,
  kindOptions: KindOptions,
  use: (engines: Engines) => Promise<T>,
): Promise<T> => {
  const context = {
    fabric: NO_FABRIC,
    consoles: { host: '127.0.0.1', range: [0, 0] as [number, number] },
    mark: await markOf(dataDir),
    dataDir,
    filesDir,
    kindOptions,
  };
  const engines = createEngines(createKinds(), context, { engines: {}, simulate: false });
  try {
    return await use(engines);
  } finally {
    await engines.close();
  }
};

/** Nodes that may run, by the server or the log. */
interface KnownNodes {
  /** Whether a node may run, so that its processes are not left over. */
  has(nodeId: string): boolean;
  name(nodeId: string): string | undefined;
  /** All such nodes; null if nothing is known. */
  all: readonly { node_id: string; project_id: string }[] | null;
  /** Number of nodes that the next server will run again; 0 while one runs. */
  waiting: number;
}

interface LogHealth {
  text: string;
  isWell: boolean;
}

interface Known {
  nodes: KnownNodes;
  log: LogHealth;
}

/** Stands for an unreadable log: nothing is known, so no process counts as left over. */
const EVERYBODY: KnownNodes = { has: () => true, name: () => undefined, all: null, waiting: 0 };
const NOBODY: KnownNodes = { has: () => false, name: () => undefined, all: [], waiting: 0 };

/** Time limit of a request. Milliseconds. */
const PATIENCE_MS = 10_000;

/** Asks the server about nodes, and reads a log in a database itself in addition. */
const knownOf = async (place: Place, server: FoundServer | null): Promise<Known> => {
  if (server === null) return readLog(place);
  const asked = await askServer(server);
  return place.cell === null ? asked : { ...asked, log: (await readLog(place)).log };
};

/** Asks the running server. A project that is being opened reads as closed, so every node with a record may run. */
const askServer = async ({ client }: FoundServer): Promise<Known> => {
  const soon = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
  const health = await client.get('/v2/health', soon());
  const names = new Map<string, string>();
  const all: { node_id: string; project_id: string }[] = [];
  for (const { project_id } of await client.get('/v2/projects', soon()))
    for (const node of await client.get('/v2/projects/{project_id}/nodes', { path: { project_id }, ...soon() })) {
      names.set(node.node_id, node.name);
      all.push({ node_id: node.node_id, project_id });
    }
  const { position, writable, reason } = health.log;
  const text = `position ${position}, ${writable ? 'writable' : `not writable: ${reason ?? 'unknown'}`}`;
  return {
    nodes: { has: (id) => names.has(id), name: (id) => names.get(id), all, waiting: 0 },
    log: { text, isWell: writable },
  };
};

/** Reads the log itself. A node may run when its project is open and it was not stopped. */
const readLog = async (place: Place): Promise<Known> => {
  const isHere = place.cell === null;
  if (isHere && (await isOfCell(place.dataDir))) return { nodes: EVERYBODY, log: { text: ELSEWHERE, isWell: false } };
  if (isHere && (await stat(path.join(place.dataDir, 'log')).catch(() => null)) === null)
    return { nodes: NOBODY, log: { text: 'there is none yet', isWell: true } };
  try {
    const { store, repaired, cell, close } = await openView(place);
    try {
      await refuseUnfinished(store);
      const last = await lastPosition(store);
      const checked = Math.min(Number((await store.get(KEYS.checked)) ?? 0), last);
      const problem = await firstProblem(store, checked, last);
      const stored: [string, string, unknown][] = [];
      for await (const record of readRecords(store)) stored.push(record);
      const whole = repaired
        ? "LevelDB's list of files is damaged; topolog verify says more"
        : `${cell === null ? '' : `${cell.place}, `}position ${last}, whole`;
      const text = problem === null ? whole : `position ${problem.position}: ${problem.message}`;
      const nodes = fromRecords(stored, await isRunAt(place, store));
      return { nodes, log: { text, isWell: problem === null && !repaired } };
    } finally {
      await close();
    }
  } catch (error) {
    return { nodes: EVERYBODY, log: { text: messageOf(error), isWell: false } };
  }
};

/** Returns a predicate: whether a node belongs to the server of this data directory. */
const isRunAt = async ({ dataDir, cell }: Place, store: Store): Promise<(node: NodeRecord) => boolean> => {
  const kept = secretsOf(dataDir);
  const text = await kept.get(SERVER_ID);
  const own = text === null ? undefined : serverIdIn(text, secretPlace(kept, SERVER_ID));
  // A node without a server belongs to the writer.
  const { server: writer } = await lastWriter(store);
  const writes = cell === null || writer === null || writer === own;
  return ({ server }) => (server === undefined ? writes : server === own);
};

const fromRecords = (stored: [string, string, unknown][], isHere: (node: NodeRecord) => boolean): KnownNodes => {
  const of = <T>(collection: string): T[] => stored.filter(([name]) => name === collection).map(([, , r]) => r as T);
  const open = new Set(
    of<ProjectRecord>('project')
      .filter((project) => project.state !== 'closed')
      .map((project) => project.project_id),
  );
  const nodes = new Map(of<NodeRecord>('node').map((node) => [node.node_id, node]));
  const mayRun = (node: NodeRecord | undefined): boolean =>
    node !== undefined && node.state !== 'stopped' && isHere(node) && open.has(node.project_id);
  return {
    has: (id) => mayRun(nodes.get(id)),
    name: (id) => nodes.get(id)?.name,
    all: [...nodes.values()].filter(mayRun),
    waiting: [...nodes.values()].filter(mayRun).length,
  };
};
