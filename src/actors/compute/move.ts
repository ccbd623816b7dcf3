import { conflict, messageOf } from '../../common/errors.ts';
import { ignoreErrors } from '../../computes/client/errors.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, nodeOf, openProjectOf, recordOf, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { removalOf, settleLink } from '../link/cabling.ts';
import type { NodeActor } from '../node/actor.ts';
import { consoleSupply, hasConsolePort, needConsole } from '../node/consoles.ts';
import { prepareElsewhere } from '../node/effects.ts';
import { checkReachable, engineOf } from '../node/engine.ts';
import { standStill } from '../node/removal.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { fetchFiles } from './files.ts';
import type { ComputeCommands, Moved, MoveInput } from './interface.ts';
import { AUTO, type Placed, placeFor } from './placing.ts';
import { nodesAt } from './watch.ts';

export const moveCommands = (directory: Directory): Pick<ComputeCommands, 'drainCompute' | 'moveNodes'> => {
  const { context } = directory;
  return {
    async drainCompute(caller, id, input) {
      if (!context.computes.isHere(id)) recordOf(context.pending, 'compute', id);
      if (input.to === id) throw conflict(`its nodes are at ${id} already`, { field: 'to' });
      return moveAll(directory, caller, nodesAt(context, id), { ...input, from: id });
    },

    async moveNodes(caller, projectId, ids, input) {
      openProjectOf(context.pending, projectId);
      const nodes = (ids ?? context.pending.ofProject('node', projectId).map(({ node_id }) => node_id)).map((node_id) =>
        nodeOf(context.pending, { project_id: projectId, node_id }),
      );
      return moveAll(directory, caller, nodes, input);
    },
  };
};

/** One after another: each looks at where the others are by then. */
const moveAll = async (
  directory: Directory,
  caller: Caller,
  nodes: readonly NodeRecord[],
  input: MoveInput & { from?: string },
): Promise<Moved> => {
  const done: Moved = { moved: [], left: [] };
  for (const { project_id, node_id, name } of nodes) {
    const node = { project_id, node_id, name };
    try {
      openProjectOf(directory.context.pending, project_id);
      const moved = await moveNode(directory, caller, directory.node(node_id), input);
      if (moved !== null) done.moved.push({ ...node, ...moved });
    } catch (error) {
      done.left.push({ ...node, reason: messageOf(error) });
    }
  }
  return done;
};

/** Puts a node on another compute, with its files. null: it is there already. */
export const moveNode = (
  directory: Directory,
  caller: Caller,
  actor: NodeActor,
  { to, restart = false, from }: MoveInput & { from?: string },
): Promise<{ compute_id: string; reason: string; started: boolean } | null> =>
  actor.exclusive(async () => {
    const { context } = directory;
    const record = actor.record();
    checkPrecondition(caller, record.name, record);
    const { kind, project_id, node_id } = record;
    const without = to === AUTO && from !== undefined ? [from] : [];
    const place = await placeFor(context, { compute_id: to, kind, project_id, node_id, without });
    if (place.compute_id === record.compute_id) return null;
    const isAlwaysOn = context.kinds.get(kind)?.capabilities.always_on === true;
    const ran = actor.state !== 'stopped';
    if (ran && !restart && !isAlwaysOn) throw conflict(`${record.name} runs; stop it first`);
    checkReachable(context, record);
    context.computes.check(place.compute_id);
    const started = ran && (restart || isAlwaysOn);
    await standStill(directory, caller, actor, started);
    try {
      await fetchFiles(context, actor.record());
      await relocate(context, caller, actor.record(), place);
    } catch (error) {
      // Where it was.
      if (started) await actor.perform(caller, 'start').catch(() => undefined);
      throw error;
    }
    if (started) await actor.perform(caller, 'start');
    return { compute_id: place.compute_id, reason: place.placed ?? 'it was asked for', started };
  });

const relocate = async (context: LabContext, caller: Caller, record: NodeRecord, place: Placed): Promise<void> => {
  const { project_id, node_id, console_type, name } = record;
  const cables = context.pending.linksOf(node_id).map((link) => removalOf(context, link));
  const engine = engineOf(context, record);
  const isHere = context.computes.isHere(place.compute_id);
  const console =
    isHere && hasConsolePort(console_type) ? needConsole(context, consoleSupply(context), console_type) : null;
  const changes = {
    compute_id: place.compute_id,
    console,
    placed: place.placed ?? `asked for by ${caller.by.principal}`,
  };
  await context.log.append([draft(caller, project_id, 'node.updated', { project_id, node_id, changes })]);
  const report = (error: unknown): void =>
    context.logger.warn(
      { project_id, node_id, request_id: caller.request_id },
      `after moving ${name}: ${messageOf(error)}`,
    );
  for (const remove of cables) await remove().catch(report);
  const before = toKindNode(context, record);
  await engine?.remove(before, AbortSignal.timeout(REMOVE_MS)).catch(report);
  await prepareElsewhere(context, recordOf(context.committed, 'node', node_id));
  await settleAll(context, context.pending.linksOf(node_id));
};

/** Every link gets its chance. One gets its tunnel when the compute at the other end is back. */
const settleAll = async (context: LabContext, links: readonly LinkRecord[]): Promise<void> => {
  const settled = links.map(({ link_id }) => settleLink(context, link_id).catch(unlessAway));
  await Promise.allSettled(settled);
  await Promise.all(settled);
};

const unlessAway = ignoreErrors('compute_unreachable');

/** Longest end of a node at the compute that it leaves. Milliseconds. */
const REMOVE_MS = 60_000;
