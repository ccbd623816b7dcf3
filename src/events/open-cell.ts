import type { Cell } from './cell.ts';

export interface CellOpening {
  log: string;
  name: string;
  key: Buffer | null;
  leaseMs: number;
  create: boolean;
  report?: (message: string) => void;
}

export const openCell = (_opening: CellOpening): Promise<Cell> => Promise.reject(new Error('not merged yet'));
