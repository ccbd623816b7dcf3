import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TopologError } from './errors.ts';
import { makeDirectory } from './make-directory.ts';

const LOOK_MS = 1_000;

/** Throws a sentence. */
export const makeDataDirectory = async (dataDir: string): Promise<void> => {
  await makeDirectory(dataDir).catch((error: unknown) => {
    throw TopologError.saying('invalid_request', `the data directory ${dataDir} cannot be made: ${messageOf(error)}`);
  });
};

/**
 * Looks whether the log is still where it was: files that are open can be written after they were removed or moved away, and nothing
 * of that would be found again. Tells why not, and null once it is back. Answers how to stop.
 */
export const watchDataDirectory = async (
  dataDir: string,
  onChange: (gone: string | null) => void,
  lookMs = LOOK_MS,
): Promise<() => void> => {
  const place = path.join(dataDir, 'log');
  const identity = (): Promise<string | null> =>
    stat(place).then(
      ({ dev, ino }) => `${dev}/${ino}`,
      () => null,
    );
  const ours = await identity();
  let gone: string | null = null;
  let looking = false;
  const look = async (): Promise<void> => {
    const found = await identity();
    const now =
      found === ours
        ? null
        : found === null
          ? `the data directory ${dataDir} is gone: it was removed or moved away`
          : `${place} is another directory than the one that this server uses`;
    if (now === gone) return;
    gone = now;
    onChange(now);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => (looking = false));
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};
