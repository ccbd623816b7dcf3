import type { DrawingRecord } from '../projections/records.ts';
import { familyOf } from './label.ts';
import { type Box, escapeXml, num, turned } from './svg.ts';

const SMALLEST = 8;
const LARGEST = 20_000;
/** Characters in which the first tag is searched. */
const HEAD = 4_000;

const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1];

/** Reads a length in pixels. Percentages have nothing to refer to here. */
const lengthOf = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\s*[\d.]+(px)?\s*$/i.test(text)) return undefined;
  const value = Number.parseFloat(text);
  return value > 0 ? value : undefined;
};

const within = (value = 100): number => Math.min(LARGEST, Math.max(SMALLEST, value));

/** Size of a drawing by its first tag: `width` and `height`, else its view box, else 100 by 100. */
const sizeOf = (svg: string): Pick<Box, 'width' | 'height'> => {
  const [tag = ''] = /<svg\b[^>]*>/i.exec(svg.slice(0, HEAD)) ?? [];
  const [, , boxWidth, boxHeight] = (attributeOf(tag, 'viewBox') ?? '').trim().split(/[\s,]+/);
  return {
    width: within(lengthOf(attributeOf(tag, 'width')) ?? lengthOf(boxWidth)),
    height: within(lengthOf(attributeOf(tag, 'height')) ?? lengthOf(boxHeight)),
  };
};

/** Pixels of a point; width of a bold letter and height of a line in font sizes. */
const POINT = 4 / 3;
const LETTER = 0.72;
const LINE = 1.25;
/** Characters of an SVG that is searched for texts; longer ones were not typed by people. */
const LONGEST = 50_000;

/**
 * Size of the texts that begin at the top (without `y`), as existing tools write them. The drawing's own size may be too small for the
 * typeface that is used here.
 */
const textSize = (svg: string): Pick<Box, 'width' | 'height'> => {
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

/** Size of a drawing, or of its text where that is larger. */
const drawnSize = (svg: string): Pick<Box, 'width' | 'height'> => {
  const { width, height } = sizeOf(svg);
  const text = textSize(svg);
  return { width: within(Math.max(width, text.width)), height: within(Math.max(height, text.height)) };
};

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const TEXT = /<text\b([^<>]*)>([^<]*)<\/text>/gi;
/** Characters of one text that are laid out. */
const LONGEST_TEXT = 10_000;

/** Rewrites a text of existing tools, which begins at the top, has its size in points and its lines as lines, as SVG has it. */
const laidOut = (attributes: string, text: string): string => {
  const sized = attributes.replace(/(\sfont-size\s*=\s*["'])([\d.]+)(["'])/i, '$1$2pt$3');
  const family = sized.replace(/\sfont-family\s*=\s*(?:"([^"]*)"|'([^']*)')/i, (_whole, a?: string, b?: string) => {
    return ` font-family="${escapeXml(familyOf(a ?? b))}"`;
  });
  const lines = text.slice(0, LONGEST_TEXT).split('\n');
  const spans = lines.map((line, index) => `<tspan x="0" y="${(index * 1.25 + 1).toFixed(2)}em">${line}</tspan>`);
  return `<text${family}>${spans.join('')}</text>`;
};

/** A drawing's SVG as a document of its own, with the namespaces that it may lack. */
const standalone = (svg: string): string => {
  const start = svg.search(/<svg\b/i);
  if (start < 0) return '';
  const end = svg.indexOf('>', start);
  let tag = svg.slice(start, end);
  if (!/\sxmlns\s*=/.test(tag)) tag = tag.replace(/^<svg/i, `<svg ${XMLNS}`);
  if (/\bxlink:/.test(svg) && !/\sxmlns:xlink\s*=/.test(tag)) tag += ` ${XLINK}`;
  if (textSize(svg).width > 0 && !/\sviewBox\s*=/i.test(tag)) {
    const { width, height } = drawnSize(svg);
    tag = `${tag.replace(/\s(width|height)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '')} width="${width}" height="${height}"`;
  }
  // A slash before attributes that were appended is dropped: the tag closed itself.
  return `${tag.replace(/\/(?= \w)/, '')}${svg.slice(end).replace(TEXT, (whole, attributes: string, text: string) => {
    return /\sy\s*=/.test(attributes) ? whole : laidOut(attributes, text);
  })}`;
};

/**
 * Draws a drawing as an image inside the image: a foreign SVG cannot run or load anything there, nor refer to the picture around it.
 */
export const drawDrawing = ({ svg, x, y, rotation }: DrawingRecord): { svg: string; box: Box } => {
  const box = { x, y, ...drawnSize(svg) };
  const data = Buffer.from(standalone(svg)).toString('base64');
  const turn = rotation === 0 ? '' : ` transform="rotate(${num(rotation)} ${num(x)} ${num(y)})"`;
  const place = `x="${num(x)}" y="${num(y)}" width="${num(box.width)}" height="${num(box.height)}"`;
  return { svg: `<image ${place}${turn} href="data:image/svg+xml;base64,${data}"/>`, box: turned(box, rotation) };
};
