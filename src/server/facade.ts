import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Commands } from '../actors/commands.ts';
import type { LabContext } from '../actors/context.ts';
import { showLab } from '../actors/lab-text/show.ts';
import { updateText } from '../actors/lab-text/update.ts';
import type { Lab } from '../actors/lab.ts';
import type { CellRole } from '../cluster/lease-watch.ts';
import type { ReadOnly } from '../cluster/opened-log.ts';
import { notFound } from '../common/errors.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Kind } from '../emulators/kit/contract.ts';
import { hostInterfaces } from '../emulators/shared/host/interfaces.ts';
import { createLoad, createStatistics } from '../emulators/shared/host/statistics.ts';
import { imagePlacesOf } from '../emulators/shared/images/image-files.ts';
import type { LogStatus } from '../events/log/listeners.ts';
import type { EventLog } from '../events/log/log.ts';
import { scratchPlace } from '../events/view-log.ts';
import { filtersSchema } from '../fabric/client/plumbing.ts';
import { kindsOfAppliance, parseAppliance, readAppliance } from '../files/appliance/appliance.ts';
import { imageFolderOf, listImages, openImage } from '../files/images.ts';
import { labSchema } from '../files/lab/yaml/schema.ts';
import { builtPage, openPage } from '../files/pages.ts';
import { listProjectFiles, openProjectFile, readProjectFile } from '../files/project/files.ts';
import { isOwnDirectory } from '../files/project/parts.ts';
import { Recordings } from '../files/recordings.ts';
import { DEFAULT_SYMBOLS } from '../files/symbols/themes.ts';
import type { HttpDeps, Standing } from '../http/api.ts';
import { LIMITS } from '../http/limits.ts';
import { Counts } from '../http/metrics/counts.ts';
import { reached } from '../projections/past/changes.ts';
import { createPast, type Past } from '../projections/past/past.ts';
import { createTimeReader } from '../projections/past/timeline/reader.ts';
import { createSessions, type Sessions } from '../session/sessions.ts';
import type { CountFrames } from '../why/notes.ts';
import { createWhy, type Why } from '../why/why.ts';
import type { Config } from './config.ts';

/** The parts of a server below its HTTP interface. */
export interface ServerParts {
  config: Config;
  context: LabContext;
  lab: Lab;
  fabric: { health(): object };
  readOnly: ReadOnly | null;
  /** null: the log is its own. */
  cellRole: Pick<CellRole, 'watch'> | null;
}

const whyIn = (
  { context }: Pick<ServerParts, 'context'>,
  past: Past,
  count: CountFrames,
  recordings: Recordings,
): Why => {
  const { committed: records, moments, kinds, plumbing } = context;
  const tables = (ids: readonly string[]) => plumbing.tables(ids);
  const shown: Recordings['shownLines'] = (...which) => recordings.shownLines(...which);
  const starting = (id: string) => plumbing.starting(id);
  return createWhy({ records, past, moments, kinds, tables, shown, count, starting });
};

/** Status of the server in `/v2/health`. A standby is `ok` as long as it can forward writes. */
const stateOf = ({ context: { log }, readOnly, cellRole }: ServerParts, { role, refuses }: Standing): object => {
  const status = log.status();
  if (readOnly === null || cellRole === null) return { status: healthOf(status), role, log: status };
  const reason = refuses === null ? status.reason : (cellRole.watch.problem ?? refuses);
  return { status: refuses === null ? 'ok' : 'read_only', role, log: { ...status, reason } };
};

/** The dependencies of the HTTP interface on the lab, its log and its files. */
export const facadeParts = (parts: ServerParts, sessions: Sessions, count: CountFrames) => {
  const { config, context, lab, fabric, readOnly, cellRole } = parts;
  const { log, committed, kinds, engines, plumbing, settings, moments, changes, edits, logger } = context;
  const { dataDir, filesDir, version } = settings;
  const past = createPast(log, moments, (position) => reached(changes, position, LIMITS.behindMs));
  const counts = new Counts();
  const recordings = new Recordings();
  log.onWritten((batch) => counts.written(batch));
  const standing = (): Standing => {
    const refuses = log.writable ? null : 'the log cannot be written; GET /v2/health says why';
    return cellRole === null ? { role: 'writer', refuses } : cellRole.watch.status(refuses);
  };
  return {
    commands: readOnly === null ? lab.commands : readOnlyCommands(lab.commands, log),
    records: committed,
    kinds,
    past,
    why: whyIn(parts, past, count, recordings),
    timeReader: createTimeReader(log),
    changes,
    edits,
    sessions,
    traffic: (projectId) => trafficOf(context, projectId),
    fabricTotals: () => plumbing.totals(),
    counts,
    standing,
    jobs: context.jobs,
    computes: context.computes,
    recordings,
    appliances: { read: (content) => readHere(config, context, content) },
    symbols: { ...context.symbols, defaults: DEFAULT_SYMBOLS },
    readSetting: (setting) => setting.read(dataDir),
    files: {
      open: openProjectFile,
      read: readProjectFile,
      list: (project) => listProjectFiles(project.path, isOwnDirectory(filesDir, project)),
    },
    labs: labTexts(context),
    engines: () => engines.report(),
    health: () => ({
      ...stateOf(parts, standing()),
      version,
      ...(readOnly === null || cellRole !== null ? {} : { read_only: readOnly }),
      ...(cellRole === null ? {} : { cell: cellRole.watch.health() }),
      public_key: sessions.publicKey,
      fabric: fabric.health(),
    }),
    version,
    local: config.local,
    computeId: 'local',
    consoleHost: settings.consoleHost,
    names: config.names,
    toldVersion: config.toldVersion,
    limits: { imageBytes: config.imageBytes },
    logger,
  } satisfies Partial<HttpDeps>;
};

const trafficOf = async ({ plumbing }: LabContext, projectId: string): ReturnType<HttpDeps['traffic']> =>
  // Cables of NIOs and engines, unlike those of links, have a prefix.
  (await plumbing.traffic(projectId))
    .filter(({ cable_id }) => !cable_id.includes(':'))
    .map(({ cable_id, directions }) => ({ link_id: cable_id, directions }));

const labTexts = (context: LabContext): HttpDeps['labs'] => ({
  show: (projectId, format) => showLab(context, projectId, format),
  update: (projectId, input) => updateText(context, projectId, input),
  schema: () => labSchema(context.kinds.all(), filtersSchema()),
});

/** Parses an appliance, and tells which of its images and symbols are here. */
const readHere = async (
  config: Config,
  { kinds, symbols }: LabContext,
  content: unknown,
): Promise<ReturnType<typeof readAppliance>> => {
  const file = parseAppliance(content);
  const stored = kindsOfAppliance(file, kinds).filter(({ images }) => images !== undefined);
  const images = new Map(
    await Promise.all(stored.map(async (kind) => [kind, await imagesOfKind(config, kind)] as const)),
  );
  const known = new Set((await symbols.list()).map(({ symbol_id }) => symbol_id));
  return readAppliance(file, {
    kinds,
    images: (kind) => images.get(kind) ?? [],
    hasSymbol: (id) => known.has(id),
  });
};

export const sessionsOf = async ({ context, readOnly }: ServerParts, secrets: string | Secrets): Promise<Sessions> => {
  const { log, kinds, settings, moments, logger } = context;
  const { dataDir, filesDir, version } = settings;
  const spool = readOnly === null ? path.join(dataDir, 'spool') : await scratchPlace();
  return createSessions({
    store: () => log.store,
    moments,
    version,
    filesDir,
    secrets,
    spool,
    logger,
    imagesOf: imageFolderOf(filesDir, kinds),
  });
};

/** Commands that write nothing, and those that reads need. */
const readingCommands = (commands: Commands): Partial<Commands> => ({
  planLab: (...args) => commands.planLab(...args),
  exportProject: (...args) => commands.exportProject(...args),
  openConsole: (...args) => commands.openConsole(...args),
  flushCapture: () => Promise.resolve(),
  attend: () => () => undefined,
  leasedUdpPorts: () => [],
  refused: () => undefined,
});

/** Commands of a server that only reads; those that write are refused before they do anything. */
const readOnlyCommands = (commands: Commands, log: EventLog): Commands => {
  const reading = readingCommands(commands);
  const refuse = (): never => {
    throw log.refusal();
  };
  return new Proxy(commands, {
    get: (_target, name) => (name in reading ? reading[name as keyof Commands] : refuse),
  });
};

const healthOf = ({ writable, damage }: LogStatus): 'ok' | 'read_only' | 'damaged' => {
  if (!writable) return 'read_only';
  return damage.length === 0 ? 'ok' : 'damaged';
};

const placesOf = ({ filesDir, local, imageDirectories }: Config, { name, images }: Kind) => {
  if (images === undefined) throw notFound('Directory of images of', name);
  const { folder, isImage } = images;
  return { places: imagePlacesOf({ filesDir, local, imageDirectories }, folder, null), isImage };
};

/** Lists the images of a kind. Throws `not_found` for a kind without images. */
const imagesOfKind = (config: Config, kind: Kind): ReturnType<typeof listImages> => {
  const { places, isImage } = placesOf(config, kind);
  return listImages(places, isImage);
};

/** The dependencies of the HTTP interface on the machine, the images, the page and the server as a whole. */
export const serviceParts = async (
  config: Config,
  control: Pick<HttpDeps['control'], 'handOver' | 'reload' | 'shutdown'>,
): Promise<Pick<HttpDeps, 'host' | 'images' | 'control' | 'page' | 'pages'>> => {
  const { dataDir, consoleRange, udpRange, webUi } = config;
  return {
    ...(webUi === null ? { page: await builtPage() } : { pages: { open: (name: string) => openPage(webUi, name) } }),
    host: {
      statistics: createStatistics(dataDir),
      load: createLoad(),
      interfaces: hostInterfaces,
      consoleRange,
      udpRange,
    },
    images: {
      list: (kind) => imagesOfKind(config, kind),
      open: (kind, name) => openImage(placesOf(config, kind).places, name),
    },
    control: {
      ...control,
      async writeDebug(text) {
        const directory = path.join(dataDir, 'debug');
        await mkdir(directory, { recursive: true });
        await writeFile(path.join(directory, 'debug.txt'), text);
      },
    },
  };
};
