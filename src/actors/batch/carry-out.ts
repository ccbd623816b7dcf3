import { setImmediate as untilImmediate } from 'node:timers/promises';
import { messageOf } from '../../common/errors.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, warn } from '../context.ts';
import type { Directory } from '../directory.ts';
import { removeLink, settleLink } from '../link/cabling.ts';
import { nodeCreated, nodeDeleted, nodeUpdated } from '../node/effects.ts';
import { serveLinked } from '../node/served-ports.ts';
import type { NodeTexts } from '../node/texts.ts';
import { inChunks } from '../runtime/chunks.ts';
import type { Decision, NewEvent } from '../runtime/decision.ts';
import type { BatchStep } from './interface.ts';

/** A batch that is asked for. */
export interface Asked {
  context: LabContext;
  directory: Directory;
  caller: Caller;
  projectId: string;
  steps: readonly BatchStep[];
  /** Throws when the steps are not right any more; asked whenever they are decided. */
  check?: () => void;
  texts: NodeTexts;
  /** Events of the same batch before and behind those of its steps. */
  beside?: { before: readonly NewEvent[]; after: readonly NewEvent[] };
}

/** An effect of a batch that failed; the batch itself is on record. */
export interface Undone {
  /** Name of the node, or of the nodes that a link joins. */
  name: string;
  error: unknown;
}

/** A step with what it came to. `deleted`: a node, and its links, as they were. */
export interface Decided extends Decision {
  step: BatchStep;
  drafts: AnyDraft[];
  deleted?: { record: NodeRecord; links: LinkRecord[] };
  /** A link that was deleted, as it was. */
  unlinked?: LinkRecord;
}

/** Carries out the effects of a batch; one that fails keeps no other from being carried out. */
export const carryOut = async (asked: Asked, decisions: readonly Decided[]): Promise<Undone[]> => {
  const { context } = asked;
  const undone: Undone[] = [];
  const trying = (name: string, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => void undone.push({ name, error }));
  // Nodes before the cables to them; what was made and deleted by the same batch never was. Effects at one node are in order.
  const effects = new Map<string, Decided[]>();
  for (const decision of decisions) {
    const before = effects.get(decision.id);
    if (before === undefined) effects.set(decision.id, [decision]);
    else before.push(decision);
  }
  await inChunks([...effects.values()], async (ofOne, turn) => {
    await turn;
    for (const decision of ofOne) await trying(nameIn(context, decision), () => nodeEffects(asked, decision));
  });
  const links = new Set(decisions.flatMap(({ step, id }) => (step.type === 'link' ? [id] : [])));
  const gone = decisions.flatMap(({ deleted }) => (deleted === undefined ? [] : [deleted.record]));
  for (const { unlinked } of decisions)
    if (unlinked !== undefined && context.committed.get('link', unlinked.link_id) === undefined)
      await trying(endsOf(context, unlinked, gone), () => removeLink(context, unlinked, gone));
  await servePorts(asked, decisions);
  const ends = (id: string): string => endsOf(context, context.committed.get('link', id), gone);
  await inChunks([...links], async (id, turn) => {
    await turn;
    await trying(ends(id), () => settleLink(context, id));
  });
  return undone;
};

const nameIn = ({ committed }: LabContext, { id, deleted }: Decided): string =>
  committed.get('node', id)?.name ?? deleted?.record.name ?? id;

const endsOf = ({ committed }: LabContext, link: LinkRecord | undefined, gone: readonly NodeRecord[]): string =>
  (link?.nodes ?? [])
    .map(({ node_id }) => (committed.get('node', node_id) ?? gone.find((one) => one.node_id === node_id))?.name ?? '')
    .join(' – ');

/** Nodes whose ports are looked at in one turn of the event loop. */
const IN_A_TURN = 16;

/** It is on record by now, whatever a port lacks: that is told. */
const servePorts = async ({ context, directory, projectId }: Asked, decisions: readonly Decided[]): Promise<void> => {
  const links = decisions.flatMap(({ step, id, unlinked, deleted }) => {
    const made = step.type === 'link' && step.action === 'create' ? context.committed.get('link', id) : undefined;
    return [made, unlinked, ...(deleted?.links ?? [])].filter((link) => link !== undefined);
  });
  const ids = links.flatMap(({ nodes }) => nodes.map(({ node_id }) => node_id));
  let served = 0;
  for (const id of new Set(ids)) {
    if (++served % IN_A_TURN === 0) await untilImmediate();
    await serveLinked(directory, [id]).catch((error: unknown) => warn(context, projectId, messageOf(error)));
  }
};

const nodeEffects = async (asked: Asked, { step, id, deleted }: Decided): Promise<void> => {
  const { context, directory, caller, texts } = asked;
  if (step.type !== 'node') return;
  const record = context.committed.get('node', id);
  if (step.action === 'create' && record !== undefined)
    await nodeCreated(directory, caller, id, { texts, isBack: step.input.kept !== undefined });
  if (step.action === 'update' && record !== undefined) await nodeUpdated(context, record, step.changes, texts);
  if (deleted !== undefined && record === undefined) {
    directory.forgetNode(id);
    await nodeDeleted(context, deleted);
  }
};
