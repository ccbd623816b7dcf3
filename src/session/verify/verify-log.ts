import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../common/errors.ts';
import { inspect, refuseUnfinished } from '../../events/log/startup.ts';
import { eachEvent, lastPosition } from '../../events/read.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { DamagedLog } from '../../events/store/damage.ts';
import { checkFiles } from '../../events/store/level-files.ts';
import type { Store } from '../../events/store/store.ts';
import type { LogView } from '../../events/store/view.ts';
import { viewLog } from '../../events/view-log.ts';
import { KnownFiles } from './check-files.ts';
import { checkStore, type StoreVerdict } from './check-store.ts';
import type { CheckOptions, StoreProblem } from './findings.ts';

export interface VerifyLogOptions extends CheckOptions {
  dataDir: string;
  /** Directory of projects, images and symbols. */
  filesDir: string;
  projectId: string | null;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** Checks of other files; each throws for damage. `where`: for the problem. */
  others: readonly { where: string; check: () => unknown }[];
}

/** Checks the log of a data directory through a read-only view, and the files whose content it knows. Changes no file. */
export const verifyDirectory = async (options: VerifyLogOptions): Promise<StoreVerdict> => {
  const directory = path.join(options.dataDir, 'log');
  const view = await viewLog(directory);
  try {
    return await verifyWith(view.store, options, () => levelFileProblems(directory, view));
  } finally {
    await view.close();
  }
};

/** Checks a log elsewhere as of one moment, and the files whose content it knows. */
export const verifyMoment = (store: Store, options: VerifyLogOptions): Promise<StoreVerdict> =>
  verifyWith(store, options, () => Promise.resolve([]));

const NOTHING: StoreVerdict = { ok: true, facts: 0, records: 0, lost: 0, problem: null, problems: [] };

const verifyWith = async (
  store: Store,
  options: VerifyLogOptions,
  first: () => Promise<StoreProblem[]>,
): Promise<StoreVerdict> => {
  const { projectId } = options;
  const unfinished = await problemOf('store', () => refuseUnfinished(store));
  // The rest of such a log is still to be copied into it.
  if (unfinished.length > 0) return withProblems(NOTHING, unfinished);
  const files = new KnownFiles(options);
  const verdict = await checkStore(store, projectId, { ...options, onEvent: (event) => files.apply(event) });
  const problems = [...(await first()), ...verdict.problems];
  if (problems.length === 0) problems.push(...(await problemOf('store', () => inspect(store))));
  problems.push(...(await files.check(projectId)));
  return withProblems(verdict, [...problems, ...(await problemsOfOthers(options))]);
};

interface Served {
  store: () => Store;
  filesDir: string;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** How often files with other content are checked again. */
  retries?: number;
  /** Before each retry. Milliseconds. */
  pauseMs?: number;
}

/**
 * Checks a log that is being written, and the files whose content it knows. A file and its event do not change in the same moment: a file
 * with other content is checked again after the later events, and is a problem if it still differs under the same event.
 */
export const verifyServed = async (
  served: Served,
  projectId: string | null,
  options: CheckOptions = {},
): Promise<StoreVerdict> => {
  const { store, retries = 3, pauseMs = 500 } = served;
  const files = new KnownFiles(served);
  let position = await lastPosition(store());
  const apply = (event: AnyEvent): void => {
    position = Math.max(position, event.position);
    if (projectId === null || event.project_id === projectId) files.apply(event);
  };
  const verdict = await checkStore(store(), projectId, { ...options, onEvent: apply });
  let wrong = await files.check(projectId);
  for (let retry = 0; retry < retries && wrong.length > 0; retry++) {
    await pause(pauseMs);
    await eachEvent(store(), apply, position + 1);
    wrong = await files.check(projectId, wrong);
  }
  return withProblems(verdict, [...verdict.problems, ...wrong]);
};

/** Problems of the other files, such as keys and users. */
export const problemsOfOthers = async ({ others }: Pick<VerifyLogOptions, 'others'>): Promise<StoreProblem[]> => {
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

/** Problems of LevelDB's files, and of the note that says where the log ends. */
const levelFileProblems = async (directory: string, { store, repaired }: LogView): Promise<StoreProblem[]> => {
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
