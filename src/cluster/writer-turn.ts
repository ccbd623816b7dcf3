import { draft, type LabContext, SYSTEM_CALLER } from '../actors/context.ts';
import type { Lab } from '../actors/lab.ts';
import { keptIds } from '../actors/recovery/recover.ts';
import { TopologError } from '../common/errors.ts';
import type { AnyDraft } from '../events/schemas.ts';
import type { RunningServer } from './running-server.ts';

/** The last event of a server. */
export const serverStopped = (reason: string, keepRunning: boolean): AnyDraft =>
  draft(SYSTEM_CALLER, null, 'server.stopped', { reason, ...(keepRunning ? { kept_running: true } : {}) });

/**
 * Whether one server of this process may still write. Its turn is over when it is fenced off or has stepped down; from then on it only
 * answers reads, until it is closed.
 */
export class WriterTurn {
  #isOver = false;
  #keepRunning = false;
  /** The server is closed to be replaced by another one of this process. */
  isReplaced = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether nodes and the fabric outlive the server. `unlessOver`: the answer while its turn is not over. */
  keepsRunning(unlessOver: () => boolean): boolean {
    return this.#isOver ? this.#keepRunning : unlessOver();
  }

  /** Position, nodes and the end of the turn. `flush`: writes project files. */
  operations(
    { log, computes, plumbing, settings, pending }: LabContext,
    lab: Lab,
    flush: () => Promise<void>,
  ): Pick<RunningServer, 'position' | 'hasOrphanedNodes' | 'runningNodes' | 'fence' | 'stepDown'> {
    const end = (reason: string, keepRunning: boolean): void => {
      this.#isOver = true;
      this.#keepRunning = keepRunning;
      log.refuse(new TopologError('lease_lost', { reason }));
      lab.fence();
      plumbing.close();
      computes.close();
    };
    return {
      position: () => log.status().position,
      hasOrphanedNodes: () => keptIds({ pending }, settings.server.id).running.size > 0,
      runningNodes: () => keptIds({ pending }).running.size,
      fence: (reason) => end(reason, true),
      async stepDown(reason, keepRunning) {
        if (log.writable) {
          await flush();
          await log.append([serverStopped(reason, keepRunning)]);
        }
        end(reason, keepRunning);
      },
    };
  }
}
