import type { LinkRecord } from '../projections/records.ts';
import { type Box, escapeXml, num } from './svg.ts';

type Label = LinkRecord['nodes'][number]['label'];

/** Pixels of a point, as CSS has them. */
const POINT = 4 / 3;
/** Default size, and its bounds. Points. */
const SIZE = 10;
const SMALLEST = 4;
const LARGEST = 200;
/** Pixels that existing tools leave between a label's position and its text. */
const MARGIN = 4;
/** Metrics of most typefaces, in font sizes: from a line's top to its baseline, the width of a letter, and the height of a line. */
const ASCENT = 0.96;
const LETTER = 0.62;
const LINE = 1.2;

/** Default typeface of existing tools. No system has it, and they show a sans serif instead. */
const UNAVAILABLE = /^typewriter$/i;
const SANS = "'Inter Variable', Inter, system-ui, 'DejaVu Sans', sans-serif";
const GENERIC: readonly (readonly [RegExp, string])[] = [
  [/mono|courier|consol|menlo/i, "'JetBrains Mono', monospace"],
  [/times|georgia|garamond|(^|[^-])\bserif/i, 'serif'],
];

/** A typeface with its fallback, as `font-family` takes them. */
export const familyOf = (name: string | undefined): string => {
  const family = (name ?? '').replace(/[^\p{L}\p{N} -]/gu, '').trim();
  if (family === '' || UNAVAILABLE.test(family)) return SANS;
  return `'${family}', ${GENERIC.find(([like]) => like.test(family))?.[1] ?? SANS}`;
};

/** The `name: value` pairs of a label's style. */
const pairsOf = (style: string | null | undefined): ReadonlyMap<string, string> =>
  new Map(
    (style ?? '')
      .slice(0, 1_000)
      .split(';')
      .map((pair) => pair.split(':'))
      .filter((pair) => pair.length === 2)
      .map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  );

export interface LabelLook {
  /** Pixels. */
  readonly size: number;
  readonly attributes: string;
}

export const COLOUR = /^(#[\da-f]{3,8}|[a-z]{3,24})$/i;

/** Attributes that draw a label's style: typeface, size, weight, slant, underline, colour, opacity. */
export const lookOf = (style: string | null | undefined): LabelLook => {
  const pairs = pairsOf(style);
  const points = Number.parseFloat(pairs.get('font-size') ?? '');
  const size = Math.min(LARGEST, Math.max(SMALLEST, Number.isFinite(points) ? points : SIZE)) * POINT;
  const isBold = style === null || style === undefined || /^(bold|[6-9]00)$/.test(pairs.get('font-weight') ?? '');
  const fill = pairs.get('fill') ?? '';
  const opacity = Number.parseFloat(pairs.get('fill-opacity') ?? '1');
  const attributes = [
    ['font-family', familyOf(pairs.get('font-family'))],
    ['font-size', num(size)],
    ...(isBold ? [['font-weight', 'bold']] : []),
    ...(pairs.get('font-style') === 'italic' ? [['font-style', 'italic']] : []),
    ...(pairs.get('text-decoration') === 'underline' ? [['text-decoration', 'underline']] : []),
    ['fill', COLOUR.test(fill) ? fill : '#000000'],
    ...(opacity >= 0 && opacity < 1 ? [['opacity', num(opacity)]] : []),
  ];
  return { size, attributes: attributes.map(([name, value]) => `${name}="${escapeXml(value ?? '')}"`).join(' ') };
};

const textWidth = (text: string, size: number): number => text.length * size * LETTER;

/** Estimates the box of a label with its margin, before it is rotated. */
export const labelBox = (text: string, size: number, at: { x: number; y: number }): Box => ({
  ...at,
  width: textWidth(text, size) + 2 * MARGIN,
  height: size * LINE + 2 * MARGIN,
});

/** Cuts names, which can be of any length. */
export const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

interface Drawn {
  readonly svg: string;
  readonly box: Box;
}

/** White outline around text that lies on a line. */
const HALO = ' stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke"';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly isCentred: boolean;
  readonly hasHalo?: boolean;
}

/** Draws a label. `at`: its upper left corner, or the middle of its upper edge where it is centred. */
export const drawLabel = (text: string, label: Label, at: Place): Drawn => {
  const { size, attributes } = lookOf(label.style);
  const shown = short(text);
  const { width, height } = labelBox(shown, size, at);
  const turn = label.rotation ?? 0;
  const anchor = at.isCentred ? ' text-anchor="middle"' : '';
  const transform = turn === 0 || at.isCentred ? '' : ` transform="rotate(${num(turn)} ${num(at.x)} ${num(at.y)})"`;
  const halo = at.hasHalo === true ? HALO : '';
  const x = at.x + (at.isCentred ? 0 : MARGIN);
  const y = at.y + MARGIN + size * ASCENT;
  return {
    svg: `<text x="${num(x)}" y="${num(y)}"${anchor}${transform} ${attributes}${halo}>${escapeXml(shown)}</text>`,
    box: { x: at.isCentred ? at.x - width / 2 : at.x, y: at.y, width, height },
  };
};
