import { imageInfo, type ImageInfo } from './image-size.ts';

/** What a picture is by its content, whatever its name says: SVG (W3C SVG 1.1), PNG, GIF or JPEG; undefined for others. */
export const symbolInfo = (bytes: Buffer): ImageInfo | undefined => imageInfo(bytes) ?? svgInfo(bytes);

/** Pixels of a symbol that does not say how large it is. */
const SIZE = 65;
const MOST = 10_000;

const svgInfo = (bytes: Buffer): ImageInfo | undefined => {
  const tag = svgTag(bytes);
  if (tag === undefined) return undefined;
  const { width, height } = sizeOf(tag.text);
  return { type: 'image/svg+xml', width, height };
};

/** A picture whose first tag has a width and a height, as existing clients read them off its text. */
export const sizedSvg = (bytes: Buffer): Buffer => {
  const tag = svgTag(bytes);
  if (tag === undefined || (has(tag.text, 'width') && has(tag.text, 'height'))) return bytes;
  const { width, height } = sizeOf(tag.text);
  const rest = tag.text.slice('<svg'.length).replace(/\s(?:width|height)\s*=\s*(?:"[^"]*"|'[^']*')/g, '');
  const sized = `<svg width="${width}" height="${height}"${rest}`;
  return Buffer.from(tag.before + sized + tag.after);
};

interface Tag {
  before: string;
  /** `<svg ...>` */
  text: string;
  after: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The first tag of an SVG; undefined when something else comes first, or entities are declared. */
const svgTag = (bytes: Buffer): Tag | undefined => {
  const text = decoded(bytes);
  if (text === undefined || text.includes('<!ENTITY')) return undefined;
  const start = afterProlog(text);
  if (start === undefined || !/^<svg[\s>/]/.test(text.slice(start, start + 5))) return undefined;
  const end = text.indexOf('>', start) + 1;
  return end === 0 ? undefined : { before: text.slice(0, start), text: text.slice(start, end), after: text.slice(end) };
};

const decoded = (bytes: Buffer): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

const PROLOG: readonly [string, string][] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
];

/** Where the declaration, the comments and the document type end. */
const afterProlog = (text: string): number | undefined => {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const part = PROLOG.find(([open]) => text.startsWith(open, at));
    if (part === undefined) return at;
    const end = text.indexOf(part[1], at);
    if (end < 0) return undefined;
    at = end + part[1].length;
  }
};

const has = (tag: string, name: string): boolean => pixels(attribute(tag, name)) !== undefined;

const attribute = (tag: string, name: string): string | undefined => {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return double ?? single;
};

/** Of a length in pixels; undefined for other units and nonsense. */
const pixels = (length: string | undefined): number | undefined => {
  const [, digits] = /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(length ?? '') ?? [];
  return digits === undefined ? undefined : bounded(Number(digits));
};

const bounded = (n: number): number => Math.min(MOST, Math.max(1, Math.round(n)));

const sizeOf = (tag: string): { width: number; height: number } => {
  const [, , across, down] = (attribute(tag, 'viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const fallback = (n: number | undefined): number =>
    n !== undefined && n > 0 && Number.isFinite(n) ? bounded(n) : SIZE;
  return {
    width: pixels(attribute(tag, 'width')) ?? fallback(across),
    height: pixels(attribute(tag, 'height')) ?? fallback(down),
  };
};
