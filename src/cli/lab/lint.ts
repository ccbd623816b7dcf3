import { invalid } from '../../common/errors.ts';
import { findServer } from '../../server/found-server.ts';
import { COMMON, command, dataDirOf, parse } from '../command.ts';
import { createLogger } from '../logger.ts';
import { openOwnServer } from '../own-server.ts';
import { printable } from '../printable.ts';
import { inFile, readGiven, withFile } from './read-text.ts';

const HELP = `topolog lint FILE [--as FORMAT] [--simulate] [--files-below DIR] [--data-dir DIR]

Looks for mistakes in the text of a lab, and changes nothing: what apply would refuse, and what it would take although it is likely wrong: addresses
that are there twice on one network, routers out of reach, unknown commands of start-up texts, nodes without a link, checks that nobody can
answer. It asks the server that runs, for its templates and for the lab as it is; without one it starts a server of its own.

  --as FORMAT        format of the text, if its name does not tell
  --simulate         network systems of a topology file that nothing here stands for are no mistake
  --files-below DIR  files that the text names are read below this directory too; otherwise below its own and the repository around it
  --data-dir DIR     where the server's data are

Exit codes: 0 nothing found, 1 something, 2 a text that would be refused.
`;

const OPTIONS = {
  ...COMMON,
  as: { type: 'string' },
  simulate: { type: 'boolean' },
  'files-below': { type: 'string' },
} as const;

/** `topolog lint` */
export const lintCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [file, more] = positionals;
  if (file === undefined || more !== undefined) throw invalid('topolog lint needs one text of a lab');
  const given = await readGiven(file, { as: values.as, below: values['files-below'] });
  const running = await findServer(dataDirOf(values['data-dir']));
  const own = running === null ? await openOwnServer('lint', createLogger({ format: 'text', level: 'error' })) : null;
  const client = (running ?? own?.found)?.client;
  try {
    if (client === undefined) throw invalid('no server answers');
    const body = { ...given, simulate: values.simulate === true, lint: true };
    const { notes } = await inFile(file, client.post('/v2/labs/plan', { body }));
    const mistakes = notes.filter((note) => withFile(file, note) !== null);
    for (const note of notes) process.stdout.write(`${printable(withFile(file, note) ?? `note: ${note}`)}\n`);
    return mistakes.length === 0 ? 0 : 1;
  } finally {
    await own?.close();
  }
});
