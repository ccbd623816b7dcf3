#!/usr/bin/env node
import { messageOf, TopologError } from '../errors.ts';
import { logCommand } from './log.ts';
import { rebuildCommand } from './rebuild.ts';
import { serveCommand } from './serve.ts';

/** A command: gets the arguments after its name, resolves with the exit code. */
type Command = (args: string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = { serve: serveCommand, log: logCommand, rebuild: rebuildCommand };

const HELP = `topolog: an event-sourced network-lab server

  topolog serve [flags]        run the server (topolog serve --help)
  topolog log PROJECT          every change of a project: when, who, what (topolog log --help)
  topolog rebuild              fold the whole log again and compare (topolog rebuild --help)
`;

const main = async (): Promise<number> => {
  const [name = '--help', ...args] = process.argv.slice(2);
  const command = COMMANDS[name];
  if (command !== undefined) return command(args);
  const asked = name === '--help' || name === 'help';
  (asked ? process.stdout : process.stderr).write(asked ? HELP : `topolog: there is no command ${name}\n\n${HELP}`);
  return asked ? 0 : 2;
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`topolog: ${messageOf(error)}\n`);
  if (!(error instanceof TopologError) && process.env['TOPOLOG_DEBUG'] !== undefined) console.error(error);
  process.exitCode = error instanceof TopologError && error.code === 'invalid_request' ? 2 : 1;
}
