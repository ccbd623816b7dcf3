import type { Readable } from 'node:stream';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller, Upload } from '../caller.ts';

export interface DuplicateInput {
  /** null: that of the original with a number. */
  name: string | null;
  /** Absolute directory that is empty or not there; default: in the directory of files. */
  path?: string;
  reset_mac_addresses?: boolean;
}

export interface ExportOptions {
  include_snapshots?: boolean;
  include_images?: boolean;
  reset_mac_addresses?: boolean;
  keep_compute_ids?: boolean;
  /** Without it, entries are only stored. */
  compress?: boolean;
  /** Revision of the project file: 9 leaves out what servers of the line 2.2 refuse; 10 needs a project of that revision. Default: the project's own. */
  revision?: 9 | 10;
}

export interface ExportedProject {
  name: string;
  content: Readable;
  /** Names what `revision` leaves out. */
  leftOut: string[];
}

export interface ImportInput {
  /** Default: that of the archive. Made unique by a number. */
  name?: string;
  /** As for a duplicate. */
  path?: string;
  /** Whatever the archive says; default: false. */
  auto_close?: boolean;
}

export interface TransferCommands {
  /** A new, closed project with everything that another one has, files included. */
  duplicateProject(caller: Caller, projectId: string, input: DuplicateInput): Promise<ProjectRecord>;
  /** A portable archive, made while it is read; `name` is one that a file can have. Conflict while a node of it runs. */
  exportProject(projectId: string, options: ExportOptions): Promise<ExportedProject>;
  /** A new, closed project of a portable archive. Nothing is left of one that is refused. */
  importProject(caller: Caller, projectId: string, input: ImportInput, archive: Upload): Promise<ProjectRecord>;
}
