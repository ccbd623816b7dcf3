import { invalid } from '../common/errors.ts';
import type { Cell, FirstEntry } from './cell.ts';

/** Opens the cell of this name in a database; the scheme of the address names the kind of database. */
export const openCell = async (options: {
  /** `postgres://user@host,host/database`. */
  log: string;
  name: string;
  /** Null: the secrets cannot be read. */
  key: Buffer | null;
  /** Length of a lease in milliseconds. */
  leaseMs: number;
  /** Makes the cell where there is none, with this entry; false: a missing cell is an error. */
  create: boolean | FirstEntry;
  /** Gets sentences about what may need attention. */
  report?: (message: string) => void;
}): Promise<Cell> => {
  // Loaded on demand: a server whose log is in its data directory runs without the package pg.
  if (/^postgres(ql)?:/.test(options.log)) return (await import('./store/postgres/cell.ts')).openPostgres(options);
  throw invalid('the log must be at postgres://…', { field: 'log' });
};
