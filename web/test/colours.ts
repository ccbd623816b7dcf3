import { readFileSync } from 'node:fs';

export type Triple = readonly [number, number, number];

export const css = readFileSync(`${process.cwd()}/web/src/ui/base.css`, 'utf8');
/** The colours of a theme by their names. */
export const coloursOf = (theme: string): ReadonlyMap<string, string> => {
  const block = css.slice(css.indexOf(`[data-theme='${theme}'] {`));
  return new Map(
    [...block.slice(0, block.indexOf('}')).matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(
      ([, name = '', colour = '']) => [name, colour],
    ),
  );
};

/** Linear light, 0 to 1. */
export const lightOf = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
export const times = (rows: readonly Triple[], [a, b, c]: Triple): Triple =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

/** WCAG 2: relative luminance, contrast. */
const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
export const contrast = (one: string, other: string): number => {
  const [bright = 0, dark = 0] = [one, other].map((hex) => luminance(lightOf(hex))).sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
};
