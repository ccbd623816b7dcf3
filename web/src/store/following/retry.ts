import { ApiError } from 'topolog/client';

/** Whether it is worth another try: nobody answered, or the server is starting, ending or full. */
const isPassing = (problem: unknown): boolean =>
  problem instanceof ApiError ? problem.status >= 500 || problem.status === 429 : problem instanceof TypeError;

const PAUSE_MS = 1_000;

/**
 * Does something until it has worked, with pauses, as long as what it meets passes; throws anything else, and the signal's reason. `onFailed`
 * gets each try that failed.
 */
export const untilDone = async <T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onFailed: () => void = () => undefined,
  pauseMs = PAUSE_MS,
): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (problem) {
      signal.throwIfAborted();
      if (!isPassing(problem)) throw problem;
      onFailed();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      signal.throwIfAborted();
    }
  }
};
