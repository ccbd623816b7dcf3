import type { CSSProperties } from 'react';

/** `name: value` pairs of a label's style. */
const pairsOf = (style: string): Map<string, string> =>
  new Map(
    style
      .slice(0, 1_000)
      .split(';')
      .map((pair) => pair.split(':'))
      .filter((pair) => pair.length === 2)
      .map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  );

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
/** Pixels of a point. */
const POINT = 4 / 3;
const SIZE = 10;
const SMALLEST = 4;
const LARGEST = 200;

/** Existing tools leave so many pixels between a label's place and its text. */
export const LABEL_MARGIN = 4;
/** From the top of a line to what letters stand on, and the width of a letter, in sizes of the font. */
export const ASCENT = 0.96;
const LETTER = 0.62;
const LINE = 1.2;

const sizeIn = (pairs: ReadonlyMap<string, string>): number => {
  const points = Number.parseFloat(pairs.get('font-size') ?? '');
  return Math.min(LARGEST, Math.max(SMALLEST, Number.isFinite(points) ? points : SIZE)) * POINT;
};

/** Pixels. */
export const labelSize = (style: string | null | undefined): number => sizeIn(pairsOf(style ?? ''));

/** Approximate size of a label, with its margin. */
export const labelBox = (text: string, size: number): { width: number; height: number } => ({
  width: Math.min(120, text.length) * size * LETTER + 2 * LABEL_MARGIN,
  height: size * LINE + 2 * LABEL_MARGIN,
});

/** Default typeface of existing tools. No system has it, and what is shown instead has no serifs. */
const NOBODYS = /^typewriter$/i;
const SANS = "'Inter Variable', Inter, system-ui, 'DejaVu Sans', sans-serif";
const GENERIC: readonly (readonly [RegExp, string])[] = [
  [/mono|courier|consol|menlo/i, "'JetBrains Mono', monospace"],
  [/times|georgia|garamond|(^|[^-])\bserif/i, 'serif'],
];

/** A typeface with what stands in for it. */
export const familyOf = (name: string | null | undefined): string => {
  const family = (name ?? '').replace(/[^\p{L}\p{N} -]/gu, '').trim();
  if (family === '' || NOBODYS.test(family)) return SANS;
  return `'${family}', ${GENERIC.find(([like]) => like.test(family))?.[1] ?? SANS}`;
};

/**
 * How a label of a file looks: typeface, size, weight, slant, line below and colour, nothing else of what a style can say. Black and nearly
 * black text has the colour of the page's text, which is readable in the dark.
 */
export const labelStyle = (style: string | null | undefined): CSSProperties => {
  const pairs = pairsOf(style ?? '');
  const fill = pairs.get('fill') ?? '';
  const [, ...parts] = HEX.exec(fill) ?? [];
  const isColour = parts.length === 3 && parts.some((part) => Number.parseInt(part, 16) > 0x40);
  const opacity = Number.parseFloat(pairs.get('fill-opacity') ?? '1');
  const isBold = style === null || style === undefined || /^(bold|[6-9]00)$/.test(pairs.get('font-weight') ?? '');
  return {
    fontFamily: familyOf(pairs.get('font-family')),
    fontSize: `${Math.round(sizeIn(pairs) * 100) / 100}px`,
    ...(isBold ? { fontWeight: 700 } : {}),
    ...(pairs.get('font-style') === 'italic' ? { fontStyle: 'italic' } : {}),
    ...(pairs.get('text-decoration') === 'underline' ? { textDecoration: 'underline' } : {}),
    ...(isColour ? { color: fill } : {}),
    ...(opacity >= 0 && opacity < 1 ? { opacity } : {}),
  };
};
