import { messageOf } from '../../common/errors.ts';
import { eachInTurns, inSlices, type Steps } from '../../common/slices.ts';
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
  check?: () => Steps<void>;
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
  const { nodes, links, gone, unlinked, joined } = await inSlices(touched(context, decisions));
  // Nodes before the cables to them; what was made and deleted by the same batch never was. Effects at one node are in order.
  await inChunks([...nodes.values()], async (ofOne, turn) => {
    await turn;
    for (const decision of ofOne) await trying(nameIn(context, decision), () => nodeEffects(asked, decision));
  });
  for (const link of unlinked)
    if (context.committed.get('link', link.link_id) === undefined)
      await trying(endsOf(context, link, gone), () => removeLink(context, link, gone));
  await servePorts(asked, joined);
  const ends = (id: string): string => endsOf(context, context.committed.get('link', id), gone);
  await inChunks([...links], async (id, turn) => {
    await turn;
    await trying(ends(id), () => settleLink(context, id));
  });
  return undone;
};

/** Changes of a batch that have effects. */
interface Touched {
  /** By their ids. */
  nodes: Map<string, Decided[]>;
  links: Set<string>;
  /** Nodes that were deleted, as they were. */
  gone: Map<string, NodeRecord>;
  unlinked: LinkRecord[];
  /** Nodes at whose ports a link has come or gone. */
  joined: Set<string>;
}

function* touched({ committed }: LabContext, decisions: readonly Decided[]): Steps<Touched> {
  const all: Touched = { nodes: new Map(), links: new Set(), gone: new Map(), unlinked: [], joined: new Set() };
  const join = (link: LinkRecord | undefined): void => link?.nodes.forEach(({ node_id }) => all.joined.add(node_id));
  for (const decision of decisions) {
    const { step, id, deleted, unlinked } = decision;
    if (step.type === 'node') {
      const before = all.nodes.get(id);
      if (before === undefined) all.nodes.set(id, [decision]);
      else before.push(decision);
    }
    if (step.type === 'link') all.links.add(id);
    if (step.type === 'link' && step.action === 'create') join(committed.get('link', id));
    if (unlinked !== undefined) all.unlinked.push(unlinked);
    join(unlinked);
    if (deleted !== undefined) all.gone.set(id, deleted.record);
    deleted?.links.forEach(join);
    yield;
  }
  return all;
}

const nameIn = ({ committed }: LabContext, { id, deleted }: Decided): string =>
  committed.get('node', id)?.name ?? deleted?.record.name ?? id;

const endsOf = (
  { committed }: LabContext,
  link: LinkRecord | undefined,
  gone: ReadonlyMap<string, NodeRecord>,
): string =>
  (link?.nodes ?? [])
    .map(({ node_id }) => (committed.get('node', node_id) ?? gone.get(node_id))?.name ?? '')
    .join(' – ');

/** It is on record by now, whatever a port lacks: that is told. */
const servePorts = ({ context, directory, projectId }: Asked, joined: ReadonlySet<string>): Promise<unknown> =>
  eachInTurns([...joined], (id) =>
    serveLinked(directory, [id]).catch((error: unknown) => warn(context, projectId, messageOf(error))),
  );

const nodeEffects = async (asked: Asked, { step, id, deleted }: Decided): Promise<void> => {
  const { context, directory, caller, projectId, texts } = asked;
  if (step.type !== 'node') return;
  const { committed } = context;
  const record = committed.get('node', id);
  if (step.action === 'create' && record !== undefined)
    await nodeCreated(directory, caller, id, { texts, isBack: step.input.kept !== undefined });
  if (step.action === 'update' && committed.get('project', projectId) !== undefined) {
    const actor = directory.findNode(id);
    await nodeUpdated(context, id, { changes: step.changes, texts }, (work) => actor?.exclusive(work) ?? work());
  }
  if (deleted !== undefined && record === undefined) {
    directory.forgetNode(id);
    await nodeDeleted(context, deleted);
  }
};
