import { conflict } from '../../common/errors.ts';
import type { RecoveredLog } from '../../projections/recover-log.ts';
import { finishRepair, inspectForRepair, repair } from '../../session/repair.ts';
import { command, LOG, parse } from '../command.ts';
import { FROM_BACKUP, logDirectory, placeOf, unheldDataDir } from '../source.ts';
import { checkOwner } from './lease.ts';

const HELP = `topolog repair [--check] [--data-dir DIR]

Salvages a damaged log into a new one: every event whose hash fits stays at its position, and the first event that is new
lists what is lost and is signed. The damaged log is kept beside it as log.damaged-TIME. Files of projects are not touched. --check only
says what would be done. Exit code 0 when the log is whole (again), 1 when --check finds something to do. The server must not be running.
A log in a database is not repaired: it is restored from a backup of the database.
`;

/** `topolog repair` */
export const repairCommand = command(HELP, async (args) => {
  const { values } = parse({ args, options: { ...LOG, check: { type: 'boolean' } } as const });
  const isGiven = values.log !== undefined || values['data-dir'] === undefined;
  if (isGiven && placeOf(values).cell !== null)
    throw conflict(
      `topolog repair is for a log in a data directory, given by --data-dir; for this one, ${FROM_BACKUP}`,
    );
  const dataDir = await unheldDataDir(values['data-dir']);
  if (values.check !== true) {
    await checkOwner(dataDir);
    await finishRepair(dataDir);
  }
  await logDirectory(dataDir);
  const found = await inspectForRepair(dataDir);
  if (found === null) {
    process.stdout.write('the log is whole: there is nothing to repair\n');
    return 0;
  }
  process.stdout.write(describe(found));
  if (values.check === true) return 1;
  const { keptAs } = await repair(dataDir);
  process.stdout.write(`the new log is in place; the damaged one is kept as ${keptAs ?? ''}\n`);
  return 0;
});

const describe = ({ whole, missing, breaks, lost }: RecoveredLog): string => {
  const projects = new Set(breaks.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])));
  return [
    `${whole} events are whole`,
    ...missing.map(
      ({ first, last }) => `lost: ${first === last ? `position ${first}` : `positions ${first} to ${last}`}`,
    ),
    ...[...projects].map((id) => `events of project ${id} are lost`),
    ...lost.map(({ collection, id }) => `lost: the last state of ${collection} ${id}`),
    '',
  ].join('\n');
};
