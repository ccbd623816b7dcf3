import type { Label } from '../../../events/fields.ts';
import { type Bag, isBag } from '../../fields/json.ts';

/**
 * Values of project files before revision 5. The files are untrusted: values for styles and SVG are parsed and
 * checked.
 */

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Truncated, as the old programs did. */
export const whole = (value: unknown, fallback: number): number => (isNumber(value) ? Math.trunc(value) + 0 : fallback);

/** Degrees; the first revisions stored them as texts. */
export const degrees = (value: unknown): number => {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return whole(number, 0) % 360;
};

/** Number of a port, slot or console; null: invalid. */
export const sixteenBits = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff ? value : null;

export const between = (value: unknown, least: number, most: number, fallback: number): number =>
  isNumber(value) && value >= least && value <= most ? value : fallback;

export interface Colour {
  /** `#rrggbb`. */
  rgb: string;
  /** 0 to 1. */
  opacity: number;
}

/** `#rrggbb`, or `#aarrggbb` from revision 4 on. `alpha`: 0 to 255, where the file stores it separately. */
export const colour = (value: unknown, fallback: string, alpha?: unknown): Colour => {
  const [, first, rgb] = (typeof value === 'string' && /^#([0-9a-f]{2})?([0-9a-f]{6})$/i.exec(value)) || [];
  const opaque = first === undefined ? between(alpha, 0, 255, 255) : Number.parseInt(first, 16);
  return {
    rgb: rgb === undefined ? fallback : `#${rgb.toLowerCase()}`,
    opacity: Math.round((opaque / 255) * 100) / 100,
  };
};

interface Font {
  family: string;
  /** Points. */
  size: number;
  bold: boolean;
  italic: boolean;
  /** CSS value; null: none. */
  decoration: string | null;
}

/**
 * Parses Qt's description of a font (QFont::toString): family, points, pixels, hint, weight, italic, underline,
 * strike-out, …
 */
export const fontOf = (value: unknown): Font => {
  const parts = typeof value === 'string' ? value.split(',') : [];
  const [family = '', points, pixels, , weight, italic, underline, strikeOut] = parts;
  const plain = family.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 100);
  const lines = [underline === '1' ? 'underline' : '', strikeOut === '1' ? 'line-through' : ''].join(' ').trim();
  return {
    family: plain === '' ? 'TypeWriter' : plain,
    // Assumes 96 pixels to 72 points.
    size: sizeOf(points, 1) ?? sizeOf(pixels, 0.75) ?? 10,
    // Labels without a font were bold.
    bold: parts.length < 5 || Number(weight) >= 63,
    italic: italic === '1',
    decoration: lines === '' ? null : lines,
  };
};

const LARGEST = 500;
const sizeOf = (text: string | undefined, scale: number): number | null => {
  const size = Number.parseFloat(text ?? '') * scale;
  return size > 0 && size <= LARGEST ? size : null;
};

const styleOf = (font: unknown, color: unknown): string => {
  const { family, size, bold, italic, decoration } = fontOf(font);
  const { rgb, opacity } = colour(color, '#000000');
  return [
    `font-family: ${family};font-size: ${decimal(size)};`,
    bold ? 'font-weight: bold;' : '',
    italic ? 'font-style: italic;' : '',
    decoration === null ? '' : `text-decoration: ${decoration};`,
    `fill: ${rgb};fill-opacity: ${decimal(opacity)};`,
  ].join('');
};

export const decimal = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** Undefined: invalid. */
export const oldLabel = (value: unknown): Label | undefined => {
  if (!isBag(value) || typeof value.text !== 'string') return undefined;
  const { text, x, y, rotation, font, color } = value;
  return {
    text,
    ...(isNumber(x) ? { x: Math.trunc(x) } : {}),
    ...(isNumber(y) ? { y: Math.trunc(y) } : {}),
    rotation: degrees(rotation),
    ...(font === undefined && color === undefined ? {} : { style: styleOf(font, color) }),
  };
};

/** Label of a port without one in the file. */
export const portLabel = (text: string): Label => ({ text, style: styleOf(undefined, undefined) });

/** Objects of a list; `others` gets the number of other items. */
export const bagsIn = (list: readonly unknown[], others: (count: number) => void): Bag[] => {
  const bags = list.filter(isBag);
  if (bags.length < list.length) others(list.length - bags.length);
  return bags;
};
