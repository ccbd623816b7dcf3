import { ApiError } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import { asEdit, type EditHeaders } from '../../undo/edits.ts';
import { type Groups, groupsOf, withNodesIn } from './groups.ts';

/** Others may change groups, or the project, at the same time. */
const TRIES = 8;

/** Changes the groups as they are then, so that nothing of others is lost. Answers whether it worked; throws nothing. */
export const changeGroups = (lab: Lab, change: (now: Groups) => Groups): Promise<boolean> =>
  attempt(() => asEdit(lab, (headers) => putGroups(lab, change, headers)));

/** The same as a part of an edit. Throws what the server says. */
export const putGroups = async (lab: Lab, change: (now: Groups) => Groups, headers: EditHeaders): Promise<void> => {
  const path = { project_id: lab.projectId };
  for (let left = TRIES; ; left -= 1) {
    const { body, etag } = await lab.client.request('get', '/v2/projects/{project_id}', { path });
    const before = groupsOf(body);
    const groups = await tidied(lab, change(before));
    if (JSON.stringify(groups) === JSON.stringify(before)) return;
    try {
      await lab.client.put('/v2/projects/{project_id}', {
        path,
        body: { groups: groups.map((group) => ({ ...group, nodes: [...group.nodes] })) },
        ifMatch: etag ?? undefined,
        headers,
      });
      return;
    } catch (problem) {
      if (left <= 1 || !(problem instanceof ApiError && problem.status === 412)) throw problem;
    }
  }
};

/** Groups whose nodes are gone go too. Nodes that were just made are known to the server before the feed tells of them. */
const tidied = async (lab: Lab, groups: Groups): Promise<Groups> => {
  const kept = withNodesIn(groups, lab.state.get().records.nodes);
  if (kept.length === groups.length) return kept;
  const nodes = await lab.client.get('/v2/projects/{project_id}/nodes', { path: { project_id: lab.projectId } });
  return withNodesIn(groups, new Map(nodes.map((node) => [node.node_id, node])));
};
