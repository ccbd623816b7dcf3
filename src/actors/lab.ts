import path from 'node:path';
import { messageOf, reporting } from '../common/errors.ts';
import type { FabricEvent } from '../fabric/client/keeper.ts';
import { Attempts } from './runtime/attempts.ts';
import { batchCommand } from './batch/batch.ts';
import { AutoClose } from './project/auto-close.ts';
import type { CheckCommands, Commands } from './commands.ts';
import type { NodeRecord } from '../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, toKindNode } from './context.ts';
import { withDeadline } from './runtime/deadline.ts';
import { Directory } from './directory.ts';
import { archiveCommands } from './transfer/commands.ts';
import { claimCommands } from './claim/commands.ts';
import { drawingCommands } from './drawing/commands.ts';
import { checkReachable, engineOf, isLeft } from './node/engine.ts';
import { warnOfGone } from './node/gone.ts';
import { operationCommands } from './operation/commands.ts';
import { KeyedRequests } from './runtime/keyed-requests.ts';
import { fileCommands } from './project/file-commands.ts';
import { labTextCommands, type LabTexts } from './lab-text/commands.ts';
import { linkAt } from './link/cabling.ts';
import { linkCommands } from './link/commands.ts';
import { pathProbed } from './link/path-mtu.ts';
import { answered } from './link/proof.ts';
import { nodeCommands } from './node/commands.ts';
import { portCommands } from './port/commands.ts';
import { UdpPorts } from './port/udp-ports.ts';
import { captureCommands } from './capture/commands.ts';
import { Checks } from './check/checks.ts';
import { checkCommands } from './check/commands.ts';
import { catalogueCommands } from './catalogue/commands.ts';
import { computeCommands } from './compute/commands.ts';
import { watchComputes } from './compute/watch.ts';
import { projectCommands } from './project/commands.ts';
import { ProjectWriter } from './project/writer.ts';
import { LabSecretSweep } from './recovery/lab-secrets.ts';
import { recover, type Recovered } from './recovery/recover.ts';
import { Refusals } from './runtime/refusals.ts';
import { settingCommands } from './setting-commands.ts';
import { templateCommands } from './template/commands.ts';
import { snapshotCommands } from './snapshot/commands.ts';
import { sweepFiles } from './recovery/sweep.ts';
import { endForeign } from './recovery/end-foreign.ts';
import { sweepOutside } from './recovery/sweep-outside.ts';
import { takeOver } from './recovery/take-over.ts';
import { undoCommands } from './undo/commands.ts';
import { weatherCommands } from './weather/commands.ts';
import { WeatherRuns } from './weather/runs.ts';

export interface Lab {
  commands: Commands;
  /** At the start, before `recover`: finishes or takes away what was half done among the files. */
  sweepFiles(): Promise<void>;
  /** At the start, and after a fabric was replaced. `resume` false: what died stays stopped. */
  recover(resume: boolean): Promise<Recovered>;
  /** At the start, before `watchComputes`: what it means that another server wrote the log before, if one did. */
  takeOver(): Promise<void>;
  /** At the start, before `recover`: connects to the other computes. */
  watchComputes(): void;
  /** At the start, after `recover`: what was left outside by an earlier server. */
  sweepOutside(): Promise<void>;
  /** Opens what is to be open when the server starts; a project that cannot be opened is reported. */
  openAutomatic(): Promise<void>;
  /** Something happened in the fabric that no command asked for. */
  heard(event: FabricEvent): void;
  /** Ends what runs outside the fabric, on a clean shutdown. The records stay: the next start brings it back. After `close`. */
  stopOutside(): Promise<void>;
  /** From here on this server stands by: what runs in its fabric ends when it runs at the server that writes, or is not to run. */
  standBy(): void;
  /** Writes what is gathered before it is written: project files, and how often a request was refused. */
  flush(): Promise<void>;
  /** Stops every actor with its effects at once, without a word: another server writes. */
  fence(): void;
  close(): Promise<void>;
}

/** All commands over one set of actors. */
export const createLab = (context: LabContext, directory: Directory = new Directory(context)): Lab => {
  const writer = new ProjectWriter(context);
  const refusals = new Refusals(context);
  const autoClose = new AutoClose(directory, writer);
  const weather = new WeatherRuns(directory);
  const checks = new Checks(context, weather);
  const secrets = new LabSecretSweep(context);
  const heard = hearing(directory, checks);
  const { endApplied, ...commands } = commandsOf(directory, writer, weather);
  const flush = (): Promise<void> => refusals.flush().then(() => writer.flushAll());
  context.engines.onTrace((trace) => heard({ type: 'trace.finished', ...trace }));
  observeEnds(directory);
  recordWarnings(context);
  servePlumbing(directory);
  return {
    commands: {
      ...commands,
      ...checkCommands(context, checks),
      attend: (projectId) => autoClose.attend(projectId),
      refused: (caller, refusal) => refusals.add(caller, refusal),
    },

    sweepFiles: () => sweptFiles(context, writer),

    async recover(resume) {
      const open = context.committed.projects().filter(({ state }) => state !== 'closed');
      const recovered = await recover(directory, resume, endApplied);
      // Their last changes may not have reached their files.
      for (const { project_id } of open) writer.touch(project_id);
      autoClose.resume();
      weather.recover();
      checks.begin();
      await secrets.begin();
      return recovered;
    },

    takeOver: () => takeOver(context),
    watchComputes: () => watchComputes(directory),
    sweepOutside: () => sweepOutside(context),

    openAutomatic: () => openAutomatic(directory),

    heard,

    stopOutside: () => stopAllOutside(context),

    standBy: () => endForeign(context),
    fence: () => [autoClose, weather, checks, secrets, writer, directory].forEach((part) => part.stop()),

    flush,
    async close() {
      [autoClose, weather, checks, secrets].forEach((part) => part.stop());
      context.plumbing.close();
      await flush();
      directory.stop();
    },
  };
};

const commandsOf = (
  directory: Directory,
  writer: ProjectWriter,
  weather: WeatherRuns,
): Omit<Commands, keyof CheckCommands | 'attend' | 'refused'> & LabTexts => {
  const { context } = directory;
  const keyed = new KeyedRequests(context);
  const attempts = new Attempts(context.log);
  const nodes = nodeCommands(directory);
  const projects = projectCommands(directory, writer);
  const udpPorts = new UdpPorts(context);
  context.tunnels.serve({
    leasePort: () => udpPorts.next(),
    tunnelMade: async ({ link_id, project_id }, ends) => {
      await appendOne(context, SYSTEM_CALLER, project_id, 'link.tunnel_made', { link_id, project_id, ends });
    },
    tunnelJoined: async (link) => {
      await appendOne(context, SYSTEM_CALLER, link.project_id, 'link.tunnel_joined', link);
    },
    linkAt: (end) => linkAt(context, end),
  });
  return {
    ...projects,
    ...nodes,
    ...linkCommands(directory),
    ...portCommands(directory, udpPorts),
    ...captureCommands(directory),
    ...computeCommands(directory),
    ...claimCommands(context),
    ...drawingCommands(context),
    ...batchCommand(directory),
    ...undoCommands(directory, projects),
    ...labTextCommands(directory, { ...projects, ...nodes }),
    ...weatherCommands(context, weather, projects),
    attempt: (caller, work) => attempts.run(caller, work),
    once: (caller, request, work) => keyed.once(caller, request, work),
    ...templateCommands(context, nodes),
    ...settingCommands(context),
    ...archiveCommands(context, writer),
    ...snapshotCommands(directory, writer),
    ...fileCommands(context),
    ...catalogueCommands(context),
    ...operationCommands(directory),
  };
};

/** The plumbing of nodes elsewhere asks for their records, and ends what it keeps for a node with its run. */
const servePlumbing = (directory: Directory): void => {
  const { context } = directory;
  const { plumbing, committed, kinds, log } = context;
  plumbing.serve({
    nodeOf(id) {
      const record = committed.get('node', id);
      const kind = record === undefined ? undefined : kinds.get(record.kind);
      if (record === undefined || kind === undefined) return undefined;
      if (isLeft(context, record)) checkReachable(context, record);
      return { kind, node: toKindNode(context, record), compute_id: record.compute_id };
    },
    captureFailed: (port, message) =>
      void directory
        .findCapture(port)
        ?.broke(message)
        .catch(reporting(context.logger, { node_id: port.node_id })),
  });
  log.onCommitted((events) => {
    for (const { type, data } of events)
      if (RUN_ENDS.has(type) && 'node_id' in data && data.node_id !== null) plumbing.ended(data.node_id);
  });
};

const RUN_ENDS: ReadonlySet<string> = new Set(['node.stopped', 'node.exited', 'node.lost']);

const observeEnds = (directory: Directory): void => {
  const { engines, logger } = directory.context;
  engines.onExit(({ node_id, code, signal, output }) => {
    // Not before a start that is just through has taken its place in the node's queue of events.
    setImmediate(() => {
      const observed = directory.findNode(node_id)?.observe('node.exited', { code, signal, output });
      observed?.catch(reporting(logger, { node_id }, `the end of node ${node_id} is not on record`));
    });
  });
};

const recordWarnings = (context: LabContext): void => {
  const { committed, engines, logger } = context;
  engines.onWarning(({ node_id, message: said }) => {
    const record = committed.get('node', node_id);
    if (record === undefined) return;
    const message = `${record.name}: ${said}`;
    logger.warn({ node_id }, message);
    appendOne(context, SYSTEM_CALLER, record.project_id, 'warning.raised', { message, node_id }).catch(
      reporting(logger, { node_id }, 'a warning is not on record'),
    );
  });
};

const openAutomatic = async (directory: Directory): Promise<void> => {
  const { committed, logger } = directory.context;
  for (const { project_id } of committed.projects()) {
    const record = committed.get('project', project_id);
    if (record?.auto_open !== true || record.state !== 'closed') continue;
    await directory
      .project(record)
      .open(SYSTEM_CALLER)
      .catch(reporting(logger, { project_id: record.project_id }, `${record.name} could not be opened`));
  }
};

const stopAllOutside = async (context: LabContext): Promise<void> => {
  const running = context.committed
    .projects()
    .flatMap(({ project_id }) => context.committed.ofProject('node', project_id))
    .filter(({ state, server }) => state !== 'stopped' && server === undefined);
  await Promise.all(running.map((node) => stopOutside(context, node)));
};

/** Longest end of one node. Milliseconds. */
const STOP_MS = 30_000;

/** For engines that hang where no signal reaches them. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const stopOutside = async (context: LabContext, node: NodeRecord): Promise<void> => {
  const kind = context.kinds.get(node.kind);
  if (kind === undefined) return;
  const kindNode = toKindNode(context, node);
  const never = new AbortController().signal;
  try {
    const { engines } = context;
    // A first start that is under way has no engine on record yet.
    const engine =
      engineOf(context, node) ?? (node.engine === null ? await engines.forNode(kind, kindNode) : undefined);
    if (engine?.outside !== true) return;
    await withDeadline(never, STOP_MS, (signal) => Promise.race([engine.stop(kindNode, signal), untilAborted(signal)]));
  } catch (error) {
    context.logger.error({ node_id: node.node_id }, `${node.name} could not be stopped: ${messageOf(error)}`);
  }
};

const sweptFiles = async (context: LabContext, writer: ProjectWriter): Promise<void> => {
  await sweepFiles(context);
  await writer.catchUp().catch(reporting(context.logger, {}));
  await warnOfGone(context).catch(reporting(context.logger, {}));
};

const hearing =
  (directory: Directory, checks: Checks) =>
  (event: FabricEvent): void => {
    const { context } = directory;
    checks.heard(event);
    void hear(context, directory, event).catch(reporting(context.logger, {}));
  };

const hear = async (context: LabContext, directory: Directory, event: FabricEvent): Promise<void> => {
  switch (event.type) {
    case 'node.exited':
    case 'port.carrier':
    case 'node.probed':
    case 'console.answered':
      // Somebody else acts on them: the engine that started the node, or the checks.
      return;
    case 'trace.finished': {
      if (context.pending.get('node', event.node_id) !== undefined)
        await appendOne(context, SYSTEM_CALLER, event.project_id, 'node.trace_finished', event);
      return;
    }
    case 'watch.matched':
      return answered(context, event);
    case 'path.probed':
      return pathProbed(context, event);
    case 'capture.failed':
      await directory.findCapture(event.port)?.broke(event.message);
      return;
    case 'recording.failed':
      await directory.findNode(event.node_id)?.onRecording((r) => r.broke(path.basename(event.path), event.message));
  }
};
