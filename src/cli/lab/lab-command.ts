import type { Client } from '../../client/index.ts';
import { printable, printableJson } from '../printable.ts';
import { COMMON, type Command, command, dataDirOf, parse, wrongUsage } from '../source.ts';
import { printRows } from '../timeline.ts';
import { runningServer } from './running-server.ts';
import { unlessClosed } from './things.ts';

/** How things are named, of those that the arguments name. */
const namesIn = (usage: string): string => {
  const things = [
    ...(/\bPROJECT\b/.test(usage) ? ['projects'] : []),
    ...(/\bNODE\b/.test(usage) ? ['nodes'] : []),
    ...(/\bCOMPUTE\b/.test(usage) ? ['computes'] : []),
  ];
  if (things.length === 0) return '';
  const all = things.join(', ').replace(/, ([^,]*)$/, ' and $1');
  const listed = things.includes('computes')
    ? `topolog ${things.length === 1 ? 'computes names them' : 'ls and topolog computes name them'}`
    : 'topolog ls names them';
  const node = things.includes('nodes') ? '\nA node of which there is another of that name is PROJECT/NODE.' : '';
  return `${all.charAt(0).toUpperCase()}${all.slice(1)} are named as ${listed}, by a beginning that no other has, or by their id.${node}\n\n`;
};

const restOf = (usage: string): string => `
${namesIn(usage)}  --json           print the records as JSON
  --data-dir DIR   where the server's data are
`;

const OPTIONS = { ...COMMON, json: { type: 'boolean' } } as const;
const YES = { yes: { type: 'boolean', short: 'y' } } as const;

type Option = { type: 'boolean' } | { type: 'string'; short?: string; multiple?: boolean };
type Options = Readonly<Record<string, Option>>;
type ValueOf<O extends Option> = O extends { type: 'boolean' }
  ? boolean
  : O extends { multiple: true }
    ? readonly string[]
    : string;
type Values<O extends Options> = { [K in keyof O]?: ValueOf<O[K]> };

/** What a command is asked to do. */
export interface Asked<O extends Options = Options> {
  client: Client;
  /** Its arguments. */
  wanted: readonly [string, ...string[]] | readonly [];
  /** It need not ask whether that is meant. */
  yes: boolean;
  /** Its own flags. */
  flags: Values<O>;
}

/** What it did: records, as JSON prints them, and lines, as others are to read them. */
export interface Done {
  records: unknown;
  rows: string[][];
  /** In place of the lines: a text with its own. */
  text?: string;
  /** Said on standard error where there is no line: an empty answer looks like none. */
  none?: string;
  /** Some of it could not be done. */
  failed?: boolean;
  /** Exit code; absent: 1 where some of it could not be done, otherwise 0. */
  code?: number;
}

type Run<O extends Options> = (asked: Asked<O>) => Promise<Done>;

/** A command that takes so many arguments, and prints what it did. */
export const labCommand = (
  usage: string,
  counts: readonly [number, number],
  does: string,
  run: Run<Options>,
): Command => labCommandWith({}, { usage, counts, does }, run);

export const labCommandWith = <const O extends Options>(
  options: O,
  { usage, counts: [least, most], does }: { usage: string; counts: readonly [number, number]; does: string },
  run: Run<O>,
): Command =>
  command(`topolog ${usage} [--json] [--data-dir DIR]\n\n${does}\n${restOf(usage)}`, async (args) => {
    const own = `${usage} ${does}`.includes('--yes') ? { ...YES, ...options } : options;
    const { values, positionals } = parse({ args, options: { ...OPTIONS, ...own }, allowPositionals: true });
    if (positionals.length < least || positionals.length > most) throw wrongUsage(usage);
    const { json, yes, 'data-dir': dataDir } = values as Values<typeof OPTIONS & typeof YES>;
    const { client } = await runningServer(dataDirOf(dataDir));
    const wanted = positionals as [string, ...string[]];
    const flags = values as Values<O>;
    const done = await run({ client, wanted, yes: yes === true, flags }).catch(unlessClosed(client));
    const { records, rows, text, none, failed, code } = done;
    if (json === true) process.stdout.write(`${printableJson(JSON.stringify(records, null, 2))}\n`);
    else if (text !== undefined) process.stdout.write(text);
    else if (rows.length === 0 && none !== undefined) process.stderr.write(`topolog: ${printable(none)}\n`);
    else printRows(rows);
    return code ?? (failed === true ? 1 : 0);
  });
