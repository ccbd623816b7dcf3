import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Commands } from '../actors/commands.ts';
import { messageOf, TopologError } from '../common/errors.ts';
import { EventLog } from '../events/log/log.ts';
import type { LogStatus } from '../events/log/listeners.ts';
import type { LogView } from '../events/store/view.ts';
import { type Gap, type LostRecord, salvage } from '../projections/recover-log.ts';
import { Records } from '../projections/store.ts';
import { isDiskFault, isUnwritable, viewLog } from '../events/view-log.ts';

/** Why a server only reads, and what is missing in what it reads. */
export interface ReadOnly {
  reason: string;
  /** What to do about it: a sentence. */
  remedy: string;
  /** The log is whole: the server writes as soon as its place takes writes. */
  heals: boolean;
  damage: { missing: Gap[]; projects: string[]; records: LostRecord[] };
}

export interface ReadOnlyLog {
  log: EventLog;
  records: Records;
  readOnly: ReadOnly;
  close(): Promise<void>;
}

/** Whether a server can go on with reading after its log could not be opened: not when another has it, nor where there is none. */
export const canBeRead = async (directory: string, error: unknown): Promise<boolean> =>
  !(error instanceof TopologError && error.code === 'conflict') &&
  (await stat(path.join(directory, 'CURRENT'))
    .catch(() => stat(directory))
    .catch(() => null)) !== null;

/** Opens a log for reading that could not be opened for this reason: what is whole in it can be read, nothing is changed. */
export const openReadOnly = async (directory: string, cause: unknown): Promise<ReadOnlyLog> => {
  const view = await viewLog(directory);
  try {
    const { records, damage } = isUnwritable(cause) && !view.repaired ? await asStored(view) : await salvaged(view);
    const isWhole = damage.missing.length === 0 && damage.projects.length === 0 && damage.records.length === 0;
    const heals = (isUnwritable(cause) || isDiskFault(cause)) && !view.repaired && isWhole;
    const readOnly = { reason: messageOf(cause), remedy: remedyOf(heals, cause, directory), heals, damage };
    const reason = new Error(`${readOnly.reason}; ${readOnly.remedy}`, { cause });
    const log = await EventLog.readOnly(view.store, records, reason);
    return { log, records, readOnly, close: () => view.close() };
  } catch (error) {
    await view.close();
    throw error;
  }
};

const remedyOf = (heals: boolean, cause: unknown, directory: string): string => {
  if (heals) return 'the server writes again by itself as soon as that is possible';
  const repair = `stop the server and run: topolog repair --data-dir ${path.dirname(directory)}`;
  return isDiskFault(cause)
    ? `look after the disk and start the server again; if that does not help, ${repair}`
    : repair;
};

const NO_DAMAGE: ReadOnly['damage'] = { missing: [], projects: [], records: [] };

const asStored = async (view: LogView): Promise<{ records: Records; damage: ReadOnly['damage'] }> => {
  const records = new Records();
  try {
    await records.load(view.store);
  } catch {
    return salvaged(view);
  }
  return { records, damage: NO_DAMAGE };
};

const salvaged = async (view: LogView): Promise<{ records: Records; damage: ReadOnly['damage'] }> => {
  const { records, missing, breaks, lost } = await salvage(view.store);
  for (const { collection, id } of lost) records.lose(collection, id);
  const projects = [...new Set(breaks.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])))];
  return { records, damage: { missing, projects, records: lost } };
};

/** Commands that write nothing, and those that are needed by what reads. */
const readingCommands = (commands: Commands): Partial<Commands> => ({
  planLab: (...args) => commands.planLab(...args),
  exportProject: (...args) => commands.exportProject(...args),
  openConsole: (...args) => commands.openConsole(...args),
  flushCapture: () => Promise.resolve(),
  attend: () => () => undefined,
  leasedUdpPorts: () => [],
  refused: () => undefined,
});

/** The commands of a server that only reads: the others are refused before they begin anything. */
export const readOnlyCommands = (commands: Commands, log: EventLog): Commands => {
  const reading = readingCommands(commands);
  const refuse = (): never => {
    throw log.refusal();
  };
  return new Proxy(commands, {
    get: (_target, name) => (name in reading ? reading[name as keyof Commands] : refuse),
  });
};

export const healthOf = ({ writable, damage }: LogStatus): 'ok' | 'read_only' | 'damaged' => {
  if (!writable) return 'read_only';
  return damage.length === 0 ? 'ok' : 'damaged';
};
