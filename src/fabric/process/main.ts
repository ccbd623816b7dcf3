#!/usr/bin/env node
/**
 * The fabric's own process. `main.js --socket <path> --data-dir <directory>`; started by supervise.ts, outlives the server, ends
 * itself when nobody needs it. Diagnostics go to stderr.
 */
import '../../memory/v8.ts';
import { writeFileSync, writeSync } from 'node:fs';
import { lstat, stat, unlink } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { messageOf } from '../../common/errors.ts';
import { isGone } from '../../common/file.ts';
import { withResolvers } from '../../common/promises.ts';
import { reclaimMemory } from '../../memory/reclaim.ts';
import { createConsole } from '../console/broker.ts';
import { createFabric, type Fabric } from './fabric.ts';
import { models } from '../models/index.ts';
import { serveFabric, type FabricServer } from './server.ts';
import { findSockets } from '../io/sockets.ts';
import { pidFile } from '../client/fabric-process.ts';
import { privateDirectory, removeOutside } from '../client/runtime-directory.ts';

/** Ends itself when unused for this long. Milliseconds. */
const IDLE_MS = 30_000;
const LOOK_MS = 3000;

const log = createLog();

function createLog(): (line: string) => void {
  let left = 200;
  // A fault in a loop must not fill the disk.
  setInterval(() => (left = 200), 60_000).unref();
  return (line) => {
    if (left-- <= 0) return;
    try {
      writeSync(2, `${new Date().toISOString()} ${line}\n`);
    } catch {
      // The disk is full or the pipe is closed: there is nowhere left to log it.
    }
  };
}

function readArguments(): { socket: string; dataDir: string } {
  const { values } = parseArgs({ options: { socket: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const { socket, 'data-dir': dataDir } = values;
  if (socket === undefined || dataDir === undefined)
    throw new Error('Usage: main.js --socket <path> --data-dir <directory>');
  return { socket, dataDir };
}

async function main(): Promise<void> {
  const { socket, dataDir } = readArguments();
  // Its working directory tells whether the data directory was moved (isElsewhere).
  process.chdir(dataDir);
  // Captures and recordings are for this user alone.
  process.umask(0o077);
  // A title takes the place of the arguments in the process list, so it carries the marker by which fabric-process.ts finds us.
  process.title = `topolog-fabric --data-dir ${dataDir}`;
  // Whatever one frame, client or model does, the others go on.
  process.on('uncaughtException', (error) => log(`uncaught: ${error.stack ?? error.message}`));
  process.on('unhandledRejection', (reason) => log(`unhandled: ${messageOf(reason)}`));
  // The server handles a terminal that closes or is interrupted; the fabric outlives it.
  process.on('SIGHUP', () => undefined);
  process.on('SIGINT', () => undefined);

  const sockets = await findSockets();
  let onOp = (): void => undefined;
  await reclaimMemory((heard) => (onOp = () => heard(1)));
  const fabric = createFabric({ models, openConsole: createConsole, log, sockets, onOp });
  // Logged before a client is answered.
  log(`pid ${process.pid}, ${sockets.description}`);
  // A client may ask for the end as soon as the socket is there.
  const ready = withResolvers<End>();
  const end: End = async (why) => (await ready.promise)(why);
  const served = {
    fabric,
    socketPath: socket,
    dataDir,
    log,
    sockets: sockets.description,
    onShutdown: () => void end('asked to'),
    onListening: () => writePid(socket),
  };
  const server = await serveFabric(served);
  const file = await watchFile(socket);
  ready.resolve(createEnd(fabric, server, { socket, dataDir }, file));
  process.on('SIGTERM', () => void end('SIGTERM'));
  setInterval(createWatchdog({ fabric, server, file, dataDir, end }), LOOK_MS);
  log(`listens at ${socket}`);
}

/** Written at once, so that the next server finds this process even if the first one is killed right after its hello. */
function writePid(socket: string): void {
  try {
    writeFileSync(pidFile(socket), String(process.pid));
  } catch (error) {
    log(`pid file: ${messageOf(error)}`);
  }
}

type End = (why: string) => Promise<void>;

type Places = ReturnType<typeof readArguments>;

function createEnd(fabric: Fabric, server: FabricServer, { socket, dataDir }: Places, file: SocketFile): End {
  let ending = false;
  return async (why) => {
    if (ending) return;
    ending = true;
    log(`ends: ${why}`);
    // The process ends even if something does not close.
    setTimeout(() => process.exit(0), 5000).unref();
    await fabric.close();
    // Closing removes the socket's file, which may be another fabric's by now.
    if ((await file.state()) === 'ours') {
      await server.close();
      await unlink(pidFile(socket)).catch(() => undefined);
      await removeOutside(dataDir).catch(() => undefined);
    }
    process.exit(0);
  };
}

/** The socket's file: ours, gone (cleaners of /tmp do that), or another fabric's that took our place. */
interface SocketFile {
  state(): Promise<'ours' | 'gone' | 'replaced'>;
  /** Takes the file that is there now as ours. */
  take(): Promise<void>;
}

async function watchFile(path: string): Promise<SocketFile> {
  const inode = async (): Promise<number | null> => (await lstat(path).catch(() => null))?.ino ?? null;
  let ours = await inode();
  return {
    async state() {
      // A named pipe has no file.
      if (process.platform === 'win32') return 'ours';
      const now = await inode();
      return now === null ? 'gone' : now === ours ? 'ours' : 'replaced';
    },
    async take() {
      ours = await inode();
    },
  };
}

interface Watched {
  fabric: Fabric;
  server: FabricServer;
  file: SocketFile;
  dataDir: string;
  end: End;
}

/** Checks periodically whether this process is still needed and reachable; makes its socket again, or ends it. */
function createWatchdog({ fabric, server, file, dataDir, end }: Watched): () => void {
  let idleSince: number | null = null;
  const look = async (): Promise<void> => {
    const now = performance.now();
    if (server.controlled || fabric.busy) idleSince = null;
    else idleSince ??= now;
    if (await isElsewhere(dataDir)) {
      if (!server.controlled) await end('the data directory is gone');
      return;
    }
    let state = await file.state();
    if (state === 'gone') {
      // The directory may be gone with it, or the link that leads there.
      await privateDirectory(dataDir);
      state = await file.state();
    }
    if (state === 'gone') {
      await server.listen();
      await file.take();
    }
    if (server.controlled) return;
    if (state === 'replaced') await end('another fabric took its socket');
    else if (idleSince !== null && now - idleSince >= IDLE_MS) await end('nothing to do');
  };
  return () => void look().catch((error: unknown) => log(`look: ${messageOf(error)}`));
}

/** The working directory moves with the data directory; then another directory, or none, has the path. */
const isElsewhere = async (dataDir: string): Promise<boolean> => {
  if (process.platform === 'win32') return isGone(dataDir);
  const [here, there] = await Promise.all(['.', dataDir].map((path) => stat(path).catch(() => null)));
  if (there === null || there === undefined) return isGone(dataDir);
  return here?.ino !== there.ino || here.dev !== there.dev;
};

main().catch((error: unknown) => {
  log(`could not start: ${messageOf(error)}`);
  process.exit(1);
});
