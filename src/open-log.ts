import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { levelStore } from './events/database.ts';
import { EventLog } from './events/log.ts';
import { readRecords } from './events/read.ts';
import { checkTail } from './events/startup.ts';
import { keepCheckpoints } from './projections/checkpoints.ts';
import type { RecordChange } from './projections/fold.ts';
import { Records } from './projections/store.ts';
import { canBeRead, openReadOnly, type ReadOnly } from './read-only.ts';
import { viewLog } from './view-log.ts';

export interface OpenedLog {
  log: EventLog;
  records: Records;
  /** null: it can be written. */
  readOnly: ReadOnly | null;
  close(): Promise<void>;
}

type Report = (message: string) => void;

/**
 * Opens the log of a data directory and loads the records from it; cheap, whatever the length of the log. One that is damaged, or
 * whose place takes no writes, is opened for reading.
 */
export const openLog = async (dataDir: string, report: Report): Promise<OpenedLog> => {
  const directory = path.join(dataDir, 'log');
  try {
    return await openWritable(dataDir, directory, report);
  } catch (error) {
    if (!(await canBeRead(directory, error))) throw error;
    const opened = await openReadOnly(directory, error);
    report(`only reading: ${opened.readOnly.reason}; ${opened.readOnly.remedy}`);
    return opened;
  }
};

/** Looks at a view of the log first: LevelDB changes files when it opens them for writing, and takes away what damage there is. */
const checkFirst = async (directory: string): Promise<void> => {
  if ((await stat(directory).catch(() => null)) === null) return;
  const view = await viewLog(directory);
  try {
    if (view.repaired) throw new Error("LevelDB's own list of files is damaged");
    await checkTail(view.store);
  } finally {
    await view.close();
  }
};

const openWritable = async (dataDir: string, directory: string, report: Report): Promise<OpenedLog> => {
  const records = new Records();
  await mkdir(dataDir, { recursive: true });
  await checkFirst(directory);
  const log = await EventLog.open(levelStore(directory), records, {
    report: ({ position, message }) => report(`log, position ${position}: ${message}`),
  });
  try {
    log.onProblem(report);
    const stored: RecordChange[] = [];
    for await (const [collection, id, record] of readRecords(log.store))
      stored.push({ collection, id, record } as RecordChange);
    records.restore(stored);
    keepCheckpoints(log, records.committed);
    return { log, records, readOnly: null, close: () => log.close() };
  } catch (error) {
    await log.close().catch(() => undefined);
    throw error;
  }
};
