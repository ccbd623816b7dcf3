import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type LabContext, type LabSettings, recordOf } from '../actors/context.ts';
import { Placing } from '../actors/project/placing.ts';
import { Jobs } from '../actors/runtime/jobs.ts';
import { TopologError } from '../common/errors.ts';
import type { FileSort } from '../common/file-sort.ts';
import { Computes } from '../computes/computes.ts';
import { remotePlumbing } from '../computes/links/remote-plumbing.ts';
import { Tunnels } from '../computes/links/tunnels.ts';
import { ComputeSecrets } from '../computes/passwords.ts';
import { createEngines } from '../emulators/kit/engines.ts';
import type { Kinds } from '../emulators/registry.ts';
import { hostInterfaces } from '../emulators/shared/host/interfaces.ts';
import type { Lease } from '../events/cell.ts';
import type { FabricKeeper } from '../fabric/client/keeper.ts';
import { createPlumbing } from '../fabric/client/plumbing.ts';
import { createSymbols } from '../files/symbols/symbols.ts';
import type { Users } from '../http/access/users.ts';
import { createEdits } from '../projections/edits.ts';
import { createChanges } from '../projections/past/changes.ts';
import { Moments } from '../projections/past/moments.ts';
import { placedRecords } from '../projections/past/record-paths.ts';
import type { Share } from './cell-watch.ts';
import type { OpenedLog } from './open-log.ts';
import { consoleHostOf } from './users.ts';
import { VERSION } from '../common/package.ts';
import { newServerId, placeOf, type Secrets, secretsOf, SERVER_ID, serverIdIn } from '../common/secrets.ts';
import { markOf } from '../processes/marker.ts';
import type { Config } from './config.ts';

/** Which server this is of those that have had its log. Made on first use, unless it only reads. */
const identityOf = async (
  { dataDir, cell }: Config,
  isReading: boolean,
  owner: string | null,
): Promise<LabSettings['server']> => {
  const kept = secretsOf(dataDir);
  const text = isReading
    ? ((await kept.get(SERVER_ID)) ?? newServerId())
    : await kept.keep(SERVER_ID, `${newServerId()}\n`);
  const id = serverIdIn(text, placeOf(kept, SERVER_ID));
  return { id, name: cell?.advertise ?? owner ?? hostname() };
};

export const SERVER_ID_FILE: FileSort = {
  ...{ name: 'server id', what: 'which server this is', at: [SERVER_ID], changed: 'named' },
  async check({ dataDir }) {
    const kept = secretsOf(dataDir);
    const text = await kept.get(SERVER_ID);
    if (text !== null) serverIdIn(text, placeOf(kept, SERVER_ID));
  },
};

/** What the lab is told of the configuration. */
const settingsOf = (config: Config, consoleHost: string, server: LabSettings['server']): LabSettings => ({
  server,
  dataDir: config.dataDir,
  filesDir: config.filesDir,
  local: config.local,
  allowedInterfaces: config.allowInterfaces,
  imageDirectories: config.imageDirectories,
  strictImages: config.strictImages,
  allowScripts: config.allowScripts,
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
  server: LabSettings['server'];
  /** null: the log is this server's own. */
  lease: Lease | null;
}

const checkLease = (lease: Lease): void => {
  if (!lease.holds()) throw new TopologError('lease_lost', { reason: 'its lease is over' });
};

const createContext = (
  config: Config,
  { log, records, places }: OpenedLog,
  { kinds, fabric, mark, users, secrets, server, lease }: Made,
  logger: Logger,
) => {
  const computes = new Computes({
    ...{ secrets, epoch: lease?.epoch ?? log.status().position + 1, silenceMs: config.computeSilenceMs },
    ...{
      leavesAlone: !config.computes,
      local: config.local,
      ...(lease === null ? {} : { checkWrites: () => checkLease(lease) }),
    },
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
      ...{ fabric, consoles, mark, dataDir: config.dataDir, filesDir: config.filesDir, local: config.local },
      ...{ kindOptions: config.kindOptions, imageDirectories: config.imageDirectories },
    },
    choice,
  );
  const placed = placedRecords(places);
  const plumbing = remotePlumbing(
    createPlumbing(() => fabric),
    { computes, fabric: () => fabric, consoles },
  );
  const moments = new Moments(() => log.store, { placed });
  const changes = createChanges(log, records, moments);
  const context: LabContext = {
    log,
    pending: placed.view(records.pending),
    committed: placed.view(records.committed),
    kinds,
    engines,
    plumbing,
    computes,
    tunnels: new Tunnels({ computes, plumbing, interfaces: hostInterfaces }),
    moments,
    changes,
    edits: createEdits(log, changes),
    jobs: new Jobs(),
    placing: new Placing(log),
    symbols: createSymbols(config.filesDir),
    settings: settingsOf(config, consoles.host, server),
    logger,
  };
  return { context, engines };
};

interface Given extends Pick<Made, 'kinds' | 'fabric' | 'users'> {
  /** What is this server's secret. */
  kept: string | Secrets;
  /** What it has of its cell; null: the log is its own. */
  share: Pick<Share, 'lease' | 'watch'> | null;
}

/** What every actor and command shares. */
export const putTogether = async (
  config: Config,
  opened: OpenedLog,
  { kept, share, ...made }: Given,
  logger: Logger,
): Promise<ReturnType<typeof createContext>> => {
  const mark = await markOf(config.dataDir);
  const secrets = await ComputeSecrets.read(kept);
  const server = await identityOf(config, opened.readOnly !== null, share?.watch.owner ?? null);
  return createContext(config, opened, { ...made, mark, secrets, server, lease: share?.lease ?? null }, logger);
};
