import type { Box, Place } from '../actions/arrange.ts';
import type { GroupFlowNode, MapNode } from '../flow/flow.ts';
import { isGroup } from './draw-groups.ts';

/** Objects that are arranged as one: a node, a drawing, or all nodes of a group. */
export interface Unit extends Box {
  readonly parts: readonly Box[];
  /** It stays where it is, and others are arranged by it. */
  readonly isLocked: boolean;
}

const boxOf = ({ id, position, width = 0, height = 0 }: MapNode): Box => ({ id, ...position, width, height });
const isLocked = ({ draggable }: MapNode): boolean => draggable === false;

export const unitOf = (node: MapNode): Unit => ({ ...boxOf(node), parts: [boxOf(node)], isLocked: isLocked(node) });

export const unitOfGroup = (frame: GroupFlowNode): Unit => ({
  ...boxOf(frame),
  parts: frame.data.members.map(boxOf),
  isLocked: isLocked(frame),
});

/** Units of the selection. The nodes of a group that is selected whole keep their places to each other, unless there is nothing else. */
export const unitsOf = (nodes: readonly MapNode[]): Unit[] => {
  const selected = nodes.filter((node) => node.selected === true);
  const groups = selected.filter(isGroup);
  const inGroups = new Set(groups.flatMap(({ data }) => data.members.map(({ id }) => id)));
  const others = selected.filter((node) => !isGroup(node) && !inGroups.has(node.id));
  const [only, more] = groups;
  if (only !== undefined && more === undefined && others.length === 0 && !only.data.group.collapsed)
    return only.data.members.map(unitOf);
  return [...groups.map(unitOfGroup), ...others.map(unitOf)];
};

/** Where the parts of the units go with them. */
export const placesOf = (units: readonly Unit[], to: readonly Place[]): Place[] => {
  const wanted = new Map(to.map((place) => [place.id, place]));
  return units.flatMap((unit) => {
    const place = wanted.get(unit.id);
    if (place === undefined || unit.isLocked) return [];
    const [dx, dy] = [place.x - unit.x, place.y - unit.y];
    return unit.parts.map(({ id, x, y }) => ({ id, x: Math.round(x + dx), y: Math.round(y + dy) }));
  });
};
