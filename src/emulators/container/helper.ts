import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { messageOf, TopologError } from '../../errors.ts';
import type { KindNode } from '../contract.ts';
import { onceExited, wordsOf } from '../process/child.ts';
import { markEnvironment } from '../process/marker.ts';
import { openOutput, tailOf } from '../process/output.ts';

/** A program that serves one adapter or console of a container. It outlives the server and is found again by its marker. */
export interface Helper {
  /** What it said last; null while it runs. */
  ended(): string | null;
}

/** What it says goes to `docker.log` in the node's directory. */
export const startHelper = async (
  node: KindNode,
  mark: string,
  program: string,
  args: readonly string[],
): Promise<Helper> => {
  try {
    const log = await openOutput(path.join(node.node_directory ?? '', 'docker.log'));
    try {
      const child = spawn(program, args, {
        // In a group of its own: no signal of a terminal reaches it.
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        env: { ...process.env, ...markEnvironment(node, mark) },
      });
      await once(child, 'spawn');
      let ended: string | null = null;
      void onceExited(child).then(async (how) => {
        ended = (await tailOf(log).catch(() => '')) || `${program} ended (${wordsOf(how)})`;
      });
      child.on('error', () => undefined);
      child.unref();
      return { ended: () => ended };
    } finally {
      await log.close();
    }
  } catch (error) {
    throw new TopologError('engine_failed', {
      what: node.name,
      reason: `${program} cannot be started: ${messageOf(error)}`,
    });
  }
};
