import { TopologError } from '../../common/errors.ts';
import type { EventLog } from '../../events/log/log.ts';

/** How long an outcome waits before it is offered again to a log that refused it. */
const RETRY_MS = 300;

/** Codes of errors of a log that cannot be written. */
const LOG_REFUSALS: ReadonlySet<string> = new Set(['disk_full', 'log_read_only']);

/**
 * Puts on record what has really happened in the world, however long the log cannot be written: without it the machine would
 * wait for good. `refused` gets each refusal. False: the server is shutting down, or another one writes: recovery finds out again.
 */
export const recordOutcome = async (
  append: () => Promise<unknown>,
  refused: (error: Error) => void = () => undefined,
): Promise<boolean> => {
  for (;;) {
    try {
      await append();
      return true;
    } catch (error) {
      refused(error as Error);
      // What is not the log's refusal is a defect: offering it again would change nothing.
      if (!(error instanceof TopologError)) throw error;
      if (error.code === 'shutting_down' || error.code === 'lease_lost') return false;
      await new Promise((again) => setTimeout(again, RETRY_MS));
    }
  }
};

/**
 * Takes away what was made ready for events that the log has refused, once they cannot be on disk either: a write that has failed may have
 * been done, until the log was cut there, also on a full disk. A server that ends before that leaves it to its next start.
 */
export const takeBack = async (log: EventLog, discard: () => Promise<void>): Promise<void> => {
  if (log.writable) return discard();
  void recordOutcome(() => log.append([]))
    .then((isCut) => (isCut ? discard() : undefined))
    .catch(() => undefined);
};

/**
 * Does what has to be done whatever the log says, such as the end of what runs in a project that is being closed: while the log cannot be
 * written it is tried again. `refused` gets each refusal; the next try waits for it. Other errors are the caller's.
 */
export const whenWritable = async <T>(
  work: () => Promise<T>,
  refused: (error: Error) => Promise<unknown>,
): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TopologError) || !LOG_REFUSALS.has(error.code)) throw error;
      await refused(error);
      await new Promise((again) => setTimeout(again, RETRY_MS));
    }
  }
};
