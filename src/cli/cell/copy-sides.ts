import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../common/durable.ts';
import { conflict } from '../../common/errors.ts';
import { type Secrets, secretsOf } from '../../common/secrets.ts';
import type { Cell } from '../../events/cell.ts';
import { type CopySide, unfinishedNote, type Original } from '../../events/copy-log.ts';
import { lastPosition } from '../../events/read.ts';
import { levelStore } from '../../events/store/level-store.ts';
import { isHeld } from '../../events/store/level-files.ts';
import type { CellPlace } from '../../cluster/cell-config.ts';
import { findServer } from '../../server/found-server.ts';
import { openView, type Place } from '../source.ts';
import { checkOwner } from './check-owner.ts';
import { openLeased, refuseWritten } from './lease.ts';

/** A log that is copied, or a copy. */
export interface Side extends CopySide {
  /** Null: they are encrypted, and nobody has given the key. */
  secrets: Secrets | null;
  close: () => Promise<void>;
}

/** That which is copied: nothing of it changes. */
export interface FromSide extends Side {
  /** Throws a conflict when it was written since it was opened. */
  unchanged(): Promise<void>;
}

/** Opens what is copied. Throws a conflict while anybody writes it. */
export const openFrom = async (place: Place): Promise<FromSide> =>
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
      ...{ store: view.store, place: log, secrets: secretsOf(dataDir), close: view.close },
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

/** Names, lengths and times: LevelDB changes them with all that it writes. */
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
      ...{ store: view.store, place: cell.place, secrets: key === null ? null : cell.secrets, close: view.close },
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

/** Opens, or begins, what becomes the copy. Nobody else writes it before it is closed. */
export const openTo = async ({ dataDir, cell }: Place, original: Original): Promise<Side> => {
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
