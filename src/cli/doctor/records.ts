import { stat } from 'node:fs/promises';
import path from 'node:path';
import { placeOf, secretsOf, SERVER_ID, serverIdIn } from '../../common/secrets.ts';
import { KEYS, type Store } from '../../events/store/store.ts';
import { lastPosition, lastWriter, readRecords } from '../../events/read.ts';
import { firstProblem, refuseUnfinished } from '../../events/log/startup.ts';
import { messageOf } from '../../common/errors.ts';
import { ELSEWHERE, isOfCell } from '../../server/data-directory.ts';
import type { FoundServer } from '../../server/found-server.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { openView, type Place } from '../source.ts';

/** What the server, or the log itself when none runs, says of the nodes that may run. */
export interface KnownNodes {
  /** A node whose processes have a purpose. */
  has(nodeId: string): boolean;
  name(nodeId: string): string | undefined;
  /** Those of them that are known by name; null: nothing is known. */
  all: readonly { node_id: string; project_id: string }[] | null;
  /** How many nodes wait for a server to be run again; 0 while one runs. */
  waiting: number;
}

export interface LogHealth {
  text: string;
  isWell: boolean;
}

export interface Known {
  nodes: KnownNodes;
  log: LogHealth;
}

/** Without its log nothing is known of any node: then none counts as left over. */
const EVERYBODY: KnownNodes = { has: () => true, name: () => undefined, all: null, waiting: 0 };
const NOBODY: KnownNodes = { has: () => false, name: () => undefined, all: [], waiting: 0 };

/** For each question. Milliseconds. */
const PATIENCE_MS = 10_000;

/** A log in a database is read there, also beside a server, which knows best what runs. */
export const knownOf = async (place: Place, server: FoundServer | null): Promise<Known> => {
  if (server === null) return readLog(place);
  const asked = await askServer(server);
  return place.cell === null ? asked : { ...asked, log: (await readLog(place)).log };
};

/** Asks the server that runs. A project that it just opens reads as closed, so every node that has a record may run. */
const askServer = async ({ client }: FoundServer): Promise<Known> => {
  const soon = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
  const health = await client.get('/v2/health', soon());
  const names = new Map<string, string>();
  const all: { node_id: string; project_id: string }[] = [];
  for (const { project_id } of await client.get('/v2/projects', soon()))
    for (const node of await client.get('/v2/projects/{project_id}/nodes', { path: { project_id }, ...soon() })) {
      names.set(node.node_id, node.name);
      all.push({ node_id: node.node_id, project_id });
    }
  const { position, writable, reason } = health.log;
  const text = `position ${position}, ${writable ? 'writable' : `not writable: ${reason ?? 'unknown'}`}`;
  return {
    nodes: { has: (id) => names.has(id), name: (id) => names.get(id), all, waiting: 0 },
    log: { text, isWell: writable },
  };
};

/** Reads the log itself. A node may run when its project is open and it was not stopped. */
const readLog = async (place: Place): Promise<Known> => {
  const isHere = place.cell === null;
  if (isHere && (await isOfCell(place.dataDir))) return { nodes: EVERYBODY, log: { text: ELSEWHERE, isWell: false } };
  if (isHere && (await stat(path.join(place.dataDir, 'log')).catch(() => null)) === null)
    return { nodes: NOBODY, log: { text: 'there is none yet', isWell: true } };
  try {
    const { store, repaired, cell, close } = await openView(place);
    try {
      await refuseUnfinished(store);
      const last = await lastPosition(store);
      const checked = Math.min(Number((await store.get(KEYS.checked)) ?? 0), last);
      const problem = await firstProblem(store, checked, last);
      const stored: [string, string, unknown][] = [];
      for await (const record of readRecords(store)) stored.push(record);
      const whole = repaired
        ? "LevelDB's list of files is damaged; topolog verify says more"
        : `${cell === null ? '' : `${cell.place}, `}position ${last}, whole`;
      const text = problem === null ? whole : `position ${problem.position}: ${problem.message}`;
      const nodes = fromRecords(stored, await isRunAt(place, store));
      return { nodes, log: { text, isWell: problem === null && !repaired } };
    } finally {
      await close();
    }
  } catch (error) {
    return { nodes: EVERYBODY, log: { text: messageOf(error), isWell: false } };
  }
};

/** Whether a node runs, if it does, at the server of this data directory. */
const isRunAt = async ({ dataDir, cell }: Place, store: Store): Promise<(node: NodeRecord) => boolean> => {
  const kept = secretsOf(dataDir);
  const text = await kept.get(SERVER_ID);
  const own = text === null ? undefined : serverIdIn(text, placeOf(kept, SERVER_ID));
  // What is said of no server is at the one that writes.
  const { server: writer } = await lastWriter(store);
  const writes = cell === null || writer === null || writer === own;
  return ({ server }) => (server === undefined ? writes : server === own);
};

const fromRecords = (stored: [string, string, unknown][], isHere: (node: NodeRecord) => boolean): KnownNodes => {
  const of = <T>(collection: string): T[] => stored.filter(([name]) => name === collection).map(([, , r]) => r as T);
  const open = new Set(
    of<ProjectRecord>('project')
      .filter((project) => project.state !== 'closed')
      .map((project) => project.project_id),
  );
  const nodes = new Map(of<NodeRecord>('node').map((node) => [node.node_id, node]));
  const mayRun = (node: NodeRecord | undefined): boolean =>
    node !== undefined && node.state !== 'stopped' && isHere(node) && open.has(node.project_id);
  return {
    has: (id) => mayRun(nodes.get(id)),
    name: (id) => nodes.get(id)?.name,
    all: [...nodes.values()].filter(mayRun),
    waiting: [...nodes.values()].filter(mayRun).length,
  };
};
