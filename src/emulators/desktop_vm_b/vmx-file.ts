import { chmod, chown, rename, stat, writeFile } from 'node:fs/promises';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';
import { conflict } from '../../common/errors.ts';

/**
 * A machine's definition file: `key = "value"`, one a line, keys in any case. Lines that are not asked for stay as they are, octet by
 * octet; what cannot be written in a value is `|` and two hexadecimal digits. `.encoding` tells how the rest is written.
 */
export interface Vmx {
  /** null: there is no such key. */
  get(key: string): string | null;
  set(values: Readonly<Record<string, string>>): void;
  delete(key: string): void;
  bytes(): Buffer;
}

/** `key = "value"`, the quotes may lack; null: another line. */
const partsOf = (line: string): { key: string; value: string } | null => {
  const at = line.indexOf('=');
  const key = line.slice(0, Math.max(0, at)).trim();
  if (key === '' || /^[#"]/.test(key)) return null;
  const value = line.slice(at + 1).trim();
  return { key: key.toLowerCase(), value: value.replace(/^"|"$/g, '') };
};

/** Lines are held as Latin 1, which keeps every octet. */
export const parseVmx = (bytes: Buffer): Vmx => {
  const text = bytes.toString('latin1');
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  let lines = text.split(/\r?\n/);
  const keyOf = (line: string): string | undefined => partsOf(line)?.key;
  const rawOf = (key: string): string | null => {
    const line = lines.find((one) => keyOf(one) === key.toLowerCase());
    return line === undefined ? null : (partsOf(line)?.value ?? '');
  };
  const encoding = rawOf('.encoding') ?? 'utf-8';

  const put = (key: string, value: string): void => {
    const line = `${key} = "${encode(value, encoding)}"`;
    const at = lines.findIndex((one) => keyOf(one) === key.toLowerCase());
    if (at >= 0) {
      // VMware refuses a file that has a key twice.
      lines = lines.filter((one, index) => index === at || keyOf(one) !== key.toLowerCase());
      lines[at] = line;
    } else if (lines.at(-1) === '') lines.splice(-1, 0, line);
    else lines.push(line);
  };
  return {
    get(key) {
      const raw = rawOf(key);
      return raw === null ? null : decode(raw, encoding);
    },
    set(values) {
      for (const [key, value] of Object.entries(values)) put(key, value);
    },
    delete: (key) => void (lines = lines.filter((one) => keyOf(one) !== key.toLowerCase())),
    bytes: () => Buffer.from(lines.join(end), 'latin1'),
  };
};

const decode = (raw: string, encoding: string): string => {
  const octets = Buffer.from(raw, 'latin1');
  const text = new TextDecoder(isKnown(encoding) ? encoding : 'windows-1252').decode(octets);
  return text.replace(/\|([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
};

const isKnown = (encoding: string): boolean => {
  try {
    return new TextDecoder(encoding) !== null;
  } catch {
    return false;
  }
};

/** Only UTF-8 files take more than ASCII from us. */
const encode = (value: string, encoding: string): string => {
  const safe = value.replace(SPECIAL, escaped);
  if (!/^utf-?8$/i.test(encoding) && BEYOND_ASCII.test(safe))
    throw conflict(`the machine's definition file is written in ${encoding} and cannot hold ${value}`);
  return Buffer.from(safe, 'utf8').toString('latin1');
};

/** Quotation marks, the escape itself, and what is not printed. */
const SPECIAL = /["|\x00-\x1f]/g;
const BEYOND_ASCII = /[^ -~]/;

const escaped = (c: string): string => `|${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

export const isTrue = (value: string | null): boolean => value?.toLowerCase() === 'true';

/** Throws a conflict that names `vmx_path`. */
export const readVmx = async (path: string): Promise<Vmx> => {
  try {
    return parseVmx(await readBounded(path, LENGTHS.content, { called: 'it' }));
  } catch (error) {
    throw unusable(path, error);
  }
};

/** In place of the file in one step: half a file would be a machine lost. Owner and mode stay. */
export const writeVmx = async (path: string, vmx: Vmx): Promise<void> => {
  try {
    const { mode, uid, gid } = await stat(path);
    const fresh = `${path}.topolog`;
    await writeFile(fresh, vmx.bytes(), { mode: mode & 0o777 });
    await chmod(fresh, mode & 0o777);
    if (process.getuid?.() === 0) await chown(fresh, uid, gid);
    await rename(fresh, path);
  } catch (error) {
    throw unusable(path, error);
  }
};

const unusable = (path: string, error: unknown): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return conflict(`vmx_path: there is no file ${path}`, { field: 'vmx_path' });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return conflict(`vmx_path: ${path} cannot be read and written by the user of the server`, { field: 'vmx_path' });
    default:
      return error;
  }
};
