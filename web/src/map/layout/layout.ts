import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Records } from '../../store/records.ts';
import type { Place } from '../actions/arrange.ts';
import type { GroupFlowNode, MapNode } from '../flow/flow.ts';
import { isGroup } from '../groups/draw-groups.ts';
import { type Unit, unitOf, unitOfGroup } from '../groups/units.ts';

/** A node as the layout sees it: room for its name included. */
export interface Block {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** A link: the ids of its nodes. */
export type Pair = readonly [string, string];

export const LAYOUTS = ['layers', 'stress', 'force', 'tree', 'radial', 'grid'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

/** Between nodes, pixels: names have to fit. */
const GAP = 70;
const BETWEEN_LAYERS = 90;

const OPTIONS: Readonly<Record<Exclude<LayoutName, 'grid'>, Readonly<Record<string, string>>>> = {
  layers: {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.edgeRouting': 'POLYLINE',
    'elk.layered.spacing.nodeNodeBetweenLayers': String(BETWEEN_LAYERS),
  },
  stress: { 'elk.algorithm': 'stress', 'elk.stress.desiredEdgeLength': '190' },
  force: { 'elk.algorithm': 'force', 'elk.force.iterations': '300', 'elk.force.repulsion': '12' },
  tree: { 'elk.algorithm': 'mrtree', 'elk.mrtree.searchOrder': 'BFS' },
  radial: { 'elk.algorithm': 'radial', 'elk.radial.radius': '180' },
};
/** These draw trees only: of a lab with rings they get the links that reach every node once. */
const OF_TREES: readonly LayoutName[] = ['tree', 'radial'];

/** Links that reach every node once, from those with most links. */
export const treeOf = (blocks: readonly Block[], links: readonly Pair[]): Pair[] => {
  const beside = new Map<string, string[]>(blocks.map(({ id }) => [id, []]));
  for (const [a, b] of links) {
    beside.get(a)?.push(b);
    beside.get(b)?.push(a);
  }
  const reached = new Set<string>();
  const tree: Pair[] = [];
  const roots = [...beside].sort(([, a], [, b]) => b.length - a.length).map(([id]) => id);
  for (const root of roots) {
    if (reached.has(root)) continue;
    reached.add(root);
    for (const queue = [root]; queue.length > 0;) {
      const from = queue.shift() ?? root;
      for (const to of beside.get(from) ?? []) {
        if (reached.has(to)) continue;
        reached.add(to);
        tree.push([from, to]);
        queue.push(to);
      }
    }
  }
  return tree;
};

/** Request for the layouter. */
export const graphOf = (
  name: Exclude<LayoutName, 'grid'>,
  blocks: readonly Block[],
  links: readonly Pair[],
): ElkNode => {
  const ids = new Set(blocks.map(({ id }) => id));
  const inside = links.filter(([a, b]) => a !== b && ids.has(a) && ids.has(b));
  const edges = OF_TREES.includes(name) ? treeOf(blocks, inside) : inside;
  return {
    id: 'lab',
    layoutOptions: {
      'elk.spacing.nodeNode': String(GAP),
      'elk.spacing.componentComponent': String(GAP),
      ...OPTIONS[name],
    },
    children: blocks.map(({ id, width, height }) => ({ id, width, height })),
    edges: edges.map(([from, to], index) => ({ id: `e${index}`, sources: [from], targets: [to] })),
  };
};

/** Rows as wide as high, in the order of before. */
export const gridOf = (blocks: readonly Block[]): Place[] => {
  const columns = Math.ceil(Math.sqrt(blocks.length));
  const width = Math.max(0, ...blocks.map((block) => block.width)) + GAP;
  const height = Math.max(0, ...blocks.map((block) => block.height)) + GAP;
  const sorted = [...blocks].sort((a, b) => Math.round((a.y - b.y) / height) || a.x - b.x);
  return sorted.map(({ id }, index) => ({ id, x: (index % columns) * width, y: Math.floor(index / columns) * height }));
};

/** The same places, moved so that their middle is where that of the nodes was. */
export const inPlace = (blocks: readonly Block[], places: readonly Place[]): Place[] => {
  const sizes = new Map(blocks.map((block) => [block.id, block]));
  const middle = (all: readonly Place[]): { x: number; y: number } => {
    const sides = (of: 'x' | 'y', size: 'width' | 'height'): number => {
      const least = Math.min(...all.map((one) => one[of]));
      const most = Math.max(...all.map((one) => one[of] + (sizes.get(one.id)?.[size] ?? 0)));
      return (least + most) / 2;
    };
    return { x: sides('x', 'width'), y: sides('y', 'height') };
  };
  if (places.length === 0) return [];
  const [before, after] = [middle(blocks), middle(places)];
  return places.map(({ id, x, y }) => ({
    id,
    x: Math.round(x + before.x - after.x),
    y: Math.round(y + before.y - after.y),
  }));
};

let elk: Promise<ELK> | null = null;

/** In a worker of its own: a large lab takes seconds. */
const loadElk = async (): Promise<ELK> => {
  const [{ default: Elk }, { default: workerUrl }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  return new Elk({ workerUrl });
};

/** Where the nodes go. */
export const layOut = async (name: LayoutName, blocks: readonly Block[], links: readonly Pair[]): Promise<Place[]> => {
  if (name === 'grid') return inPlace(blocks, gridOf(blocks));
  elk ??= loadElk();
  const { children = [] } = await (await elk).layout(graphOf(name, blocks, links));
  return inPlace(
    blocks,
    children.map(({ id, x = 0, y = 0 }) => ({ id, x, y })),
  );
};

/** Room for a name under or over a symbol, pixels. */
const NAME = 24;

/** The collapsed group that is all that is selected: its inside is laid out. */
export const groupToLayOut = (nodes: readonly MapNode[]): GroupFlowNode | null => {
  const selected = nodes.filter((node) => node.selected === true && 'node' in node.data).length;
  const group = nodes.filter(isGroup).find((node) => node.data.group.collapsed && node.selected === true);
  return group?.data.members.length === selected ? group : null;
};

/**
 * Units to lay out: nodes, and collapsed groups as one each; if more than one is selected, only those. Locked ones stay where they are.
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
