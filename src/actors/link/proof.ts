import type { AnyDraft } from '../../events/schemas.ts';
import type { FabricEvent } from '../../fabric/client/keeper.ts';
import type { LinkRecord, NodeRecord } from '../../projections/records.ts';
import { appendOne, draft, type LabContext, SYSTEM_CALLER } from '../context.ts';

/** Links to a GNS3 server that was away: it cannot be asked what its ports have, so that an answer proves a link, or nothing does. */

const proofOf = (linkId: string): string => `proof ${linkId}`;

/** Puts on record that nobody has seen a frame on the links of these nodes since their compute was away. */
export const unprove = async (
  context: LabContext,
  computeId: string,
  nodes: readonly Pick<NodeRecord, 'node_id'>[],
): Promise<void> => {
  const { compute } = context.computes.find(computeId) ?? {};
  if (compute === undefined || compute.isTopolog) return;
  const cut = `the way to ${compute.target.name} was cut, and`;
  const links = new Set(nodes.flatMap(({ node_id }) => context.committed.linksOf(node_id)));
  const drafts = [...links]
    .filter(({ tunnel, unproved }) => tunnel !== undefined && unproved === undefined)
    .map(({ link_id, project_id, ...link }): AnyDraft =>
      draft(SYSTEM_CALLER, project_id, 'link.unproved', {
        ...{ link_id, project_id },
        reason: `${cut} ${isSeen(context, link) ? 'no answer has come over the link since' : 'no end of the link is here, where frames could be seen'}`,
      }),
    );
  if (drafts.length > 0) await context.log.append(drafts);
};

/** Waits for an answer over a link that is not proved, where its cable is here. One that leads to no such compute any more is proved. */
export const lookForProof = async (context: LabContext, linkId: string): Promise<void> => {
  const link = context.committed.get('link', linkId);
  if (link?.unproved === undefined) return;
  const { link_id, project_id } = link;
  const places = computesOf(context, link);
  if (places.every((id) => context.computes.isHere(id) || context.computes.find(id)?.compute.isTopolog === true))
    await appendOne(context, SYSTEM_CALLER, project_id, 'link.proved', { link_id, project_id });
  else if (isSeen(context, link))
    await context.plumbing.putProof({ watch_id: proofOf(link_id), project_id, cable_id: link_id });
};

/** Its frames go through this server's fabric. */
const isSeen = (context: LabContext, link: Pick<LinkRecord, 'nodes'>): boolean =>
  computesOf(context, link).some((id) => context.computes.isHere(id));

const computesOf = ({ committed }: LabContext, { nodes }: Pick<LinkRecord, 'nodes'>): string[] =>
  nodes.flatMap(({ node_id }) => committed.get('node', node_id)?.compute_id ?? []);

type Matched = Extract<FabricEvent, { type: 'watch.matched' }>;

/** An answer has come, where that was what the fabric waited for. */
export const answered = async (context: LabContext, { watch_id, cable_id: link_id }: Matched): Promise<void> => {
  const link = context.committed.get('link', link_id);
  if (watch_id !== proofOf(link_id) || link?.unproved === undefined) return;
  const { project_id } = link;
  await appendOne(context, SYSTEM_CALLER, project_id, 'link.proved', { link_id, project_id });
};
