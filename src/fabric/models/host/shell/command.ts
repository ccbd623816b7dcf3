import { formatIp, parseIp } from '../../../codecs/ip-address.ts';
import type { IpHost, Prober } from '../ip-host.ts';

/** Settings of a shell, which its commands may change. */
export interface ShellSettings {
  /** As in the prompt. */
  name: string;
  /** Whether a script's commands are shown as they are run. */
  echo: boolean;
  /** True once the address is asked of DHCP: `save` then writes `dhcp` instead of the address. */
  dynamic: boolean;
  /** The same for DHCPv6. */
  dynamic6: boolean;
}

/** The environment of a running command. Its output is discarded once `signal` is aborted (Ctrl-C, stop). */
export interface CommandContext<H extends Prober = Prober> {
  readonly host: H;
  readonly settings: ShellSettings;
  readonly signal: AbortSignal;
  /** Where `save` and `load` keep files; null: nowhere. */
  readonly directory: string | null;
  /** Version of Topolog. */
  readonly version: string;
  /** Depth of nested scripts. */
  readonly depth: number;
  /** Milliseconds, monotonic. */
  now(): number;
  /** Text with `\n` line ends. */
  print(text: string): void;
  /** Resolves after `ms`, or at once when interrupted. */
  pause(ms: number): Promise<void>;
  /** Resolves at the next key, or at once when interrupted. */
  anyKey(): Promise<void>;
  history(): readonly string[];
  clearHistory(): void;
  readonly kind: ShellKind<H>;
  /** Runs one line of a script as if it had been typed. */
  execute(line: string): Promise<void>;
  /** Ends the node; `output` is the reason that is recorded. */
  exit(output: string): void;
}

/** A command of a node of type `H`. */
export interface Command<H extends Prober = Prober> {
  name: string;
  /** After the name, in the list of commands. */
  usage: string;
  summary: string;
  /** Shown for `name ?`. */
  help: string;
  run(context: CommandContext<H>, args: readonly string[]): Promise<void> | void;
}

export type PcContext = CommandContext<IpHost>;
export type PcCommand = Command<IpHost>;

/** The commands, files and texts of a kind of shell. */
export interface ShellKind<H extends Prober> {
  commands: readonly Command<H>[];
  /** Run at each start; `save` writes it. */
  startupFile: string;
  /** Default file name extension, with its dot. */
  ending: string;
  title(version: string): string;
  /** The commands that make the node what it is now, one a line. */
  configuration(context: CommandContext<H>): string[];
}

/** Whether `typed` is `word` or a prefix of it: VPCS accepts all keywords abbreviated. */
export const means = (typed: string | undefined, word: string): boolean =>
  typed !== undefined && typed !== '' && word.startsWith(typed.toLowerCase());

export const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);

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

/** Names of commands with a prefix, for completion. */
export const completeCommand = (commands: readonly Pick<Command, 'name'>[], prefix: string): string[] =>
  commands.filter((command) => command.name.startsWith(prefix)).map((command) => command.name);

/** Runs one line, typed or of a script. */
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

/** The command of a name, or all with that prefix: like VPCS, `sh ip` works and `s` lists the choices. */
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

/** Address of a host given by address or name; null after printing why there is none. */
export async function findDestination(context: CommandContext, host: string): Promise<string | null> {
  const address = parseIp(host);
  if (address !== null && address !== 0 && address !== 0n) return formatIp(address);
  const isName = address === null && !host.includes(':');
  const resolved = isName ? await context.host.resolve(host, context.signal) : null;
  context.print(resolved === null ? `Cannot resolve ${host}\n` : `${host} resolved to ${resolved}\n`);
  return resolved;
}
