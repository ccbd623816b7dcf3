import type { Logger } from 'pino';
import { LabCaches, type LabContext, type LabSettings, recordOf } from '../actors/context.ts';
import { Placing } from '../actors/project/placing.ts';
import { Jobs } from '../actors/runtime/jobs.ts';
import type { CellRole } from '../cluster/lease-watch.ts';
import type { OpenedLog } from '../cluster/opened-log.ts';
import { TopologError } from '../common/errors.ts';
import { LabSecrets } from '../common/lab-secrets/store.ts';
import { VERSION } from '../common/package.ts';
import type { Secrets } from '../common/secrets.ts';
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
import { markOf } from '../processes/marker.ts';
import { createEdits } from '../projections/edits.ts';
import { createChanges } from '../projections/past/changes.ts';
import { Moments } from '../projections/past/moments.ts';
import { resolvePaths } from '../projections/past/record-paths.ts';
import type { Config } from './config.ts';
import { identityOf } from './data-directory.ts';
import { consoleHostOf } from './users.ts';

/** Settings of the lab by the configuration. */
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

/** Name and variables of a project, for other computes. */
const projectForCompute = ({ committed, secrets }: LabContext, id: string): { name: string; variables: unknown } => {
  const { name, variables } = recordOf(committed, 'project', id);
  return { name, variables: secrets.plain(variables) };
};

interface Dependencies {
  kinds: Kinds;
  fabric: FabricKeeper;
  mark: string;
  users: Users;
  passwords: ComputeSecrets;
  secrets: LabSecrets;
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
  { kinds, fabric, mark, users, passwords, secrets, server, lease }: Dependencies,
  logger: Logger,
) => {
  const computes = new Computes({
    secrets: passwords,
    epoch: lease?.epoch ?? log.status().position + 1,
    silenceMs: config.computeSilenceMs,
    leavesAlone: !config.computes,
    local: config.local,
    ...(lease === null ? {} : { checkWrites: () => checkLease(lease) }),
    deliveries: {
      images: config,
      project: (id) => projectForCompute(context, id),
      begin: (id, of) => context.jobs.begin(id, 'upload', of),
    },
  });
  const consoles = { host: consoleHostOf(config, users), range: config.consoleRange };
  const engines = enginesOf(config, { kinds, fabric, mark, computes, consoles });
  const placed = resolvePaths(places);
  const plumbing = remotePlumbing(
    createPlumbing(() => fabric),
    { computes, fabric: () => fabric, consoles },
  );
  const moments = new Moments(() => log.store, { paths: placed });
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
    caches: new LabCaches(),
    symbols: createSymbols(config.filesDir),
    secrets,
    settings: settingsOf(config, consoles.host, server),
    logger,
  };
  return { context, engines };
};

interface EngineParts extends Pick<Dependencies, 'kinds' | 'fabric' | 'mark'> {
  computes: Computes;
  consoles: { host: string; range: [number, number] };
}

const enginesOf = (config: Config, { kinds, fabric, mark, computes, consoles }: EngineParts) => {
  const { simulate, local, allowInterfaces: allowedInterfaces } = config;
  const choice = { engines: config.engines, simulate, local, allowedInterfaces, elsewhere: computes };
  return createEngines(
    kinds,
    {
      fabric,
      consoles,
      mark,
      dataDir: config.dataDir,
      filesDir: config.filesDir,
      local: config.local,
      kindOptions: config.kindOptions,
      imageDirectories: config.imageDirectories,
    },
    choice,
  );
};

interface Parts extends Pick<Dependencies, 'kinds' | 'fabric' | 'users'> {
  /** A data directory, or a store of secrets. */
  secrets: string | Secrets;
  /** null: the log is this server's own. */
  cellRole: Pick<CellRole, 'lease' | 'watch'> | null;
}

/** Makes the context that every actor and command shares, and the engines. */
export const makeLabContext = async (
  config: Config,
  opened: OpenedLog,
  { secrets: kept, cellRole, ...parts }: Parts,
  logger: Logger,
): Promise<ReturnType<typeof createContext>> => {
  const mark = await markOf(config.dataDir);
  const passwords = await ComputeSecrets.read(kept);
  const secrets = await LabSecrets.read(kept);
  opened.log.keepSecrets(secrets);
  const server = await identityOf(config, opened.readOnly !== null, cellRole?.watch.owner ?? null);
  const lease = cellRole?.lease ?? null;
  return createContext(config, opened, { ...parts, mark, passwords, secrets, server, lease }, logger);
};
