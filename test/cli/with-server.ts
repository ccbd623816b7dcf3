import assert from 'node:assert/strict';
import { commandNamed } from '../../src/cli/commands.ts';
import { failureOf } from '../../src/cli/command.ts';
import type { Client } from '../../src/client/index.ts';
import { tempDir } from '../support/temp.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { type Ended, topologIn } from './run.ts';

/** A server, and `topolog` beside it. */
export interface WithServer {
  server: TestServer;
  client: Client;
  /** A directory for files of the test. */
  directory: string;
  topolog(...args: string[]): Promise<Ended>;
  /** What it prints; it must end with 0. */
  well(...args: string[]): Promise<string>;
  /** The command must fail with this code and sentence. It runs in this process, as it prints nothing. */
  ill(code: 1 | 2, says: RegExp, name: string, ...args: string[]): Promise<void>;
  /** The same of several, that change nothing. */
  allIll(cases: readonly Parameters<WithServer['ill']>[]): Promise<void>;
  close(): Promise<void>;
}

export const withServer = async (): Promise<WithServer> => {
  const server = await testServer();
  const directory = await tempDir();
  const env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  const ill: WithServer['ill'] = async (code, says, name, ...args) => {
    const command = await commandNamed(name)?.load();
    const running = command?.run([...args, '--data-dir', server.dataDir]);
    const failure = await running?.then(
      () => ({ code: 0, text: '' }),
      (error: unknown) => failureOf(error, [name, ...args]),
    );
    assert.match(failure?.text ?? '', says, `topolog ${name} ${args.join(' ')}`);
    assert.equal(failure?.code, code, failure?.text);
  };
  return {
    ...{ server, topolog },
    client: server.client(),
    directory: directory.path,
    async well(...args) {
      const { code, stdout, stderr } = await topolog(...args);
      assert.equal(code, 0, `topolog ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    ill,
    async allIll(cases) {
      for (const one of cases) await ill(...one);
    },
    async close() {
      await server.close();
      await directory.remove();
    },
  };
};
