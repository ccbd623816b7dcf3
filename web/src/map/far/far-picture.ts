import { failureOf } from '../actions/failure.ts';
import { unreachableOf } from '../../computes/computes.ts';
import { type MapEdge, type MapNode, statesOf } from '../flow/flow.ts';
import type { MapTools } from '../map-tools.ts';
import type { Node } from '../../store/records.ts';
import { type Box, reaches } from './far-nodes.ts';

/** A large lab from far away, where no name can be read: thousands of elements are one picture. All sizes are those of the lab. */

/** Kinds of lines, each drawn as one path however many links there are. */
const kindOf = ({ data, selected }: MapEdge): string => {
  if (data === undefined) return 'plain';
  const special = data.mark ?? statesOf(data.link)[0] ?? data.link.link_type;
  return selected === true ? 'selected' : special;
};

const middleOf = ({ position: { x, y }, width = 0, height = 0 }: MapNode): string =>
  `${x + width / 2} ${y + height / 2}`;

/** The paths of links by what is special about them, between nodes where the hand has them. */
export const pathsOf = (edges: readonly MapEdge[], nodes: readonly MapNode[]): ReadonlyMap<string, string> => {
  const middles = new Map(nodes.map((node) => [node.id, middleOf(node)]));
  const paths = new Map<string, string[]>();
  for (const edge of edges) {
    const [from, to] = [middles.get(edge.source), middles.get(edge.target)];
    if (from === undefined || to === undefined) continue;
    const kind = kindOf(edge);
    const lines = paths.get(kind) ?? [];
    lines.push(`M${from}L${to}`);
    paths.set(kind, lines);
  }
  return new Map([...paths].map(([kind, lines]) => [kind, lines.join('')]));
};

/** The path of a link that another part of the page is about; null: it is about none. */
export const pathOfPointed = (
  edges: readonly MapEdge[],
  nodes: readonly MapNode[],
  pointed: string | null,
): string | null => {
  const edge = edges.find(({ id }) => id === pointed);
  if (edge === undefined) return null;
  const [path = null] = pathsOf([edge], nodes).values();
  return path;
};

/** Resolves `var(--name)` and `--name`. */
export type Tokens = (name: string) => string;

export const tokensOf = (element: Element): Tokens => {
  const style = getComputedStyle(element);
  const known = new Map<string, string>();
  return (name) => {
    const token = name.replace(/^var\((.*)\)$/, '$1');
    const value = known.get(token) ?? style.getPropertyValue(token).trim();
    known.set(token, value);
    return value;
  };
};

interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly dashes?: readonly number[];
}

/** Links that something is special about; others are as text is. */
const STROKES: Readonly<Record<string, Stroke>> = {
  suspended: { colour: '--suspended', width: 5, dashes: [10, 16] },
  filtered: { colour: '--accent', width: 5, dashes: [24, 10] },
  selected: { colour: '--accent', width: 10 },
  added: { colour: '--success', width: 10 },
  changed: { colour: '--warning', width: 10, dashes: [20, 10] },
  removed: { colour: '--danger', width: 8, dashes: [4, 14] },
};
const PLAIN: Stroke = { colour: '--text', width: 5 };

const strokeOf = (kind: string): Stroke => STROKES[kind] ?? PLAIN;

export const drawLinks = (on: CanvasRenderingContext2D, paths: ReadonlyMap<string, Path2D>, tokens: Tokens): void => {
  on.globalAlpha = 0.6;
  for (const [kind, path] of paths) {
    const { colour, width, dashes = [] } = strokeOf(kind);
    on.strokeStyle = tokens(colour);
    on.lineWidth = width;
    on.setLineDash(dashes);
    on.stroke(path);
  }
  on.globalAlpha = 1;
  on.setLineDash([]);
};

type State = 'started' | 'stopped' | 'suspended' | 'failed';

/** By state, or by compute; empty: it has no place in a small picture. */
export const colourOf = ({ data, hidden }: MapNode, { looks, withComputes }: MapTools): string => {
  if ('group' in data && data.group.collapsed) return data.group.color;
  if (!('node' in data) || hidden === true) return '';
  const { status, compute_id } = data.node;
  return (withComputes ? looks.get(compute_id)?.colour : undefined) ?? `--${status}`;
};

const BORDER = 12;

/** Shapes tell states as well as colours do: full, hollow, two bars, a frame of dots. */
const SHAPES: Readonly<Record<State, (on: CanvasRenderingContext2D, w: number, h: number) => void>> = {
  started: (on, w, h) => on.fillRect(0, 0, w, h),
  stopped: (on, w, h) => on.strokeRect(BORDER / 2, BORDER / 2, w - BORDER, h - BORDER),
  suspended: (on, w, h) => {
    on.fillRect(0, 0, w, h * 0.35);
    on.fillRect(0, h * 0.65, w, h * 0.35);
  },
  failed: (on, w, h) => {
    on.setLineDash([BORDER, BORDER]);
    on.strokeRect(BORDER / 2, BORDER / 2, w - BORDER, h - BORDER);
    on.setLineDash([]);
  },
};

const FRAMES = { added: '--success', changed: '--warning', removed: '--danger' } as const;

/** Frames around a node: what has become of it between two moments, its compute, whether it is selected or pointed at. */
const framesOf = (node: MapNode, { tools, pointed }: Drawn): Stroke[] => {
  const { data, id, selected } = node;
  if (!('node' in data)) return [];
  const look = tools.withComputes ? tools.looks.get(data.node.compute_id) : undefined;
  return [
    ...(data.mark === undefined
      ? []
      : [{ colour: FRAMES[data.mark], width: 12, dashes: data.mark === 'added' ? [] : [16, 10] }]),
    ...(look === undefined ? [] : [{ colour: look.colour, width: 12 }]),
    ...(selected === true || id === pointed ? [{ colour: '--accent', width: 14 }] : []),
  ];
};

interface Drawn {
  readonly tools: MapTools;
  /** Part of the lab; objects elsewhere need not be drawn. */
  readonly area: Box;
  readonly tokens: Tokens;
  /** A node that another part of the page is about. */
  readonly pointed: string | null;
}

export const drawNodes = (on: CanvasRenderingContext2D, nodes: readonly MapNode[], drawn: Drawn): void => {
  for (const node of nodes)
    if ('node' in node.data && node.hidden !== true && reaches(node, drawn.area))
      drawNode(on, node, node.data.node, drawn);
};
const drawNode = (on: CanvasRenderingContext2D, flowNode: MapNode, node: Node, drawn: Drawn): void => {
  const { tokens } = drawn;
  const { width = 0, height = 0, position } = flowNode;
  const state: State = failureOf(node) === null ? node.status : 'failed';
  on.translate(position.x, position.y);
  on.fillStyle = tokens('--surface');
  on.fillRect(0, 0, width, height);
  on.fillStyle = on.strokeStyle = tokens(`--${state}`);
  on.lineWidth = BORDER;
  if (unreachableOf(node) !== null) on.globalAlpha = 0.45;
  SHAPES[state](on, width, height);
  on.globalAlpha = 1;
  for (const [index, { colour, width: line, dashes = [] }] of framesOf(flowNode, drawn).entries()) {
    const away = 10 + index * 18;
    on.strokeStyle = tokens(colour);
    on.lineWidth = line;
    on.setLineDash(dashes);
    on.strokeRect(-away, -away, width + 2 * away, height + 2 * away);
    on.setLineDash([]);
  }
  on.translate(-position.x, -position.y);
};
