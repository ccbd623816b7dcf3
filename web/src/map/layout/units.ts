import type { Records } from '../../store/records.ts';
import type { GroupFlowNode, MapNode } from '../flow/flow.ts';
import { isGroup } from '../groups/draw-groups.ts';
import { type Unit, unitOf, unitOfGroup } from '../groups/units.ts';
import type { Block, Pair } from './layout.ts';

/** Room for a name under or over a symbol, pixels. */
const NAME = 24;

/** The collapsed group that is all that is selected: its inside is laid out. */
export const groupToLayOut = (nodes: readonly MapNode[]): GroupFlowNode | null => {
  const selected = nodes.filter((node) => node.selected === true && 'node' in node.data).length;
  const group = nodes.filter(isGroup).find((node) => node.data.group.collapsed && node.selected === true);
  return group?.data.members.length === selected ? group : null;
};

/**
 * What is laid out: nodes, and collapsed groups as one each; if more than one is selected, only those. What is locked stays where it is.
 */
export const unitsToLayOut = (nodes: readonly MapNode[]): Unit[] => {
  const only = groupToLayOut(nodes);
  if (only !== null) return only.data.members.map(unitOf).filter(({ isLocked }) => !isLocked);
  const groups = nodes.filter(isGroup).filter(({ data }) => data.group.collapsed);
  const inside = new Set(groups.flatMap(({ data }) => data.members.map(({ id }) => id)));
  const singles = nodes.filter((node) => 'node' in node.data && !inside.has(node.id));
  const isSelected = new Set(nodes.filter(({ selected }) => selected === true).map(({ id }) => id));
  const free = [...groups.map(unitOfGroup), ...singles.map(unitOf)].filter(({ isLocked }) => !isLocked);
  const chosen = free.filter(({ id }) => isSelected.has(id));
  return chosen.length > 1 ? chosen : free;
};

export const blocksOf = (units: readonly Unit[]): Block[] =>
  units.map(({ id, x, y, width, height }) => ({ id, x, y, width, height: height + NAME }));

/** Links between units; those within one do not count. */
export const pairsOf = (units: readonly Unit[], { links }: Pick<Records, 'links'>): Pair[] => {
  const homes = new Map(units.flatMap(({ id, parts }) => parts.map((part) => [part.id, id] as const)));
  return [...links.values()].flatMap(({ nodes }): Pair[] => {
    const [a, b] = nodes.map(({ node_id }) => homes.get(node_id));
    return a === undefined || b === undefined || a === b ? [] : [[a, b]];
  });
};
