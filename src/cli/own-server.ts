import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { conflict } from '../common/errors.ts';
import { startServer } from '../main.ts';
import { readConfig } from '../server/config.ts';
import { findServer, type FoundServer } from '../server/found-server.ts';

/** A server that a command starts for itself, in a directory that is removed with it. */
export interface OwnServer {
  found: FoundServer;
  directory: string;
  /** `keep`: the directory stays. */
  close(keep?: boolean): Promise<void>;
}

/** Starts the server. `why`: a word in the name of its directory. */
export const openOwnServer = async (why: string, logger: Logger, flags: readonly string[] = []): Promise<OwnServer> => {
  const directory = await mkdtemp(path.join(tmpdir(), `topolog-${why}-`));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    const config = readConfig(['--port', '0', '--data-dir', directory, ...flags], {});
    if (config === null) throw new Error('a server without flags asks for help');
    const server = await startServer(config, logger);
    const close = async (keep = false): Promise<void> => {
      await server.close(`the ${why} has ended`);
      if (!keep) await remove();
    };
    const found = await findServer(directory);
    if (found !== null) return { found, directory, close };
    await server.close('it does not answer');
    throw conflict(`the server at ${server.url} does not answer`);
  } catch (error) {
    await remove();
    throw error;
  }
};
