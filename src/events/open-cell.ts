import { invalid } from '../common/errors.ts';
import type { Cell, FirstEntry } from './cell.ts';

/** Opens the cell of this name in a database; the scheme of the address says of which kind that is. */
export const openCell = async (options: {
  /** `postgres://user@host,host/database`. */
  log: string;
  name: string;
  /** Null: its secrets are not asked for. */
  key: Buffer | null;
  /** How long a lease is. Milliseconds. */
  leaseMs: number;
  /** Begins a cell where there is none, maybe with this in it; otherwise that is an error. */
  create: boolean | FirstEntry;
  /** Hears what may want attention. */
  report?: (message: string) => void;
}): Promise<Cell> => {
  // A server whose log is in its data directory does without the package.
  if (/^postgres(ql)?:/.test(options.log)) return (await import('./store/postgres/cell.ts')).openPostgres(options);
  throw invalid('the log must be at postgres://…', { field: 'log' });
};
