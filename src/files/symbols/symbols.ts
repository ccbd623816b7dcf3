import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileSort } from '../../common/documents/file-sort.ts';
import type { ImageInfo } from './image-size.ts';
import { readBounded } from '../../common/documents/file.ts';
import { removeDurably } from '../../common/durable.ts';
import { PACKAGE } from '../../common/package.ts';
import { type PreparedFile, prepareFile } from '../project/prepared-file.ts';
import { sizedSvg, symbolInfo } from './image.ts';
import { baseName, builtinPath, fileFor, isSymbolFile } from './names.ts';
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

/** Pictures of nodes: those of this package, and those in the directory of files. */
export interface Symbols {
  list(): Promise<SymbolEntry[]>;
  /** Never fails for a name: an unknown one is the computer. */
  read(id: string): Promise<SymbolImage>;
  /** Of the picture that `read` gives, as far as it was there at the start or came through `prepare`. */
  sizeOf(id: string): SymbolSize;
  /** A picture ready to be put into the directory of files. Throws `invalid_request` for what is none. */
  prepare(id: string, bytes: Uint8Array): Promise<PreparedFile & { file: string; bytes: Buffer }>;
  /** A file of that directory has come into its place, or gone from it, otherwise. */
  placed(file: string): Promise<void>;
  /** A file of that directory, named as `list` has it. */
  remove(file: string): Promise<void>;
}

export const SYMBOL_FILES: FileSort = {
  ...{ name: 'symbols', what: 'pictures', at: ['symbols/**'], changed: 'named' },
  unless: 'somebody put it there without the server',
};

/** Octets; far more than any symbol. */
const LARGEST = 4 << 20;
const FALLBACK = 'computer.svg';
/** Every picture of this package. */
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

/** Those of this package, then those of the directory. */
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

/** Read once, at the start: decisions about nodes do not wait for the disk. */
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

/** undefined: not there, no picture, or a link that leads elsewhere. */
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
