import { readFileSync } from 'node:fs';
import { invalid, messageOf } from '../common/errors.ts';

/** A log in a database, shared by the servers that were told the same. */
export interface CellConfig {
  /** `postgres://user@host,host/database`. */
  log: string;
  /** Name of the log in there. */
  name: string;
  /** 32 octets that encrypt what the servers share. */
  key: Buffer;
  /** How long a lease is. Milliseconds. */
  leaseMs: number;
  /** Where the other servers reach this one; null: at the address where it listens. */
  advertise: string | null;
  /** A write is answered with 307 and the writer's address, instead of being forwarded. */
  redirect: boolean;
  /** Settings of the database under which answered writes can be lost are taken. */
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

interface Given {
  log?: string | undefined;
  cell?: string | undefined;
  'cell-key'?: string | undefined;
  lease?: string | undefined;
  advertise?: string | undefined;
  redirect?: boolean | undefined;
  'accept-data-loss'?: boolean | undefined;
}

/** Null: the log is in the data directory. */
export const cellConfigOf = (given: Given, env: NodeJS.ProcessEnv): CellConfig | null => {
  const log = given.log ?? env['TOPOLOG_LOG'] ?? null;
  if (log === null) {
    const alone = (Object.keys(CELL_OPTIONS) as (keyof Given)[]).find((flag) => given[flag] !== undefined);
    if (alone !== undefined) throw invalid(`--${alone} needs --log postgres://…`, { field: alone });
    return null;
  }
  return {
    log: logUrl(log),
    name: cellName(given.cell ?? env['TOPOLOG_CELL'] ?? 'default'),
    key: keyOf(given['cell-key'], env['TOPOLOG_CELL_KEY']),
    leaseMs: leaseMs(given.lease ?? '2'),
    advertise: given.advertise === undefined ? null : ownUrl(given.advertise),
    redirect: given.redirect ?? false,
    acceptDataLoss: given['accept-data-loss'] ?? false,
  };
};

/** Of a log in a database. */
export const logUrl = (text: string): string => {
  if (/^postgres(ql)?:\/\/\S+$/.test(text)) return text;
  throw invalid(`--log must be like postgres://topolog@db.example.org/labs, not ${withoutPassword(text)}`, {
    field: 'log',
  });
};

const withoutPassword = (text: string): string => text.replace(/:[^:@/]*@/, ':…@');

export const cellName = (text: string): string => {
  if (/^[A-Za-z0-9][\w.-]{0,62}$/.test(text)) return text;
  throw invalid(`--cell must be 1 to 63 letters, digits, dots, hyphens and underscores, not ${text}`, {
    field: 'cell',
  });
};

const KEY_BYTES = 32;

const keyOf = (file: string | undefined, text: string | undefined): Buffer => {
  const how = 'make one with openssl rand -base64 32, and give each server of the cell the same';
  if (file === undefined && text === undefined)
    throw invalid(`--log needs --cell-key FILE: ${how}`, { field: 'cell-key' });
  const key = Buffer.from(file === undefined ? (text ?? '') : read(file), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw invalid(`--cell-key must be ${KEY_BYTES} octets in base64: ${how}`, { field: 'cell-key' });
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw invalid(`--cell-key ${file} cannot be read: ${messageOf(error)}`, { field: 'cell-key' });
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
