import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { engineFailed, messageOf } from '../../common/errors.ts';
import { programFile } from '../../common/package.ts';
import type { ControlClient } from './client.ts';
import { CONTROL_HELLO, createClient, greet, type Greeting } from './connect.ts';
import { makePrivate, socketPaths } from './runtime-directory.ts';

export interface FoundFabric {
  client: ControlClient;
  /** It was running already. */
  adopted: boolean;
  pid: number;
  /** By which means it reaches UDP: a sentence. */
  sockets: string;
  /** It answers heartbeats; those of earlier releases do not. */
  beats: boolean;
}

export interface SuperviseOptions {
  /** Absolute; must exist and be locked by the caller, so that no other server does the same meanwhile. */
  dataDir: string;
  logger: Logger;
  /** Milliseconds in which a fabric that is there must answer, or end when it is told to. */
  patience?: number;
}

const START_DEADLINE_MS = 10_000;
const DEFAULT_PATIENCE_MS = 5000;
const LARGEST_LOG = 5 * 1024 * 1024;
const TAIL = 2000;

/** Connects to the fabric of a data directory, starting one when none answers. */
export async function findOrStartFabric(options: SuperviseOptions): Promise<FoundFabric> {
  const { dataDir } = options;
  const paths = await socketPaths(dataDir);
  for (const path of paths) {
    const found = await find(path, options);
    if (found !== null) return found;
  }
  const socketPath = await usablePath(paths);
  await unlink(socketPath).catch(() => undefined);
  return start(socketPath, await realpath(dataDir));
}

/** The first directory that can be made; XDG_RUNTIME_DIR may name one that is not there. */
async function usablePath(paths: string[]): Promise<string> {
  let failure: unknown = new Error('the temporary directory has too long a path for a socket');
  for (const path of paths) {
    if (process.platform === 'win32') return path;
    try {
      await makePrivate(dirname(path));
      return path;
    } catch (error) {
      failure = error;
    }
  }
  throw engineFailed('The fabric could not be started', messageOf(failure));
}

/** The fabric that listens here, null when there is none or none that can be used (then it has been ended). */
async function find(socketPath: string, options: SuperviseOptions): Promise<FoundFabric | null> {
  const { dataDir, logger, patience = DEFAULT_PATIENCE_MS } = options;
  try {
    const { socket, greeting } = await greet(socketPath, CONTROL_HELLO, patience);
    if (greeting.ok) return foundFabric(socketPath, socket, greeting, true);
    socket.destroy();
    logger.warn(`The fabric ${greeting.pid} is of another version and is replaced: ${greeting.message}`);
    if (greeting.pid !== undefined) await end(greeting.pid, dataDir, patience);
  } catch (error) {
    if (isNobody(error)) return null;
    logger.warn(`The fabric at ${socketPath} does not answer and is replaced: ${messageOf(error)}`);
    const pid = Number(await readFile(pidFile(socketPath), 'utf8').catch(() => ''));
    if (Number.isInteger(pid) && pid > 1) await end(pid, dataDir, patience);
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

/** Written by the fabric beside its socket, for the case that it hangs. */
export const pidFile = (socketPath: string): string => `${socketPath}.pid`;

/** Ends a fabric of this data directory: asks first. A process whose arguments do not name the directory is left alone. */
async function end(pid: number, dataDir: string, patience: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const until = Date.now() + patience;
    if (!(await isFabric(pid, dataDir))) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    while (Date.now() < until && (await isFabric(pid, dataDir))) await sleep(50);
  }
}

async function isFabric(pid: number, dataDir: string): Promise<boolean> {
  const real = await realpath(dataDir).catch(() => dataDir);
  const line = await commandLine(pid);
  return line.includes(real) && line.includes('--data-dir');
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
  if (process.platform === 'win32') return '';
  return promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

async function start(socketPath: string, dataDir: string): Promise<FoundFabric> {
  const logPath = join(dataDir, 'fabric.log');
  const child = await launch(socketPath, dataDir, logPath);
  const until = Date.now() + START_DEADLINE_MS;
  let failure = 'it did not answer in time';
  for (let pause = 10; Date.now() < until && !hasEnded(child); pause = Math.min(200, pause * 1.5)) {
    try {
      const { socket, greeting } = await greet(socketPath, CONTROL_HELLO);
      if (greeting.ok) return foundFabric(socketPath, socket, greeting, false);
      socket.destroy();
      failure = greeting.message ?? failure;
    } catch (error) {
      if (!isNobody(error)) failure = messageOf(error);
    }
    await sleep(pause);
  }
  if (hasEnded(child)) failure = `it ended with code ${child.exitCode ?? child.signalCode}`;
  child.kill('SIGKILL');
  const reason = `${failure}. ${logPath} ends with: ${await tail(logPath)}`;
  throw engineFailed('The fabric could not be started', reason);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Detached, so that it outlives this process and no signal of a terminal reaches it. */
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
