import { fork } from 'node:child_process';
import { TopologError } from '../../common/errors.ts';
import { programFile } from '../../common/package.ts';
import type { StoreVerdict } from '../../session/verify/check-store.ts';
import { logDirectory, type Place } from '../source.ts';

/** What the reading process says. */
export type Said = { position: number } | { verdict: StoreVerdict } | { failure: string; code: string | null };

/**
 * Checks the log of a data directory on a view of it, in a process of its own: LevelDB can end a process for the octets that it reads,
 * and that is then a problem like any other.
 */
export const verifyView = async ({ dataDir, filesDir }: Place, projectId: string | null): Promise<StoreVerdict> => {
  await logDirectory(dataDir);
  const args = [dataDir, filesDir, ...(projectId === null ? [] : [projectId])];
  const child = fork(programFile('cli/verify/reader'), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let position = 0;
  let said: Said | null = null;
  child.on('message', (one: Said) => {
    if ('position' in one) position = one.position;
    else said = one;
  });
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return verdictOf(said, position, end);
};

const verdictOf = (said: Said | null, position: number, end: string): StoreVerdict => {
  if (said !== null && 'verdict' in said) return said.verdict;
  if (said !== null && 'failure' in said && said.code !== null) throw TopologError.saying('conflict', said.failure);
  const why = said !== null && 'failure' in said ? said.failure : `the process that read it ended (${end})`;
  const message =
    position === 0 ? `it cannot be read: ${why}` : `it cannot be read beyond position ${position}: ${why}`;
  const problem = { position: position === 0 ? null : position + 1, where: 'store', message };
  return { ok: false, facts: position, records: 0, lost: 0, problem, problems: [problem] };
};
