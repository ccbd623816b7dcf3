import type { IpHost, Prober } from '../ip-host.ts';

/** What the commands of one shell share and may change. */
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

/** What a running command may use. After `signal` is aborted (Ctrl-C, stop) nothing it prints is shown. */
export interface CommandContext<H extends Prober = Prober> {
  readonly host: H;
  readonly settings: ShellSettings;
  readonly signal: AbortSignal;
  /** Where `save` and `load` keep files; null: nowhere. */
  readonly directory: string | null;
  /** Of Topolog. */
  readonly version: string;
  /** Scripts within scripts so far. */
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

/** `H`: the node that it is a command of. */
export interface Command<H extends Prober = Prober> {
  name: string;
  /** After the name, in the list of commands. */
  usage: string;
  summary: string;
  /** Shown for `name ?`. */
  help: string;
  run(context: CommandContext<H>, args: readonly string[]): Promise<void> | void;
}

/** Of the PC. */
export type PcContext = CommandContext<IpHost>;
export type PcCommand = Command<IpHost>;

/** What a shell is the shell of. */
export interface ShellKind<H extends Prober> {
  commands: readonly Command<H>[];
  /** Run at each start; `save` writes it. */
  startupFile: string;
  /** Ending of files whose name is typed without one, with its dot. */
  ending: string;
  title(version: string): string;
  /** The commands that make the node what it is now, one a line. */
  configuration(context: CommandContext<H>): string[];
}

/** True when `typed` is `word` or a beginning of it; VPCS takes every keyword abbreviated. */
export const means = (typed: string | undefined, word: string): boolean =>
  typed !== undefined && typed !== '' && word.startsWith(typed.toLowerCase());

export const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);
