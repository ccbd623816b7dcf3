import type { Node } from '../../store/records.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import type { MenuScope } from '../actions/menus.ts';
import type { Chosen } from '../actions/object-actions.ts';
import { changeGroups } from './change-groups.ts';
import { type Group, groupOfNode, groupsOf, withChanged, withMembers, without } from './groups.ts';

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

/** What a menu offers about the groups of the selected nodes. */
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
