#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import '../memory/v8.ts';
import { TopologError } from '../common/errors.ts';
import { LICENCES, VERSION } from '../common/package.ts';
import { commandNamed, commandsNear, HELP } from './commands.ts';
import { didYouMean } from './names.ts';
import { failureOf } from './command.ts';
import { printable } from './printable.ts';

const main = async (): Promise<number> => {
  const [given = 'help', ...args] = process.argv.slice(2);
  if (given === '--version' || given === 'version') return print(`${VERSION}\n`);
  if (given === '--licences') return print(LICENCES.map((file) => readFileSync(file, 'utf8')).join('\n'));
  const isHelp = given === 'help' || given === '--help' || given === '-h';
  const name = isHelp ? args[0] : given;
  if (name === undefined) return print(HELP);
  const entry = commandNamed(name);
  if (entry === undefined) {
    const meant = didYouMean(commandsNear(name));
    const more = meant === '' ? '; topolog help lists those there are' : meant;
    process.stderr.write(`topolog: there is no command ${printable(name)}${more}\n`);
    return 2;
  }
  const { help, run } = await entry.load();
  return isHelp || args.includes('--help') || args.includes('-h') ? print(help) : run(args);
};

const print = (text: string): number => {
  process.stdout.write(text);
  return 0;
};

/** Commands that clean up before they end. */
const ENDS_ITSELF = new Set(['serve', 'capture']);

// Ends a command when the reader of its output has closed it, as `head` does. A server goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!ENDS_ITSELF.has(process.argv[2] ?? '')) process.exit(0);
  });

// Only the user of the server may read recordings, captures and keys. Child processes inherit the umask.
process.umask(0o077);
try {
  process.exitCode = await main();
} catch (error) {
  const { code, text } = failureOf(error, process.argv.slice(2));
  process.stderr.write(text);
  if (!(error instanceof TopologError) && process.env['TOPOLOG_DEBUG'] !== undefined) console.error(error);
  process.exitCode = code;
}
