import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import { SYSTEM_CALLER, draft, type LabContext, type LabSettings, recordOf } from './actors/context.ts';
import { createLab, type Lab } from './actors/lab.ts';
import { NOTHING_RECOVERED, type Recovered } from './actors/recovery/recover.ts';
import { Jobs } from './actors/runtime/jobs.ts';
import { Computes } from './computes/computes.ts';
import { farPlumbing } from './computes/links/far-plumbing.ts';
import { ComputeSecrets } from './computes/passwords.ts';
import { Tunnels } from './computes/links/tunnels.ts';
import type { Config } from './server/config.ts';
import { createEngines } from './emulators/kit/engines.ts';
import { hostInterfaces } from './emulators/shared/host/interfaces.ts';
import { type FabricKeeper, keepFabric } from './fabric/client/keeper.ts';
import { readFabric } from './fabric/client/reader.ts';
import { createPlumbing } from './fabric/client/plumbing.ts';
import { markOf } from './processes/marker.ts';
import { createKinds, type Kinds } from './emulators/registry.ts';
import { Ends } from './server/ends.ts';
import { messageOf, reporting } from './common/errors.ts';
import { withResolvers } from './common/with-resolvers.ts';
import type { DataOf } from './events/schemas.ts';
import { type Places, toldPlaces } from './events/places.ts';
import { openDataDirectory, watchDataDirectory } from './files/project/data-directory.ts';
import { imageFolderOf } from './files/images.ts';
import { checkPages } from './files/pages.ts';
import { createSymbols } from './files/symbols/symbols.ts';
import { ticketKey } from './http/access/ticket-key.ts';
import { createTickets } from './http/access/tickets.ts';
import { readPackets } from './fabric/packets/read-packets.ts';
import type { Users } from './http/access/users.ts';
import { injector } from './http/server/inject.ts';
import { buildServer, type HttpDeps } from './http/server/server.ts';
import { giveMemoryBack } from './memory/give-back.ts';
import { type OpenedLog, openLog } from './server/open-log.ts';
import { scratchPlace } from './events/view-log.ts';
import { listenAt } from './server/listening.ts';
import { createChanges } from './projections/past/changes.ts';
import { Moments } from './projections/past/moments.ts';
import { placedRecords } from './projections/past/placed.ts';
import { Replays } from './replay/replays.ts';
import { healing, type RunningServer } from './server/healing.ts';
import { announce, serverFile, withdraw } from './server/found-server.ts';
import { serviceParts } from './server/service.ts';
import { createSessions, type Sessions } from './session/sessions.ts';
import { facadeParts, type Running } from './server/facade.ts';
import { consoleHostOf, usersOf } from './server/users.ts';
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
    const secrets = await ComputeSecrets.read(config.dataDir);
    const { context, engines } = createContext(config, opened, { kinds, fabric, mark, users, secrets }, logger);
    ends.push('the connections to computes', () => context.computes.close());
    ends.push('the engines', () => engines.close());
    const lab = createLab(context);
    ends.push('the end of nodes', () => (goesOn() ? undefined : lab.stopOutside()), NODES_MS);
    ends.push('writing project files', () => lab.close());
    const recovered =
      readOnly === null
        ? await bringBack(lab, fabric, config.resume, { context, places: opened.places })
        : NOTHING_RECOVERED;
    const asked = withResolvers();
    // The answer goes out first.
    const shutdown = (): void => void setImmediate(asked.resolve);
    const changes = createChanges(log, records, context.moments);
    const urls = await listen({ ...{ config, context, lab, users, changes, fabric, readOnly, ends }, shutdown });
    if (readOnly === null) void lab.openAutomatic();
    return {
      ...urls,
      engines: await engines.report(),
      recovered,
      readOnly,
      adoptedFabric: fabric.adopted,
      fabricPid: fabric.pid(),
      shutdownAsked: asked.promise,
      close: (reason) => close(ends, { reason, ...(config.keepRunning ? { kept_running: true } : {}) }, opened),
    };
  } catch (error) {
    failed = true;
    await ends.all();
    throw error;
  }
};

/** In reversed order: http first, then the event, then everything below. False: something did not end in time. */
const close = async (
  ends: Ends,
  stopped: DataOf<'server.stopped'>,
  { log, readOnly }: Pick<OpenedLog, 'log' | 'readOnly'>,
): Promise<boolean> => {
  await ends.last();
  const event = draft(SYSTEM_CALLER, null, 'server.stopped', stopped);
  if (readOnly === null) await ends.run('the last event', () => log.append([event]));
  await ends.all();
  return ends.givenUp === 0;
};

const settingsOf = (config: Config, consoleHost: string): LabSettings => ({
  dataDir: config.dataDir,
  local: config.local,
  allowedInterfaces: config.allowInterfaces,
  imageDirectories: config.imageDirectories,
  strictImages: config.strictImages,
  version: VERSION,
  computeId: 'local',
  consoleRange: config.consoleRange,
  consoleHost,
  udpRange: config.udpRange,
  kindOptions: config.kindOptions,
  fileIdleMs: config.fileIdleMs,
  autoCloseGraceMs: config.autoCloseGraceMs,
});

/** What another compute is told of a project. */
const toldOfProject = ({ committed }: LabContext, id: string): { name: string; variables: unknown } => {
  const { name, variables } = recordOf(committed, 'project', id);
  return { name, variables };
};

interface Made {
  kinds: Kinds;
  fabric: FabricKeeper;
  mark: string;
  users: Users;
  secrets: ComputeSecrets;
}

const createContext = (
  config: Config,
  { log, records, places }: OpenedLog,
  { kinds, fabric, mark, users, secrets }: Made,
  logger: Logger,
) => {
  const computes = new Computes({
    ...{ secrets, epoch: log.status().position + 1, silenceMs: config.computeSilenceMs, local: config.local },
    deliveries: {
      images: config,
      project: (id) => toldOfProject(context, id),
      begin: (id, of) => context.jobs.begin(id, 'upload', of),
    },
  });
  const consoles = { host: consoleHostOf(config, users), range: config.consoleRange };
  const { simulate, local, allowInterfaces: allowedInterfaces } = config;
  const choice = { engines: config.engines, simulate, local, allowedInterfaces, elsewhere: computes };
  const engines = createEngines(
    kinds,
    {
      ...{ fabric, consoles, mark, dataDir: config.dataDir, local: config.local, kindOptions: config.kindOptions },
      imageDirectories: config.imageDirectories,
    },
    choice,
  );
  const placed = placedRecords(places);
  const plumbing = farPlumbing(
    createPlumbing(() => fabric),
    { computes, fabric: () => fabric, consoles },
  );
  const context: LabContext = {
    log,
    pending: placed.view(records.pending),
    committed: placed.view(records.committed),
    kinds,
    engines,
    plumbing,
    computes,
    tunnels: new Tunnels({ computes, plumbing, interfaces: hostInterfaces }),
    moments: new Moments(() => log.store, { placed }),
    jobs: new Jobs(),
    symbols: createSymbols(config.dataDir),
    settings: settingsOf(config, consoles.host),
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
  lab.watchComputes();
  const recovered = await lab.recover(resume);
  await lab.sweepOutside();
  const started = { version: VERSION, pid: process.pid, recovered, ...toldPlaces(places) };
  await context.log.append([draft(SYSTEM_CALLER, null, 'server.started', started)]);
  return recovered;
};

interface Listening extends Running {
  users: Users;
  ends: Ends;
  /** Somebody asks for the end of the server. */
  shutdown: () => void;
}

const listen = async (listening: Listening): Promise<Pick<RunningServer, 'url' | 'gns3Url'>> => {
  const { config, context, lab, users, ends, shutdown } = listening;
  const { logger, settings } = context;
  const { dataDir, version } = settings;
  const token = randomBytes(32).toString('base64url');
  const sessions = await sessionsOf(listening);
  const replays = new Replays({
    session: (id) => sessions.export(id, {}),
    host: (user) => ({ dataDir, version, send: injector(server, `topolog-replay/${version}`, user, token) }),
  });
  const deps: HttpDeps = {
    ...facadeParts(listening, sessions),
    readCapture: readPackets,
    ...(await serviceParts(config, { reload: () => lab.openAutomatic(), shutdown })),
    replays,
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

const sessionsOf = async ({ context, readOnly }: Listening): Promise<Sessions> => {
  const { log, kinds, settings, moments, logger } = context;
  const { dataDir, version } = settings;
  const spool = readOnly === null ? path.join(dataDir, 'spool') : await scratchPlace();
  return createSessions({
    ...{ store: () => log.store, moments, version, dataDir, spool, logger },
    imagesOf: imageFolderOf(dataDir, kinds),
  });
};
