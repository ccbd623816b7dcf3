import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileTroubleOf, invalid, messageOf, TopologError } from '../common/errors.ts';
import { flagError } from '../common/forms/suggestions.ts';
import { defaultDataDir } from '../server/config.ts';
import { printableMessage } from './printable.ts';

export interface Command {
  help: string;
  /** Runs with the arguments behind the command's name; resolves with the exit code. */
  run: (args: string[]) => Promise<number>;
}

export const command = (help: string, run: Command['run']): Command => ({ help, run });

/** Error for too many or too few arguments. `usage`: the right ones, from the command's name on. */
export const wrongUsage = (usage: string): TopologError =>
  TopologError.saying('invalid_request', `${USAGE} topolog ${usage}`);

/** Beginning of an error message that only shows the usage. */
const USAGE = 'usage:';

/** Flags of every command. */
export const COMMON = { 'data-dir': { type: 'string' } } as const;

export const dataDirOf = (given: string | undefined): string =>
  given === undefined ? defaultDataDir() : path.resolve(given);

/** Flags of commands that read a log, in a directory or a database. */
export const LOG = { ...COMMON, log: { type: 'string' }, cell: { type: 'string' } } as const;

/** Flag of commands that read files of labs as well. */
export const FILES = { files: { type: 'string' } } as const;

/** Flags of commands that read a log, its files, and its keys. */
export const LOG_AND_FILES = { ...LOG, ...FILES, 'cell-key': { type: 'string' } } as const;

export const LOG_HELP = `  --log URL        the log is in a database: postgres://user@host/database (TOPOLOG_LOG); it is read there, also while a server writes
  --cell NAME      its name there (TOPOLOG_CELL, default)
`;

export const FILES_HELP = `  --files DIR      projects, images and symbols (the data directory)
`;

export const LOG_AND_FILES_HELP = `${LOG_HELP}  --cell-key FILE  key of the cell (TOPOLOG_CELL_KEY is the key itself)
${FILES_HELP}`;

/** `parseArgs` that throws TopologErrors. */
export const parse = <T extends NonNullable<Parameters<typeof parseArgs>[0]>>(
  config: T,
): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw flagError(error, config.options ?? {});
  }
};

/** Handler that converts an error about a named file into a TopologError; throws any other one as it is. */
export const cannotBe =
  (done: 'read' | 'written', file: string) =>
  (error: unknown): never => {
    const trouble = fileTroubleOf(
      error,
      done === 'written' ? `there is no directory ${path.dirname(file)}` : undefined,
    );
    if (trouble === messageOf(error)) throw error;
    throw invalid(`${file} cannot be ${done}: ${trouble}`);
  };

/** A command in help and completion. */
export interface Entry {
  name: string;
  /** Arguments as help shows them. */
  takes: string;
  does: string;
  /** Names of the command in other tools. */
  also: readonly string[];
  /** Loads the command with its modules: loading all would take most of the time of a short command. */
  load: () => Promise<Command>;
}

/** Text on standard error of a failed command, and its exit code: 2 for wrong input, otherwise 1. */
export const failureOf = (error: unknown, [name = '', ...args]: readonly string[]): { code: 1 | 2; text: string } => {
  const details = error instanceof TopologError ? error.details : {};
  const also = (details['also'] as string[] | undefined) ?? [];
  const help = details['isOfFlags'] === true ? `; see topolog help ${name}` : '';
  const lines = [`${atTerminal(messageOf(error), args)}${help}`, ...also].map((message) => {
    const by = message.startsWith(USAGE) ? '' : 'topolog: ';
    return `${by}${printableMessage(message)}\n`;
  });
  // An error of the server counts as well.
  return { code: (error as { status?: unknown }).status === 400 ? 2 : 1, text: lines.join('') };
};

/** Adapts a message to the command line: removes the word "request", and turns fields of the interface into flags. */
const atTerminal = (message: string, args: readonly string[]): string => {
  const said = message.replace(/^The request is not valid: /, '');
  // The parameter of the interface that this sentence names is a flag here.
  if (said.includes('; new_id=true loads it beside')) return said.replace('new_id=true', '--new-id');
  const [, field = ''] = /^([a-z_]+) must /.exec(said) ?? [];
  const isFlag = field !== '' && args.some((arg) => arg === `--${field}` || arg.startsWith(`--${field}=`));
  return `${isFlag ? '--' : ''}${said}`;
};
