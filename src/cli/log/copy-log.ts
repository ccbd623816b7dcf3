import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CellPlace, cellPlaceOf } from '../../cluster/cell-config.ts';
import { makeDirectory } from '../../common/durable.ts';
import { conflict, invalid } from '../../common/errors.ts';
import { namesOfLabSecrets } from '../../common/lab-secrets/store.ts';
import { placeOf as secretPlace, SECRETS, type Secrets, secretsOf } from '../../common/secrets.ts';
import type { Cell } from '../../events/cell.ts';
import {
  type Copied,
  type CopyProgress,
  type CopySide,
  inspectOriginal,
  LogCopy,
  type Original,
  unfinishedNote,
} from '../../events/copy-log.ts';
import { lastPosition } from '../../events/read.ts';
import { isHeld } from '../../events/store/level-files.ts';
import { levelStore } from '../../events/store/level-store.ts';
import { findServer } from '../../server/found-server.ts';
import { command, parse } from '../command.ts';
import { printable } from '../printable.ts';
import { openView, type Place } from '../source.ts';
import { checkOwner, openLeased, refuseWritten } from './lease.ts';

const HELP = `topolog copy-log --from PLACE --to PLACE [flags]

Copies a log from a data directory into a database, or back: every event, index, record, checkpoint and note, octet by octet. A PLACE is
a data directory, or postgres://user@host/database. What is copied is checked on the way, and is not changed; no server may write either.
The place of the copy must be empty. A copy that was interrupted goes on where it stopped when it is given the same places again; before
it is finished, no server takes it. In the end both are compared, entry by entry.

  --cell NAME       name of the log in the database (TOPOLOG_CELL, default); --from-cell and --to-cell where both are databases
  --cell-key FILE   key of the cell (TOPOLOG_CELL_KEY is the key itself): the keys that sign logins and sessions and the passwords of
                    computes are copied as well
  --json            print what was done as JSON

Files of projects, images, symbols and users are not in the log: take them along with the data directory, or give their place by --files.
`;

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  cell: { type: 'string' },
  'from-cell': { type: 'string' },
  'to-cell': { type: 'string' },
  'cell-key': { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = { [K in keyof typeof OPTIONS]?: string | boolean };

/** `topolog copy-log` */
export const copyLogCommand = command(HELP, async (args) => {
  const { values } = parse({ args, options: OPTIONS });
  const [from, to] = [placeAt(values, 'from'), placeAt(values, 'to')];
  if (isSame(from, to)) throw invalid('--from and --to are the same place');
  if (from.cell === null && to.cell === null && values.cell !== undefined)
    throw invalid('--cell needs --from or --to postgres://…', { field: 'cell' });
  const begun = performance.now();
  const source = await openFrom(from);
  try {
    // Reads everything that may be refused before anything is made.
    const secrets = await secretsFrom(source);
    const original = await inspectOriginal(source);
    const target = await openTo(to, original);
    try {
      const made = await LogCopy.begin(original, target);
      await copy(made, { from: source, to: target, secrets, begun, json: values.json === true });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  return 0;
});

const isDatabase = (place: string): boolean => /^[a-z]+:\/\//.test(place);

const placeAt = (values: Values, side: 'from' | 'to'): Place => {
  const given = values[side];
  if (typeof given !== 'string')
    throw invalid(`topolog copy-log needs --${side}: a data directory, or postgres://…`, { field: side });
  const own = values[`${side}-cell`];
  if (!isDatabase(given)) {
    if (own !== undefined) throw invalid(`--${side}-cell needs --${side} postgres://…`, { field: `${side}-cell` });
    const dataDir = path.resolve(given);
    return { dataDir, filesDir: dataDir, cell: null };
  }
  if (!/^postgres(?:ql)?:/.test(given))
    throw invalid(`--${side} must be a data directory, or postgres://…`, { field: side });
  const cell = (own ?? values.cell) as string | undefined;
  const key = values['cell-key'] as string | undefined;
  return { dataDir: '', filesDir: '', cell: cellPlaceOf({ log: given, cell, 'cell-key': key }, process.env) };
};

const isSame = (a: Place, b: Place): boolean =>
  a.dataDir === b.dataDir && a.cell?.log === b.cell?.log && a.cell?.name === b.cell?.name;

interface Copying {
  from: FromSide;
  to: Side;
  secrets: SecretTexts;
  /** Milliseconds of `performance`. */
  begun: number;
  json: boolean;
}

const copy = async (made: LogCopy, { from, to, secrets: texts, begun, json }: Copying): Promise<void> => {
  const secrets = await copySecrets(texts, from, to);
  const progress = createProgress(process.stderr);
  let copied: Copied;
  try {
    copied = await made.run(progress.show, () => from.unchanged());
  } catch (error) {
    // Events that were removed during the copy look like damage.
    await from.unchanged();
    throw error;
  } finally {
    progress.end();
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const done = { from: from.place, to: to.place, ...copied, seconds, secrets };
  process.stdout.write(json ? `${JSON.stringify(done, null, 2)}\n` : textOf(done));
};

/** Secrets by name; null without the key of the cell. */
type SecretTexts = ReadonlyMap<string, string> | null;

const secretsFrom = async ({ secrets }: Side): Promise<SecretTexts> => {
  if (secrets === null) return null;
  const texts = new Map<string, string>();
  for (const name of [...Object.values(SECRETS), ...(await namesOfLabSecrets(secrets))]) {
    const text = await secrets.get(name);
    if (text !== null) texts.set(name, text);
  }
  return texts;
};

/** Copies secrets; returns their names, null without the key of the cell. */
const copySecrets = async (texts: SecretTexts, from: Side, to: Side): Promise<string[] | null> => {
  if (texts === null || to.secrets === null) return null;
  const copied: string[] = [];
  for (const [name, secret] of texts) {
    if ((await to.secrets.keep(name, secret)) !== secret)
      throw conflict(`${to.place} has another ${secretPlace(to.secrets, name)} than ${from.place}; remove that first`);
    copied.push(name);
  }
  return copied;
};

interface Done extends Copied {
  from: string;
  to: string;
  seconds: number;
  secrets: string[] | null;
}

/** Names the folder of the secrets of labs, which are many, once. */
const namesOf = (secrets: readonly string[]): string =>
  [...new Set(secrets.map((name) => name.replace(/^secrets\/.*/, 'secrets/')))].join(', ');

const textOf = ({ from, to, events, resumed, entries, octets, head, seconds, secrets }: Done): string =>
  [
    `copied ${from} to ${to}`,
    `${events} events${resumed === 0 ? '' : ` (${resumed} were there)`}, ${entries} entries, ${octets} octets in ${seconds} s`,
    `both are the same; the last event has the hash ${head}`,
    secrets === null
      ? 'keys and passwords were not copied, as there was no --cell-key: logins end, sessions get another key, computes need their passwords'
      : `keys and passwords: ${secrets.length === 0 ? 'there are none' : namesOf(secrets)}`,
    '',
  ]
    .map(printable)
    .join('\n');

/** Pause between two lines, on a terminal and elsewhere. Milliseconds. */
const LINES_MS = { terminal: 100, file: 2_000 };

/** Shows progress: on a terminal in one line that changes, elsewhere in lines from time to time. */
const createProgress = (stream: NodeJS.WriteStream): { show: (progress: CopyProgress) => void; end: () => void } => {
  const pause = stream.isTTY ? LINES_MS.terminal : LINES_MS.file;
  let last = -Infinity;
  let doing = '';
  let unsaid = '';
  const say = (line: string): void => void stream.write(stream.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
  /** Prints the last progress of a phase, unless it was printed. */
  const finish = (): void => {
    if (unsaid !== '' && !stream.isTTY) say(unsaid);
    unsaid = '';
  };
  return {
    show(progress) {
      const now = performance.now();
      const line = `${progress.doing}: ${progress.done}${progress.of === null ? '' : ` of ${progress.of}`}`;
      if (progress.doing !== doing) finish();
      else if (now - last < pause) {
        unsaid = line;
        return;
      }
      last = now;
      doing = progress.doing;
      unsaid = '';
      say(line);
    },
    end() {
      finish();
      if (stream.isTTY) say('');
    },
  };
};

/** The source or the target of a copy. */
interface Side extends CopySide {
  /** null for encrypted secrets without the key. */
  secrets: Secrets | null;
  close: () => Promise<void>;
}

/** The source, which is not changed. */
interface FromSide extends Side {
  /** Throws a conflict if the log was written since it was opened. */
  unchanged(): Promise<void>;
}

/** Opens the source. Throws a conflict while another program writes it. */
const openFrom = async (place: Place): Promise<FromSide> =>
  place.cell === null ? fromDirectory(place) : fromCell(place, place.cell);

const fromDirectory = async (place: Place): Promise<FromSide> => {
  const { dataDir } = place;
  const log = path.join(dataDir, 'log');
  await refuseHeld(dataDir);
  const before = await filesOf(log);
  const view = await openView(place);
  try {
    if (view.repaired) throw conflict(`LevelDB's list of files in ${log} is damaged: topolog repair makes a new log`);
    return {
      store: view.store,
      place: log,
      secrets: secretsOf(dataDir),
      close: view.close,
      async unchanged() {
        await refuseHeld(dataDir);
        if ((await filesOf(log)) !== before) throw wasWritten(log);
      },
    };
  } catch (error) {
    await view.close();
    throw error;
  }
};

const refuseHeld = async (dataDir: string): Promise<void> => {
  const server = await findServer(dataDir);
  if (server !== null) throw conflict(`the server at ${server.url} holds ${dataDir}; stop it first`);
  const log = path.join(dataDir, 'log');
  if (await isHeld(log)) throw conflict(`another program uses ${log}; stop it first`);
};

/** Names, lengths and times of LevelDB's files, which change with every write. */
const filesOf = async (log: string): Promise<string> => {
  const names = (await readdir(log).catch(() => [])).sort();
  const found = await Promise.all(names.map((name) => stat(path.join(log, name)).catch(() => null)));
  return JSON.stringify(names.map((name, i) => [name, found[i]?.size, found[i]?.mtimeMs]));
};

const wasWritten = (place: string): Error =>
  conflict(`${place} was written while it was copied: stop its server, and copy it again`);

const fromCell = async (place: Place, { key }: CellPlace): Promise<FromSide> => {
  const view = await openView(place);
  const cell = view.cell as Cell;
  try {
    await refuseWritten(cell);
    const last = await lastPosition(view.store);
    return {
      store: view.store,
      place: cell.place,
      secrets: key === null ? null : cell.secrets,
      close: view.close,
      async unchanged() {
        await refuseWritten(cell);
        if ((await lastPosition(await cell.reading())) !== last) throw wasWritten(cell.place);
      },
    };
  } catch (error) {
    await view.close();
    throw error;
  }
};

/** Opens or begins the target, which nobody else writes before it is closed. */
const openTo = async ({ dataDir, cell }: Place, original: Original): Promise<Side> => {
  if (cell !== null) {
    const leased = await openLeased(cell, 'copy-log', unfinishedNote(original));
    const secrets = cell.key === null ? null : leased.cell.secrets;
    return { store: leased.store, place: leased.cell.place, secrets, close: leased.close };
  }
  await refuseHeld(dataDir);
  await checkOwner(dataDir);
  await makeDirectory(dataDir, 0o700);
  const log = path.join(dataDir, 'log');
  const store = await levelStore(log)();
  return { store, place: log, secrets: secretsOf(dataDir), close: () => store.close() };
};
