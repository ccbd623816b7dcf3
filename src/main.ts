import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { draft, type LabContext, SYSTEM_CALLER } from './actors/context.ts';
import { createLab, type Lab } from './actors/lab.ts';
import { keptIds, NOTHING_RECOVERED, type Recovered } from './actors/recovery/recover.ts';
import { conflict, messageOf, reporting, TopologError } from './common/errors.ts';
import { VERSION } from './common/package.ts';
import { withResolvers } from './common/promises.ts';
import type { Secrets } from './common/secrets.ts';
import { createKinds, type Kinds } from './emulators/registry.ts';
import { type Cell, openCell } from './events/cell.ts';
import { type Places, toldPlaces } from './events/file-paths.ts';
import type { DataOf } from './events/schemas.ts';
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
import { type CellConfig, warnOfKey } from './server/cell-config.ts';
import { facadeOf, type Share } from './server/cell-watch.ts';
import type { Config } from './server/config.ts';
import { Ends } from './server/ends.ts';
import { facadeParts, type Running, sessionsOf } from './server/facade.ts';
import { announce, serverFile, withdraw } from './server/found-server.ts';
import { healing } from './server/healing.ts';
import { checkPlace } from './server/hold-place.ts';
import { putTogether } from './server/lab-context.ts';
import { Doors, listenAt } from './server/listening.ts';
import { type OpenedLog, openLog, watchPlaces } from './server/open-log.ts';
import type { RunningServer } from './server/running.ts';
import { serviceParts } from './server/service.ts';
import { shareCell } from './server/sharing.ts';
import { usersOf } from './server/users.ts';

export type { RunningServer };

const WRITING_FILES = 'writing project files';

/** Milliseconds for the end of all nodes outside: a little more than each of them gets. */
const NODES_MS = 35_000;

/** What can be exchanged when the server is put together, e.g. for a test. */
export interface Parts {
  kinds?: Kinds;
  fabric?: FabricKeeper;
  cell?: Cell;
}

/** The same for all servers that take each other's place in one process. */
interface Given extends Parts {
  /** Lets the tools of this machine in. */
  token: string;
  doors: Doors;
}

/**
 * The whole server: config → log → projections → emulators → actors → http. What was begun when a step fails is ended again,
 * and `close` ends everything in reverse.
 */
export const startServer = async (config: Config, logger: Logger, given: Parts = {}): Promise<RunningServer> => {
  const parts = { ...given, token: randomBytes(32).toString('base64url'), doors: new Doors() };
  const { cell } = config;
  if (cell !== null) return inDirectories(config, logger, () => startShared({ ...config, cell }, logger, parts));
  const start = (place: Config): Promise<RunningServer> =>
    inDirectories(place, logger, () => startOnce(place, logger, parts, null));
  const first = await start(config);
  return first.readOnly?.heals === true ? healing(first, config, { start, logger, doors: parts.doors }) : first;
};

const startShared = async (
  config: Config & { cell: CellConfig },
  logger: Logger,
  parts: Given,
): Promise<RunningServer> => {
  await checkPlace(config.dataDir);
  warnOfKey(config.cell, logger);
  const { log, name, key, leaseMs } = config.cell;
  const report = (message: string): void => logger.warn(message);
  const cell = parts.cell ?? (await openCell({ log, name, key, leaseMs, create: true, report }));
  try {
    return await shareCell({
      ...{ cell, config, logger, doors: parts.doors },
      start: (place, share) => startOnce(place, logger, parts, share),
    });
  } catch (error) {
    await cell.close();
    throw error;
  }
};

/** `share`: what the server has of its cell; null: the log is its own. */
const startOnce = async (config: Config, logger: Logger, parts: Given, share: Share | null): Promise<RunningServer> => {
  const ends = new Ends(logger);
  let failed = false;
  const turn = { isOver: false, goesOn: false, stays: false };
  try {
    const users = usersOf(config, logger);
    if (config.webUi !== null) await checkPages(config.webUi);
    const opened = share?.opened ?? (await openLog(config, logger));
    const { log, readOnly } = opened;
    ends.push('the log', () => opened.close());
    if (share?.lease !== null) await watchPlaces({ config, log, logger, turn, ends }, share === null);
    const stopGiving = await reclaimMemory((heard) => log.onCommitted(({ length }) => heard(length)));
    ends.push('giving memory back', stopGiving);
    const writing = async () => parts.fabric ?? (await keepFabric(config.dataDir, logger));
    const fabric = readOnly === null || share !== null ? await writing() : readFabric(config.dataDir);
    // A start that fails leaves the lab of an earlier server to the next one, and so does a server that only reads.
    const stays = (): boolean =>
      config.keepRunning || readOnly !== null || (failed && (fabric.adopted || share !== null));
    const goesOn = (): boolean => (turn.isOver ? turn.goesOn : stays());
    ends.push('the fabric', () => (goesOn() ? fabric.close() : fabric.end()));
    const kept = share?.cell.secrets ?? config.dataDir;
    const made = { kinds: parts.kinds ?? createKinds(), fabric, users, kept, share };
    const { context, engines } = await putTogether(config, opened, made, logger);
    ends.push('the connections to computes', () => context.computes.close());
    ends.push('the engines', () => engines.close());
    const lab = createLab(context);
    ends.push('the end of nodes', () => (goesOn() ? undefined : lab.stopOutside()), NODES_MS);
    ends.push(WRITING_FILES, () => (turn.isOver ? undefined : lab.close()));
    const bringing = () => bringBack(lab, fabric, config.resume, { context, places: opened.places });
    const recovered = readOnly === null ? await bringing() : NOTHING_RECOVERED;
    const asked = withResolvers<string>();
    // The answer goes out first.
    const shutdown = (by: string): void => void setImmediate(() => asked.resolve(by));
    const urls = await listen({
      ...{ config, context, lab, users, kept, fabric, readOnly, ends, share },
      ...{ token: parts.token, doors: parts.doors, turn, shutdown },
    });
    if (readOnly === null) void lab.openAutomatic();
    else if (share !== null) lab.standBy();
    return {
      ...urls,
      engines: await engines.report(),
      recovered,
      readOnly,
      adoptedFabric: fabric.adopted,
      fabricPid: fabric.pid(),
      shutdownAsked: asked.promise,
      cell: null,
      ...turnOf(turn, context, lab, ends),
      close: (reason, stays = false) => {
        turn.stays = stays;
        return close(ends, stopped(reason, config.keepRunning), turn.isOver ? null : opened);
      },
    };
  } catch (error) {
    failed = true;
    await ends.all();
    throw error;
  }
};

const stopped = (reason: string, goesOn: boolean): DataOf<'server.stopped'> => ({
  reason,
  ...(goesOn ? { kept_running: true } : {}),
});

/** What a server is for its cell: how far it is, and how it ceases to write while it still answers reads. */
const turnOf = (
  turn: { isOver: boolean; goesOn: boolean },
  { log, computes, plumbing, settings, pending }: LabContext,
  lab: Lab,
  ends: Ends,
): Pick<RunningServer, 'position' | 'isLeftBehind' | 'runningNodes' | 'depose' | 'retire'> => {
  const end = (reason: string, goesOn: boolean): void => {
    Object.assign(turn, { isOver: true, goesOn });
    log.refuse(new TopologError('lease_lost', { reason }));
    lab.depose();
    plumbing.close();
    computes.close();
  };
  return {
    position: () => log.status().position,
    isLeftBehind: () => keptIds({ pending }, settings.server.id).running.size > 0,
    runningNodes: () => keptIds({ pending }).running.size,
    depose: (reason) => end(reason, true),
    async retire(reason, goesOn) {
      if (log.writable) {
        await ends.run(WRITING_FILES, () => lab.flush());
        await log.append([draft(SYSTEM_CALLER, null, 'server.stopped', stopped(reason, goesOn))]);
      }
      end(reason, goesOn);
    },
  };
};

/** In reversed order: http first, then the event, then everything below. False: something did not end in time. */
const close = async (
  ends: Ends,
  last: DataOf<'server.stopped'>,
  opened: Pick<OpenedLog, 'log' | 'readOnly'> | null,
): Promise<boolean> => {
  await ends.last();
  const event = draft(SYSTEM_CALLER, null, 'server.stopped', last);
  if (opened?.readOnly === null) await ends.run('the last event', () => opened.log.append([event]));
  await ends.all();
  return ends.givenUp === 0;
};

const bringBack = async (
  lab: Lab,
  fabric: FabricKeeper,
  resume: boolean,
  { context, places }: { context: LabContext; places: Places },
): Promise<Recovered> => {
  // From here on, so that a fabric that dies in the middle of recovery is recovered from as well.
  fabric.onReplaced(async (why) => {
    await context.log
      .append([draft(SYSTEM_CALLER, null, 'warning.raised', { message: why, node_id: null })])
      .catch(reporting(context.logger, {}));
  });
  fabric.onReplaced(async () => void (await lab.recover(true)));
  // What fails meanwhile is told once.
  fabric.onEvent((event) => lab.heard(event));
  await lab.sweepFiles();
  await lab.takeOver();
  lab.watchComputes();
  const recovered = await lab.recover(resume);
  await lab.sweepOutside();
  const { id: server, name } = context.settings.server;
  const started = { version: VERSION, pid: process.pid, recovered, ...toldPlaces(places), server, name };
  await context.log.append([draft(SYSTEM_CALLER, null, 'server.started', started)]);
  return recovered;
};

interface Listening extends Running {
  users: Users;
  /** The data directory, or what keeps secrets elsewhere. */
  kept: string | Secrets;
  ends: Ends;
  share: Share | null;
  token: string;
  doors: Doors;
  /** `stays`: another server of this process takes the place of this one. */
  turn: { stays: boolean };
  /** Somebody asks for the end of the server. */
  shutdown: (by: string) => void;
}

const listen = async (listening: Listening): Promise<Pick<RunningServer, 'url' | 'gns3Url'>> => {
  const { config, context, lab, users, kept, ends, share, token, doors, turn, shutdown } = listening;
  const { logger, settings } = context;
  const { filesDir, version } = settings;
  const sessions = await sessionsOf(listening, kept);
  const replays = new Replays({
    session: (id) => sessions.export(id, {}),
    host: (user) => ({ filesDir, version, send: injector(server, `topolog-replay/${version}`, user, token) }),
  });
  const captures = new CaptureFiles();
  const deps: HttpDeps = {
    ...facadeParts(listening, sessions, (at, filter) => captures.count(at, filter)),
    readCapture: readPackets,
    captures,
    ...(await serviceParts(config, { reload: () => lab.openAutomatic(), handOver: handing(share), shutdown })),
    ...(share === null ? {} : { cell: facadeOf(share) }),
    replays,
    access: {
      hosts: [config.host, ...config.allowHosts],
      origins: config.allowOrigins,
      proxies: config.trustProxies,
      users,
      tickets: createTickets(await ticketKey(kept, logger), users),
      token,
    },
  };
  const server = buildServer(deps);
  const second = config.gns3Port === null ? null : buildServer({ ...deps, names: 'gns3' });
  ends.push('HTTP', async () => {
    await withdraw(config.dataDir).catch(reporting(logger, {}));
    // While the facade still answers, so that they can take their projects away.
    await replays.close();
    doors.leave(turn.stays);
    await Promise.all([server.close(), second?.close()]);
  });
  const url = await listenAt(server, config.host, config.port, doors);
  const gns3Url = second === null ? null : await listenAt(second, config.host, config.gns3Port ?? 0, doors);
  // Without it the other commands do not find the server; that is no reason not to serve.
  const unwritten = (error: unknown): void =>
    logger.warn(`${serverFile(config.dataDir)} cannot be written: ${messageOf(error)}`);
  await announce(config.dataDir, { files_dir: config.filesDir, pid: process.pid, url, token }).catch(unwritten);
  return { url, gns3Url };
};

const handing = (share: Share | null) => (): Promise<void> =>
  share?.watch.handOver() ??
  Promise.reject(conflict('the log of this server is its own: there is nobody to hand over to'));
