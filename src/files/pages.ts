import path from 'node:path';
import type { Readable } from 'node:stream';
import { invalid, TopologError } from '../errors.ts';
import { openProjectFile } from './project-files.ts';

/** A web client, compiled by those who make it, in a directory of its own. */

const INDEX = 'index.html';

/** By extension: browsers run no script of another type. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

interface Page {
  stream: Readable;
  type: string;
}

/** Its files, by names below the directory; its index for those that are not there, as its own paths are not. */
export const openPage = async (root: string, name: string): Promise<Page> => {
  try {
    const type = TYPES[path.extname(name).toLowerCase()] ?? 'application/octet-stream';
    return { stream: await openProjectFile(root, name), type };
  } catch (error) {
    if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
    return { stream: await openProjectFile(root, INDEX), type: TYPES['.html'] ?? '' };
  }
};

/** Throws `invalid_request` where there is no web client in the directory. */
export const checkPages = async (root: string): Promise<void> => {
  const index = await openProjectFile(root, INDEX).catch(() => null);
  if (index === null) throw invalid(`--web-ui: ${root} has no ${INDEX}`, { field: 'web-ui' });
  index.destroy();
};
