import type { Node, Project } from '../../store/records.ts';
import { failureOf } from '../actions/failure.ts';
import { type Box, hullOf, type Rect } from './hull.ts';

export type Group = NonNullable<Project['groups']>[number];
export type Groups = readonly Group[];

const NO_GROUPS: Groups = [];
export const groupsOf = (project: Project | null): Groups => project?.groups ?? NO_GROUPS;

/** Around the nodes of a group: room for their names, and above for its own. Pixels of the map. */
const SIDE = 28;
const ABOVE = 68;
const BELOW = 32;
/** The symbol of a collapsed group. */
const SYMBOL = { width: 84, height: 60 };

/** Where a group is drawn, by its nodes: a frame around them, or its symbol in their middle. */
export const boxOfGroup = ({ collapsed }: Pick<Group, 'collapsed'>, nodes: readonly Rect[]): Rect => {
  const hull = hullOf(nodes);
  if (collapsed)
    return {
      x: Math.round(hull.x + (hull.width - SYMBOL.width) / 2),
      y: Math.round(hull.y + (hull.height - SYMBOL.height) / 2),
      ...SYMBOL,
    };
  return {
    x: hull.x - SIDE,
    y: hull.y - ABOVE,
    width: hull.width + 2 * SIDE,
    height: hull.height + ABOVE + BELOW,
  };
};

/** Colours that people who see no red, green or blue can tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'] as const;

/** Name and look of a new group, until somebody changes them. */
export const nextLook = (groups: Groups, nameOf: (count: number) => string): Pick<Group, 'name' | 'color'> => {
  const names = new Set(groups.map(({ name }) => name));
  let count = 1;
  while (names.has(nameOf(count))) count += 1;
  const color = COLOURS.find((one) => groups.every((group) => group.color !== one)) ?? COLOURS[0];
  return { name: nameOf(count), color };
};

export const groupOfNode = (groups: Groups, nodeId: string): Group | undefined =>
  groups.find(({ nodes }) => nodes.includes(nodeId));

/** `to`: a group for each node, null for none. A group that has lost its last node is gone. */
export const withMembers = (groups: Groups, to: ReadonlyMap<string, string | null>): Groups =>
  groups
    .map((group) => ({
      ...group,
      nodes: [
        ...group.nodes.filter((id) => !to.has(id) || to.get(id) === group.group_id),
        ...[...to].filter(([id, into]) => into === group.group_id && !group.nodes.includes(id)).map(([id]) => id),
      ],
    }))
    .filter(({ nodes }) => nodes.length > 0);

/** With one more, whose nodes leave the groups that they were in. */
export const withGroup = (groups: Groups, added: Group): Groups => [
  ...withMembers(groups, new Map(added.nodes.map((id) => [id, null]))),
  added,
];

export const withChanged = (groups: Groups, id: string, change: Partial<Group>): Groups =>
  groups.map((group) => (group.group_id === id ? { ...group, ...change } : group));

export const without = (groups: Groups, ids: ReadonlySet<string>): Groups =>
  groups.filter(({ group_id }) => !ids.has(group_id));

/** Groups without nodes in the lab are nowhere to be seen, so nobody could put them away. */
export const withNodesIn = (groups: Groups, nodes: ReadonlyMap<string, unknown>): Groups =>
  groups.filter((group) => group.nodes.some((id) => nodes.has(id)));

export type Worst = Node['status'] | 'failed';
const ORDER: readonly Worst[] = ['failed', 'suspended', 'stopped', 'started'];

/** The state of a group: that of the node that is worst off. */
export const worstOf = (nodes: readonly Node[]): Worst => {
  const states = new Set(nodes.map((node): Worst => (failureOf(node) === null ? node.status : 'failed')));
  return ORDER.find((state) => states.has(state)) ?? 'stopped';
};

interface Placed extends Box {
  /** Where its record says. */
  readonly was: { readonly x: number; readonly y: number };
}

/**
 * Changes of groups after a drag: a node dropped into a group joins it, one dropped outside of its own leaves it. A frame is where it was
 * before the drag. A group that is dragged as a whole stays one.
 */
export const membersAfter = (
  groups: Groups,
  nodes: ReadonlyMap<string, Placed>,
  dragged: readonly string[],
): ReadonlyMap<string, string | null> => {
  const moved = new Set(dragged);
  const there = groups
    .map((group) => ({ group, members: group.nodes.filter((id) => nodes.has(id)) }))
    .filter(({ members }) => members.length > 0);
  const whole = new Set(there.filter(({ members }) => members.every((id) => moved.has(id))).map(({ group }) => group));
  const boxes = there
    .filter(({ group }) => !whole.has(group))
    .map(({ group, members }) => ({
      group,
      box: boxOfGroup(
        group,
        members.flatMap((id) => {
          const node = nodes.get(id);
          return node === undefined ? [] : [{ ...node, ...node.was }];
        }),
      ),
    }));
  const changes = new Map<string, string | null>();
  for (const id of moved) {
    const node = nodes.get(id);
    const own = groupOfNode(groups, id);
    if (node === undefined || (own !== undefined && whole.has(own))) continue;
    const [x, y] = [node.x + node.width / 2, node.y + node.height / 2];
    const holding = boxes.filter(
      ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
    );
    const into = holding.find(({ group }) => group === own) ?? holding[0];
    if (into?.group !== own) changes.set(id, into?.group.group_id ?? null);
  }
  return changes;
};
