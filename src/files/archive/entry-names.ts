import { conflict } from '../../common/errors.ts';
import { quoted } from '../fields/json.ts';

/** Checks of names in archives. Pure. */

const refused = (name: string, why: string): Error => conflict(`the archive is refused: ${quoted(name)} ${why}`);

/** Maximum length of a name in octets; file systems allow 255 per part. */
const MAX_NAME = 1_024;
const MAX_PART = 255;
/** Maximum nesting: each directory costs memory and an entry on disk. */
const MAX_PARTS = 64;

/**
 * Name on disk: parts separated by `/`, without the slash that ends the name of a directory. Throws for names that
 * would leave the project on any system.
 */
export const safeName = (given: string): string => {
  const name = given.replace(/\/$/, '');
  if (name === '') throw refused(given, 'is no name');
  if (/[\\\u0000-\u001f\u007f]/.test(name)) throw refused(given, 'has a backslash or a control character');
  if (name.startsWith('/')) throw refused(given, 'is absolute');
  if (/^[a-z]:/i.test(name)) throw refused(given, 'has a drive letter');
  if (Buffer.byteLength(name) > MAX_NAME) throw refused(`${name.slice(0, 40)}…`, 'is too long');
  const parts = name.split('/');
  if (parts.length > MAX_PARTS) throw refused(`${name.slice(0, 40)}…`, `has more than ${MAX_PARTS} parts`);
  for (const part of parts) {
    if (part === '..') throw refused(given, 'leads out of the project');
    if (part === '' || part === '.') throw refused(given, 'has an empty part');
    if (Buffer.byteLength(part) > MAX_PART) throw refused(`${part.slice(0, 40)}…`, 'is too long');
  }
  return name;
};

/**
 * Checks that a link's target stays inside, whatever other links exist: relative, with `..` only at its beginning,
 * and not more often than the link's directory is deep.
 */
export const safeTarget = (link: string, target: string): string => {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const up = parts.findIndex((part) => part !== '..');
  const steps = up === -1 ? parts.length : up;
  const plain = !/[\\\u0000-\u001f]/.test(target) && !/^[a-z]:/i.test(target) && target.length <= MAX_NAME;
  if (target === '' || target.startsWith('/') || !plain || parts.slice(steps).includes('..'))
    throw refused(link, `is a link to ${quoted(target)}; only links inside the project are taken`);
  if (steps > link.split('/').length - 1) throw refused(link, `is a link to ${quoted(target)}, out of the project`);
  return target;
};

type Sort = 'file' | 'directory' | 'link';

/** Checks names against each other: each once, even ignoring case, and nothing below a file or a link. */
export class NameTable {
  readonly #sorts = new Map<string, { name: string; sort: Sort }>();

  add(name: string, sort: Sort): void {
    const parts = name.split('/');
    for (let n = 1; n < parts.length; n++) this.#put(parts.slice(0, n).join('/'), 'directory', true);
    this.#put(name, sort, false);
  }

  #put(name: string, sort: Sort, implied: boolean): void {
    const key = name.normalize('NFC').toLowerCase();
    const known = this.#sorts.get(key);
    if (known === undefined) {
      this.#sorts.set(key, { name, sort });
      return;
    }
    if (known.name !== name) throw refused(name, `differs from ${quoted(known.name)} by case only`);
    if (known.sort === 'directory' && sort === 'directory') return;
    throw refused(
      name,
      implied || known.sort === 'directory' ? 'is both a directory and something else' : 'is in it twice',
    );
  }
}
