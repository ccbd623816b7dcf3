import { ApiError } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { asEdit, type EditHeaders } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import type { Chosen } from '../actions/object-actions.ts';
import type { MenuScope } from '../map-scope.ts';
import {
  type Group,
  groupOfNode,
  type Groups,
  groupsOf,
  withChanged,
  withMembers,
  withNodesIn,
  without,
} from './groups.ts';

type Scope = Pick<MenuScope, 'lab' | 'ask' | 'isReadOnly'>;

/** Groups that nodes are in, and which of the nodes are in none. */
const foundOf = ({ lab }: Scope, nodes: readonly Node[]): { groups: Group[]; loose: string[] } => {
  const all = groupsOf(lab.state.get().records.project);
  const groups = new Set<Group>();
  const loose: string[] = [];
  for (const { node_id } of nodes) {
    const group = groupOfNode(all, node_id);
    if (group === undefined) loose.push(node_id);
    else groups.add(group);
  }
  return { groups: [...groups], loose };
};

const idsOf = (groups: readonly Group[]): ReadonlySet<string> => new Set(groups.map(({ group_id }) => group_id));

const ungroup = ({ lab }: Scope, groups: readonly Group[]): void => {
  const ids = idsOf(groups);
  void changeGroups(lab, (now) => without(now, ids));
};

/** All of them to the same: expanded when all are collapsed. */
const collapse = ({ lab }: Scope, groups: readonly Group[]): void => {
  const collapsed = !groups.every((group) => group.collapsed);
  void changeGroups(lab, (now) =>
    groups.reduce((list, { group_id }) => withChanged(list, group_id, { collapsed }), now),
  );
};

export const groupByKey = (scope: Scope, key: 'group' | 'ungroup' | 'collapse', { nodes }: Chosen): void => {
  if (nodes.length === 0) return;
  const { groups } = foundOf(scope, nodes);
  if (key === 'group') scope.ask({ what: 'group', group: null, nodes });
  else if (groups.length > 0) (key === 'ungroup' ? ungroup : collapse)(scope, groups);
};

/** Menu items for the groups of the selected nodes. */
export const groupItems = (scope: Scope, nodes: readonly Node[]): MenuItem[] => {
  const { lab, ask, isReadOnly } = scope;
  const { groups, loose } = foundOf(scope, nodes);
  const [only, more] = groups;
  const item = (text: string, onChoose: () => void): MenuItem => ({ text, isDisabled: isReadOnly, onChoose });
  const join = (ids: readonly string[], into: string | null): void =>
    void changeGroups(lab, (now) => withMembers(now, new Map(ids.map((id) => [id, into]))));
  const alone = more === undefined ? only : undefined;
  const isPart = alone !== undefined && nodes.length < alone.nodes.length;
  return [
    {
      ...item(t('Group …'), () => ask({ what: 'group', group: null, nodes })),
      startsGroup: true,
    },
    ...(alone === undefined
      ? []
      : [item(t('Edit group {name} …', { name: alone.name }), () => ask({ what: 'group', group: alone, nodes: [] }))]),
    ...(groups.length === 0
      ? []
      : [
          item(groups.every(({ collapsed }) => collapsed) ? t('Expand group') : t('Collapse group'), () =>
            collapse(scope, groups),
          ),
          item(t('Ungroup'), () => ungroup(scope, groups)),
        ]),
    ...(alone !== undefined && loose.length > 0
      ? [item(t('Add to {name}', { name: alone.name }), () => join(loose, alone.group_id))]
      : []),
    ...(alone !== undefined && loose.length === 0 && isPart
      ? [
          item(t('Remove from {name}', { name: alone.name }), () =>
            join(
              nodes.map(({ node_id }) => node_id),
              null,
            ),
          ),
        ]
      : []),
  ];
};

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
