import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict } from '../../common/errors.ts';
import type { Cell, FirstEntry, Lease } from '../../events/cell.ts';
import type { CellPlace } from '../../cluster/cell-config.ts';
import { openCellAt, type View } from '../source.ts';

/** A lease that ends later than this is not waited for. Milliseconds. */
const PATIENCE_MS = 15_000;
/** By so much a look comes after the end of a lease. Milliseconds. */
const AFTER_MS = 50;
/** An append of the writer before that has not come to its end holds a lease back for a second. */
const TRIES = 5;

/** A log in a database that this command alone writes, until it is closed. `create`: begins a cell where there is none, with this in it. */
export const openLeased = async (
  place: CellPlace,
  command: string,
  create?: FirstEntry,
): Promise<View & { cell: Cell }> => {
  const cell = await openCellAt(place, create);
  try {
    const lease = await take(cell, command);
    const store = await lease.open();
    const close = async (): Promise<void> => {
      await store.close();
      await lease.release();
      await cell.close();
    };
    return { store, cell, repaired: false, close };
  } catch (error) {
    await cell.close();
    throw error;
  }
};

const take = async (cell: Cell, command: string): Promise<Lease> => {
  for (let n = 0; n < TRIES; n++) {
    await refuseWritten(cell);
    const lease = await cell.take({ owner: `topolog ${command} on ${hostname()}`, url: '' });
    if (lease !== null) return lease;
  }
  throw conflict(`another server has just begun to write ${cell.place}; stop it first`);
};

/** Throws a conflict that names who writes a cell. The lease of one that was killed is waited for. */
export const refuseWritten = async (cell: Cell): Promise<void> => {
  const before = await cell.writer();
  if (before === null) return;
  if (before.left <= PATIENCE_MS) await sleep(before.left + AFTER_MS);
  const writer = await cell.writer();
  if (writer === null) return;
  const where = writer.url === '' ? '' : ` at ${writer.url}`;
  const left = `its lease ends in ${Math.ceil(writer.left / 1000)} s unless it goes on`;
  throw conflict(`${cell.place} is written by ${writer.owner}${where}: end that first; ${left}`);
};
