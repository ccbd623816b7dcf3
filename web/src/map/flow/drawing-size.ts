export interface Size {
  readonly width: number;
  readonly height: number;
}

const SMALLEST = 8;
const LARGEST = 20_000;
/** The first tag is looked for no further than here. */
const HEAD = 4_000;

/** Size of a drawing as its first tag says it, in pixels; of its view box, or 100 by 100, where it does not. */
export const sizeOf = (svg: string): Size => {
  const [tag = ''] = /<svg\b[^>]*>/i.exec(svg.slice(0, HEAD)) ?? [];
  const [, , boxWidth, boxHeight] = (attributeOf(tag, 'viewBox') ?? '').trim().split(/[\s,]+/);
  return {
    width: within(lengthOf(attributeOf(tag, 'width')) ?? lengthOf(boxWidth)),
    height: within(lengthOf(attributeOf(tag, 'height')) ?? lengthOf(boxHeight)),
  };
};

const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1];

/** Percentages are of nothing here. */
const lengthOf = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\s*[\d.]+(px)?\s*$/i.test(text)) return undefined;
  const value = Number.parseFloat(text);
  return value > 0 ? value : undefined;
};

const within = (value = 100): number => Math.min(LARGEST, Math.max(SMALLEST, value));
