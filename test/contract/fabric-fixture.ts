import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FabricClient } from '../../src/fabric/client/client.ts';
import { connectFabric } from '../../src/fabric/client/connect.ts';
import { createConsole } from '../../src/fabric/console/broker.ts';
import { createFabric } from '../../src/fabric/process/fabric.ts';
import { models } from '../../src/fabric/models/index.ts';
import { serveFabric } from '../../src/fabric/process/server.ts';
import { makeTemp } from '../support/temp.ts';

/** A real fabric behind its real protocol, in this process. */
export interface FabricFixture {
  directory: string;
  /** A new control connection, as of a server that has just been started; an older one is closed. */
  connect(): Promise<FabricClient>;
  close(): Promise<void>;
}

export const fabricFixture = async (): Promise<FabricFixture> => {
  const directory = await makeTemp('topolog-engine');
  const socketPath =
    process.platform === 'win32' ? String.raw`\\.\pipe\topolog-engine-${process.pid}` : join(directory, 'fabric.sock');
  const fabric = createFabric({ models, openConsole: createConsole });
  const server = await serveFabric({ fabric, socketPath, log: () => undefined, onShutdown: () => undefined });
  const clients: FabricClient[] = [];
  return {
    directory,
    async connect() {
      const client = await connectFabric(socketPath);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await fabric.close();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
