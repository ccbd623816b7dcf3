import { nioWire } from '../emulators/plumbing.ts';
import { messageOf } from '../errors.ts';
import type { NodeRecord, ProjectRecord } from '../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, toKindNode } from './context.ts';
import type { Directory } from './directory.ts';
import { parsePort, plumb } from './wiring.ts';

/** What recovery did, for the summary line and the `server.started` fact. */
export interface Recovered {
  [key: string]: number;
  projects: number;
  adopted: number;
  restarted: number;
  lost: number;
  captures: number;
  failed: number;
}

/** States in which the node was meant to run. A start that was never answered is carried through all the same. */
const WANTED: readonly NodeRecord['state'][] = [
  'starting',
  'started',
  'resuming',
  'suspending',
  'suspended',
  'reloading',
];

const ADOPT_MS = 30_000;

/**
 * Brings the world and the records together after the server or the fabric was away: what survived is adopted, what died is
 * started again if it was meant to run, dangling requests are settled by what really runs, and each of that is a fact.
 */
export const recover = async (context: LabContext, directory: Directory, resume: boolean): Promise<Recovered> => {
  const done: Recovered = { projects: 0, adopted: 0, restarted: 0, lost: 0, captures: 0, failed: 0 };
  const open = context.committed.projects().filter((p) => p.state !== 'closed');
  for (const project of open) for (const node of nodesOf(context, project)) directory.addNode(node);
  await sweep(context, open);
  for (const project of open) {
    if (project.state === 'closing') {
      await finishClosing(context, directory, project);
      continue;
    }
    done.projects++;
    if (project.state === 'opening')
      await appendOne(context, SYSTEM_CALLER, project.project_id, 'project.opened', { project_id: project.project_id });
    await plumb(context, project.project_id);
    await Promise.all(nodesOf(context, project).map((node) => recoverNode(context, directory, node, resume, done)));
    await recoverCaptures(context, directory, project, done);
  }
  return done;
};

const nodesOf = (context: LabContext, project: ProjectRecord): NodeRecord[] =>
  context.committed.ofProject('node', project.project_id);

/** Ends what runs in the fabric and belongs to no record. */
const sweep = async (context: LabContext, open: ProjectRecord[]): Promise<void> => {
  const nodes = new Set<string>();
  const wires = new Set<string>();
  for (const { project_id } of open) {
    for (const link of context.committed.ofProject('link', project_id)) wires.add(link.link_id);
    for (const node of context.committed.ofProject('node', project_id)) {
      nodes.add(node.node_id);
      for (const key of Object.keys(node.nios)) wires.add(nioWire({ node_id: node.node_id, ...parsePort(key) }));
    }
  }
  await context.plumbing.sweep(nodes, wires);
};

/** A project killed half-way through opening is opened all the same; half-way through closing, it is closed. */
const finishClosing = async (context: LabContext, directory: Directory, project: ProjectRecord): Promise<void> => {
  const { project_id } = project;
  await Promise.allSettled(
    capturesOf(context, project).map(({ state: _, capture: __, ...at }) =>
      directory.capture({ ...at, project_id }, true).end(SYSTEM_CALLER),
    ),
  );
  await Promise.allSettled(
    nodesOf(context, project).map((n) =>
      directory.node(n.node_id).observe('node.lost', { reason: 'the project was closing' }),
    ),
  );
  await context.plumbing.removeProject(project_id);
  for (const node of nodesOf(context, project)) directory.forgetNode(node.node_id);
  await appendOne(context, SYSTEM_CALLER, project_id, 'project.closed', { project_id });
};

const recoverNode = async (
  context: LabContext,
  directory: Directory,
  node: NodeRecord,
  resume: boolean,
  done: Recovered,
): Promise<void> => {
  const actor = directory.findNode(node.node_id);
  if (actor === undefined || node.state === 'stopped') return;
  try {
    const found = await lookFor(context, node);
    if (found !== null) {
      await actor.observe('node.adopted', { engine: found.engine, state: found.state, ...found.started });
      done.adopted++;
      if (node.state === 'stopping') await actor.act(SYSTEM_CALLER, 'stop');
      return;
    }
    const lost = await actor.observe('node.lost', { reason: `it was ${node.state} and does not run any more` });
    done.lost++;
    if (!resume || !WANTED.includes(node.state)) return;
    await actor.act(SYSTEM_CALLER, 'start', {}, lost?.position ?? null);
    done.restarted++;
  } catch (error) {
    done.failed++;
    context.report(`${node.name} could not be brought back: ${messageOf(error)}`);
  }
};

type Found = {
  engine: string;
  state: 'started' | 'suspended';
  started: { pid: number | null; console: number | null; command_line: string };
};

const lookFor = async (context: LabContext, node: NodeRecord): Promise<Found | null> => {
  const kind = context.kinds.get(node.kind);
  if (kind === undefined) return null;
  const kindNode = toKindNode(node);
  // Before its first `started` the record names no engine: it is the one a start would choose.
  const engine =
    node.engine === null ? await context.engines.forNode(kind, kindNode) : context.engines.running(kind, node.engine);
  if (engine === undefined) return null;
  const found = await engine.adopt(kindNode, AbortSignal.timeout(ADOPT_MS));
  return found === null ? null : { engine: engine.name, ...found };
};

/** Captures that ran go on in the same file; one that was half-way through stopping is off. */
const recoverCaptures = async (
  context: LabContext,
  directory: Directory,
  project: ProjectRecord,
  done: Recovered,
): Promise<void> => {
  for (const wanted of capturesOf(context, project)) {
    const { state, capture, ...at } = wanted;
    const port = { ...at, project_id: project.project_id };
    const actor = directory.capture(port, true);
    try {
      if (state === 'stopping') {
        await actor.end(SYSTEM_CALLER);
        continue;
      }
      await context.plumbing.startCapture(port, capture, true);
      if (state === 'starting') await appendOne(context, SYSTEM_CALLER, project.project_id, 'capture.started', port);
      done.captures++;
    } catch (error) {
      done.failed++;
      await actor.broke(messageOf(error));
    }
  }
};

type WantedCapture = {
  state: 'starting' | 'capturing' | 'stopping';
  link_id: string | null;
  node_id: string;
  adapter_number: number;
  port_number: number;
  capture: { file_name: string; path: string; data_link_type: string };
};

const LINK_CAPTURES = {
  capture_starting: 'starting',
  capturing: 'capturing',
  capture_stopping: 'stopping',
} as const;

const capturesOf = (context: LabContext, project: ProjectRecord): WantedCapture[] => [
  ...context.committed.ofProject('link', project.project_id).flatMap((link): WantedCapture[] => {
    if (link.capture === null || link.state === 'idle') return [];
    const { node_id, adapter_number, port_number, ...capture } = link.capture;
    const state = LINK_CAPTURES[link.state];
    return [{ state, link_id: link.link_id, node_id, adapter_number, port_number, capture }];
  }),
  ...context.committed.ofProject('node', project.project_id).flatMap((node) =>
    Object.entries(node.captures).map(([key, { state, ...capture }]): WantedCapture => {
      return { state, link_id: null, node_id: node.node_id, ...parsePort(key), capture };
    }),
  ),
];
