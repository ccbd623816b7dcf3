import { readFileSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { isOpenToOthers } from '../common/durable.ts';
import { fileTroubleOf, invalid } from '../common/errors.ts';

/** Place of a log in a database. */
export interface CellPlace {
  /** `postgres://user@host,host/database`. */
  log: string;
  /** Name of the log there. */
  name: string;
  /** 32 octets that encrypt the secrets that its servers share; null: not given, and not needed to read the log. */
  key: Buffer | null;
}

/** Configuration of a server of a cell. Servers with the same place are one cell. */
export interface CellConfig extends CellPlace {
  key: Buffer;
  /** File of the key; absent: the key was in the environment. */
  keyFile?: string;
  /** Length of a lease. Milliseconds. */
  leaseMs: number;
  /** URL by which the other servers reach this one; null: the address where it listens. */
  advertise: string | null;
  /** As a standby, answer writes with 307 and the writer's address instead of forwarding them. */
  redirect: boolean;
  /** Write also under settings of the database that can lose answered writes. */
  acceptDataLoss: boolean;
}

export const CELL_OPTIONS = {
  log: { type: 'string' },
  cell: { type: 'string' },
  'cell-key': { type: 'string' },
  lease: { type: 'string' },
  advertise: { type: 'string' },
  redirect: { type: 'boolean' },
  'accept-data-loss': { type: 'boolean' },
} as const;

export const CELL_HELP = `  --log URL               keep the log in a database: postgres://user@host,host/database (LevelDB in the data directory)
  --cell NAME             name of the log there; the second server with the same name stands by (default)
  --cell-key FILE         key of the cell, the same for its servers: openssl rand -base64 32 > FILE
  --lease S               seconds after which another server takes over from one that is silent, 1 to 600 (2)
  --advertise URL         where the other servers of the cell reach this one (where it listens)
  --redirect              standing by, answer writes with 307 to the writer instead of forwarding them
  --accept-data-loss      write also under settings of the database that can lose what was answered
`;

interface CellFlags {
  log?: string | undefined;
  cell?: string | undefined;
  'cell-key'?: string | undefined;
  lease?: string | undefined;
  advertise?: string | undefined;
  redirect?: boolean | undefined;
  'accept-data-loss'?: boolean | undefined;
}

/** Null: the log is in the data directory. */
export const cellConfigOf = (given: CellFlags, env: NodeJS.ProcessEnv): CellConfig | null => {
  const place = cellPlaceOf(given, env);
  if (place === null) {
    const alone = (Object.keys(CELL_OPTIONS) as (keyof CellFlags)[]).find((flag) => given[flag] !== undefined);
    if (alone !== undefined) throw needsLog(alone);
    return null;
  }
  const { key } = place;
  if (key === null) throw invalid(`--log needs --cell-key FILE: ${KEY_HOW}`, { field: 'cell-key' });
  return {
    ...place,
    key,
    ...(given['cell-key'] === undefined ? {} : { keyFile: given['cell-key'] }),
    leaseMs: leaseMs(given.lease ?? '2'),
    advertise: given.advertise === undefined ? null : ownUrl(given.advertise),
    redirect: given.redirect ?? false,
    acceptDataLoss: given['accept-data-loss'] ?? false,
  };
};

/** Warns of a key file that others can read: with the key they could do what the servers of the cell may. */
export const warnOfKey = ({ keyFile }: CellConfig, logger: Logger): void => {
  const mode = keyFile === undefined ? 0 : (statSync(keyFile, { throwIfNoEntry: false })?.mode ?? 0);
  if (isOpenToOthers(mode)) logger.warn(`the key of the cell, ${keyFile}, can be read by others; chmod 600 ${keyFile}`);
};

const needsLog = (flag: string): Error => invalid(`--${flag} needs --log postgres://…`, { field: flag });

/** Null: the log is in the data directory. */
export const cellPlaceOf = (
  given: Pick<CellFlags, 'log' | 'cell' | 'cell-key'>,
  env: NodeJS.ProcessEnv,
): CellPlace | null => {
  const log = given.log ?? env['TOPOLOG_LOG'];
  if (log !== undefined) return { log: logUrl(log), name: cellNameOf(given.cell, env), key: cellKeyOf(given, env) };
  const alone = (['cell', 'cell-key'] as const).find((flag) => given[flag] !== undefined);
  if (alone !== undefined) throw needsLog(alone);
  return null;
};

const cellNameOf = (given: string | undefined, env: NodeJS.ProcessEnv): string =>
  cellName(given ?? env['TOPOLOG_CELL'] ?? 'default');

const logUrl = (text: string): string => {
  if (/^postgres(ql)?:\/\/\S+$/.test(text)) return text;
  throw invalid(`--log must be like postgres://topolog@db.example.org/labs, not ${withoutPassword(text)}`, {
    field: 'log',
  });
};

const withoutPassword = (text: string): string => text.replace(/:[^:@/]*@/, ':…@');

const cellName = (text: string): string => {
  if (/^[A-Za-z0-9][\w.-]{0,62}$/.test(text)) return text;
  throw invalid(`--cell must be 1 to 63 letters, digits, dots, hyphens and underscores, not ${text}`, {
    field: 'cell',
  });
};

const KEY_BYTES = 32;

const KEY_HOW = 'make one with openssl rand -base64 32, and give each server of the cell the same';

/** Null: there is none. */
const cellKeyOf = ({ 'cell-key': file }: Pick<CellFlags, 'cell-key'>, env: NodeJS.ProcessEnv): Buffer | null => {
  const text = file === undefined ? env['TOPOLOG_CELL_KEY'] : read(file);
  if (text === undefined) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length === KEY_BYTES) return key;
  throw invalid(`--cell-key must be ${KEY_BYTES} octets in base64: ${KEY_HOW}`, { field: 'cell-key' });
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw invalid(`--cell-key ${file} cannot be read: ${fileTroubleOf(error)}`, { field: 'cell-key' });
  }
};

const leaseMs = (text: string): number => {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 1 && seconds <= 600) return seconds * 1000;
  throw invalid(`--lease must be a number of seconds from 1 to 600, not ${text}`, { field: 'lease' });
};

const ownUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' && url.pathname === '/') return url.origin;
  throw invalid(`--advertise must be like http://lab1.example.org:3080, not ${text}`, { field: 'advertise' });
};
