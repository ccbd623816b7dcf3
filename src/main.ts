import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { draft, type LabContext, SYSTEM_CALLER } from './actors/context.ts';
import { createLab, type Lab } from './actors/lab.ts';
import { NOTHING_RECOVERED, type Recovered } from './actors/recovery/recover.ts';
import { type CellConfig, warnOfKey } from './cluster/cell-config.ts';
import { joinCell } from './cluster/failover.ts';
import { listenAt, ListenerHandoff } from './cluster/handoff.ts';
import { HealingServer } from './cluster/healing.ts';
import { cellFacade, type CellRole } from './cluster/lease-watch.ts';
import type { OpenedLog } from './cluster/opened-log.ts';
import type { RunningServer } from './cluster/running-server.ts';
import { serverStopped, WriterTurn } from './cluster/writer-turn.ts';
import { conflict, messageOf, reporting } from './common/errors.ts';
import { VERSION } from './common/package.ts';
import { withResolvers } from './common/promises.ts';
import type { Secrets } from './common/secrets.ts';
import { createKinds, type Kinds } from './emulators/registry.ts';
import type { Cell } from './events/cell.ts';
import { type FilePaths, startedWith } from './events/file-paths.ts';
import { openCell } from './events/open-cell.ts';
import { type FabricKeeper, keepFabric, readFabric } from './fabric/client/keeper.ts';
import { CaptureFiles } from './fabric/packets/files/capture-files.ts';
import { readPackets } from './fabric/packets/read-packets.ts';
import { checkPages } from './files/pages.ts';
import { inDirectories } from './files/project/data-directory.ts';
import { createTickets, ticketKey } from './http/access/tickets.ts';
import type { Users } from './http/access/users.ts';
import { buildServer, type HttpDeps, injector } from './http/server/server.ts';
import { reclaimMemory } from './memory/reclaim.ts';
import { Replays } from './replay/replays.ts';
import type { Config } from './server/config.ts';
import { checkDataDirectory } from './server/data-directory.ts';
import { facadeParts, type ServerParts, serviceParts, sessionsOf } from './server/facade.ts';
import { announce, serverFile, withdraw } from './server/found-server.ts';
import { makeLabContext } from './server/lab-context.ts';
import { openLog, watchPlaces } from './server/open-log.ts';
import { Shutdown } from './server/shutdown.ts';
import { usersOf } from './server/users.ts';

export type { RunningServer };

const WRITING_FILES = 'writing project files';

/** Milliseconds for the end of all nodes outside: a little more than each of them gets. */
const NODES_MS = 35_000;

/** Parts of a server that can be replaced, e.g. for a test. */
export interface Parts {
  kinds?: Kinds;
  fabric?: FabricKeeper;
  cell?: Cell;
}

/** Shared by all servers of this process that replace each other. */
interface ProcessParts extends Parts {
  /** Token of requests by tools of this machine. */
  token: string;
  handoff: ListenerHandoff;
}

/**
 * Starts the whole server: configuration, log, projections, emulators, actors, HTTP. Where a step fails, what was begun is ended again;
 * `close` ends everything in reverse order.
 */
export const startServer = async (config: Config, logger: Logger, parts: Parts = {}): Promise<RunningServer> => {
  const shared = { ...parts, token: randomBytes(32).toString('base64url'), handoff: new ListenerHandoff() };
  const { cell, dataDir } = config;
  if (cell !== null) return inDirectories(config, logger, () => startInCell({ ...config, cell }, logger, shared));
  const start = (at: Config): Promise<RunningServer> =>
    inDirectories(at, logger, () => startOnce(at, logger, shared, null));
  const first = await start(config);
  if (first.readOnly?.heals !== true) return first;
  const { handoff } = shared;
  return new HealingServer(first, { dataDir, start: (ports) => start({ ...config, ...ports }), logger, handoff });
};

const startInCell = async (
  config: Config & { cell: CellConfig },
  logger: Logger,
  parts: ProcessParts,
): Promise<RunningServer> => {
  await checkDataDirectory(config.dataDir);
  warnOfKey(config.cell, logger);
  const { log, name, key, leaseMs } = config.cell;
  const report = (message: string): void => logger.warn(message);
  const cell = parts.cell ?? (await openCell({ log, name, key, leaseMs, create: true, report }));
  try {
    return await joinCell({
      cell,
      config,
      logger,
      handoff: parts.handoff,
      start: (role, ports) => startOnce({ ...config, ...ports }, logger, parts, role),
    });
  } catch (error) {
    await cell.close();
    throw error;
  }
};

/** `role`: in the cell of the server; null: its log is its own. */
const startOnce = async (
  config: Config,
  logger: Logger,
  parts: ProcessParts,
  role: CellRole | null,
): Promise<RunningServer> => {
  const shutdown = new Shutdown(logger);
  let failed = false;
  try {
    return await startStepByStep({ config, logger, parts, role, shutdown, hasFailed: () => failed });
  } catch (error) {
    failed = true;
    await shutdown.runAll();
    throw error;
  }
};

interface Start {
  config: Config;
  logger: Logger;
  parts: ProcessParts;
  role: CellRole | null;
  /** Gets the end of each part as soon as the part has begun. */
  shutdown: Shutdown;
  hasFailed: () => boolean;
}

const startStepByStep = async (start: Start): Promise<RunningServer> => {
  const { config, logger, parts, role, shutdown } = start;
  const turn = new WriterTurn();
  const users = usersOf(config, logger);
  if (config.webUi !== null) await checkPages(config.webUi);
  const opened = role?.opened ?? (await openLog(config, logger));
  const { log, readOnly } = opened;
  shutdown.add('the log', () => opened.close());
  if (role?.lease !== null) await watchPlaces({ config, log, logger, turn, shutdown }, role === null);
  const stopGiving = await reclaimMemory((heard) => log.onCommitted(({ length }) => heard(length)));
  shutdown.add('giving memory back', stopGiving);
  const fabric = await fabricOf(start, readOnly !== null);
  // A start that fails leaves the lab of an earlier server to the next one, and so does a server that only reads.
  const leavesLab = (): boolean =>
    config.keepRunning || readOnly !== null || (start.hasFailed() && (fabric.adopted || role !== null));
  const keepsRunning = (): boolean => turn.keepsRunning(leavesLab);
  shutdown.add('the fabric', () => (keepsRunning() ? fabric.close() : fabric.end()));
  const secrets = role?.cell.secrets ?? config.dataDir;
  const kinds = parts.kinds ?? createKinds();
  const { context, engines } = await makeLabContext(
    config,
    opened,
    { kinds, fabric, users, secrets, cellRole: role },
    logger,
  );
  shutdown.add('the connections to computes', () => context.computes.close());
  shutdown.add('the engines', () => engines.close());
  const lab = createLab(context);
  shutdown.add('the end of nodes', () => (keepsRunning() ? undefined : lab.stopOutside()), NODES_MS);
  shutdown.add(WRITING_FILES, () => (turn.isOver ? undefined : lab.close()));
  const recover = () => bringBack(lab, fabric, config.resume, { context, places: opened.places });
  const recovered = readOnly === null ? await recover() : NOTHING_RECOVERED;
  const requested = withResolvers<string>();
  // The answer to the request goes out first.
  const requestShutdown = (by: string): void => void setImmediate(() => requested.resolve(by));
  const server = { config, context, lab, fabric, readOnly, cellRole: role };
  const urls = await listen(server, { users, secrets, shutdown, parts, turn, requestShutdown });
  if (readOnly === null) void lab.openAutomatic();
  else if (role !== null) lab.standBy();
  return {
    ...urls,
    engines: await engines.report(),
    recovered,
    readOnly,
    adoptedFabric: fabric.adopted,
    fabricPid: fabric.pid(),
    shutdownRequested: requested.promise,
    cell: null,
    ...turn.operations(context, lab, () => shutdown.run(WRITING_FILES, () => lab.flush())),
    close: (reason, isReplaced = false) => {
      turn.isReplaced = isReplaced;
      return close(shutdown, serverStopped(reason, config.keepRunning), turn.isOver ? null : opened);
    },
  };
};

/** A server that only reads its own log looks at the fabric that there is; every other one starts a fabric where there is none. */
const fabricOf = async ({ config, logger, parts, role }: Start, isReading: boolean): Promise<FabricKeeper> => {
  if (isReading && role === null) return readFabric(config.dataDir);
  return parts.fabric ?? (await keepFabric(config.dataDir, logger));
};

/** Ends HTTP, appends the last event, and ends everything below. False: something did not end in time. */
const close = async (
  shutdown: Shutdown,
  event: ReturnType<typeof serverStopped>,
  opened: Pick<OpenedLog, 'log' | 'readOnly'> | null,
): Promise<boolean> => {
  await shutdown.runLast();
  if (opened?.readOnly === null) await shutdown.run('the last event', () => opened.log.append([event]));
  await shutdown.runAll();
  return shutdown.givenUp === 0;
};

const bringBack = async (
  lab: Lab,
  fabric: FabricKeeper,
  resume: boolean,
  { context, places }: { context: LabContext; places: FilePaths },
): Promise<Recovered> => {
  // Listens from here on, so that a fabric that dies in the middle of the recovery is recovered from as well.
  fabric.onReplaced((why) => {
    const raised = context.log.append([draft(SYSTEM_CALLER, null, 'warning.raised', { message: why, node_id: null })]);
    raised.catch(reporting(context.logger, {}));
  });
  fabric.rebuildBy(async () => void (await lab.recover(true)));
  fabric.onEvent((event) => lab.heard(event));
  await lab.sweepFiles();
  await lab.takeOver();
  lab.watchComputes();
  const recovered = await lab.recover(resume);
  await lab.sweepOutside();
  const { id: server, name } = context.settings.server;
  const started = { version: VERSION, pid: process.pid, recovered, ...startedWith(places), server, name };
  await context.log.append([draft(SYSTEM_CALLER, null, 'server.started', started)]);
  return recovered;
};

interface Listening {
  users: Users;
  /** A data directory, or a store of secrets. */
  secrets: string | Secrets;
  shutdown: Shutdown;
  parts: ProcessParts;
  turn: WriterTurn;
  /** Requests the end of the server. `by`: the client, as the beginning of a sentence. */
  requestShutdown: (by: string) => void;
}

const listen = async (
  server: ServerParts & { cellRole: CellRole | null },
  { users, secrets, shutdown, parts, turn, requestShutdown }: Listening,
): Promise<Pick<RunningServer, 'url' | 'gns3Url'>> => {
  const { config, context, lab, cellRole } = server;
  const { token, handoff } = parts;
  const { logger, settings } = context;
  const { filesDir, version } = settings;
  const sessions = await sessionsOf(server, secrets);
  const replays = new Replays({
    session: (id) => sessions.export(id, {}),
    host: (user) => ({ filesDir, version, send: injector(http, `topolog-replay/${version}`, user, token) }),
  });
  const captures = new CaptureFiles();
  const deps: HttpDeps = {
    ...facadeParts(server, sessions, (at, filter) => captures.count(at, filter)),
    readCapture: readPackets,
    captures,
    ...(await serviceParts(config, {
      reload: () => lab.openAutomatic(),
      handOver: handOverOf(cellRole),
      shutdown: requestShutdown,
    })),
    ...(cellRole === null ? {} : { cell: cellFacade(cellRole) }),
    replays,
    access: {
      hosts: [config.host, ...config.allowHosts],
      origins: config.allowOrigins,
      proxies: config.trustProxies,
      users,
      tickets: createTickets(await ticketKey(secrets, logger), users),
      token,
    },
  };
  const http = buildServer(deps);
  const second = config.gns3Port === null ? null : buildServer({ ...deps, names: 'gns3' });
  shutdown.add('HTTP', async () => {
    await withdraw(config.dataDir).catch(reporting(logger, {}));
    // Before HTTP ends, as replays remove their projects by requests.
    await replays.close();
    handoff.release(turn.isReplaced);
    await Promise.all([http.close(), second?.close()]);
  });
  const url = await listenAt(http, config.host, config.port, handoff);
  const gns3Url = second === null ? null : await listenAt(second, config.host, config.gns3Port ?? 0, handoff);
  // Without the file other commands do not find the server, which serves all the same.
  const warn = (error: unknown): void =>
    logger.warn(`${serverFile(config.dataDir)} cannot be written: ${messageOf(error)}`);
  await announce(config.dataDir, { files_dir: config.filesDir, pid: process.pid, url, token }).catch(warn);
  return { url, gns3Url };
};

const handOverOf = (role: CellRole | null) => (): Promise<void> =>
  role?.watch.handOver() ??
  Promise.reject(conflict('the log of this server is its own: there is nobody to hand over to'));
