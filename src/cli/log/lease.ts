import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellPlace } from '../../cluster/cell-config.ts';
import { conflict } from '../../common/errors.ts';
import type { Cell, FirstEntry, Lease } from '../../events/cell.ts';
import { openCellAt, type View } from '../source.ts';

/**
 * Throws a conflict if root runs a command on a directory of another user, whose server could not access the files that root makes. A
 * missing directory is accepted.
 */
export const checkOwner = async (place: string): Promise<void> => {
  const found = await stat(place).catch(() => null);
  if (process.geteuid?.() !== 0 || found === null || found.uid === 0) return;
  const { name, group } = await nameOf(found);
  throw conflict(
    `${place} belongs to user ${name}, whose server could not use what root writes there; run this as that user: setpriv --reuid ${name} --regid ${group} --init-groups topolog …`,
  );
};

/** Names of a user and a group, or their ids. */
const nameOf = async ({ uid, gid }: { uid: number; gid: number }): Promise<{ name: string; group: string }> => {
  const nameIn = async (file: string, id: number): Promise<string> => {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
    return lines.find(([, , known]) => known === String(id))?.[0] ?? String(id);
  };
  return { name: await nameIn('/etc/passwd', uid), group: await nameIn('/etc/group', gid) };
};

/** Longest rest of a lease that is waited for. Milliseconds. */
const PATIENCE_MS = 15_000;
/** Delay behind the end of a lease before the next query. Milliseconds. */
const AFTER_MS = 50;
/** Tries to take a lease: an unfinished append of the former writer holds it back for a second. */
const TRIES = 5;

/** Opens a log in a database for writing by this command alone, until it is closed. `create`: first entry of a cell that is begun if there is none. */
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

/** Throws a conflict that names the writer of a cell. Waits for the lease of a killed writer to end. */
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
