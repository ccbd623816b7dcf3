import { streamOf, levelStore, type Store } from '../events/store/database.ts';
import { rebuild } from '../projections/rebuild.ts';
import { salvage } from '../projections/salvage.ts';
import { printable } from './printable.ts';
import { COMMON, command, logDirectory, openView, parse, unheldDataDir } from './source.ts';

const HELP = `topolog rebuild [--check] [--data-dir DIR]

Folds the whole log again, prints every record that differs from the stored one, and stores the right ones (--check: only
prints and changes no file). Exit code 1 when something differed, 2 when events are missing or do not fit their hashes: then nothing is
stored, as nobody knows what is right. The server must not be running.
`;

/** `topolog rebuild` */
export const rebuildCommand = command(HELP, async (args) => {
  const options = { ...COMMON, check: { type: 'boolean' } } as const;
  const { values } = parse({ args, options });
  const dataDir = await unheldDataDir(values['data-dir']);
  const isDamaged = await withView(dataDir, printGaps);
  if (isDamaged) return 2;
  if (values.check === true) return withView(dataDir, (store) => compare(store, false));
  const store = await levelStore(await logDirectory(dataDir))();
  try {
    return await compare(store, true);
  } finally {
    await store.close();
  }
});

const withView = async <T>(dataDir: string, use: (store: Store) => Promise<T>): Promise<T> => {
  const { store, close } = await openView(dataDir);
  try {
    return await use(store);
  } finally {
    await close();
  }
};

/** Whether there are any. */
const printGaps = async (store: Store): Promise<boolean> => {
  const { missing, breaks } = await salvage(store);
  for (const { first, last } of missing)
    process.stdout.write(`positions ${first} to ${last}: missing, or not as they were written\n`);
  for (const { project_id, version, next_version } of breaks)
    process.stdout.write(`stream ${streamOf(project_id)}: after version ${version} comes version ${next_version}\n`);
  const isDamaged = missing.length > 0 || breaks.length > 0;
  if (isDamaged) process.stdout.write('the log is damaged, and nothing was stored; topolog repair makes a new one\n');
  return isDamaged;
};

const compare = async (store: Store, correct: boolean): Promise<number> => {
  const { events, records, differences } = await rebuild(store, correct);
  for (const { collection, id, problem } of differences)
    process.stdout.write(`${collection} ${id}: ${printable(problem)}\n`);
  const done = correct ? 'corrected' : 'found';
  process.stdout.write(`${events} events, ${records} records, ${differences.length} differences ${done}\n`);
  return differences.length === 0 ? 0 : 1;
};
