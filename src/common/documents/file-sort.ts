import type { Secrets } from '../secrets.ts';

/** A sort of file that the server writes, in its data directory or in the one of projects, images and symbols. */
export interface FileSort {
  /** One or two words; `verify` names it so. */
  name: string;
  what: string;
  /** Paths below the directory: `*` stands for a part of a name, `**` for any path. The first sort that has a path counts. */
  at: readonly string[];
  /**
   * Outcome of a changed octet. `named`: `verify` names the file, and its reader refuses it where the file tells that by itself.
   * `log`: it is named, or every answer is as before. `idle`: nothing is taken from it that an answer or a node has; it is for people, written
   * again, or taken away.
   */
  changed: 'named' | 'log' | 'idle';
  /** Which of them nobody can tell, in words. */
  unless?: string;
  /** Throws for one that is damaged; fine where there is none. Absent: the log tells, or nothing has to. */
  check?: (place: { dataDir: string; secrets: Secrets }) => unknown;
}
