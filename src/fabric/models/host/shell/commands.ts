import { clearCommand } from './commands/clear.ts';
import type { Command, CommandContext } from './command.ts';
import { dhcpCommand } from './commands/dhcp.ts';
import { loadCommand, saveCommand } from './files.ts';
import { ipCommand } from './commands/ip.ts';
import {
  disconnectCommand,
  echoCommand,
  quitCommand,
  relayCommand,
  rloginCommand,
  sleepCommand,
} from './commands/misc.ts';
import { pingCommand } from './commands/ping.ts';
import { setCommand } from './commands/set.ts';
import { arpCommand, historyCommand, showCommand, versionCommand } from './commands/show.ts';
import { traceCommand } from './commands/trace.ts';

const helpCommand: Command = {
  name: 'help',
  usage: '[command]',
  summary: 'Print help',
  help: '\nhelp [command], ?\n  Lists the commands, or explains one.\n',
  run(context, args) {
    const [name] = args;
    if (name === undefined) {
      context.print(listOfCommands());
      return;
    }
    const found = findCommands(name);
    context.print(found.length === 1 ? (found[0]?.help ?? '') : describeMiss(name, found));
  },
};

/** Sorted, as the help lists them. */
const COMMANDS: readonly Command[] = [
  ...[arpCommand, clearCommand, dhcpCommand, disconnectCommand, echoCommand, helpCommand, historyCommand, ipCommand],
  ...[loadCommand, pingCommand, quitCommand, relayCommand, rloginCommand, saveCommand, setCommand, showCommand],
  ...[sleepCommand, traceCommand, versionCommand],
];

/** Names of the commands that begin so, for completion. */
export const completeCommand = (prefix: string): string[] =>
  COMMANDS.filter((command) => command.name.startsWith(prefix)).map((command) => command.name);

/** Runs one line as typed or found in a script. */
export async function runLine(context: CommandContext, line: string): Promise<void> {
  const [name, ...args] = line.trim().split(/\s+/);
  if (name === undefined || name === '') return;
  if (name === '?') {
    context.print(listOfCommands());
    return;
  }
  const [command, ...others] = findCommands(name);
  if (command === undefined || others.length > 0) context.print(describeMiss(name, findCommands(name)));
  else if (args.at(-1) === '?') context.print(command.help);
  else await command.run(context, args);
}

/** The command of that name, or all that begin so: VPCS takes `sh ip`, and lists the choices for `s`. */
function findCommands(name: string): Command[] {
  const exact = COMMANDS.find((command) => command.name === name);
  return exact === undefined ? COMMANDS.filter((command) => command.name.startsWith(name)) : [exact];
}

const describeMiss = (name: string, found: readonly Command[]): string =>
  found.length === 0
    ? `Bad command: "${name}". Use ? for help.\n`
    : found.map((command) => `${command.name}\n`).join('');

const listOfCommands = (): string => {
  const entry = (usage: string, summary: string): string => `${usage.padEnd(25)}${summary}\n`;
  const commands = COMMANDS.map((command) => entry(`${command.name} ${command.usage}`, command.summary));
  const footer = "Enter '?' as the argument of a command to see its syntax.\n";
  return `\n${entry('?', 'Print help')}${commands.join('')}\n${footer}`;
};
