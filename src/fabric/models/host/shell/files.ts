import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../../../common/durable.ts';
import type { Command, CommandContext } from './command.ts';

/** Longest script; a larger file is not a script. */
const MAX_SCRIPT_BYTES = 64 * 1024;
/** Longest nesting of scripts, so that a script loading itself ends. */
const MAX_DEPTH = 5;

export const saveCommand: Command = {
  name: 'save',
  usage: '[filename]',
  summary: 'Save the configuration (without a name: to be run at each start)',
  help: `
save [filename]
  Writes the commands that restore the settings of this node to a file of its directory.
  Without a name it is the startup file, which is run at each start.
`,
  async run(context, args) {
    if (args.length > 1) context.print(saveCommand.help);
    else await save(context, args[0] ?? context.kind.startupFile);
  },
};

export const loadCommand: Command = {
  name: 'load',
  usage: '[filename]',
  summary: 'Run the commands of a file (without a name: the startup file)',
  help: `
load [filename]
  Runs the commands of a file of this node's directory, the startup file when no name is given.
  Lines that begin with # or ; are comments. Ctrl+C stops. See also: set echo
`,
  async run(context, args) {
    if (args.length > 1) context.print(loadCommand.help);
    else await load(context, args[0] ?? context.kind.startupFile);
  },
};

/**
 * Null, after saying why, unless it is the plain name of a file: a console must not reach other nodes' files.
 * A colon would name a drive or a stream on Windows.
 */
function pathOf(context: CommandContext, name: string): string | null {
  if (context.directory === null) {
    context.print('failed: this node has no directory for files\n');
    return null;
  }
  if (/^[^/\\:]{1,128}$/.test(name) && name !== '.' && name !== '..') return join(context.directory, name);
  context.print(`failed: "${name}" is not the name of a file in this node's directory\n`);
  return null;
}

async function save(context: CommandContext, given: string): Promise<void> {
  const name = given.includes('.') ? given : `${given}${context.kind.ending}`;
  const path = pathOf(context, name);
  if (path === null) return;
  if (!existsSync(join(path, PROJECTS))) {
    context.print(`failed: ${name} cannot be written (the directory of this node's project is gone)\n`);
    return;
  }
  try {
    const lines = context.kind.configuration(context);
    await writeDurably(path, lines.map((line) => `${line}\n`).join(''));
    context.print(`Saving startup configuration to ${name}\n.  done\n`);
  } catch (error) {
    context.print(`failed: ${name} cannot be written (${codeOf(error)})\n`);
  }
}

/**
 * From a file of a node to the directory that its project is in: <projects>/<project>/project-files/<kind>/<node>/<file>. What is below it
 * is made when it is needed; a data directory that was moved away is not made again.
 */
const PROJECTS = '../../../../..';

async function load(context: CommandContext, name: string): Promise<void> {
  if (context.depth >= MAX_DEPTH) {
    context.print(`failed: scripts load each other more than ${MAX_DEPTH} deep\n`);
    return;
  }
  const path = pathOf(context, name);
  if (path === null) return;
  const script = readScript(path) ?? (name.includes('.') ? null : readScript(`${path}${context.kind.ending}`));
  if (script === null) {
    context.print(`Can't open "${name}"\n`);
    return;
  }
  context.print(`\nExecuting the file "${name}"\n`);
  await runScript(context, script);
}

/** Runs each line, until Ctrl-C. */
export async function runScript(context: CommandContext, script: string): Promise<void> {
  for (const line of script.split(/\r\n|\r|\n/)) {
    const text = line.trim();
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue;
    if (context.signal.aborted) return;
    await context.execute(text);
  }
}

/**
 * Null when there is no such regular file, or one too large for a script. Links are not followed out of the directory. At once: a
 * lab that starts reads thousands, and four trips through the thread pool for each cost many times what the calls do.
 */
export function readScript(path: string): string | null {
  // Without O_NONBLOCK the opening of a FIFO would wait for its writer. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= MAX_SCRIPT_BYTES ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);
