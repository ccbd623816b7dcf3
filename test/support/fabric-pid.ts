import { readFile } from 'node:fs/promises';
import { socketPaths } from '../../src/fabric/client/runtime-directory.ts';
import { pidFile } from '../../src/fabric/client/fabric-process.ts';

/** Process of the fabric that serves a data directory. Throws when none has said so. */
export const fabricPid = async (dataDir: string): Promise<number> => {
  for (const socket of await socketPaths(dataDir)) {
    const pid = Number(await readFile(pidFile(socket), 'utf8').catch(() => ''));
    if (pid > 0) return pid;
  }
  throw new Error(`no fabric has said that it serves ${dataDir}`);
};
