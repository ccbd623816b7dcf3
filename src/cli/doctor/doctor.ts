import { access, constants, stat, statfs } from 'node:fs/promises';
import { conflict, invalid, messageOf } from '../../common/errors.ts';
import { VERSION } from '../../common/package.ts';
import { createEngines, type Engines } from '../../emulators/kit/engines.ts';
import { KIND_FLAGS, KIND_OPTIONS, type KindOptions, kindOptionsOf } from '../../emulators/options.ts';
import { createKinds } from '../../emulators/registry.ts';
import type { FabricClient } from '../../fabric/client/client.ts';
import { findFabrics, servingFabric } from '../../fabric/client/fabric-process.ts';
import { findSockets } from '../../fabric/io/sockets.ts';
import type { Directories } from '../../files/project/data-directory.ts';
import { endProcesses } from '../../processes/end.ts';
import { identityOf } from '../../processes/identity.ts';
import { findMarked, type Marked, markOf } from '../../processes/marker.ts';
import { ELSEWHERE, isOfCell } from '../../server/data-directory.ts';
import { findServer } from '../../server/found-server.ts';
import { command, FILES, FILES_HELP, LOG, LOG_HELP, parse, placeOf } from '../source.ts';
import { printRows } from '../timeline.ts';
import { doctorOfCompute } from './compute.ts';
import { type Known, knownOf } from './records.ts';

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
  // First: so no process is seen of a node that the records do not tell yet.
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
    // Beside a server, a node that has started since the records were read could lose what is its own; the server's next start sweeps.
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

/** Processes with our marker whose node does not run by any record, and fabrics that nobody uses. */
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
      // A fabric has children of its own in no group, so it is ended alone.
      const marked = { ...identity, group: 0, node_id: '', project_id: null, argv: ['topolog-fabric'] };
      return [{ marked, what: `fabric ${pid === serving ? 'that nothing needs' : 'that serves nobody'}` }];
    }),
  ];
};

/** Lists what is left over, ends it when asked to, and returns how many stay. */
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

/** What nodes that do not run have left beside processes; lists it, takes it away when asked to, and returns how much stays. */
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

/** They are only asked what they miss and have left: that needs no fabric. */
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
