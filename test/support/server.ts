import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { programFile } from '../../src/common/package.ts';
import { type Client, connect } from '../../src/client/index.ts';
import { type Config, readConfig } from '../../src/server/config.ts';
import { type Parts, type RunningServer, startServer } from '../../src/main.ts';
import { loggerTo } from './logger.ts';
import { logFlags, logParts, onDisk } from './own-log.ts';
import { portBlock } from './port-block.ts';
import { tempDir } from './temp.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; null for an empty body. */
  body: unknown;
  text: string;
}

export interface TestServer {
  url: string;
  dataDir: string;
  running: RunningServer;
  /** What the server reported for its operator. */
  reports: string[];
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** As users write programs; `headers` go with every request. */
  client(headers?: Record<string, string>): Client;
  /** Closes the server and opens it again on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const request = async (
  url: string,
  method: string,
  path_: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const answer = await fetch(`${url}${path_}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, body: json && text !== '' ? JSON.parse(text) : null, text };
};

/** Flags of a server of tests: its data and its log, a free port, console ports that no other test process takes. */
export const ownPlaces = async (dataDir: string): Promise<string[]> => {
  const [first, last] = await portBlock();
  return ['--port', '0', '--data-dir', dataDir, '--console-ports', `${first}-${last}`, ...logFlags(dataDir)];
};

/** A whole server in this process, with its own fabric process, on a free port and data of its own. */
export const testServer = async (
  flags: string[] = [],
  change: Partial<Config> = {},
  parts: Parts = {},
): Promise<TestServer> => {
  const dir = await tempDir();
  const dataDir = path.join(dir.path, 'data');
  const reports: string[] = [];
  const read = readConfig([...(await ownPlaces(dataDir)), ...flags], {});
  if (read === null) throw new Error('the flags ask for help');
  const config: Config = { ...read, ...change };
  const start = (): Promise<RunningServer> =>
    startServer(
      config,
      loggerTo((line) => reports.push(line)),
      { ...logParts(dataDir), ...parts },
    );
  const server: TestServer = {
    dataDir,
    reports,
    running: await start().catch(async (error: unknown) => {
      await dir.remove();
      throw error;
    }),
    get url() {
      return this.running.url;
    },
    request(method, path_, body, headers) {
      return request(this.url, method, path_, body, headers);
    },
    client(headers) {
      return connect({ url: this.url, headers });
    },
    async restart() {
      await this.running.close('restart');
      this.running = await start();
    },
    async close() {
      await this.running.close('end of test');
      await dir.remove();
    },
  };
  return server;
};

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  /** Everything it has printed so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** The server as its users start it, in a process that can be killed. Rejects with its output when it ends instead. */
export const spawnServer = async (
  dataDir: string,
  flags: string[] = [],
  program = programFile('cli/topolog'),
  env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> => {
  const missing = onDisk();
  if (missing !== false) throw new Error(missing);
  const args = [program, 'serve', ...(await ownPlaces(dataDir)), ...flags];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /listens on (\S+),/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${code ?? signal}): ${output}`)));
  });
  return {
    child,
    url,
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
};
