import { conflict } from '../errors.ts';
import { rebuild } from '../projections/rebuild.ts';
import { findServer } from '../found-server.ts';
import { printable } from './printable.ts';
import { COMMON, dataDirOf, openStore, parse } from './source.ts';

const HELP = `topolog rebuild [--check] [--data-dir DIR]

Folds the whole log again, prints every record that differs from the stored one, and stores the right ones (--check: only
prints). Exit code 1 when something differed. The server must not be running.
`;

/** `topolog rebuild` */
export const rebuildCommand = async (args: string[]): Promise<number> => {
  const options = { ...COMMON, check: { type: 'boolean' } } as const;
  const { values } = parse({ args, options });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const dataDir = dataDirOf(values['data-dir']);
  const server = await findServer(dataDir);
  if (server !== null) throw conflict(`the server at ${server.url} holds ${dataDir}; stop it first`);
  const store = await openStore(dataDir);
  try {
    const { facts, records, differences } = await rebuild(store, values.check !== true);
    for (const { collection, id, problem } of differences)
      process.stdout.write(`${collection} ${id}: ${printable(problem)}\n`);
    const done = values.check === true ? 'found' : 'mended';
    process.stdout.write(`${facts} facts, ${records} records, ${differences.length} differences ${done}\n`);
    return differences.length === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
};
