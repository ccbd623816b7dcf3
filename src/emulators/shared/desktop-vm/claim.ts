import type { KindNode } from '../../kit/contract.ts';

/** What a machine is marked with as long as a node uses it: by this a later server knows whose it is. */
export const claimOf = ({ node_id, project_id }: Pick<KindNode, 'node_id' | 'project_id'>, mark: string): string =>
  `${mark}/${project_id}/${node_id}`;

/** Name of a node's own clone, and of the snapshot of the original that all clones begin with. */
export const cloneName = ({ node_id }: Pick<KindNode, 'node_id'>, mark: string): string =>
  `topolog-${node_id}-${mark.slice(0, 8)}`;
export const BASE_SNAPSHOT = 'Topolog base of linked clones';

export const usedReason = (title: string): string =>
  `${title} is used by another node; set linked_clone to true, or stop that node`;

/** Why a node cannot have a machine that is not off. */
export const takenReason = (title: string, claim: string | null, discard: string, isSaved: boolean): string => {
  if (claim !== null) return usedReason(title);
  return isSaved
    ? `${title} has a saved state that no node has made; go on with it and shut it down, or discard it (${discard})`
    : `${title} runs already, started by somebody else; shut it down`;
};
