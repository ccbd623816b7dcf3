import { messageOf, TopologError } from '../errors.ts';
import { checkStore } from '../session/check-store.ts';
import { viewLog } from '../view-log.ts';
import type { Said } from './verify-view.ts';

/** Reads a log for `topolog verify` and tells its parent; see verify-view.ts. */
const say = (said: Said): void => void process.send?.(said);

const main = async (directory: string, projectId: string | null): Promise<void> => {
  const view = await viewLog(directory);
  try {
    const onPosition = (position: number): void => say({ position });
    const verdict = await checkStore(view.store, projectId, { onPosition });
    if (view.repaired) {
      const message = 'it was damaged: what can be read of the tables and journals was put together without it';
      verdict.problems.unshift({ position: null, where: "LevelDB's list of files", message });
    }
    say({ verdict: { ...verdict, ok: verdict.problems.length === 0, problem: verdict.problems[0] ?? null } });
  } finally {
    await view.close();
  }
};

const [directory = '', projectId = null] = process.argv.slice(2);
main(directory, projectId).catch((error: unknown) =>
  say({ failure: messageOf(error), code: error instanceof TopologError ? error.code : null }),
);
