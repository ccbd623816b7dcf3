import { setTimeout as sleep } from 'node:timers/promises';
import { type Kept, nioCable } from '../../fabric/client/plumbing.ts';
import { messageOf, reporting } from '../../common/errors.ts';
import { withResolvers } from '../../common/promises.ts';
import { lastWriter } from '../../events/read.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { captureKey } from '../capture/actor.ts';
import type { LabContext } from '../context.ts';
import type { Directory } from '../directory.ts';
import { Barrier } from './barrier.ts';
import { knowCaptures, recoverCaptures } from './recover-captures.ts';
import { type NodeOutcome, type NodeRecovery, recoverNode } from './recover-node.ts';
import { plumb } from '../link/cabling.ts';
import { parsePort } from '../port/port-key.ts';

/** What recovery did, for the summary line and the `server.started` event. */
export interface Recovered {
  [key: string]: number;
  projects: number;
  adopted: number;
  restarted: number;
  lost: number;
  captures: number;
  failed: number;
  /** Nodes that were still being started again when the server went on. */
  starting: number;
}

/** Of a server that only reads. */
export const NOTHING_RECOVERED: Readonly<Recovered> = {
  ...{ projects: 0, adopted: 0, restarted: 0, lost: 0, captures: 0, failed: 0, starting: 0 },
};

/** Longest wait for nodes that are started again: those that take longer come up while the server answers already. */
const PATIENCE_MS = 5_000;

/**
 * Brings the world and the records together after the server or the fabric was away: what survived is adopted, what died is
 * started again if it was meant to run, dangling requests are settled by what really runs, and each of that is an event.
 */
export const recover = async (
  directory: Directory,
  resume: boolean,
  endApplied: Recovering['endApplied'],
): Promise<Recovered> => {
  const { context } = directory;
  const done = { projects: 0, adopted: 0, restarted: 0, lost: 0, captures: 0, failed: 0, starting: 0 };
  const open = openProjects(context);
  for (const project of open)
    for (const node of context.committed.ofProject('node', project.project_id)) directory.addNode(node);
  try {
    await context.plumbing.sweep(() => keptIds(context));
  } catch (error) {
    context.logger.error(`what was left over in the fabric could not be removed: ${messageOf(error)}`);
  }
  const projects = open.map(({ project_id }) => context.committed.ofProject('node', project_id));
  const barrier = new Barrier(projects.flat().map(({ node_id }) => node_id));
  const { ended } = await lastWriter(context.log.store);
  const recovering = { directory, resume, barrier, ended, done, endApplied };
  const closed = context.committed.projects().filter(({ state, apply }) => state === 'closed' && apply !== undefined);
  const all = Promise.all([
    ...open.map((project) => recoverProject(recovering, project)),
    ...closed.map((project) => endTextOf(recovering, project)),
  ]);
  await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })]);
  return { ...done };
};

const openProjects = (context: LabContext): ProjectRecord[] =>
  context.committed.projects().filter((project) => project.state !== 'closed');

/**
 * What the fabric may have: nodes and cables of open projects, and of these what runs. `server`: of a server that stands by, which has
 * what it was left with when it wrote.
 */
export const keptIds = ({ pending }: Pick<LabContext, 'pending'>, server?: string): Kept => {
  const kept = { nodes: new Set<string>(), running: new Set<string>(), cables: new Set<string>() };
  const captures = new Map<string, string>();
  for (const { project_id, state } of pending.projects()) {
    if (state === 'closed') continue;
    for (const link of pending.ofProject('link', project_id)) {
      if (server !== undefined && !link.nodes.some(({ node_id }) => pending.get('node', node_id)?.server === server))
        continue;
      kept.cables.add(link.link_id);
      if (link.capture !== null && link.state !== 'idle') captures.set(captureKey(link.capture), link.capture.path);
    }
    for (const node of pending.ofProject('node', project_id)) {
      if (server !== undefined && node.server !== server) continue;
      kept.nodes.add(node.node_id);
      if (node.state !== 'stopped' && node.server === server) kept.running.add(node.node_id);
      for (const key of Object.keys(node.nios)) kept.cables.add(nioCable({ node_id: node.node_id, ...parsePort(key) }));
      for (const [key, { path }] of Object.entries(node.captures)) captures.set(`${node.node_id}/${key}`, path);
    }
  }
  return { ...kept, captures };
};

interface Recovering extends Omit<NodeRecovery, 'lost'> {
  done: Recovered;
  /** Does what is left of a text that was being applied. */
  endApplied: (projectId: string, resume: boolean) => Promise<void>;
}

/** One that is under way still, as it is where only the fabric was lost, ends by itself before. */
const endTextOf = async (
  { directory, resume, endApplied }: Recovering,
  { project_id }: ProjectRecord,
): Promise<void> => {
  const { committed, logger } = directory.context;
  if (committed.get('project', project_id)?.apply === undefined) return;
  await endApplied(project_id, resume).catch(reporting(logger, { project_id }, 'a text that was being applied'));
};

/** One that cannot be brought back is reported; the others and the server go on. */
const recoverProject = async (recovering: Recovering, record: ProjectRecord): Promise<void> => {
  const { directory, resume, done } = recovering;
  const { context } = directory;
  const { project_id } = record;
  try {
    const project = directory.project(record);
    let finished: Promise<unknown> = Promise.resolve();
    // After an opening or closing that is under way, as it is where only the fabric was lost.
    await project.exclusive(async () => {
      await project.idle();
      const now = context.committed.get('project', project_id);
      if (now === undefined || now.state === 'closed') return;
      if (now.state !== 'closing') done.projects++;
      if (now.state === 'closing' || now.state === 'restoring') {
        // What still runs is known to its engine again, so that it can be stopped; a restore goes once more from the beginning.
        await recoverNodes({ ...recovering, resume: false }, project_id, null).finished;
        knowCaptures(directory, project_id);
        await project.finish();
        // Nodes of a snapshot stand still: what was asked of those before is over.
        await project.nodes.finish(false);
        // A restore that was refused has ended nothing.
        if (context.committed.get('project', project_id)?.state === 'opened')
          await recoverCaptures(directory, project_id);
        return;
      }
      await plumb(context, project_id);
      const captured = recoverCaptures(directory, project_id);
      const nodes = recoverNodes(recovering, project_id, done);
      finished = nodes.finished;
      await nodes.settled;
      const { captures, failed } = await captured;
      done.captures += captures;
      done.failed += failed;
      if (now.state === 'opening') await project.finish();
      else if (resume && now.starting === true) project.startNodes();
      else
        void project.nodes
          .finish(resume)
          .catch(reporting(context.logger, { project_id }, 'what was asked of all nodes'));
    });
    // A close of the project need not wait for slow nodes, nor they for the nodes of a text.
    await Promise.all([finished, endTextOf(recovering, record)]);
  } catch (error) {
    done.failed++;
    context.logger.error(
      { project_id: record.project_id },
      `project ${record.name} could not be brought back: ${messageOf(error)}`,
    );
  }
};

/** `settled`: every node is in a state that a command or a start explains. `finished`: those starts are through as well. */
const recoverNodes = (
  recovering: Recovering,
  projectId: string,
  done: Recovered | null,
): { settled: Promise<unknown>; finished: Promise<unknown> } => {
  const nodes = recovering.directory.context.committed.ofProject('node', projectId).map(({ node_id }) => {
    const settled = withResolvers();
    let waits = false;
    const lost = (startsAgain: boolean): void => {
      waits = startsAgain;
      if (done !== null && !recovering.ended) done.lost++;
      if (done !== null && startsAgain) done.starting++;
      settled.resolve();
    };
    const finished = recoverNode({ ...recovering, lost }, node_id).then((outcome) => {
      if (done !== null) count(done, outcome, waits);
    });
    return { settled: Promise.race([settled.promise, finished]), finished };
  });
  return {
    settled: Promise.all(nodes.map((node) => node.settled)),
    finished: Promise.all(nodes.map((node) => node.finished)),
  };
};

const count = (done: Recovered, outcome: NodeOutcome, waited: boolean): void => {
  if (waited) done.starting--;
  if (outcome === 'adopted' || outcome === 'restarted' || outcome === 'failed') done[outcome]++;
};
