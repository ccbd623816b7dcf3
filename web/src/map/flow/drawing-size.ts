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

/** Longer ones are no texts of people. */
const LONGEST = 50_000;
const TEXT = /<text\b([^<>]*)>([^<]*)<\/text>/gi;
/** Pixels of a point; width of a bold letter, and height of a line, in sizes of the font. */
const POINT = 4 / 3;
const LETTER = 0.72;
const LINE = 1.25;

/**
 * Room that the drawing's texts need that begin at the top, as existing tools write them: their box may be too small for the typeface that
 * is there.
 */
const textSize = (svg: string): Size => {
  let [width, height] = [0, 0];
  if (svg.length > LONGEST) return { width, height };
  for (const [, attributes = '', text = ''] of svg.matchAll(TEXT)) {
    if (/\sy\s*=/.test(attributes)) continue;
    const size = Math.min(200, Number.parseFloat(attributeOf(attributes, 'font-size') ?? '10') || 10) * POINT;
    const lines = text.split('\n');
    width = Math.max(width, ...lines.map((line) => Math.min(500, line.length) * size * LETTER));
    height = Math.max(height, (lines.length + 0.3) * size * LINE);
  }
  return { width: Math.ceil(width), height: Math.ceil(height) };
};

/** Size of a drawing, and more where its text is larger. */
export const drawnSize = (svg: string): Size => {
  const { width, height } = sizeOf(svg);
  const text = textSize(svg);
  return { width: within(Math.max(width, text.width)), height: within(Math.max(height, text.height)) };
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
