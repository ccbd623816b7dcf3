import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import mime from 'mime';
import { invalid, TopologError } from '../common/errors.ts';
import { PACKAGE } from '../common/package.ts';
import { openProjectFile } from './project/files.ts';

/** The page of this server, as `npm run build` makes it, or a compiled web client of somebody else in its place. */

/** Where the build leaves the page. */
const BUILT = path.join(PACKAGE, 'dist', 'web');
/** Names that need no escaping in a route. */
const PLAIN = /^[\w.-]+(?:\/[\w.-]+)*$/;
const COMPRESSED = /\.(?:br|gz)$/;

/** Files of the built page, without compressed variants; none if it is not built. */
export const builtPage = async (root = BUILT): Promise<{ root: string; files: string[] }> => {
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  return { root, files: names.filter((name) => PLAIN.test(name) && !COMPRESSED.test(name)).sort() };
};

const INDEX = 'index.html';

/** Media type by extension: browsers run no script of another type. */
const typeOf = (name: string): string => {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
};

interface Page {
  stream: Readable;
  type: string;
}

/** A file of the page, or its index for other names, which are paths within the page. */
export const openPage = async (root: string, name: string): Promise<Page> => {
  try {
    return { stream: await openProjectFile(root, name), type: typeOf(name) };
  } catch (error) {
    if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
    return { stream: await openProjectFile(root, INDEX), type: typeOf(INDEX) };
  }
};

/** Throws `invalid_request` when the directory has no web client. */
export const checkPages = async (root: string): Promise<void> => {
  const index = await openProjectFile(root, INDEX).catch(() => null);
  if (index === null) throw invalid(`--web-ui: ${root} has no ${INDEX}`, { field: 'web-ui' });
  index.destroy();
};
