import { createHash } from 'node:crypto';
import type { LabFormatName } from '../../files/lab/formats.ts';
import type { GivenFiles } from '../../files/lab/given-files.ts';
import type { Caller } from '../caller.ts';

export { LAB_FORMAT_NAMES, LAB_WRITER_NAMES, type LabWriterName } from '../../files/lab/formats.ts';

export interface LabTextInput {
  text: string;
  format: LabFormatName;
  /** Files that the text names. */
  files: GivenFiles;
  /** What the text wants and nothing here stands for is simulated. */
  simulate?: boolean;
  /** Absent: the project of the lab's name, which is made where there is none. */
  project_id?: string;
}

/** What applying does, or has done, to one thing. */
export interface LabChange {
  action: 'add' | 'change' | 'remove';
  type: 'project' | 'node' | 'link' | 'drawing';
  /** A link is `PC1:0 – SW1:3`. */
  name: string;
  /** Where a node runs; null: it is no node. */
  compute_id: string | null;
  /** It runs, and is stopped for this and started again. */
  restart: boolean;
  fields: { field: string; from: unknown; to: unknown }[];
}

export interface LabPlan {
  /** null: it is still to be made. */
  project_id: string | null;
  name: string;
  changes: LabChange[];
  /** Notes on parts of the text that are interpreted differently, and on likely mistakes, with their lines. */
  notes: string[];
}

/** Names a plan by what it would do. */
export const etagOfPlan = (plan: LabPlan): string =>
  `"${createHash('sha256').update(JSON.stringify(plan)).digest('hex')}"`;

export interface LabApplied extends LabPlan {
  project_id: string;
  /** Of the event that is the cause of all that was done; null: there was nothing to do. */
  position: number | null;
  /** Nodes that were to be started and were not, and what else could not be done outside the records. */
  failed: { name: string; message: string }[];
  /** Names of those that have started because all were to. */
  started: string[];
}

export interface LabTextCommands {
  /** Plans an apply without changing anything. `lint`: also notes unfinished parts, such as a node without a link. */
  planLab(input: LabTextInput & { lint?: boolean }): Promise<LabPlan>;
  /**
   * Makes a lab what its text says, as one batch; a lab that is so already gets not one event. Nodes that have to be stopped for it are,
   * and run again, also where nothing comes of it. `start`: so do all others. `caller.expected`: ETags of the plan that somebody agreed to.
   */
  applyLab(caller: Caller, input: LabTextInput & { start?: boolean }): Promise<LabApplied>;
}
