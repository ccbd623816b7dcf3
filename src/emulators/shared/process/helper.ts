import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineFailed, messageOf } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { endProcesses } from '../../../processes/end.ts';
import { onceExited, wordsOf } from './child.ts';
import { type Marked, markEnvironment } from '../../../processes/marker.ts';
import { openOutput, type OpenOutput, tailOf } from './output.ts';

/**
 * A program that serves one adapter or console of a node, beside what runs the node. It outlives the server and is found again
 * by its marker.
 */
export interface Helper {
  /** Resolves once `serves` says so. Fails with `cannot` and what the program said when it ends instead. */
  until(serves: () => Promise<boolean>, cannot: string, signal: AbortSignal): Promise<void>;
}

const LOOK_MS = 10;

/** Starts a program with its arguments. What it says goes to the file `log`. */
export const startHelper = async (
  node: KindNode,
  mark: string,
  command: readonly [program: string, ...args: string[]],
  log: string,
): Promise<Helper> => {
  try {
    const output = await openOutput(log);
    try {
      return await launch(node, mark, command, output);
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
  output: OpenOutput,
): Promise<Helper> => {
  const child = spawn(program, args, {
    // In a group of its own: no signal of a terminal reaches it.
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    env: { ...process.env, ...markEnvironment(node, mark) },
  });
  await once(child, 'spawn');
  /** What it said last; null while it runs. */
  let ended: string | null = null;
  void onceExited(child).then(async (how) => {
    ended = (await tailOf(output).catch(() => '')) || `${program} ended (${wordsOf(how)})`;
  });
  child.on('error', () => undefined);
  child.unref();
  return {
    async until(serves, cannot, signal) {
      while (!(await serves())) {
        signal.throwIfAborted();
        if (ended !== null) throw engineFailed(node.name, `${cannot}: ${ended}`);
        await sleep(LOOK_MS);
      }
    },
  };
};

/** Ends helpers of a node with everything in their groups. Throws TopologError when one stays. */
export const endHelpers = async (processes: readonly Marked[], name: string): Promise<void> => {
  const left = await endProcesses(processes);
  if (left.length === 0) return;
  throw engineFailed(name, `process ${left.map(({ pid }) => pid).join(', ')} does not end, not even by SIGKILL`);
};
