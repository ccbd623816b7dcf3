import path from 'node:path';
import type { LabContext } from '../actors/context.ts';
import { showLab } from '../actors/lab-text/show.ts';
import { updateText } from '../actors/lab-text/update.ts';
import type { Lab } from '../actors/lab.ts';
import { listProjectFiles, openProjectFile, readProjectFile } from '../files/project/files.ts';
import { isOwnDirectory } from '../files/project/parts.ts';
import { listRecordings, openRecording, shownLines } from '../files/recordings.ts';
import { kindsOfAppliance, parseAppliance, readAppliance } from '../files/appliance/appliance.ts';
import { labSchema } from '../files/lab/yaml/form.ts';
import { DEFAULT_SYMBOLS } from '../files/symbols/themes.ts';
import { Counts } from '../http/metrics/counts.ts';
import type { HttpDeps, Standing } from '../http/api.ts';
import { LIMITS } from '../http/limits.ts';
import { reached } from '../projections/past/changes.ts';
import { createPast, type Past } from '../projections/past/past.ts';
import { createTimeReader } from '../projections/past/timeline/reader.ts';
import type { CountFrames } from '../why/notes.ts';
import { createWhy, type Why } from '../why/why.ts';
import { createSessions, type Sessions } from '../session/sessions.ts';
import type { Secrets } from '../common/secrets.ts';
import { scratchPlace } from '../events/view-log.ts';
import { imageFolderOf } from '../files/images.ts';
import type { Config } from './config.ts';
import type { Share } from './cell-watch.ts';
import { imagesOfKind } from './service.ts';
import { healthOf, type ReadOnly, readOnlyCommands } from './read-only.ts';

/** A server that runs, before it listens. */
export interface Running {
  config: Config;
  context: LabContext;
  lab: Lab;
  fabric: { health(): object };
  readOnly: ReadOnly | null;
  /** null: the log is its own. */
  share: Pick<Share, 'watch'> | null;
}

const whyIn = ({ context }: Pick<Running, 'context'>, past: Past, count: CountFrames): Why => {
  const { committed: records, moments, kinds, plumbing } = context;
  const tables = (ids: readonly string[]) => plumbing.tables(ids);
  return createWhy({ records, past, moments, kinds, tables, shown: shownLines, count });
};

/** A server that stands by takes writes as long as it can pass them on. */
const stateOf = ({ context: { log }, readOnly, share }: Running, { role, refuses }: Standing): object => {
  const status = log.status();
  if (readOnly === null || share === null) return { status: healthOf(status), role, log: status };
  const reason = refuses === null ? status.reason : (share.watch.problem ?? refuses);
  return { status: refuses === null ? 'ok' : 'read_only', role, log: { ...status, reason } };
};

/** What the facade is given of the rest. */
export const facadeParts = (running: Running, sessions: Sessions, count: CountFrames) => {
  const { config, context, lab, fabric, readOnly, share } = running;
  const { log, committed, kinds, engines, plumbing, settings, moments, changes, edits, logger } = context;
  const { dataDir, filesDir, version } = settings;
  const past = createPast(log, moments, (position) => reached(changes, position, LIMITS.behindMs));
  const counts = new Counts();
  log.onWritten((batch) => counts.written(batch));
  const standing = (): Standing => {
    const refuses = log.writable ? null : 'the log cannot be written; GET /v2/health says why';
    return share === null ? { role: 'writer', refuses } : share.watch.standing(refuses);
  };
  return {
    commands: readOnly === null ? lab.commands : readOnlyCommands(lab.commands, log),
    records: committed,
    kinds,
    past,
    why: whyIn(running, past, count),
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
    recordings: { list: listRecordings, open: openRecording },
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
      ...stateOf(running, standing()),
      version,
      ...(readOnly === null || share !== null ? {} : { read_only: readOnly }),
      ...(share === null ? {} : { cell: share.watch.health() }),
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
  // Cables of NIOs and engines have a prefix.
  (await plumbing.traffic(projectId))
    .filter(({ cable_id }) => !cable_id.includes(':'))
    .map(({ cable_id, directions }) => ({ link_id: cable_id, directions }));

const labTexts = (context: LabContext): HttpDeps['labs'] => ({
  show: (projectId, format) => showLab(context, projectId, format),
  update: (projectId, input) => updateText(context, projectId, input),
  schema: () => labSchema(context.kinds.all()),
});

/** An appliance with what is here of its images and symbols. */
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

/** `kept`: the data directory, or what keeps secrets elsewhere. */
export const sessionsOf = async ({ context, readOnly }: Running, kept: string | Secrets): Promise<Sessions> => {
  const { log, kinds, settings, moments, logger } = context;
  const { dataDir, filesDir, version } = settings;
  const spool = readOnly === null ? path.join(dataDir, 'spool') : await scratchPlace();
  return createSessions({
    ...{ store: () => log.store, moments, version, filesDir, secrets: kept, spool, logger },
    imagesOf: imageFolderOf(filesDir, kinds),
  });
};
