import type { Logger } from 'pino';
import type { Engines } from '../emulators/kit/engines.ts';
import type { KindNode } from '../emulators/kit/contract.ts';
import type { KindOptions } from '../emulators/options.ts';
import { portsOf } from '../emulators/recorded-node.ts';
import type { Computes } from '../computes/computes.ts';
import type { RemotePlumbing } from '../computes/links/remote-plumbing.ts';
import type { Tunnels } from '../computes/links/tunnels.ts';
import type { Kinds } from '../emulators/registry.ts';
import { SYSTEM } from '../events/event.ts';
import type { AnyDraft, AnyEvent, DataOf, EventType } from '../events/schemas.ts';
import type { EventLog } from '../events/log/log.ts';
import type { Symbols } from '../files/symbols/symbols.ts';
import type { Edits } from '../projections/edits.ts';
import type { Changes } from '../projections/past/changes.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { CollectionName, Collections, NodeRecord, ProjectRecord, RecordView } from '../projections/records.ts';
import { shownStatus } from '../projections/states.ts';
import { MOST, MOST_OF_SERVER } from '../common/bounds.ts';
import { conflict, TopologError, notFound } from '../common/errors.ts';
import type { LabSecrets } from '../common/lab-secrets/store.ts';
import type { Caller, NodeAddress } from './caller.ts';
import { parsePort } from './port/port-key.ts';
import type { Placing } from './project/placing.ts';
import type { Jobs } from './runtime/jobs.ts';

export interface LabSettings {
  /** What is of this machine. */
  dataDir: string;
  /** Directory of projects, images and symbols: the same, or one that servers share. */
  filesDir: string;
  /** Users of the server may use what its machine has. */
  local: boolean;
  /** Interfaces of it that their nodes may use although it is not local. */
  allowedInterfaces: readonly string[];
  version: string;
  /** Which server it is of those that have had this log; it goes with the data directory. `name`: what people call it. */
  server: { id: string; name: string };
  /** Directories with more images than the server's own. */
  imageDirectories: readonly string[];
  /** A node does not start with an image that has another checksum than its record. */
  strictImages: boolean;
  /** Checks may run commands on this machine. */
  allowScripts: boolean;
  /** Name of this server as a compute. */
  computeId: string;
  consoleRange: [number, number];
  consoleHost: string;
  udpRange: [number, number];
  kindOptions: KindOptions;
  /** Milliseconds without changes after which a project file is written. */
  fileIdleMs: number;
  /** Milliseconds that a project with auto_close stays open after its last listener has left. */
  autoCloseGraceMs: number;
}

/** Findings about this machine that are not on record. */
export class LabCaches {
  /** Console ports that other programs had at the last look, and when that was. Milliseconds since 1970. */
  readonly foreignConsoles = new Map<number, number>();
  /** Directory of a project that was there, and until when that counts, by `performance.now`. */
  seenDirectory = { path: '', until: 0 };
  /** Projects that wait for what is found out about the path to a host, by host. */
  readonly pathsWaiting = new Map<string, Set<string>>();
  /** Paths by project and place: when one was asked for, by `performance.now`, or that it is known. */
  readonly pathsSeen = new Map<string, number | 'known'>();
}

/** What every actor and command shares. */
export interface LabContext {
  log: EventLog;
  /** What decisions are made on: committed records and what waits for its fsync. */
  pending: RecordView;
  committed: RecordView;
  kinds: Kinds;
  engines: Engines;
  plumbing: RemotePlumbing;
  /** The other computes. */
  computes: Computes;
  /** Links to them and between them. */
  tunnels: Tunnels;
  /** Records as they were. */
  moments: Moments;
  /** Records as they change. */
  changes: Changes;
  /** What people have changed of each project. */
  edits: Edits;
  symbols: Symbols;
  /** Values of the references that records have in the place of secrets. */
  secrets: LabSecrets;
  settings: LabSettings;
  /** What takes long. */
  jobs: Jobs;
  /** Files on their way to their places. */
  placing: Placing;
  caches: LabCaches;
  /** What the operator is told: the server's own log, not the event log. */
  logger: Logger;
}

export const SYSTEM_CALLER: Caller = { by: SYSTEM, request_id: null };

export const draft = <T extends EventType>(
  caller: Caller,
  projectId: string | null,
  type: T,
  data: DataOf<T>,
): AnyDraft => {
  const { by, request_id, cause = null } = caller;
  return { project_id: projectId, type, data, by, request_id, cause } as unknown as AnyDraft;
};

/** Appends one event. Throws where it is about a project that is gone by now: nothing comes after its deletion. */
export const appendOne = async <T extends EventType>(
  context: LabContext,
  ...event: Parameters<typeof draft<T>>
): Promise<AnyEvent> => {
  const [, projectId] = event;
  if (projectId !== null) projectOf(context.pending, projectId);
  const [appended] = await context.log.append([draft(...event)]);
  if (appended === undefined) throw new Error('the log answered without an event');
  return appended;
};

/** Something about a project that its users should know; not waited for. */
export const warn = (context: LabContext, projectId: string, message: string, more: { settled?: true } = {}): void => {
  context.logger.warn({ project_id: projectId }, message);
  void appendOne(context, SYSTEM_CALLER, projectId, 'warning.raised', { message, node_id: null, ...more }).catch(
    () => undefined,
  );
};

/** Throws where there is none, or not in this project. */
export const recordOf = <C extends CollectionName>(
  view: RecordView,
  collection: C,
  id: string,
  projectId?: string,
): Collections[C] => {
  const record = view.get(collection, id);
  if (record !== undefined && (projectId === undefined || ('project_id' in record && record.project_id === projectId)))
    return record;
  throw notFound(`${collection.charAt(0).toUpperCase()}${collection.slice(1)}`, id);
};

/** Throws a conflict where the server has as many as it may have. */
export const checkServerRoom = (view: RecordView, what: keyof typeof MOST_OF_SERVER): void => {
  const limit = MOST_OF_SERVER[what];
  const count = what === 'project' ? view.projects().length : view.ofServer(what).length;
  if (count >= limit) throw conflict(`a server can have at most ${limit} ${what}s`, { limit });
};

export const projectOf = (view: RecordView, id: string): ProjectRecord => recordOf(view, 'project', id);

/** The project, when it can be changed. */
export const openProjectOf = (view: RecordView, id: string): ProjectRecord => {
  const record = projectOf(view, id);
  if (record.state !== 'opened') throw new TopologError('project_closed');
  return record;
};

/** Refuses one more when the project is full. */
export const checkRoom = (view: RecordView, projectId: string, collection: keyof typeof MOST, more = 1): void => {
  if (view.count(collection, projectId) + more <= MOST[collection]) return;
  throw conflict(`a project can have at most ${MOST[collection]} ${collection}s`, { limit: MOST[collection] });
};

export const nodeOf = (view: RecordView, { project_id, node_id }: NodeAddress): NodeRecord =>
  recordOf(view, 'node', node_id, project_id);

/** The node as engines take it: with its secrets. For nothing that is kept or answered. */
export const toKindNode = (
  { kinds, committed, secrets, computes }: Pick<LabContext, 'kinds' | 'committed' | 'secrets' | 'computes'>,
  record: NodeRecord,
): KindNode => ({
  ...record,
  properties:
    computes.find(record.compute_id)?.compute.isTopolog === true
      ? secrets.marked(record.properties)
      : secrets.plain(record.properties),
  ...projectFor(committed, secrets, record),
  status: shownStatus(record.state),
  ports: portsOf(kinds, record),
  ...(kinds.get(record.kind)?.capabilities.serves_linked === true ? { linked: linkedPorts(committed, record) } : {}),
});

const projectFor = (view: RecordView, secrets: LabSecrets, { project_id }: NodeRecord): Pick<KindNode, 'project'> => {
  const record = view.get('project', project_id);
  if (record === undefined) return {};
  const { name, path, variables } = record;
  return { project: { name, path, variables: secrets.plain(variables) } };
};

const linkedPorts = (view: RecordView, { node_id, nios }: NodeRecord): NonNullable<KindNode['linked']> => [
  ...view.linksOf(node_id).flatMap(({ nodes }) => nodes.filter((end) => end.node_id === node_id)),
  ...Object.keys(nios).map(parsePort),
];
