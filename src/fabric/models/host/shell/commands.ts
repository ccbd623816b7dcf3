import type { Prober } from '../ip-host.ts';
import type { Command, CommandContext } from './command.ts';

export const helpCommand: Command = {
  name: 'help',
  usage: '[command]',
  summary: 'Print help',
  help: '\nhelp [command], ?\n  Lists the commands, or explains one.\n',
  run(context, args) {
    const [name] = args;
    const { commands } = context.kind;
    if (name === undefined) return context.print(listOfCommands(commands));
    const found = findCommands(commands, name);
    return context.print(found.length === 1 ? (found[0]?.help ?? '') : describeMiss(name, found));
  },
};

/** Names of the commands that begin so, for completion. */
export const completeCommand = (commands: readonly Pick<Command, 'name'>[], prefix: string): string[] =>
  commands.filter((command) => command.name.startsWith(prefix)).map((command) => command.name);

/** Runs one line as typed or found in a script. */
export async function runLine<H extends Prober>(context: CommandContext<H>, line: string): Promise<void> {
  const { commands } = context.kind;
  const [name, ...args] = line.trim().split(/\s+/);
  if (name === undefined || name === '') return;
  if (name === '?') {
    context.print(listOfCommands(commands));
    return;
  }
  const found = findCommands(commands, name);
  const [command, ...others] = found;
  if (command === undefined || others.length > 0) context.print(describeMiss(name, found));
  else if (args.at(-1) === '?') context.print(command.help);
  else await command.run(context, args);
}

/** The command of that name, or all that begin so: VPCS takes `sh ip`, and lists the choices for `s`. */
function findCommands<C extends Pick<Command, 'name'>>(commands: readonly C[], name: string): C[] {
  const exact = commands.find((command) => command.name === name);
  return exact === undefined ? commands.filter((command) => command.name.startsWith(name)) : [exact];
}

const describeMiss = (name: string, found: readonly Pick<Command, 'name'>[]): string =>
  found.length === 0
    ? `Bad command: "${name}". Use ? for help.\n`
    : found.map((command) => `${command.name}\n`).join('');

const listOfCommands = (all: readonly Pick<Command, 'name' | 'usage' | 'summary'>[]): string => {
  const entry = (usage: string, summary: string): string => `${usage.padEnd(25)}${summary}\n`;
  const commands = all.map((command) => entry(`${command.name} ${command.usage}`, command.summary));
  const footer = "Enter '?' as the argument of a command to see its syntax.\n";
  return `\n${entry('?', 'Print help')}${commands.join('')}\n${footer}`;
};
