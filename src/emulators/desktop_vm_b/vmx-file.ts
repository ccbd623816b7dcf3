import { chmod, chown, rename, stat, writeFile } from 'node:fs/promises';
import { LENGTHS } from '../../common/bounds.ts';
import { readBounded } from '../../common/file.ts';
import { conflict } from '../../common/errors.ts';
import type { Port } from '../kit/contract.ts';

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

const isTrue = (value: string | null): boolean => value?.toLowerCase() === 'true';

/** Throws a conflict that names `vmx_path`. */
export const readVmx = async (path: string): Promise<Vmx> => {
  try {
    return parseVmx(await readBounded(path, LENGTHS.content, { called: 'it' }));
  } catch (error) {
    throw unusable(path, error);
  }
};

/** Replaces the file in one step: half a file would destroy the machine. Owner and mode stay. */
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

/** Key of a definition file that VMware does not know, and keeps: whose the machine is. */
export const CLAIM = 'topolog.node';
export const MOST_ADAPTERS = 10;

const TYPES = ['default', 'e1000', 'e1000e', 'flexible', 'vlance', 'vmxnet', 'vmxnet2', 'vmxnet3'];

/** Network of each of a machine's first adapters, as VMware calls it; null: none, or a network of its own choice. */
export const usesOf = (vmx: Vmx, adapters: number): (string | null)[] =>
  Array.from({ length: adapters }, (_, n) => {
    if (!isTrue(vmx.get(`ethernet${n}.present`))) return null;
    // VMware takes bridged where there is no type.
    const type = (vmx.get(`ethernet${n}.connectionType`) ?? 'bridged').toLowerCase();
    return type === 'custom' || type === 'none' ? null : type;
  });

/** The network of an adapter, `vmnet10`; null when it is on none of those. */
export const vmnetOf = (vmx: Vmx, adapter: number): string | null => {
  const isOn =
    isTrue(vmx.get(`ethernet${adapter}.present`)) && vmx.get(`ethernet${adapter}.connectionType`) === 'custom';
  return isOn
    ? (/(?:^|\/)(vmnet\d+)$/i.exec(vmx.get(`ethernet${adapter}.vnet`) ?? '')?.[1]?.toLowerCase() ?? null)
    : null;
};

/** Keys that put an adapter on a network. A MAC address is only given when the node has one of its own. */
export const adapterValues = (port: Port, vmnet: string, adapterType: string): Record<string, string> => {
  const of = (key: string): string => `ethernet${port.adapter_number}.${key}`;
  return {
    [of('present')]: 'TRUE',
    [of('startConnected')]: 'TRUE',
    [of('connectionType')]: 'custom',
    [of('vnet')]: `/dev/${vmnet}`,
    [of('noPromisc')]: 'FALSE',
    ...typeValue(of('virtualDev'), port.adapter_type ?? adapterType),
    ...(port.mac_address === undefined
      ? {}
      : { [of('addressType')]: 'static', [of('address')]: port.mac_address, [of('checkMACAddress')]: 'FALSE' }),
  };
};

const typeValue = (key: string, adapterType: string): Record<string, string> => {
  const type = adapterType.toLowerCase();
  if (!TYPES.includes(type))
    throw conflict(`adapter_type ${adapterType} is none of VMware's; possible: ${TYPES.join(', ')}`, {
      field: 'adapter_type',
    });
  return type === 'default' || type === 'flexible' ? {} : { [key]: type };
};

/** The first serial line, served at a unix socket. */
export const serialValues = (socket: string): Record<string, string> => ({
  'serial0.present': 'TRUE',
  'serial0.startConnected': 'TRUE',
  'serial0.fileType': 'pipe',
  'serial0.fileName': socket,
  'serial0.pipe.endPoint': 'server',
  // The other end is a program, not another machine: nothing waits for it, nothing spins.
  'serial0.tryNoRxLoss': 'FALSE',
  'serial0.yieldOnMsrRead': 'TRUE',
});

/** Adapters stay, and are not connected; a serial line of ours goes. */
export const loosen = (vmx: Vmx, serial: string): void => {
  for (let n = 0; n < MOST_ADAPTERS; n++)
    if (vmnetOf(vmx, n) !== null) vmx.set({ [`ethernet${n}.startConnected`]: 'FALSE' });
  if (vmx.get('serial0.fileName') === serial) vmx.set({ 'serial0.present': 'FALSE' });
  vmx.delete(CLAIM);
};

/** A machine whose memory is in a file beside it. */
export const isSaved = (vmx: Vmx): boolean => (vmx.get('checkpoint.vmState') ?? '') !== '';
