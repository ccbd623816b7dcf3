import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from '../../src/processes/identity.ts';
import type { MachineSpec } from './desktop-machine-spec.ts';
import { until } from '../../src/common/promises.ts';

/** What fake hypervisors share: one call at a time, a file that keeps all there is, failures on request, machines that run. */

const LOOK_MS = 5;
const PATIENCE_MS = 30_000;

/** The fake that answers, and the arguments of the call that is being answered: there is one of each at a time. */
export const host = { home: '', argv: [] as readonly string[] };

/** How a call ends that fails: with an exit code and what the program says. */
export class Exit extends Error {
  readonly code: number;
  readonly stderr: string;
  readonly stdout: string;
  constructor(code: number, stdout: string, stderr: string) {
    super(stderr);
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** A use of the program that the real one does not have; tests look whether there were any. */
export const violation = (what: string): void =>
  appendFileSync(path.join(host.home, 'violations.log'), `${what}: ${host.argv.join(' ')}\n`);

/** Answers what the program prints on its standard output, or throws an Exit. */
export type Answer = (argv: readonly string[]) => Promise<string>;

/**
 * Answers the calls of programs that send their arguments (their number first, a NUL behind each) over TCP, one after the other:
 * `<exit code> <number>`, what it printed being in the files `<number>.out` and `<number>.err`. A hypervisor's program is not more
 * than that either, and its service has the machines.
 */
export const serveCalls = async (home: string, answer: Answer): Promise<{ port: number; close(): Promise<void> }> => {
  host.home = home;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  const reply = async (argv: readonly string[]): Promise<string> => {
    host.argv = argv;
    appendFileSync(path.join(home, 'calls.log'), `${JSON.stringify(argv)}\n`);
    const { code, stdout, stderr } = await answer(argv).then(
      (printed) => ({ code: 0, stdout: printed, stderr: '' }),
      (error: unknown) =>
        error instanceof Exit ? error : { code: 70, stdout: '', stderr: `the fake has failed: ${String(error)}` },
    );
    count += 1;
    writeFileSync(path.join(home, `${count}.out`), stdout);
    writeFileSync(path.join(home, `${count}.err`), stderr);
    return `${code} ${count}\n`;
  };
  const server = createServer((socket) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data.toString('utf8');
      const [number = '', ...argv] = received.split('\0');
      if (argv.length <= Number(number)) return;
      const turn = last.then(() => reply(argv.slice(0, -1)));
      last = turn;
      void turn.then((line) => socket.end(line));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await last;
      server.close();
      await once(server, 'close');
    },
  };
};

/** The failure that a test asked for at this call, once. */
export const requestedFailure = (command: string): string | null => {
  const file = path.join(host.home, `fail-${command}`);
  if (!existsSync(file)) return null;
  const failure = readFileSync(file, 'utf8');
  rmSync(file);
  return failure;
};

/** Starts the process of a machine, with the name and the arguments that the hypervisor's own would have. */
export const startMachine = async (spec: MachineSpec, name: string, args: readonly string[]): Promise<void> => {
  const file = `${spec.status}.spec`;
  writeFileSync(file, JSON.stringify(spec));
  rmSync(spec.status, { force: true });
  const program = path.join(import.meta.dirname, `desktop-machine${path.extname(import.meta.url)}`);
  const child = spawn(process.execPath, [program, ...args], {
    argv0: name,
    detached: true,
    stdio: 'ignore',
    // A service starts it, and not who asked: nothing of our environment gets there.
    env: { PATH: process.env['PATH'], FAKE_MACHINE: file },
  });
  child.unref();
  await until(() => existsSync(spec.status) || child.exitCode !== null, { every: LOOK_MS });
};

/** What the process of a machine told last; null: it never ran, or ended silently. */
export const machineState = async (status: string): Promise<string | null> => {
  // Half a file is one that is being written.
  for (let n = 0; n < 20; n++) {
    try {
      const { pid, state } = JSON.parse(readFileSync(status, 'utf8')) as { pid: number; state: string };
      const isOver = state === 'poweroff' || state === 'saved';
      return (await identityOf(pid)) === null ? (isOver ? state : 'aborted') : isOver ? 'stopping' : state;
    } catch {
      if (!existsSync(status)) return null;
      await sleep(LOOK_MS);
    }
  }
  return null;
};

/** Waits until the machine has got to a state. */
export const machineIs = (status: string, ...states: readonly (string | null)[]): Promise<boolean> =>
  until(async () => states.includes(await machineState(status)), { every: LOOK_MS, within: PATIENCE_MS });

/** Answers what it says; empty when it is not there. */
export const commandMachine = (control: string, command: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(control);
    let answer = '';
    socket.on('connect', () => socket.write(`${command}\n`));
    socket.on('data', (data) => (answer += data.toString('utf8')));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
