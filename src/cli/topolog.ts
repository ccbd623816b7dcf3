#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import '../memory/v8.ts';
import { messageOf, TopologError } from '../common/errors.ts';
import { LICENCES, VERSION } from '../common/package.ts';
import { commandNamed, HELP } from './commands.ts';
import { printable, printableMessage } from './printable.ts';

const main = async (): Promise<number> => {
  const [given = 'help', ...args] = process.argv.slice(2);
  if (given === '--version') return print(`${VERSION}\n`);
  if (given === '--licences') return print(LICENCES.map((file) => readFileSync(file, 'utf8')).join('\n'));
  const isHelp = given === 'help' || given === '--help' || given === '-h';
  const name = isHelp ? args[0] : given;
  if (name === undefined) return print(HELP);
  const entry = commandNamed(name);
  if (entry === undefined) {
    process.stderr.write(`topolog: there is no command ${printable(name)}; topolog help lists those there are\n`);
    return 2;
  }
  const { help, run } = await entry.load();
  return isHelp || args.includes('--help') || args.includes('-h') ? print(help) : run(args);
};

/** There is a command, and no request; a field of the interface that was given as a flag is that flag. */
const atTerminal = (message: string, isOfFlags: boolean): string => {
  const [, , name = '', ...args] = process.argv;
  const said = message.replace(/^The request is not valid: /, '');
  const [, field = ''] = /^([a-z_]+) must /.exec(said) ?? [];
  const isFlag = args.some((arg) => arg === `--${field}` || arg.startsWith(`--${field}=`));
  return `${isFlag ? '--' : ''}${said}${isOfFlags ? `; see topolog help ${name}` : ''}`;
};

const print = (text: string): number => {
  process.stdout.write(text);
  return 0;
};

/** They have something to end first. */
const ENDS_ITSELF = new Set(['serve', 'capture']);

// The reader of what is printed has enough, as `head` does: the command ends. A server goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!ENDS_ITSELF.has(process.argv[2] ?? '')) process.exit(0);
  });

// What a lab holds (recordings, captures, keys) is for the user of the server alone. Programs that are started inherit it.
process.umask(0o077);
try {
  process.exitCode = await main();
} catch (error) {
  const also = error instanceof TopologError ? (error.details['also'] as string[] | undefined) : undefined;
  const said = atTerminal(messageOf(error), error instanceof TopologError && error.details['isOfFlags'] === true);
  for (const message of [said, ...(also ?? [])]) process.stderr.write(`topolog: ${printableMessage(message)}\n`);
  if (!(error instanceof TopologError) && process.env['TOPOLOG_DEBUG'] !== undefined) console.error(error);
  // Also where the server said so.
  process.exitCode = (error as { status?: unknown }).status === 400 ? 2 : 1;
}
