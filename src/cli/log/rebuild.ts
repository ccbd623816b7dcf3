import { refuseUnfinished } from '../../events/log/startup.ts';
import { levelStore } from '../../events/store/level-store.ts';
import { type Store, streamOf } from '../../events/store/store.ts';
import { rebuild } from '../../projections/rebuild.ts';
import { recoverLog } from '../../projections/recover-log.ts';
import { command, LOG, LOG_HELP, parse } from '../command.ts';
import { printable } from '../printable.ts';
import { FROM_BACKUP, logDirectory, openView, type Place, placeOf, unheldDataDir, type View } from '../source.ts';
import { checkOwner, openLeased } from './lease.ts';

const HELP = `topolog rebuild [--check] [--log URL --cell NAME] [--data-dir DIR]

Folds the whole log again, prints every record that differs from the stored one, and stores the right ones (--check: only
prints and changes no file). Exit code 1 when something differed, 2 when events are missing or do not fit their hashes: then nothing is
stored, as nobody knows what is right. The server must not be running; where the log is in a database, --check reads it as it is at one
moment, and without --check no server may write it.

${LOG_HELP}`;

/** `topolog rebuild` */
export const rebuildCommand = command(HELP, async (args) => {
  const options = { ...LOG, check: { type: 'boolean' } } as const;
  const { values } = parse({ args, options });
  const check = values.check === true;
  const place = placeOf(values);
  if (place.cell === null) {
    await unheldDataDir(values['data-dir']);
    if (!check) await checkOwner(place.dataDir);
    // Checked first, as opening the log for writing changes files.
    if (await isDamaged(place)) return 2;
  }
  const { store, close } = await (check ? openView(place) : openToCorrect(place));
  try {
    await refuseUnfinished(store);
    if (place.cell !== null && (await printGaps(store, FROM_BACKUP))) return 2;
    return await compare(store, !check);
  } finally {
    await close();
  }
});

const openToCorrect = async ({ dataDir, cell }: Place): Promise<Pick<View, 'store' | 'close'>> => {
  if (cell !== null) return openLeased(cell, 'rebuild');
  const store = await levelStore(await logDirectory(dataDir))();
  return { store, close: () => store.close() };
};

const isDamaged = async (place: Place): Promise<boolean> => {
  const { store, close } = await openView(place);
  try {
    return await printGaps(store, 'topolog repair makes a new one');
  } finally {
    await close();
  }
};

/** Prints missing positions and broken streams; returns whether there are any. */
const printGaps = async (store: Store, remedy: string): Promise<boolean> => {
  const { missing, breaks } = await recoverLog(store);
  for (const { first, last } of missing)
    process.stdout.write(`positions ${first} to ${last}: missing, or not as they were written\n`);
  for (const { project_id, version, next_version } of breaks)
    process.stdout.write(`stream ${streamOf(project_id)}: after version ${version} comes version ${next_version}\n`);
  const isWhole = missing.length === 0 && breaks.length === 0;
  if (!isWhole) process.stdout.write(`the log is damaged, and nothing was stored; ${remedy}\n`);
  return !isWhole;
};

const compare = async (store: Store, correct: boolean): Promise<number> => {
  const { events, records, differences } = await rebuild(store, correct);
  for (const { collection, id, problem } of differences)
    process.stdout.write(`${collection} ${id}: ${printable(problem)}\n`);
  const done = correct ? 'corrected' : 'found';
  process.stdout.write(`${events} events, ${records} records, ${differences.length} differences ${done}\n`);
  return differences.length === 0 ? 0 : 1;
};
