import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SYSTEM_CALLER, draft, type LabContext } from './actors/context.ts';
import { createLab, type Lab } from './actors/lab.ts';
import type { Recovered } from './actors/recover.ts';
import type { Config } from './config.ts';
import { createEngines, type EngineReport } from './emulators/engines.ts';
import { type FabricKeeper, keepFabric } from './emulators/fabric-keeper.ts';
import { createPlumbing } from './emulators/plumbing.ts';
import { createKinds } from './emulators/registry.ts';
import { messageOf } from './errors.ts';
import { levelStore } from './events/database.ts';
import { EventLog } from './events/log.ts';
import { readRecords } from './events/read.ts';
import { buildServer } from './http/server.ts';
import type { RecordChange } from './projections/fold.ts';
import { Moments } from './projections/moments.ts';
import { createPast } from './projections/past.ts';
import { Records } from './projections/store.ts';
import { VERSION } from './version.ts';

export interface RunningServer {
  url: string;
  engines: EngineReport[];
  recovered: Recovered;
  adoptedFabric: boolean;
  fabricPid: number;
  close(reason: string): Promise<void>;
}

type Report = (message: string) => void;

/** Opens the log and loads the records from it; cheap, whatever the length of the log. */
const openRecords = async (config: Config, report: Report): Promise<{ log: EventLog; records: Records }> => {
  const records = new Records();
  await mkdir(config.dataDir, { recursive: true });
  const log = await EventLog.open(levelStore(path.join(config.dataDir, 'log')), records, {
    report: ({ position, message }) => report(`log, position ${position}: ${message}`),
  });
  log.onProblem(report);
  const stored: RecordChange[] = [];
  for await (const [collection, id, record] of readRecords(log.store))
    stored.push({ collection, id, record } as RecordChange);
  records.restore(stored);
  return { log, records };
};

/**
 * The whole server: config → log → projections → emulators → actors → http. What was begun when a step fails is ended again,
 * and `close` ends everything in reverse.
 */
export const startServer = async (config: Config, report: Report): Promise<RunningServer> => {
  const ends: (() => Promise<void>)[] = [];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse())
      await end().catch((error: unknown) => report(`shutting down: ${messageOf(error)}`));
  };
  try {
    const { log, records } = await openRecords(config, report);
    ends.push(() => log.close());
    const fabric = await keepFabric(config.dataDir, report);
    ends.push(() => (config.keepRunning ? Promise.resolve(fabric.close()) : fabric.end()));
    const { context, engines } = createContext(config, log, records, fabric, report);
    ends.push(() => engines.close());
    const lab = createLab(context);
    ends.push(() => lab.close());
    const recovered = await bringBack(lab, fabric, config, context);
    const url = await listen(config, context, lab, ends);
    void lab.openAutomatic();
    return {
      url,
      engines: await engines.report(),
      recovered,
      adoptedFabric: fabric.adopted,
      fabricPid: fabric.pid(),
      async close(reason) {
        const stopped = draft(SYSTEM_CALLER, null, 'server.stopped', { reason });
        // Reversed order: http first, then the fact, then everything below.
        const http = ends.pop();
        await http?.();
        await log.append([stopped]).catch((error: unknown) => report(messageOf(error)));
        await endAll();
      },
    };
  } catch (error) {
    await endAll();
    throw error;
  }
};

const createContext = (config: Config, log: EventLog, records: Records, fabric: FabricKeeper, report: Report) => {
  const kinds = createKinds();
  const engines = createEngines(
    kinds,
    { fabric, consoles: { host: config.host === 'localhost' ? '127.0.0.1' : config.host, range: config.consoleRange } },
    { engines: config.engines, simulate: config.simulate },
  );
  const context: LabContext = {
    log,
    pending: records.pending,
    committed: records.committed,
    kinds,
    engines,
    plumbing: createPlumbing(() => fabric),
    moments: new Moments(() => log.store),
    settings: {
      dataDir: config.dataDir,
      version: VERSION,
      computeId: 'local',
      consoleRange: config.consoleRange,
      consoleHost: config.host === 'localhost' ? '127.0.0.1' : config.host,
      udpRange: config.udpRange,
      fileIdleMs: config.fileIdleMs,
    },
    report,
  };
  return { context, engines };
};

const bringBack = async (lab: Lab, fabric: FabricKeeper, config: Config, context: LabContext): Promise<Recovered> => {
  const recovered = await lab.recover(config.resume);
  const started = { version: VERSION, pid: process.pid, recovered };
  await context.log.append([draft(SYSTEM_CALLER, null, 'server.started', started)]);
  fabric.onEvent((event) => lab.heard(event));
  fabric.onReplaced(async () => {
    await lab.recover(true);
  });
  return recovered;
};

const listen = async (
  config: Config,
  context: LabContext,
  lab: Lab,
  ends: (() => Promise<void>)[],
): Promise<string> => {
  const { log, committed, kinds, settings } = context;
  const server = buildServer({
    commands: lab.commands,
    records: committed,
    kinds,
    past: createPast(log, context.moments),
    health: () => ({
      status: log.status().writable ? 'ok' : 'read_only',
      version: settings.version,
      log: log.status(),
    }),
    version: settings.version,
    local: config.local,
    computeId: 'local',
    consoleHost: settings.consoleHost,
    names: config.names,
  });
  await server.listen({ host: config.host, port: config.port });
  const url = addressOf(config.host, portOf(server.server.address()) ?? config.port);
  const file = serverFile(config.dataDir);
  await writeFile(file, JSON.stringify({ pid: process.pid, url }));
  ends.push(async () => {
    await rm(file, { force: true });
    await server.close();
  });
  return url;
};

const portOf = (address: string | AddressInfo | null): number | undefined =>
  typeof address === 'object' && address !== null ? address.port : undefined;

const addressOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Where a running server says how it can be reached; for the other commands. */
export const serverFile = (dataDir: string): string => path.join(dataDir, 'server.json');

/** Address of the server that holds a data directory, null when none says that it does. */
export const findServer = async (dataDir: string): Promise<string | null> => {
  try {
    const { url } = JSON.parse(await readFile(serverFile(dataDir), 'utf8')) as { url: string };
    const answer = await fetch(`${url}/v2/version`, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? url : null;
  } catch {
    return null;
  }
};
