import { derivedId } from '../../fields/identity.ts';
import type { Bag } from '../../fields/json.ts';
import { between, colour, decimal, degrees, fontOf, whole } from './values.ts';

/** Notes, shapes and pictures before revision 5, as the SVG drawings that they are now. */

export interface OldDrawings {
  ellipses: readonly Bag[];
  rectangles: readonly Bag[];
  images: readonly Bag[];
  notes: readonly Bag[];
}

export const convertDrawings = (projectId: string, old: OldDrawings): Bag[] => {
  const made = (sort: keyof OldDrawings, svg: (raw: Bag) => string, z: number): Bag[] =>
    old[sort].map((raw, index) => ({
      drawing_id: derivedId(projectId, sort, index),
      x: whole(raw.x, 0),
      y: whole(raw.y, 0),
      z: whole(raw.z, z),
      rotation: degrees(raw.rotation ?? raw.rotate),
      svg: svg(raw),
    }));
  return [
    ...made('ellipses', ellipse, 0),
    ...made('rectangles', rectangle, 0),
    ...made('images', picture, 0),
    // Over the shapes.
    ...made('notes', note, 2),
  ];
};

const LARGEST = 100_000;
const sizeOf = (raw: Bag): { width: number; height: number } => ({
  width: whole(between(raw.width, 0, LARGEST, 100), 100),
  height: whole(between(raw.height, 0, LARGEST, 100), 100),
});

const ellipse = (raw: Bag): string => {
  const { width, height } = sizeOf(raw);
  const [rx, ry] = [Math.trunc(width / 2), Math.trunc(height / 2)];
  return svgOf(width, height, `<ellipse cx="${rx}" cy="${ry}" rx="${rx}" ry="${ry}" ${paint(raw)} />`);
};

const rectangle = (raw: Bag): string => {
  const { width, height } = sizeOf(raw);
  return svgOf(width, height, `<rect width="${width}" height="${height}" ${paint(raw)} />`);
};

const svgOf = (width: number, height: number, inside: string): string =>
  `<svg width="${width}" height="${height}">${inside}</svg>`;

const paint = (raw: Bag): string => {
  const fill = colour(raw.color ?? raw.fill_color, '#ffffff', raw.transparency);
  return `fill="${fill.rgb}" fill-opacity="${decimal(fill.opacity)}"${border(raw)}`;
};

/** By Qt's numbers of pens: 0 is none, 1 solid. */
const NO_PEN = 0;
const DASHES: Readonly<Record<number, string>> = { 2: '25, 25', 3: '5, 25', 4: '5, 25, 25', 5: '25, 25, 5, 25, 5' };

const border = (raw: Bag): string => {
  const style = raw.border_style;
  if (style === NO_PEN) return '';
  const { rgb, opacity } = colour(raw.border_color, '#000000', raw.border_transparency);
  const dashes = typeof style === 'number' ? DASHES[style] : undefined;
  return [
    ` stroke="${rgb}" stroke-width="${between(raw.border_width, 0, 1000, 2)}"`,
    opacity === 1 ? '' : ` stroke-opacity="${decimal(opacity)}"`,
    dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`,
  ].join('');
};

/** Existing tools read the text's lines as lines, and its size in points. */
const note = (raw: Bag): string => {
  const text = typeof raw.text === 'string' ? raw.text.replace(/\r\n?/g, '\n') : '';
  const { family, size, bold, italic, decoration } = fontOf(raw.font ?? NOTE_FONT);
  const { rgb, opacity } = colour(raw.color, '#000000');
  const lines = text.split('\n');
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 1);
  const width = Math.ceil(longest * size);
  const height = Math.ceil(lines.length * size * LINE);
  const attributes = [
    `fill="${rgb}" fill-opacity="${decimal(opacity)}"`,
    `font-family="${family}" font-size="${decimal(size)}" font-weight="${bold ? 'bold' : 'normal'}"`,
    `font-style="${italic ? 'italic' : 'normal'}"`,
    ...(decoration === null ? [] : [`text-decoration="${decoration}"`]),
  ].join(' ');
  return svgOf(width, height, `<text ${attributes}>${escaped(text)}</text>`);
};

const NOTE_FONT = 'TypeWriter,10,-1,5,75,0,0,0,0,0';
/** Pixels a line has, by points of its font. */
const LINE = 1.8;

/** Without what XML cannot carry. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The name of its file, wherever that was: only the project's own pictures are read. */
const picture = (raw: Bag): string => (typeof raw.path === 'string' ? (raw.path.split(/[\\/]/).at(-1) ?? '') : '');
