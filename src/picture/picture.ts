import type { Steps } from '../common/slices.ts';
import type {
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
  Stamp,
} from '../projections/records.ts';
import { drawDrawing } from './drawing.ts';
import { drawLabel } from './label.ts';
import { crowdsOf, drawLine, drawPorts, type Ends, offsetsOf } from './link.ts';
import { type Box, covering, escapeXml, num } from './svg.ts';

/** The records of one lab at one moment. */
export interface Scene {
  readonly project: ProjectRecord;
  readonly nodes: readonly NodeRecord[];
  readonly links: readonly LinkRecord[];
  readonly drawings: readonly DrawingRecord[];
}

export const sceneOf = (records: RecordView, project: ProjectRecord): Scene => ({
  project,
  nodes: records.ofProject('node', project.project_id),
  links: records.ofProject('link', project.project_id),
  drawings: records.ofProject('drawing', project.project_id),
});

/**
 * Identifies a scene of a project, by the last position that changed something and the number of objects. An object that changes has a
 * higher position than all before; one that is deleted leaves fewer.
 */
export const stampOf = ({ project, nodes, links, drawings }: Scene): string => {
  let last = project.changed;
  for (const part of [nodes, links, drawings] as const satisfies readonly (readonly Stamp[])[])
    for (const { changed } of part) last = Math.max(last, changed);
  return `${last}-${nodes.length + links.length + drawings.length}`;
};

export interface SymbolPicture {
  readonly type: string;
  readonly bytes: Uint8Array;
}
const DEFAULT_SYMBOL = ':/symbols/computer.svg';
export const symbolOf = ({ symbol }: NodeRecord): string => symbol ?? DEFAULT_SYMBOL;

export interface PictureOptions {
  readonly symbols: ReadonlyMap<string, SymbolPicture>;
  /** Draws it small enough for a list of labs, without names. */
  readonly isThumbnail: boolean;
}

interface Part {
  readonly z: number;
  readonly svg: string;
  readonly boxes: readonly Box[];
}

/** Layer of a drawing. Links have 0, so drawings behind nodes lie behind links as well. */
const layerOf = ({ z }: DrawingRecord): number => (z < 1 ? z - 1 : z);

function* partsOf(scene: Scene, options: PictureOptions): Steps<Part[]> {
  const parts: Part[] = [];
  for (const drawing of scene.drawings) {
    const { svg, box } = drawDrawing(drawing);
    parts.push({ z: layerOf(drawing), svg, boxes: [box] });
    yield;
  }
  parts.push(...(yield* linkParts(scene, options)));
  for (const node of scene.nodes) {
    parts.push(nodePart(node, options));
    yield;
  }
  return parts.sort((a, b) => a.z - b.z);
}

function* linkParts({ project, nodes, links }: Scene, { isThumbnail }: PictureOptions): Steps<Part[]> {
  const known = new Map(nodes.map((node) => [node.node_id, node]));
  const offsets = offsetsOf(links);
  const crowds = crowdsOf(links);
  const withNames = project.show_interface_labels && !isThumbnail;
  const parts: Part[] = [];
  for (const link of links) {
    yield;
    const ends = link.nodes.map(({ node_id }) => known.get(node_id));
    if (ends.length !== 2 || ends.includes(undefined)) continue;
    const offset = offsets.get(link.link_id) ?? 0;
    const names = withNames ? drawPorts(link, ends as unknown as Ends, { offset, crowds }) : [];
    const line = drawLine(link, ends as unknown as Ends, offset);
    parts.push({ z: 0, svg: [line, ...names.map(({ svg }) => svg)].join(''), boxes: names.map(({ box }) => box) });
  }
  return parts;
}

const symbolKey = (node: NodeRecord): string => `${num(node.width)} ${num(node.height)} ${symbolOf(node)}`;

const nodePart = (node: NodeRecord, { isThumbnail }: PictureOptions): Part => {
  const { x, y, z, width, height, label, name } = node;
  const box = { x, y, width, height };
  const use = `<use href="#${idOf(symbolKey(node))}" x="${num(x)}" y="${num(y)}"/>`;
  if (isThumbnail) return { z, svg: use, boxes: [box] };
  const isCentred = label.x === null || label.x === undefined;
  const at = { x: x + (isCentred ? width / 2 : (label.x ?? 0)), y: y + (label.y ?? LABEL_Y), isCentred };
  const text = drawLabel(label.text === '' ? name : label.text, label, at);
  return { z, svg: use + text.svg, boxes: [box, text.box] };
};

/** Default `y` of a label, relative to its node. */
const LABEL_Y = -25;

const idOf = (key: string): string => `s${Buffer.from(key).toString('base64url')}`;

/** Defines each symbol once for each size it is used at. */
const symbolDefs = (nodes: readonly NodeRecord[], { symbols }: PictureOptions): string => {
  const defs = new Map<string, string>();
  for (const node of nodes) {
    const key = symbolKey(node);
    const symbol = symbols.get(symbolOf(node));
    if (defs.has(key) || symbol === undefined) continue;
    const data = `data:${symbol.type};base64,${Buffer.from(symbol.bytes).toString('base64')}`;
    defs.set(key, `<image id="${idOf(key)}" width="${num(node.width)}" height="${num(node.height)}" href="${data}"/>`);
  }
  return [...defs.values()].join('');
};

/** Margin around everything. Pixels. */
const EDGE = 20;
const EMPTY: Box = { x: 0, y: 0, width: 320, height: 200 };
/** Largest size of a thumbnail. Pixels. */
const THUMBNAIL = { width: 320, height: 200 };

/** Draws a lab as one self-contained SVG, the way existing tools draw it. */
export function* drawPicture(scene: Scene, options: PictureOptions): Steps<string> {
  const parts = yield* partsOf(scene, options);
  const { x, y, width, height } = covering(parts.flatMap(({ boxes }) => boxes)) ?? EMPTY;
  const view = { x: x - EDGE, y: y - EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
  const scale = options.isThumbnail ? Math.min(1, THUMBNAIL.width / view.width, THUMBNAIL.height / view.height) : 1;
  const size = `width="${num(view.width * scale)}" height="${num(view.height * scale)}"`;
  const box = [view.x, view.y, view.width, view.height].map(num).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="${box}">`,
    `<title>${escapeXml(scene.project.name)}</title>`,
    `<defs>${symbolDefs(scene.nodes, options)}</defs>`,
    ...parts.map(({ svg }) => svg),
    '</svg>\n',
  ].join('\n');
}
