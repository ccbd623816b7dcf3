import type { Client } from '../client/index.ts';
import { printable, printableJson } from './printable.ts';
import { COMMON, type Command, command, dataDirOf, parse, wrongUsage } from './command.ts';
import { printRows } from './table.ts';
import { runningServer } from './running-server.ts';
import { unlessClosed } from './objects.ts';

/** Help about the names of the objects in the arguments. */
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

/** Input of a command. */
export interface Asked<O extends Options = Options> {
  client: Client;
  /** Its arguments. */
  wanted: readonly [string, ...string[]] | readonly [];
  /** Whether confirmation was given by a flag. */
  yes: boolean;
  /** Its own flags. */
  flags: Values<O>;
}

/** Result of a command: records for JSON, and rows for people. */
export interface Done {
  records: unknown;
  rows: string[][];
  /** Printed in place of the rows. */
  text?: string;
  /** Message on standard error if there are no rows: empty output would look like a failure. */
  none?: string;
  /** Whether a part of it failed. */
  failed?: boolean;
  /** Exit code; absent: 1 if `failed`, otherwise 0. */
  code?: number;
}

type Run<O extends Options> = (asked: Asked<O>) => Promise<Done>;

/** A command for a running server. `counts`: least and most arguments. */
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
