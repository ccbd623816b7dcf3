import type { LinkRecord, NodeRecord } from '../projections/records.ts';
import { COLOUR, drawLabel, labelBox, lookOf, short } from './label.ts';
import { type Box, middleOf, num, type Point } from './svg.ts';

export type Ends = readonly [NodeRecord, NodeRecord];

/** Pixels between links of the same two nodes. */
const GAP = 14;

/** Offset of each link from the line between the middles, in pixels: links of the same two nodes lie side by side. */
export const offsetsOf = (links: readonly LinkRecord[]): ReadonlyMap<string, number> => {
  const pairs = new Map<string, LinkRecord[]>();
  for (const link of links) {
    const pair = link.nodes
      .map(({ node_id }) => node_id)
      .sort()
      .join(' ');
    pairs.set(pair, [...(pairs.get(pair) ?? []), link]);
  }
  const offsets = new Map<string, number>();
  for (const alike of pairs.values())
    for (const [index, { link_id, nodes }] of alike.entries()) {
      const [a, b] = nodes;
      // Signed as seen from the smaller id, so that two links drawn in opposite directions do not overlap.
      const side = (a?.node_id ?? '') < (b?.node_id ?? '') ? 1 : -1;
      offsets.set(link_id, side * (index - (alike.length - 1) / 2) * GAP);
    }
  return offsets;
};

/** The line from one middle to the other, moved sideways. */
const lineOf = ([from, to]: Ends, offset: number): readonly [Point, Point] => {
  const [a, b] = [middleOf(from), middleOf(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(-(b.y - a.y) / length) * offset, ((b.x - a.x) / length) * offset];
  return [
    { x: a.x + dx, y: a.y + dy },
    { x: b.x + dx, y: b.y + dy },
  ];
};

/** Half of the flash in a serial link, pixels. */
const FLASH = 15;

/** Path data of a link: a straight line, with a flash in the middle of a serial one. */
const pathOf = ([a, b]: readonly [Point, Point], type: LinkRecord['link_type']): string => {
  const at = ({ x, y }: Point): string => `${num(x)} ${num(y)}`;
  if (type !== 'serial') return `M${at(a)}L${at(b)}`;
  const turn = Math.atan2(b.y - a.y, b.x - a.x) - Math.PI / 4;
  const [dx, dy] = [FLASH * Math.cos(turn), FLASH * Math.sin(turn)];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  return `M${at(a)}L${at({ x: middle.x + dx, y: middle.y + dy })}L${at({ x: middle.x - dx, y: middle.y - dy })}L${at(b)}`;
};

/** Dashes and gaps in widths of the line, by the number that project files have for them (Qt::PenStyle). */
const DASHES: Readonly<Record<number, readonly number[]>> = {
  2: [4, 2],
  3: [1, 2],
  4: [4, 2, 1, 2],
  5: [4, 2, 1, 2, 1, 2],
};
const NO_LINE = 0;
const WIDTH = 2;
const WIDEST = 50;

const strokeOf = ({ link_style: { color, width, type } }: LinkRecord): string | null => {
  if (type === NO_LINE) return null;
  const wide = typeof width === 'number' && width > 0 ? Math.min(WIDEST, width) : WIDTH;
  const dashes = typeof type === 'number' ? DASHES[type] : undefined;
  return [
    `stroke="${typeof color === 'string' && COLOUR.test(color) ? color : '#000000'}"`,
    `stroke-width="${num(wide)}"`,
    ...(dashes === undefined ? [] : [`stroke-dasharray="${dashes.map((part) => num(part * wide)).join(' ')}"`]),
  ].join(' ');
};

export const drawLine = (link: LinkRecord, ends: Ends, offset: number): string => {
  const stroke = strokeOf(link);
  return stroke === null ? '' : `<path d="${pathOf(lineOf(ends, offset), link.link_type)}" fill="none" ${stroke}/>`;
};

/** Distance between a node and the name of its port where the file does not position it. Pixels. */
const PORT_DISTANCE = 16;

type End = LinkRecord['nodes'][number];
const placeKey = ({ node_id, label }: End): string => `${node_id} ${String(label.x)} ${String(label.y)}`;

/** Number of port names at each position. */
export const crowdsOf = (links: readonly LinkRecord[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { nodes } of links)
    for (const end of nodes) counts.set(placeKey(end), (counts.get(placeKey(end)) ?? 0) + 1);
  return counts;
};

/** Whether the file positions the name of a port outside of its node, where no other name is. */
const hasPlace = (end: End, node: NodeRecord, crowds: ReadonlyMap<string, number>): boolean => {
  const { x, y, text, style } = end.label;
  if (typeof x !== 'number' || y === undefined || (crowds.get(placeKey(end)) ?? 0) > 1) return false;
  const { width, height } = labelBox(short(text), lookOf(style).size, { x, y });
  const [across, down] = [x + width / 2, y + height / 2];
  return across < 0 || down < 0 || across > node.width || down > node.height;
};

/** The point on the line shortly after it leaves the node. */
const besideOf = (node: Box, [a, b]: readonly [Point, Point]): Point => {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const out = Math.min(node.width / 2 / Math.max(1e-6, Math.abs(ux)), node.height / 2 / Math.max(1e-6, Math.abs(uy)));
  const reach = Math.min(length / 2, out + PORT_DISTANCE);
  return { x: a.x + ux * reach, y: a.y + uy * reach };
};

/** Draws the names of both ports. */
export const drawPorts = (
  link: LinkRecord,
  ends: Ends,
  { offset, crowds }: { offset: number; crowds: ReadonlyMap<string, number> },
): { svg: string; box: Box }[] => {
  const [from, to] = lineOf(ends, offset);
  return link.nodes.flatMap((end, index) => {
    const node = ends[index];
    if (node === undefined) return [];
    const { label } = end;
    if (hasPlace(end, node, crowds))
      return [
        drawLabel(label.text, label, {
          x: node.x + (label.x ?? 0),
          y: node.y + (label.y ?? 0),
          isCentred: false,
          hasHalo: true,
        }),
      ];
    const { x, y } = besideOf(node, index === 0 ? [from, to] : [to, from]);
    const { height } = labelBox(label.text, lookOf(label.style).size, { x, y });
    return [drawLabel(label.text, label, { x, y: y - height / 2, isCentred: true, hasHalo: true })];
  });
};
