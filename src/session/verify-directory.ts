import path from 'node:path';
import { viewLog } from '../view-log.ts';
import { type CheckOptions, checkStore, type StoreVerdict } from './check-store.ts';

/** Checks the log of a data directory on a view of it: no file of it changes. */
export const verifyDirectory = async (
  dataDir: string,
  projectId: string | null = null,
  options: CheckOptions = {},
): Promise<StoreVerdict> => {
  const view = await viewLog(path.join(dataDir, 'log'));
  try {
    const verdict = await checkStore(view.store, projectId, options);
    const { problems } = verdict;
    if (view.repaired) {
      const message = 'it is damaged: what can be read of the tables and journals was put together without it';
      problems.unshift({ position: null, where: "LevelDB's list of files", message });
    }
    return { ...verdict, ok: problems.length === 0, problem: problems[0] ?? null };
  } finally {
    await view.close();
  }
};
