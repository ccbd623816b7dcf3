import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { removeDurably } from '../../common/durable.ts';
import { invalid } from '../../common/errors.ts';
import type { FileSort } from '../../common/file-sort.ts';
import { readBounded } from '../../common/file.ts';
import { PACKAGE } from '../../common/package.ts';
import { type PreparedFile, prepareFile } from '../project/prepared-file.ts';
import { type ImageInfo, imageInfo } from './image-size.ts';
import { themeOf } from './themes.ts';

export interface SymbolEntry {
  symbol_id: string;
  filename: string;
  theme: string;
  builtin: boolean;
}
export interface SymbolImage extends ImageInfo {
  bytes: Buffer;
}
/** Pixels. */
export type SymbolSize = Pick<ImageInfo, 'width' | 'height'>;

/** Symbols of nodes: those of this package, and those in the directory of files. */
export interface Symbols {
  list(): Promise<SymbolEntry[]>;
  /** Never fails: an unknown name gives the computer. */
  read(id: string): Promise<SymbolImage>;
  /** Size of the picture that `read` returns, if it existed at the start or came through `prepare`. */
  sizeOf(id: string): SymbolSize;
  /** Prepares a picture for the directory of files. Throws `invalid_request` for anything else. */
  prepare(id: string, bytes: Uint8Array): Promise<PreparedFile & { file: string; bytes: Buffer }>;
  /** Called when a file of that directory was added or removed in another way. */
  placed(file: string): Promise<void>;
  /** Removes a file of that directory, named as in `list`. */
  remove(file: string): Promise<void>;
}

export const SYMBOL_FILES: FileSort = {
  name: 'symbols',
  what: 'pictures',
  at: ['symbols/**'],
  changed: 'named',
  unless: 'somebody put it there without the server',
};

/** Octets; far more than any symbol. */
const LARGEST = 4 << 20;
const FALLBACK = 'computer.svg';
/** Size of every picture of this package. */
const BUILTIN_SIZE: SymbolSize = { width: 65, height: 65 };
const FOLDER = path.join(PACKAGE, 'symbols');

export const createSymbols = (filesDir: string): Symbols => {
  const own = path.join(filesDir, 'symbols');
  const files = builtinFiles();
  const known = new Map<string, SymbolImage>();
  const ownSizes = sizesIn(own);

  const builtin = async (file: string): Promise<SymbolImage> => {
    const image = known.get(file) ?? imageOf(await readFile(path.join(FOLDER, file)));
    if (image === undefined) throw new Error(`the symbol ${file} of this package is damaged`);
    known.set(file, image);
    return image;
  };

  return {
    list: () => listed(own, files),

    async read(id) {
      const inside = builtinPath(id);
      if (inside !== undefined && files.includes(inside)) return builtin(inside);
      const name = baseName(id);
      return (await readOwn(own, name)) ?? builtin(files.includes(name) ? name : FALLBACK);
    },

    sizeOf(id) {
      const inside = builtinPath(id);
      if (inside !== undefined && files.includes(inside)) return BUILTIN_SIZE;
      const { width, height } = ownSizes.get(baseName(id)) ?? BUILTIN_SIZE;
      return { width, height };
    },

    async prepare(id, given) {
      const bytes = sizedSvg(Buffer.from(given));
      const info = symbolInfo(bytes);
      const file = fileFor(id, info?.type);
      const prepared = await prepareFile(path.join(own, file), bytes, 0o644);
      const commit = async (): Promise<void> => {
        await prepared.commit();
        if (info !== undefined) ownSizes.set(file, info);
      };
      return { ...prepared, commit, file, bytes };
    },

    async placed(file) {
      const image = await readOwn(own, file);
      if (image === undefined) ownSizes.delete(file);
      else ownSizes.set(file, image);
    },

    async remove(file) {
      await removeDurably(path.join(own, baseName(file)));
      ownSizes.delete(file);
    },
  };
};

/** Symbols of this package, then those of the directory. */
const listed = async (own: string, files: readonly string[]): Promise<SymbolEntry[]> => {
  const names = await readdir(own).catch(() => []);
  return [
    ...files.map((file) => ({
      symbol_id: `:/symbols/${file}`,
      filename: baseName(file),
      theme: themeOf(file),
      builtin: true,
    })),
    ...names
      .filter(isSymbolFile)
      .sort()
      .map((name) => ({ symbol_id: name, filename: name, theme: 'Custom', builtin: false })),
  ];
};

/** Paths below the folder, with `/`. */
const builtinFiles = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.svg'))
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));

/** Read once at the start, as decisions about nodes do not wait for the disk. */
const sizesIn = (directory: string): Map<string, SymbolSize> => {
  const sizes = new Map<string, SymbolSize>();
  for (const file of namesIn(directory)) {
    const info = symbolInfo(readFileSync(path.join(directory, file)));
    if (info !== undefined) sizes.set(file, info);
  }
  return sizes;
};

const namesIn = (directory: string): string[] => {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && isSymbolFile(entry.name)).map(({ name }) => name);
  } catch {
    return [];
  }
};

/** undefined: missing, no picture, or a link that leads elsewhere. */
const readOwn = async (directory: string, name: string): Promise<SymbolImage | undefined> => {
  if (!isSymbolFile(name)) return undefined;
  try {
    const root = await realpath(directory);
    const file = await realpath(path.join(root, name));
    return path.dirname(file) === root ? imageOf(await readBounded(file, LARGEST)) : undefined;
  } catch {
    return undefined;
  }
};

const imageOf = (bytes: Buffer): SymbolImage | undefined => {
  if (bytes.length > LARGEST) return undefined;
  const info = symbolInfo(bytes);
  return info && { ...info, bytes };
};

/** Prefix of names of built-in pictures in requests and project files. */

const BUILTIN = /^:?\/*symbols\/+/;

/** Path in the folder of `:/symbols/router.svg`, with or without the colon; undefined for other names. */
const builtinPath = (id: string): string | undefined => {
  if (!BUILTIN.test(id)) return undefined;
  // Some servers name the directory of the classic set.
  return id.replace(BUILTIN, '').replace(/^classic\//, '');
};

/** Last part of a path in either notation. */
const baseName = (id: string): string => id.split(/[\\/]/).at(-1) ?? '';

const ENDINGS: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
};
const FILE = /^[\p{L}\p{N}][\p{L}\p{N} ._()+-]*\.(svg|png|gif|jpe?g)$/iu;
/** Maximum length in octets; file systems allow a little more. */
const LONGEST = 200;

const isSymbolFile = (name: string): boolean => FILE.test(name) && Buffer.byteLength(name) <= LONGEST;

/** File name for a picture. Throws `invalid_request` for an unsuitable name or content. */
const fileFor = (id: string, type: string | undefined): string => {
  const name = baseName(id);
  if (!isSymbolFile(name))
    throw invalid(
      `symbol_id must end in a file name of letters, digits and . _ - + ( ) with the ending svg, png, gif or jpg`,
      { field: 'symbol_id' },
    );
  if (type === undefined) throw invalid('the body must be an SVG without entities, or a PNG, GIF or JPEG picture');
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (ENDINGS[ending] !== type)
    throw invalid(`symbol_id ends in .${ending}, but the body is ${type}`, { field: 'symbol_id' });
  return name;
};

/**
 * Type and size of a picture by its content, regardless of its name: SVG (W3C SVG 1.1), PNG, GIF or JPEG; undefined
 * for others.
 */
export const symbolInfo = (bytes: Buffer): ImageInfo | undefined => imageInfo(bytes) ?? svgInfo(bytes);

/** Size in pixels of a symbol that states none. */
const SIZE = 65;
const MOST = 10_000;

const svgInfo = (bytes: Buffer): ImageInfo | undefined => {
  const tag = svgTag(bytes);
  if (tag === undefined) return undefined;
  const { width, height } = sizeOf(tag.text);
  return { type: 'image/svg+xml', width, height };
};

/** Adds width and height to the first tag of an SVG, where existing clients read them. */
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

/** First tag of an SVG; undefined when something else comes first, or entities are declared. */
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

/** Index after the declaration, comments and document type. */
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

/** A length in pixels; undefined for other units and invalid values. */
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
