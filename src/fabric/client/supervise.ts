import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { FileSort } from '../../common/file-sort.ts';
import { engineFailed, messageOf } from '../../common/errors.ts';
import { isGone } from '../../common/file.ts';
import { programFile } from '../../common/package.ts';
import { until } from '../../common/promises.ts';
import type { ControlClient } from './client.ts';
import { CONTROL_HELLO, createClient, greet, type Greeting } from './connect.ts';
import { findFabrics, isFabricOf, pidBeside } from './fabric-process.ts';
import { socketPaths } from './runtime-directory.ts';

export interface FoundFabric {
  client: ControlClient;
  /** It was running already. */
  adopted: boolean;
  pid: number;
  /** How frames reach UDP: a sentence. */
  sockets: string;
  /** It answers heartbeats; fabrics of earlier releases do not. */
  beats: boolean;
}

export interface SuperviseOptions {
  /** Absolute; must exist and be locked by the caller against other servers. */
  dataDir: string;
  logger: Logger;
  /** Time for an existing fabric to answer, or to end when it is told to. Milliseconds. */
  patience?: number;
}

const START_DEADLINE_MS = 10_000;
const DEFAULT_PATIENCE_MS = 5000;
/** Wait for a fabric to make its socket again, which it does every 3 s. Milliseconds. */
const BACK_MS = 8000;
const BACK_LOOK_MS = 200;
/** Pause between two looks whether a process has ended. Milliseconds. */
const END_LOOK_MS = 50;
/** Pause between two tries to connect to a fabric that starts. Milliseconds. */
const START_LOOK_MS = 20;
const LARGEST_LOG = 5 * 1024 * 1024;
const TAIL = 2000;

/**
 * Connects to the fabric of a data directory, starting one when there is none. A running one that cannot be reached gets time to make
 * its socket again, and is then ended, as two would want the same ports. Any other fabric of this data directory is ended, too.
 */
export async function findOrStartFabric(options: SuperviseOptions): Promise<FoundFabric> {
  const dataDir = await realpath(options.dataDir);
  const paths = await socketPaths(dataDir);
  const found = (await findFirst(paths, options)) ?? (await waitForSocket(paths, options));
  await endOthers(found?.pid ?? null, options);
  if (found !== null) return found;
  const [socketPath] = paths;
  if (socketPath === undefined) throw engineFailed('The fabric could not be started', TOO_LONG);
  await unlink(socketPath).catch(() => undefined);
  return start(socketPath, dataDir);
}

const TOO_LONG = 'the temporary directory has too long a path for a socket';

const findFirst = async (paths: readonly string[], options: SuperviseOptions): Promise<FoundFabric | null> => {
  for (const path of paths) {
    const found = await find(path, options);
    if (found !== null) return found;
  }
  return null;
};

/** Waits while a fabric without a socket runs: it is ending, or its socket was removed. */
const waitForSocket = async (paths: readonly string[], options: SuperviseOptions): Promise<FoundFabric | null> => {
  const look = async (): Promise<FoundFabric | null | 'none'> =>
    (await findFabrics(options.dataDir)).length === 0 ? 'none' : findFirst(paths, options);
  const found = await until(look, { every: BACK_LOOK_MS, within: BACK_MS });
  return found === 'none' ? null : found;
};

const endOthers = async (kept: number | null, { dataDir, logger, patience }: SuperviseOptions): Promise<void> => {
  for (const pid of await findFabrics(dataDir)) {
    if (pid === kept) continue;
    const why = kept === null ? 'has no socket' : `is not the one that serves it (process ${kept})`;
    logger.warn(`The fabric ${pid} of ${dataDir} ${why} and is ended`);
    await end(pid, dataDir, patience ?? DEFAULT_PATIENCE_MS);
  }
};

/** The fabric that listens here; null when there is none, or when it could not be used and has been ended. */
async function find(socketPath: string, options: SuperviseOptions): Promise<FoundFabric | null> {
  const { dataDir, logger, patience = DEFAULT_PATIENCE_MS } = options;
  try {
    const hello = { ...CONTROL_HELLO, data_dir: await realpath(dataDir) };
    const { socket, greeting } = await greet(socketPath, hello, patience);
    if (greeting.ok) return foundFabric(socketPath, socket, greeting, true);
    socket.destroy();
    const { pid, data_dir: other, message } = greeting;
    if (other !== undefined && other !== hello.data_dir) {
      logger.info(`The fabric ${pid} is of ${other}, of which ${hello.data_dir} is a copy or the new place`);
      // A fabric whose directory was moved away is of no use any more.
      if (pid !== undefined && (await isGone(other))) await end(pid, other, patience);
      return null;
    }
    logger.warn(`The fabric ${pid} is of another version and is replaced: ${message}`);
    if (pid !== undefined) await end(pid, dataDir, patience);
  } catch (error) {
    if (isNobody(error)) return null;
    logger.warn(`The fabric at ${socketPath} does not answer and is replaced: ${messageOf(error)}`);
    const pid = await pidBeside(socketPath);
    if (pid !== null) await end(pid, dataDir, patience);
  }
  return null;
}

const foundFabric = (
  path: string,
  socket: Socket,
  { pid, sockets, heartbeat = false }: Greeting,
  adopted: boolean,
): FoundFabric => ({
  client: createClient(path, socket),
  adopted,
  pid: pid ?? 0,
  sockets: sockets ?? 'unknown',
  beats: heartbeat,
});

const isNobody = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(String(error.code));

/** Ends a fabric by SIGTERM, then SIGKILL. Leaves a process alone whose arguments do not name the data directory. */
async function end(pid: number, dataDir: string, patience: number): Promise<void> {
  const real = await realpath(dataDir).catch(() => dataDir);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isFabricOf(pid, real))) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    await until(async () => !(await isFabricOf(pid, real)), { every: END_LOOK_MS, within: patience });
  }
}

async function start(socketPath: string, dataDir: string): Promise<FoundFabric> {
  const logPath = join(dataDir, 'fabric.log');
  const child = await launch(socketPath, dataDir, logPath);
  let failure = 'it did not answer in time';
  const look = async (): Promise<FoundFabric | null | 'ended'> => {
    if (hasEnded(child)) return 'ended';
    try {
      const { socket, greeting } = await greet(socketPath, CONTROL_HELLO);
      if (greeting.ok) return foundFabric(socketPath, socket, greeting, false);
      socket.destroy();
      failure = greeting.message ?? failure;
    } catch (error) {
      if (!isNobody(error)) failure = messageOf(error);
    }
    return null;
  };
  const found = await until(look, { every: START_LOOK_MS, within: START_DEADLINE_MS });
  if (found !== null && found !== 'ended') return found;
  if (hasEnded(child)) failure = `it ended with code ${child.exitCode ?? child.signalCode}`;
  child.kill('SIGKILL');
  const reason = `${failure}. ${logPath} ends with: ${await tail(logPath)}`;
  throw engineFailed('The fabric could not be started', reason);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export const FABRIC_FILES: FileSort = {
  name: 'fabric',
  what: 'messages of the fabric, sockets, numbers of processes',
  at: ['fabric.log', 'fabric.log.1', 'run/**'],
  changed: 'idle',
};

/** Starts it detached, so that it outlives this process and no signal of a terminal reaches it. */
async function launch(socketPath: string, dataDir: string, logPath: string): Promise<ChildProcess> {
  if (((await stat(logPath).catch(() => null))?.size ?? 0) > LARGEST_LOG) await rename(logPath, `${logPath}.1`);
  const log = await open(logPath, 'a', 0o600);
  try {
    const child = spawn(
      process.execPath,
      [programFile('fabric/process/main'), '--socket', socketPath, '--data-dir', dataDir],
      {
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        windowsHide: true,
      },
    );
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

async function tail(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trim().slice(-TAIL) || '(nothing)';
}
