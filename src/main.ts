import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { SYSTEM_CALLER, draft, type LabContext } from './actors/context.ts';
import { createLab, type Lab } from './actors/lab.ts';
import { NOTHING_RECOVERED, type Recovered } from './actors/recovery/recover.ts';
import { Jobs } from './actors/runtime/jobs.ts';
import type { Config } from './server/config.ts';
import { createEngines } from './emulators/kit/engines.ts';
import { type FabricKeeper, keepFabric } from './fabric/client/keeper.ts';
import { readFabric } from './fabric/client/reader.ts';
import { readLicense } from './emulators/switch_router_emulator/license.ts';
import { createPlumbing } from './fabric/client/plumbing.ts';
import { markOf } from './processes/marker.ts';
import { createKinds, type Kinds } from './emulators/registry.ts';
import { Ends } from './server/ends.ts';
import { conflict, invalid, messageOf, reporting } from './common/errors.ts';
import { type Places, toldPlaces } from './events/places.ts';
import { openDataDirectory, watchDataDirectory } from './files/project/data-directory.ts';
import { imageFolderOf } from './files/images.ts';
import { checkPages } from './files/pages.ts';
import { listProjectFiles, openProjectFile } from './files/project/files.ts';
import { isOwnDirectory } from './files/project/parts.ts';
import { listRecordings, openRecording } from './files/recordings.ts';
import { createSymbols } from './files/symbols/symbols.ts';
import { DEFAULT_SYMBOLS } from './files/symbols/themes.ts';
import { ticketKey } from './http/access/ticket-key.ts';
import { createTickets } from './http/access/tickets.ts';
import { readPackets } from './fabric/packets/read-packets.ts';
import { type Users, openUsers } from './http/access/users.ts';
import { injector } from './http/server/inject.ts';
import { buildServer, type HttpDeps } from './http/server/server.ts';
import { giveMemoryBack } from './memory/give-back.ts';
import { type OpenedLog, openLog } from './server/open-log.ts';
import { healthOf, type ReadOnly, readOnlyCommands } from './server/read-only.ts';
import { scratchPlace } from './events/view-log.ts';
import { listenAt } from './server/listening.ts';
import { isLoopback } from './common/loopback.ts';
import { type Changes, createChanges } from './projections/past/changes.ts';
import { Moments } from './projections/past/moments.ts';
import { createPast } from './projections/past/past.ts';
import { placedRecords } from './projections/past/placed.ts';
import { Replays } from './replay/replays.ts';
import { healing, type RunningServer } from './server/healing.ts';

import { announce, serverFile, withdraw } from './server/found-server.ts';
import { serviceParts } from './server/service.ts';
import { createSessions } from './session/sessions.ts';
import { VERSION } from './common/package.ts';

export type { RunningServer };

/** Milliseconds for the end of all nodes outside: a little more than each of them gets. */
const NODES_MS = 35_000;

/** What can be exchanged when the server is put together, e.g. for a test. */
export interface Parts {
  kinds?: Kinds;
  fabric?: FabricKeeper;
}

/**
 * The whole server: config → log → projections → emulators → actors → http. What was begun when a step fails is ended again,
 * and `close` ends everything in reverse.
 */
export const startServer = async (config: Config, logger: Logger, parts: Parts = {}): Promise<RunningServer> => {
  const first = await startOnce(config, logger, parts);
  if (first.readOnly?.heals !== true) return first;
  return healing(first, config, { start: (place) => startOnce(place, logger, parts), logger });
};

const startOnce = async (config: Config, logger: Logger, parts: Parts): Promise<RunningServer> => {
  const ends = new Ends(logger);
  let failed = false;
  try {
    await openDataDirectory(config.dataDir, logger);
    const users = usersOf(config, logger);
    if (config.webUi !== null) await checkPages(config.webUi);
    const opened = await openLog(config.dataDir, logger);
    const { log, records, readOnly } = opened;
    ends.push('the log', () => opened.close());
    ends.push('watching the data directory', await watchDataDirectory(config.dataDir, (gone) => log.refuse(gone)));
    const stopGiving = await giveMemoryBack((heard) => log.onCommitted(({ length }) => heard(length)));
    ends.push('giving memory back', stopGiving);
    const writing = async () => parts.fabric ?? (await keepFabric(config.dataDir, logger));
    const fabric = readOnly === null ? await writing() : readFabric(config.dataDir);
    // A start that fails leaves the lab of an earlier server to the next one, and so does a server that only reads.
    const goesOn = (): boolean => config.keepRunning || readOnly !== null || (failed && fabric.adopted);
    ends.push('the fabric', () => (goesOn() ? fabric.close() : fabric.end()));
    const kinds = parts.kinds ?? createKinds();
    const mark = await markOf(config.dataDir);
    const { context, engines } = createContext(config, opened, { kinds, fabric, mark, users }, logger);
    ends.push('the engines', () => engines.close());
    const lab = createLab(context);
    ends.push('the end of nodes', () => (goesOn() ? undefined : lab.stopOutside()), NODES_MS);
    ends.push('writing project files', () => lab.close());
    const recovered =
      readOnly === null
        ? await bringBack(lab, fabric, config.resume, { context, places: opened.places })
        : NOTHING_RECOVERED;
    let shutdown = (): void => undefined;
    const shutdownAsked = new Promise<void>((resolve) => {
      // The answer goes out first.
      shutdown = () => void setImmediate(resolve);
    });
    const urls = await listen(
      config,
      context,
      { lab, users, changes: createChanges(log, records, context.moments), fabric, readOnly },
      ends,
      shutdown,
    );
    if (readOnly === null) void lab.openAutomatic();
    return {
      ...urls,
      engines: await engines.report(),
      recovered,
      readOnly,
      adoptedFabric: fabric.adopted,
      fabricPid: fabric.pid(),
      shutdownAsked,
      async close(reason) {
        const kept = config.keepRunning ? ({ kept_running: true } as const) : {};
        const stopped = draft(SYSTEM_CALLER, null, 'server.stopped', { reason, ...kept });
        // Reversed order: http first, then the event, then everything below.
        await ends.last();
        if (readOnly === null) await ends.run('the last event', () => log.append([stopped]));
        await ends.all();
        return ends.givenUp === 0;
      },
    };
  } catch (error) {
    failed = true;
    await ends.all();
    throw error;
  }
};

/** Throws where others could reach the server and nobody would be asked for a password. */
const usersOf = (config: Config, logger: Logger): Users => {
  const { host, usersFile, needsUsers, insecure } = config;
  const users = openUsers(usersFile, logger);
  const add = `topolog user add NAME --users ${usersFile}`;
  if (needsUsers && !users.areAsked()) throw invalid(`${usersFile} has no users; ${add} makes one`, { field: 'users' });
  if (users.areAsked() || isLoopback(host)) return users;
  if (!insecure)
    throw conflict(
      `others can reach ${host}, and nobody would be asked for a password: ${add} makes a user; --insecure goes on without`,
    );
  logger.warn(`everyone who reaches ${host} can do everything: --insecure asks nobody for a password`);
  return users;
};

/** Consoles ask for no password: where users do, others reach them only when that was said. */
const consoleHostOf = ({ host, consoleHost }: Config, users: Users): string => {
  const address = consoleHost ?? (users.areAsked() && !isLoopback(host) ? '127.0.0.1' : host);
  return address === 'localhost' ? '127.0.0.1' : address;
};

const createContext = (
  config: Config,
  { log, records, places }: OpenedLog,
  { kinds, fabric, mark, users }: { kinds: Kinds; fabric: FabricKeeper; mark: string; users: Users },
  logger: Logger,
) => {
  const consoles = { host: consoleHostOf(config, users), range: config.consoleRange };
  const choice = {
    engines: config.engines,
    simulate: config.simulate,
    local: config.local,
    allowedInterfaces: config.allowInterfaces,
  };
  const engines = createEngines(
    kinds,
    {
      ...{ fabric, consoles, mark, dataDir: config.dataDir, local: config.local, dockerHost: config.dockerHost },
      imageDirectories: config.imageDirectories,
    },
    choice,
  );
  const placed = placedRecords(places);
  const context: LabContext = {
    log,
    pending: placed.view(records.pending),
    committed: placed.view(records.committed),
    kinds,
    engines,
    plumbing: createPlumbing(() => fabric),
    moments: new Moments(() => log.store, { placed }),
    jobs: new Jobs(),
    symbols: createSymbols(config.dataDir),
    settings: {
      dataDir: config.dataDir,
      local: config.local,
      allowedInterfaces: config.allowInterfaces,
      imageDirectories: config.imageDirectories,
      strictImages: config.strictImages,
      version: VERSION,
      computeId: 'local',
      consoleRange: config.consoleRange,
      consoleHost: consoles.host,
      udpRange: config.udpRange,
      dockerHost: config.dockerHost,
      fileIdleMs: config.fileIdleMs,
      autoCloseGraceMs: config.autoCloseGraceMs,
    },
    logger,
  };
  return { context, engines };
};

const bringBack = async (
  lab: Lab,
  fabric: FabricKeeper,
  resume: boolean,
  { context, places }: { context: LabContext; places: Places },
): Promise<Recovered> => {
  // From here on, so that a fabric that dies in the middle of recovery is recovered from as well.
  fabric.onReplaced(async (why) => {
    const message = `${why}; another took its place`;
    await context.log
      .append([draft(SYSTEM_CALLER, null, 'warning.raised', { message, node_id: null })])
      .catch(reporting(context.logger, {}));
    await lab.recover(true);
  });
  // What fails meanwhile is told once.
  fabric.onEvent((event) => lab.heard(event));
  await lab.sweepFiles();
  const recovered = await lab.recover(resume);
  await lab.sweepOutside();
  const started = { version: VERSION, pid: process.pid, recovered, ...toldPlaces(places) };
  await context.log.append([draft(SYSTEM_CALLER, null, 'server.started', started)]);
  return recovered;
};

interface Listening {
  lab: Lab;
  users: Users;
  changes: Changes;
  fabric: FabricKeeper;
  readOnly: ReadOnly | null;
}
const listen = async (
  config: Config,
  context: LabContext,
  { lab, users, changes, fabric, readOnly }: Listening,
  ends: Ends,
  shutdown: () => void,
): Promise<Pick<RunningServer, 'url' | 'gns3Url'>> => {
  const token = randomBytes(32).toString('base64url');
  const { log, committed, kinds, engines, plumbing, settings, moments, logger } = context;
  const { dataDir, version } = settings;
  const spool = readOnly === null ? path.join(dataDir, 'spool') : await scratchPlace();
  const sessions = await createSessions({
    ...{ store: () => log.store, moments, version, dataDir, spool, logger },
    imagesOf: imageFolderOf(dataDir, kinds),
  });
  const replays = new Replays({
    session: (id) => sessions.export(id, {}),
    host: (user) => ({ dataDir, version, send: injector(server, `topolog-replay/${version}`, user, token) }),
  });
  const deps: HttpDeps = {
    commands: readOnly === null ? lab.commands : readOnlyCommands(lab.commands, log),
    records: committed,
    kinds,
    past: createPast(log, moments),
    changes,
    sessions,
    traffic: async (projectId) =>
      // Cables of NIOs and engines have a prefix.
      (await plumbing.traffic(projectId))
        .filter(({ cable_id }) => !cable_id.includes(':'))
        .map(({ cable_id, directions }) => ({ link_id: cable_id, directions })),
    jobs: context.jobs,
    readCapture: readPackets,
    recordings: { list: listRecordings, open: openRecording },
    symbols: { ...context.symbols, defaults: DEFAULT_SYMBOLS },
    license: () => readLicense(dataDir),
    files: {
      open: openProjectFile,
      list: (project) => listProjectFiles(project.path, isOwnDirectory(dataDir, project)),
    },
    ...(await serviceParts(config, { reload: () => lab.openAutomatic(), shutdown })),
    replays,
    engines: () => engines.report(),
    health: () => ({
      status: healthOf(log.status()),
      version: settings.version,
      log: log.status(),
      ...(readOnly === null ? {} : { read_only: readOnly }),
      public_key: sessions.publicKey,
      fabric: fabric.health(),
    }),
    version: settings.version,
    local: config.local,
    computeId: 'local',
    consoleHost: settings.consoleHost,
    names: config.names,
    toldVersion: config.toldVersion,
    limits: { imageBytes: config.imageBytes },
    logger,
    access: {
      hosts: [config.host, ...config.allowHosts],
      origins: config.allowOrigins,
      users,
      tickets: createTickets(await ticketKey(dataDir, logger), users),
      token,
    },
  };
  const server = buildServer(deps);
  const second = config.gns3Port === null ? null : buildServer({ ...deps, names: 'gns3' });
  ends.push('HTTP', async () => {
    await withdraw(config.dataDir).catch(reporting(logger, {}));
    // While the facade still answers, so that they can take their projects away.
    await replays.close();
    await Promise.all([server.close(), second?.close()]);
  });
  const url = await listenAt(server, config.host, config.port);
  const gns3Url = second === null ? null : await listenAt(second, config.host, config.gns3Port ?? 0);
  // Without it the other commands do not find the server; that is no reason not to serve.
  const unwritten = (error: unknown): void =>
    logger.warn(`${serverFile(config.dataDir)} cannot be written: ${messageOf(error)}`);
  await announce(config.dataDir, { pid: process.pid, url, token }).catch(unwritten);
  return { url, gns3Url };
};
