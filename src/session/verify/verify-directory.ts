import path from 'node:path';
import { messageOf } from '../../common/errors.ts';
import { DamagedLog } from '../../events/store/damage.ts';
import { checkFiles } from '../../events/store/level-files.ts';
import { inspect, refuseUnfinished } from '../../events/log/startup.ts';
import type { Store } from '../../events/store/store.ts';
import type { LogView } from '../../events/store/view.ts';
import { viewLog } from '../../events/view-log.ts';
import { KnownFiles } from './check-files.ts';
import type { CheckOptions } from './check-events.ts';
import { checkStore, type StoreVerdict } from './check-store.ts';
import type { StoreProblem } from './findings.ts';

export interface VerifyOptions extends CheckOptions {
  dataDir: string;
  /** Directory of projects, images and symbols. */
  filesDir: string;
  projectId: string | null;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** Of other files, in words: throws for what is damaged. */
  others: readonly { where: string; check: () => unknown }[];
}

/** Checks the log of a data directory on a view of it, and the files that it knows: no file changes. */
export const verifyDirectory = async (options: VerifyOptions): Promise<StoreVerdict> => {
  const directory = path.join(options.dataDir, 'log');
  const view = await viewLog(directory);
  try {
    return await verifyWith(view.store, options, () => ofFiles(directory, view));
  } finally {
    await view.close();
  }
};

/** The same for a log elsewhere, as it is at one moment. */
export const verifyMoment = (store: Store, options: VerifyOptions): Promise<StoreVerdict> =>
  verifyWith(store, options, () => Promise.resolve([]));

const NOTHING: StoreVerdict = { ok: true, facts: 0, records: 0, lost: 0, problem: null, problems: [] };

const verifyWith = async (
  store: Store,
  options: VerifyOptions,
  first: () => Promise<StoreProblem[]>,
): Promise<StoreVerdict> => {
  const { projectId } = options;
  const unfinished = await problemOf('store', () => refuseUnfinished(store));
  // What it lacks is to come yet.
  if (unfinished.length > 0) return withProblems(NOTHING, unfinished);
  const files = new KnownFiles(options);
  const verdict = await checkStore(store, projectId, { ...options, onEvent: (event) => files.hear(event) });
  const problems = [...(await first()), ...verdict.problems];
  if (problems.length === 0) problems.push(...(await problemOf('store', () => inspect(store))));
  problems.push(...(await files.check(projectId)));
  return withProblems(verdict, [...problems, ...(await othersOf(options))]);
};

/** Keys and users. */
export const othersOf = async ({ others }: Pick<VerifyOptions, 'others'>): Promise<StoreProblem[]> => {
  const problems: StoreProblem[] = [];
  for (const { where, check } of others) problems.push(...(await problemOf(where, check)));
  return problems;
};

export const withProblems = (verdict: StoreVerdict, problems: StoreProblem[]): StoreVerdict => ({
  ...verdict,
  problems,
  ok: problems.length === 0,
  problem: problems[0] ?? null,
});

/** LevelDB's files, and the note of where the log ends. */
const ofFiles = async (directory: string, { store, repaired }: LogView): Promise<StoreProblem[]> => {
  const problems = await problemOf('store', () => checkFiles(directory));
  if (repaired && problems.length === 0)
    problems.push({ position: null, where: "LevelDB's list of files", message: 'it is damaged' });
  const { problem = null } = store.witness ?? {};
  return problem === null ? problems : [...problems, { position: null, where: 'store', message: problem }];
};

const problemOf = async (where: string, check: () => unknown): Promise<StoreProblem[]> => {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof DamagedLog) {
      const { damage } = error;
      return [{ position: damage.position, where: damage.where, message: damage.message }];
    }
    return [{ position: null, where, message: messageOf(error) }];
  }
};
