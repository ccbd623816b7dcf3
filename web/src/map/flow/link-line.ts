import type { Point } from '../actions/free-place.ts';
import type { CSSProperties } from 'react';
import type { Link, Node } from '../../store/records.ts';
import { labelBox, labelSize } from './label-style.ts';

/** How links are drawn: the way the server's picture of a lab has them (a test compares the two). */

export type Line = readonly [Point, Point];

/** Moved sideways, as links of the same two nodes lie beside each other. */
export const besideLine = ([a, b]: Line, offset: number): Line => {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(-(b.y - a.y) / length) * offset, ((b.x - a.x) / length) * offset];
  return [
    { x: a.x + dx, y: a.y + dy },
    { x: b.x + dx, y: b.y + dy },
  ];
};

/** Half of the flash in a serial link, pixels. */
const FLASH = 15;

export const pathOf = ([a, b]: Line, type: Link['link_type']): string => {
  if (type !== 'serial') return `M${a.x} ${a.y}L${b.x} ${b.y}`;
  const turn = Math.atan2(b.y - a.y, b.x - a.x) - Math.PI / 4;
  const [dx, dy] = [FLASH * Math.cos(turn), FLASH * Math.sin(turn)];
  const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  return `M${a.x} ${a.y}L${x + dx} ${y + dy}L${x - dx} ${y - dy}L${b.x} ${b.y}`;
};

/** Dashes and gaps in widths of the line, by the number that project files have for them. */
const DASHES: Readonly<Record<number, readonly number[]>> = {
  2: [4, 2],
  3: [1, 2],
  4: [4, 2, 1, 2],
  5: [4, 2, 1, 2, 1, 2],
};
const WIDTH = 2;
const WIDEST = 50;
const COLOUR = /^(#[\da-f]{3,8}|[a-z]{3,24})$/i;
const BLACK = /^(#0{3,4}|#0{6}(..)?|black)$/i;

/** Style of a link's line where `map.css` has no special one. Black is the colour of the page's text. */
export const lineStyle = ({ link_style: { color, width, type } }: Link): CSSProperties => {
  const wide = typeof width === 'number' && width > 0 ? Math.min(WIDEST, width) : WIDTH;
  const dashes = typeof type === 'number' ? DASHES[type] : undefined;
  const isColour = typeof color === 'string' && COLOUR.test(color) && !BLACK.test(color);
  return {
    ...(isColour ? { '--link-colour': color } : {}),
    ...(type === 0 ? { '--link-colour': 'transparent' } : {}),
    ...(wide === WIDTH ? {} : { '--link-width': wide }),
    ...(dashes === undefined ? {} : { '--link-dashes': dashes.map((part) => part * wide).join(' ') }),
  } as CSSProperties;
};

type End = Link['nodes'][number];

/** Whether the file has a place for the name of a port that is outside of its node. */
export const isOutside = ({ label: { x, y, text, style } }: End, node: Node): boolean => {
  if (typeof x !== 'number' || y === undefined) return false;
  const { width, height } = labelBox(text, labelSize(style));
  const [across, down] = [x + width / 2, y + height / 2];
  return across < 0 || down < 0 || across > node.width || down > node.height;
};

/** Between a node and the name of its port where the file has no place for it, pixels. */
const BESIDE = 16;

/** On the line, where it leaves the node. */
export const besideNode = (node: Pick<Node, 'width' | 'height'>, [a, b]: Line): Point => {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const out = Math.min(node.width / 2 / Math.max(1e-6, Math.abs(ux)), node.height / 2 / Math.max(1e-6, Math.abs(uy)));
  const reach = Math.min(length / 2, out + BESIDE);
  return { x: a.x + ux * reach, y: a.y + uy * reach };
};
