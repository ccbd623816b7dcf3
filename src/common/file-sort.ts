import type { Secrets } from './secrets.ts';

/** A sort of file that the server writes into its data directory, or that of projects, images and symbols. */
export interface FileSort {
  /** One or two words; `verify` names it so. */
  name: string;
  what: string;
  /** Patterns of paths below the directory: `*` stands for a part of a name, `**` for any path. The first sort that matches counts. */
  at: readonly string[];
  /**
   * Outcome of a changed octet. `named`: `verify` names the file, and its reader refuses it if the file alone shows the change.
   * `log`: it is named, or every answer is as before. `idle`: it affects no answer and no node, as the file is for people, written again,
   * or removed.
   */
  changed: 'named' | 'log' | 'idle';
  /** Changes that cannot be noticed, in words. */
  unless?: string;
  /** Throws for a damaged file; accepts a missing one. Absent: the log tells, or nothing has to. */
  check?: (place: { dataDir: string; secrets: Secrets }) => unknown;
}
