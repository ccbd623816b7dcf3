import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LabSettings } from '../actors/context.ts';
import { conflict } from '../common/errors.ts';
import { VERSION } from '../common/package.ts';
import { placeOf, secretsOf } from '../common/secrets.ts';
import type { Config } from './config.ts';

/** In the data directory: a copy, or one that was moved, is of the same server. */
const NAME = 'server-id';

/** Which server this is of those that have had its log. Made on first use, unless it only reads. */
export const identityOf = async ({ dataDir, cell }: Config, isReading: boolean): Promise<LabSettings['server']> => {
  const kept = secretsOf(dataDir);
  const text = isReading ? ((await kept.get(NAME)) ?? randomUUID()) : await kept.keep(NAME, `${randomUUID()}\n`);
  const id = text.trim();
  if (!/^[\w-]{1,64}$/.test(id))
    throw conflict(`${placeOf(kept, NAME)} is no id of a server; without it, this server is another one than before`);
  return { id, name: cell?.advertise ?? hostname() };
};

/** What the lab is told of the configuration. */
export const settingsOf = (config: Config, consoleHost: string, server: LabSettings['server']): LabSettings => ({
  server,
  dataDir: config.dataDir,
  filesDir: config.filesDir,
  local: config.local,
  allowedInterfaces: config.allowInterfaces,
  imageDirectories: config.imageDirectories,
  strictImages: config.strictImages,
  version: VERSION,
  computeId: 'local',
  consoleRange: config.consoleRange,
  consoleHost,
  udpRange: config.udpRange,
  kindOptions: config.kindOptions,
  fileIdleMs: config.fileIdleMs,
  autoCloseGraceMs: config.autoCloseGraceMs,
});
