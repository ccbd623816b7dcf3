import { invalid } from '../../common/errors.ts';

/** Names of pictures, as clients and project files write them. */

const BUILTIN = /^:?\/*symbols\/+/;

/** `:/symbols/router.svg`, with or without the colon, to the path inside the folder; undefined for other names. */
export const builtinPath = (id: string): string | undefined => {
  if (!BUILTIN.test(id)) return undefined;
  // Files of some servers say where the plain set lies there.
  return id.replace(BUILTIN, '').replace(/^classic\//, '');
};

/** The last part of whatever a client calls a picture. */
export const baseName = (id: string): string => id.split(/[\\/]/).at(-1) ?? '';

const ENDINGS: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
};
const FILE = /^[\p{L}\p{N}][\p{L}\p{N} ._()+-]*\.(svg|png|gif|jpe?g)$/iu;
/** Octets; what file systems take. */
const LONGEST = 200;

export const isSymbolFile = (name: string): boolean => FILE.test(name) && Buffer.byteLength(name) <= LONGEST;

/** The file that a picture is stored as. Throws `invalid_request` when its name or its content cannot be one. */
export const fileFor = (id: string, type: string | undefined): string => {
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
