import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf, TopologError } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { onceExited, wordsOf } from './child.ts';
import { markEnvironment } from '../../../processes/marker.ts';
import { openOutput, tailOf } from './output.ts';

/**
 * A program that serves one adapter or console of a node, beside what runs the node. It outlives the server and is found again
 * by its marker.
 */
export interface Helper {
  /** What it said last; null while it runs. */
  ended(): string | null;
}

/** What it says goes to the file `log`. */
export const startHelper = async (
  node: KindNode,
  mark: string,
  program: string,
  args: readonly string[],
  log: string,
): Promise<Helper> => {
  try {
    const output = await openOutput(log);
    try {
      const child = spawn(program, args, {
        // In a group of its own: no signal of a terminal reaches it.
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
        env: { ...process.env, ...markEnvironment(node, mark) },
      });
      await once(child, 'spawn');
      let ended: string | null = null;
      void onceExited(child).then(async (how) => {
        ended = (await tailOf(output).catch(() => '')) || `${program} ended (${wordsOf(how)})`;
      });
      child.on('error', () => undefined);
      child.unref();
      return { ended: () => ended };
    } finally {
      await output.close();
    }
  } catch (error) {
    throw new TopologError('engine_failed', {
      what: node.name,
      reason: `${program} cannot be started: ${messageOf(error)}`,
    });
  }
};
