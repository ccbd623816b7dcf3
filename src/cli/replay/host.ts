import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { readConfig } from '../../server/config.ts';
import { conflict, invalid } from '../../common/errors.ts';
import { findServer, type FoundServer } from '../../server/found-server.ts';
import { startServer } from '../../main.ts';
import type { ReplayHost } from '../../replay/host.ts';
import { VERSION } from '../../common/package.ts';
import { openConsole } from '../lab/console.ts';

/** A server to replay in, until it is closed. */
export interface ReplayServer {
  host: ReplayHost;
  close(): Promise<void>;
}

/**
 * The server that holds the data directory, or one of our own in a directory that goes away with it. `keep`: what is replayed is to
 * stay, so that only the former will do; throws `invalid_request` without it.
 */
export const openReplayServer = async (dataDir: string, keep: boolean, logger: Logger): Promise<ReplayServer> => {
  const running = await findServer(dataDir);
  if (running !== null) return { host: hostAt(running), close: () => Promise.resolve() };
  if (keep)
    throw invalid('--keep needs a running server: without one the replay has a server of its own, which goes away');
  const directory = await mkdtemp(path.join(tmpdir(), 'topolog-replay-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    const config = readConfig(['--port', '0', '--data-dir', directory], {});
    if (config === null) throw new Error('a server without flags asks for help');
    const server = await startServer(config, logger);
    const close = async (): Promise<void> => {
      await server.close('the replay has ended');
      await remove();
    };
    const found = await findServer(directory);
    if (found !== null) return { host: hostAt(found), close };
    await server.close('it does not answer');
    throw conflict(`the server at ${server.url} does not answer`);
  } catch (error) {
    await remove();
    throw error;
  }
};

const hostAt = (server: FoundServer): ReplayHost => {
  const { client, filesDir } = server;
  return {
    filesDir,
    version: VERSION,
    async send(method, at, body, requestId) {
      const answer = await client.fetch(at, {
        method,
        headers: { 'user-agent': `topolog-replay/${VERSION}`, 'x-request-id': requestId },
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    openConsole: (at) => openConsole(server, at),
  };
};
