import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, TopologError } from '../../common/errors.ts';
import type { Started } from '../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { NODE_STATES } from '../../projections/states.ts';
import { type LabContext, SYSTEM_CALLER, toKindNode } from '../context.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Directory } from '../directory.ts';
import type { Barrier } from './barrier.ts';
import type { NodeActor } from '../node/actor.ts';
import { engineOf, isLeft } from '../node/engine.ts';

/** What became of a node that was not stopped; null: it was. */
export type NodeOutcome = 'adopted' | 'lost' | 'restarted' | 'failed' | null;

/** Longest look for a node that runs. Milliseconds. */
const ADOPT_MS = 10_000;
/** Pauses before a look that failed is repeated: to start a node again costs what is in its memory. Milliseconds. */
const AGAIN_MS = [100, 400, 1_000];

export interface NodeRecovery {
  directory: Directory;
  /** Nodes that were meant to run and do not are started again. */
  resume: boolean;
  barrier: Barrier;
  /** What ran was ended with the server before. */
  ended: boolean;
  /** Gets a node that no longer runs, and whether it is started again now. */
  lost: (startsAgain: boolean) => void;
}

/**
 * Settles what the record of a node says by what really runs. It waits for a command that is under way: where only the fabric
 * was lost that ends by itself, and then its outcome counts.
 */
export const recoverNode = async (recovery: NodeRecovery, nodeId: string): Promise<NodeOutcome> => {
  const actor = recovery.directory.findNode(nodeId);
  try {
    return actor === undefined ? null : await actor.exclusive(() => bringBack(recovery, actor));
  } finally {
    recovery.barrier.done(nodeId);
  }
};

const bringBack = async (recovery: NodeRecovery, actor: NodeActor): Promise<NodeOutcome> => {
  const { barrier } = recovery;
  const { context } = recovery.directory;
  await actor.idle();
  const node = context.pending.get('node', actor.id);
  // What is away is neither lost nor stopped: it is looked at when its compute is back.
  if (node === undefined || isAway(context, node)) return null;
  if (node.state === 'stopped') {
    barrier.done(node.node_id);
    // The server was killed between the end of the node and that of its recording.
    if (node.recording !== null) await actor.onRecording((r) => r.sync(null));
    if (!recovery.resume || node.restart !== true) return null;
  }
  try {
    return await (node.state === 'stopped' ? carryOn(recovery, actor) : settle(recovery, actor, node));
  } catch (error) {
    context.logger.error(
      { project_id: node.project_id, node_id: node.node_id },
      `${node.name} could not be brought back: ${messageOf(error)}`,
    );
    return 'failed';
  }
};

/** It had stopped to be started again. */
const carryOn = async ({ barrier, lost }: NodeRecovery, actor: NodeActor): Promise<NodeOutcome> => {
  await barrier.all;
  lost(true);
  await actor.perform(SYSTEM_CALLER, 'start');
  return 'restarted';
};

/** Nothing is known of it until its compute, or the server where it runs, is back. */
export const isAway = (context: LabContext, node: NodeRecord): boolean =>
  isLeft(context, node) || context.computes.find(node.compute_id)?.compute.isConnected === false;

const settle = async (
  { directory, resume, barrier, ended, lost }: NodeRecovery,
  actor: NodeActor,
  node: NodeRecord,
): Promise<NodeOutcome> => {
  // At another machine nobody can look.
  const found = node.server === undefined ? await lookFor(directory.context, node, ended) : (node.unreachable ?? '');
  barrier.done(node.node_id);
  if (typeof found !== 'string') {
    await actor.observe('node.adopted', { engine: found.engine, state: found.state, ...found.started });
    // One that was to start again runs as well without the stop.
    if (node.state === 'stopping' && node.restart !== true) await actor.perform(SYSTEM_CALLER, 'stop');
    return 'adopted';
  }
  // A start that was never answered is carried through all the same.
  const aim = node.restart === true ? 'started' : NODE_STATES.meta(node.state).aim;
  if (!resume || aim === 'stopped') {
    await actor.observe('node.lost', { reason: found });
    lost(false);
    return 'lost';
  }
  await barrier.all;
  lost(true);
  await actor.startAgain(found);
  // What was in its memory is gone, but it stands where it was left.
  if (aim === 'suspended') await actor.perform(SYSTEM_CALLER, 'suspend');
  return 'restarted';
};

/** Those that are there again say so, and then it is looked for once more. */
const GONE: ReadonlySet<string> = new Set(['fabric_lost', 'compute_unreachable']);

interface Found {
  engine: string;
  state: 'started' | 'suspended';
  started: Started;
}

/** The node as it runs, or the reason why it is taken to run no more. Throws when the fabric is lost: then it is asked again. */
const lookFor = async (context: LabContext, node: NodeRecord, ended: boolean): Promise<Found | string> => {
  for (let n = 0; ; n++) {
    try {
      return (
        (await adopt(context, node)) ??
        (ended ? 'it was ended with the server' : `it was ${node.state} and no longer runs`)
      );
    } catch (error) {
      if (error instanceof TopologError && GONE.has(error.code)) throw error;
      // A start ends what may be left of it first, so nothing runs twice.
      const pause = AGAIN_MS[n];
      if (pause === undefined) return `it was ${node.state} and could not be looked for: ${messageOf(error)}`;
      // Such as a port of its own that another program looked at in the same moment.
      await sleep(pause);
    }
  }
};

const adopt = async (context: LabContext, node: NodeRecord): Promise<Found | null> => {
  const kind = context.kinds.get(node.kind);
  if (kind === undefined) return null;
  const kindNode = toKindNode(context, node);
  // Before its first `started` the record names no engine: it is the one a start would choose.
  const engine =
    engineOf(context, node) ?? (node.engine === null ? await context.engines.forNode(kind, kindNode) : undefined);
  if (engine === undefined) return null;
  const never = new AbortController().signal;
  const found = await withDeadline(never, ADOPT_MS, (signal) => engine.adopt(kindNode, signal));
  return found === null ? null : { engine: engine.name, ...found };
};
