#!/usr/bin/env node
import { messageOf, TopologError } from '../errors.ts';
import { printable, printableMessage } from './printable.ts';

/** A command: gets the arguments after its name, resolves with the exit code. */
type Command = (args: string[]) => Promise<number>;

/** Each loads what it needs: most of the time of a short command would go into loading the server. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  log: async () => (await import('./log.ts')).logCommand,
  rebuild: async () => (await import('./rebuild.ts')).rebuildCommand,
  repair: async () => (await import('./repair.ts')).repairCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  'export-session': async () => (await import('./export-session.ts')).exportSessionCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  user: async () => (await import('./user.ts')).userCommand,
};

const HELP = `topolog: an event-sourced network-lab server

  topolog serve [flags]        run the server (topolog serve --help)
  topolog log PROJECT          every change of a project: when, who, what (topolog log --help)
  topolog verify [FILE]        check the log, or a session file (topolog verify --help)
  topolog export-session PROJECT   a signed session file (topolog export-session --help)
  topolog replay FILE|PROJECT  perform what was recorded again and compare (topolog replay --help)
  topolog doctor               is all well; what is left over; which engines there are (topolog doctor --help)
  topolog user add|remove|list   who is asked for a password (topolog user --help)
  topolog repair               make a new log of what is whole of a damaged one (topolog repair --help)
  topolog rebuild              fold the whole log again and compare (topolog rebuild --help)
`;

const main = async (): Promise<number> => {
  const [name = '--help', ...args] = process.argv.slice(2);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return (await load())(args);
  const asked = name === '--help' || name === 'help';
  (asked ? process.stdout : process.stderr).write(
    asked ? HELP : `topolog: there is no command ${printable(name)}\n\n${HELP}`,
  );
  return asked ? 0 : 2;
};

// The reader of what is printed has enough, as `head` does: the command ends. A server goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (process.argv[2] !== 'serve') process.exit(0);
  });

// What a lab holds (recordings, captures, keys) is for the user of the server alone. Programs that are started inherit it.
process.umask(0o077);
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`topolog: ${printableMessage(messageOf(error))}\n`);
  if (!(error instanceof TopologError) && process.env['TOPOLOG_DEBUG'] !== undefined) console.error(error);
  process.exitCode = error instanceof TopologError && error.code === 'invalid_request' ? 2 : 1;
}
