import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { programFile } from '../../src/common/package.ts';
import { logFlags } from '../support/own-log.ts';
import { portBlock } from '../support/port-block.ts';
import type { Held } from './memory.ts';
import { PAUSES } from './pause-probe.ts';

/** A server in a process of its own that cannot reach any program of this machine, and whose memory can be asked for. */
export interface WatchedServer {
  child: ChildProcess;
  url: string;
  dataDir: string;
  /** Directory of what the probe for pauses writes, pause-probe.ts. */
  pauses: string;
  ports: [number, number];
  /** What it has said on standard error. */
  stderr(): string;
  /** A directory that its clients may name; null on a server that is not local. */
  outside: string | null;
  memory(): Promise<Held>;
  /** Ends it as a signal does; resolves with the exit code. */
  end(): Promise<number | null>;
}

const PROGRAM = programFile('cli/topolog');
const MEMORY = path.resolve(import.meta.dirname, 'memory.js');
const PROBE = path.resolve(import.meta.dirname, 'pause-probe.js');
/** Kinds whose engines would run programs, or reach the network of the machine. */
const SIMULATED = [
  ...['nat', 'cloud', 'machine_emulator', 'container', 'router_emulator', 'switch_router_emulator'],
  ...['desktop_vm_a', 'desktop_vm_b'],
];

/** `root` gets `data/` for the server, `empty/` where it runs, `pauses/`, and `outside/` with `--local`. */
export const watchedServer = async (root: string, flags: readonly string[]): Promise<WatchedServer> => {
  const dataDir = path.join(root, 'data');
  const cwd = path.join(root, 'empty');
  await mkdir(cwd);
  const outside = flags.includes('--local') ? path.join(root, 'outside') : null;
  if (outside !== null) await mkdir(outside);
  const pauses = path.join(root, 'pauses');
  await mkdir(pauses);
  const ports = await portBlock();
  const args = [
    'serve',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--console-ports',
    ports.join('-'),
    '--simulate',
    ...logFlags(dataDir),
    ...flags,
  ];
  const child = spawn(
    process.execPath,
    ['--import', MEMORY, PROGRAM, ...args, ...SIMULATED.flatMap((kind) => ['--engine', `${kind}=simulated`])],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ...{ PATH: cwd, HOME: cwd, TMPDIR: process.env['TMPDIR'], DOCKER_HOST: `unix://${cwd}/none` },
        // The fabric has it from the server.
        ...{ [PAUSES]: pauses, NODE_OPTIONS: `--import ${PROBE}` },
      },
    },
  );
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /listens on (\S+),/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${String(code ?? signal)}): ${stderr}`)));
  });
  return {
    ...{ child, url, dataDir, pauses, ports, outside },
    stderr: () => stderr,
    memory: async () => {
      child.send('memory');
      const [held] = (await once(child, 'message')) as [Held];
      return held;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
};
