import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { engineFailed, messageOf } from '../../../common/errors.ts';
import { until } from '../../../common/promises.ts';
import { endProcesses } from '../../../processes/end.ts';
import { type Marked, markEnvironment } from '../../../processes/marker.ts';
import type { KindNode } from '../../kit/contract.ts';
import { onceExited, openOutput, type OpenOutput, tailOf, wordsOf } from './child.ts';

/**
 * A program that serves one adapter or console of a node, beside what runs the node. It outlives the server and is found again
 * by its marker.
 */
interface Helper {
  /** Resolves once `serves` says so. Fails with `cannot` and what the program said when it ends instead. */
  until(serves: () => Promise<boolean>, cannot: string, signal: AbortSignal): Promise<void>;
}

const POLL_MS = 10;
/** Longest time until a program has taken what is handed to it: it begins meanwhile. Milliseconds. */
const HAND_OVER_MS = 30_000;

interface HelperNeeds {
  /** File that what it says goes to. */
  log: string;
  /** Bound here, in the network of this machine, and handed over by messages; the program disconnects once it has all of them. */
  sockets?: readonly Socket[];
}

/** Starts a program with its arguments. */
export const startHelper = async (
  node: KindNode,
  mark: string,
  command: readonly [program: string, ...args: string[]],
  { log, sockets = [] }: HelperNeeds,
): Promise<Helper> => {
  try {
    const output = await openOutput(log);
    try {
      return await launch(node, mark, command, { output, sockets });
    } finally {
      await output.close();
    }
  } catch (error) {
    throw engineFailed(node.name, `${command[0]} cannot be started: ${messageOf(error)}`);
  }
};

const launch = async (
  node: KindNode,
  mark: string,
  [program, ...args]: Parameters<typeof startHelper>[2],
  { output, sockets }: { output: OpenOutput; sockets: readonly Socket[] },
): Promise<Helper> => {
  const child = spawn(program, args, {
    // In a group of its own: no signal of a terminal reaches it.
    detached: true,
    stdio: ['ignore', output.fd, output.fd, ...(sockets.length === 0 ? [] : ['ipc' as const])],
    env: { ...process.env, ...markEnvironment(node, mark) },
  });
  await once(child, 'spawn');
  /** Last output of the program; null while it runs. */
  let ended: string | null = null;
  void onceExited(child).then(async (how) => {
    ended = (await tailOf(output).catch(() => '')) || `${program} ended (${wordsOf(how)})`;
  });
  child.on('error', () => undefined);
  if (sockets.length > 0) await handOver(child, sockets);
  child.unref();
  return {
    async until(serves, cannot, signal) {
      const doesServe = async (): Promise<boolean> => {
        if (await serves()) return true;
        if (ended !== null) throw engineFailed(node.name, `${cannot}: ${ended}`);
        return false;
      };
      await until(doesServe, { every: POLL_MS, signal });
    },
  };
};

/**
 * The program ends the channel once it has all sockets: a socket sent before it listens would be lost with a channel that is ended here.
 */
const handOver = async (child: ChildProcess, sockets: readonly Socket[]): Promise<void> => {
  const taken = once(child, 'disconnect', { signal: AbortSignal.timeout(HAND_OVER_MS) });
  // Where it ends instead, what is sent fails as well.
  taken.catch(() => undefined);
  for (const socket of sockets)
    await new Promise<void>((resolve, reject) =>
      child.send('socket', socket, (error) => (error === null ? resolve() : reject(error))),
    );
  await taken;
};

/** Ends helpers of a node with everything in their groups. Throws TopologError when one stays. */
export const endHelpers = async (processes: readonly Marked[], name: string): Promise<void> => {
  const left = await endProcesses(processes);
  if (left.length === 0) return;
  throw engineFailed(name, `process ${left.map(({ pid }) => pid).join(', ')} does not end, not even by SIGKILL`);
};
