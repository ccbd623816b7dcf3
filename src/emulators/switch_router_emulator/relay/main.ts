#!/usr/bin/env node
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { access } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../../common/errors.ts';
import { until } from '../../../common/promises.ts';
import { exportConfigs } from '../files/configs.ts';
import { socketsIn } from '../files/run-directory.ts';
import { loadLibc } from '../libc.ts';
import { readRelayArguments, type RelayPlan } from '../relay-arguments.ts';
import { type RelayConsole, openConsole } from './console.ts';
import { type Control, openControl } from './control.ts';
import { openKeepalives, openNetio } from './netio.ts';

/**
 * Runs one instance of IOU, in the node's directory, and stands between it and the fabric: its console on a stream socket, its
 * frames on one for each port. It outlives the server, and ends with the instance and the instance's code.
 */
const POLL_MS = 20;
/** Time for the last output of an instance that has ended. Milliseconds. */
const OUTPUT_MS = 500;
/** An instance writes its NVRAM in pieces. Milliseconds. */
const SAVED_MS = 1_000;

const closers: (() => Promise<void> | void)[] = [];
let image: ChildProcess | null = null;
let asked = false;

const end = async (code: number): Promise<never> => {
  for (const close of closers.reverse()) await Promise.resolve(close()).catch(() => undefined);
  process.exit(code);
};

const run = async (plan: RelayPlan): Promise<number> => {
  const uid = process.getuid?.() ?? 0;
  const sockets = socketsIn(plan.directory);
  const libc = await loadLibc();
  const control = await openControl(sockets.control);
  closers.push(() => control.close());
  const netio = await openNetio(libc, uid, plan, sockets);
  closers.push(() => netio.close());
  if (plan.keepalives) closers.push(await openKeepalives(libc, uid, plan, (place) => control.isUp(place)));
  const console = await openConsole(sockets.console, (bytes) => {
    if (image?.stdin?.writable === true) image.stdin.write(bytes);
  });
  closers.push(() => console.close());
  if (asked) return 128 + constants.signals.SIGTERM;
  const ended = start(plan, console);
  void announce(plan, netio.instance, console, control);
  takeOver(plan);
  const code = await ended;
  await exportConfigs('.', plan.applicationId).catch(() => undefined);
  if (!asked) process.stderr.write(`${console.tail()}\n`);
  return code;
};

/** Resolves with the code of the instance, once it has ended. */
const start = ({ command: [program = '', ...args] }: RelayPlan, console: RelayConsole): Promise<number> =>
  new Promise((resolve, reject) => {
    // Pipes, not a terminal: an instance echoes and edits lines by itself.
    const child = spawn(program, args, { stdio: 'pipe' });
    image = child;
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (bytes: Buffer) => console.print(bytes));
    child.stderr.on('data', (bytes: Buffer) => console.print(bytes));
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    const closed = new Promise((done) => child.once('close', done));
    child.once('exit', (code, signal) => {
      if (signal !== null && !asked) process.stderr.write(`${program} was ended by ${signal}\n`);
      // Something that it has left behind may hold its output.
      void Promise.race([closed, sleep(OUTPUT_MS)]).then(() =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  });

/** An instance is up once it listens for frames; one that has no ports, once it says something. */
const announce = async (
  { ports }: RelayPlan,
  instance: string,
  console: RelayConsole,
  control: Control,
): Promise<void> => {
  const isUp = (): Promise<boolean> =>
    access(instance).then(
      () => true,
      () => ports.length === 0 && console.tail() !== '',
    );
  await until(isUp, { every: POLL_MS });
  control.ready();
};

/** Exports a configuration soon after it is saved at the console, whether or not a server runs. */
const takeOver = ({ applicationId }: RelayPlan): void => {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch('.', (_event, name) => {
    if (name?.startsWith('nvram_') !== true) return;
    clearTimeout(timer);
    timer = setTimeout(() => void exportConfigs('.', applicationId).catch(() => undefined), SAVED_MS);
  });
  watcher.on('error', () => undefined);
  closers.push(() => {
    clearTimeout(timer);
    watcher.close();
  });
};

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    asked = true;
    image?.kill('SIGTERM');
  });
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  image?.kill('SIGKILL');
  // A signal instead of an exit, which would wait for the thread that waits for messages.
  process.kill(process.pid, 'SIGKILL');
});

const plan = readRelayArguments(process.argv.slice(2));
if (plan === null) {
  process.stderr.write('relay --directory DIR --id N --ports A/P,... [--keepalives] -- IMAGE [ARGUMENT...]\n');
  process.exit(2);
}
run(plan).then(end, (error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  return end(1);
});
