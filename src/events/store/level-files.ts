import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FileSort } from '../../common/file-sort.ts';
import { crc32c, unmasked } from './crc32c.ts';
import { type Damage, DamagedLog } from './damage.ts';

/**
 * Checks LevelDB's journals and manifest before LevelDB opens them: it silently skips damaged records of a journal,
 * applies what follows, and deletes the journal. Format: leveldb/doc/log_format.md. Nothing is changed.
 */
const BLOCK = 32_768;
const HEADER = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * Offset of the first incomplete record. It is damaged when another record follows; else its write may never have
 * been completed.
 */
type Break = { at: number; followed: boolean } | null;

/** End of a record with a matching checksum, or null. */
const endOf = (file: Buffer, at: number): number | null => {
  const length = HEADER + (file[at + 4] ?? 0) + (file[at + 5] ?? 0) * 256;
  const end = at + length;
  if (at + HEADER > file.length || end > file.length || (at % BLOCK) + length > BLOCK) return null;
  return crc32c(file, at + HEADER - 1, end) === unmasked(file.readUInt32LE(at)) ? end : null;
};

const typeAt = (file: Buffer, at: number): number => file[at + HEADER - 1] ?? 0;

/**
 * Whether a batch begins anywhere after `from`, which proves damage: every batch waits until the one before it is on
 * disk.
 */
const isFollowed = (file: Buffer, from: number): boolean => {
  for (let at = from; at + HEADER <= file.length; at++) {
    const type = typeAt(file, at);
    if ((type === FULL || type === FIRST) && endOf(file, at) !== null) return true;
  }
  return false;
};

const breakOf = (file: Buffer): Break => {
  let began: number | null = null;
  for (let at = 0; at < file.length;) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    const end = endOf(file, at);
    const type = typeAt(file, at);
    const fits = began === null ? type === FULL || type === FIRST : type === MIDDLE || type === LAST;
    if (end === null || !fits) return { at: began ?? at, followed: isFollowed(file, end === null ? at + 1 : at) };
    if (type === FIRST) began = at;
    else if (type !== MIDDLE) began = null;
    at = end;
  }
  return began === null ? null : { at: began, followed: false };
};

/** Whether a journal or manifest has records, and all of them are complete. */
export const isWhole = (file: Buffer): boolean => file.length > 0 && breakOf(file) === null;
/** Whether a journal has any complete record. */
export const hasRecord = (file: Buffer): boolean => isFollowed(file, 0);

export const isJournal = (name: string): boolean => /^\d+\.log$/.test(name);
export const isTable = (name: string): boolean => /^\d+\.(?:ldb|sst)$/.test(name);
/** Number of a manifest; null: another file. */
export const manifestNumber = (name: string): number | null => {
  const digits = /^MANIFEST-(\d+)$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};
/** Files with which LevelDB opens a log, beside its tables. */
export const isState = (name: string): boolean =>
  name === 'CURRENT' || manifestNumber(name) !== null || isJournal(name);

const fileDamage = (name: string, message: string): Damage => ({
  position: null,
  key: name,
  where: `file ${name}`,
  message,
});

export const LOG_FILES: readonly FileSort[] = [
  {
    name: 'log',
    what: 'the log, with the checksums of LevelDB and of each event, and head, which says where it ends',
    at: ['log/*.ldb', 'log/*.sst', 'log/*.log', 'log/MANIFEST-*', 'log/CURRENT', 'log/head'],
    changed: 'log',
  },
  {
    name: 'log beside',
    what: "LevelDB's messages and its lock",
    at: ['log/LOG', 'log/LOG.old', 'log/LOCK'],
    changed: 'idle',
  },
  {
    name: 'log put aside',
    what: 'a log that was never begun, or was repaired',
    changed: 'idle',
    at: ['log/never-begun/*', 'log.damaged-*/**', 'log.repairing/**', 'log.repaired/**'],
  },
  { name: 'cell', what: 'who has this directory', at: ['cell/**'], changed: 'idle' },
];

/** Whether a process holds the lock; false where the system does not tell. */
export const isHeld = async (directory: string): Promise<boolean> => {
  try {
    const { ino } = await stat(path.join(directory, 'LOCK'));
    return (await readFile('/proc/locks', 'utf8')).includes(`:${ino} `);
  } catch {
    return false;
  }
};

/** Empty where there is no directory. */
export const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  });

/** Name of the manifest in CURRENT, whether the file exists or not; null: it names none. */
export const namedManifest = async (directory: string): Promise<string | null> => {
  const text = await readFile(path.join(directory, 'CURRENT'), 'utf8');
  const name = text.slice(0, -1);
  return text === `${name}\n` && manifestNumber(name) !== null ? name : null;
};

/** Throws `DamagedLog` for certain damage; returns a description of writes that may never have been completed. */
export const checkFiles = async (directory: string): Promise<string | null> => {
  const names = await namesIn(directory);
  const manifest = await manifestOf(directory, names);
  const torn: string[] = [];
  for (const name of names.filter((name) => isJournal(name) || name === manifest)) {
    const broken = breakOf(await readFile(path.join(directory, name)));
    if (broken === null) continue;
    const message = `its checksum does not fit at octet ${broken.at}`;
    if (broken.followed) throw new DamagedLog(fileDamage(name, `${message}, and more was written after it`));
    torn.push(`file ${name}: the end from octet ${broken.at} on was never completely written`);
  }
  return torn.length === 0 ? null : torn.join('; ');
};

/**
 * Name of the manifest in use; null in a directory without a log. Without CURRENT LevelDB would start empty and
 * delete the old tables.
 */
const manifestOf = async (directory: string, names: readonly string[]): Promise<string | null> => {
  if (!names.includes('CURRENT')) {
    const files = names.filter((name) => isTable(name) || isJournal(name));
    if (files.length === 0) return null;
    throw new DamagedLog(fileDamage('CURRENT', `it is missing, and there are ${files.length} files of a log`));
  }
  const name = await namedManifest(directory);
  if (name === null || !names.includes(name))
    throw new DamagedLog(fileDamage('CURRENT', 'it does not name the list of files'));
  return name;
};
