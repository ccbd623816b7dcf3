import type { Logger } from 'pino';
import { invalid } from '../../common/errors.ts';
import { findServer, type FoundServer } from '../../server/found-server.ts';
import type { ReplayHost } from '../../replay/host.ts';
import { VERSION } from '../../common/package.ts';
import { openConsole } from '../console/stream.ts';
import { openOwnServer } from '../own-server.ts';

/** Server on which sessions are replayed. */
export interface ReplayServer {
  host: ReplayHost;
  close(): Promise<void>;
}

/**
 * Finds the server that holds the data directory, or starts one in a temporary directory. `keep`: the replay's project must stay, so a
 * running server is needed; throws `invalid_request` without one.
 */
export const openReplayServer = async (dataDir: string, keep: boolean, logger: Logger): Promise<ReplayServer> => {
  const running = await findServer(dataDir);
  if (running !== null) return { host: hostAt(running), close: () => Promise.resolve() };
  if (keep)
    throw invalid('--keep needs a running server: without one the replay has a server of its own, which goes away');
  const own = await openOwnServer('replay', logger);
  return { host: hostAt(own.found), close: () => own.close() };
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
