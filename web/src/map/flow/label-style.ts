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

/**
 * How a label of a file looks: size, weight and colour, nothing else of what a style can say. Black and nearly black text has the colour of
 * the page's text, which is readable in the dark.
 */
export const labelStyle = (style: string | null | undefined): CSSProperties => {
  const pairs = pairsOf(style ?? '');
  const points = Number.parseFloat(pairs.get('font-size') ?? '10');
  const size = Math.min(48, Math.max(7, Number.isFinite(points) ? points : 10));
  const fill = pairs.get('fill') ?? '';
  const [, ...parts] = HEX.exec(fill) ?? [];
  const isColour = parts.length === 3 && parts.some((part) => Number.parseInt(part, 16) > 0x40);
  return {
    fontSize: `${Math.round((size * 4) / 3)}px`,
    ...(pairs.get('font-weight') === 'bold' ? { fontWeight: 600 } : {}),
    ...(isColour ? { color: fill } : {}),
  };
};
