import type { ProjectSettings } from '../../events/fields.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { NewEvent } from '../runtime/decision.ts';
import type { Caller, FileAddress, NamePolicy, Upload } from '../caller.ts';

export interface ProjectInput extends Partial<ProjectSettings> {
  name: string;
  project_id?: string;
  /** Absolute directory; default `<files>/projects/<project_id>`. */
  path?: string;
  /** Of a name that another project has; default: a conflict. */
  names?: NamePolicy;
}

export type ProjectAction = 'start' | 'stop' | 'suspend' | 'reload';

/** Settings of a project whose file does not say them. */
export type LoadDefaults = Partial<Pick<ProjectSettings, 'auto_close'>>;

export interface ProjectCommands {
  /** `more`: what else is in the batch that makes it. */
  createProject(caller: Caller, input: ProjectInput, more?: readonly NewEvent[]): Promise<ProjectRecord>;
  /**
   * Opens the project file at an absolute path, registering its project when unknown. `new_id`: as a project of its own, whatever its
   * file says; without it, a file whose project was loaded from another file is refused.
   */
  loadProject(caller: Caller, path: string, options?: LoadDefaults & { new_id?: boolean }): Promise<ProjectRecord>;
  updateProject(caller: Caller, projectId: string, changes: Partial<ProjectSettings>): Promise<ProjectRecord>;
  openProject(caller: Caller, projectId: string): Promise<ProjectRecord>;
  closeProject(caller: Caller, projectId: string): Promise<ProjectRecord>;
  deleteProject(caller: Caller, projectId: string): Promise<void>;
  /** A new, closed project with the lab as it was at a moment (position or ISO time; default: now). */
  forkProject(caller: Caller, projectId: string, input: { at?: string; name: string }): Promise<ProjectRecord>;
  /** Every node is attempted; when some failed: TopologError `nodes_failed` with `details.failed`. */
  actOnProject(caller: Caller, projectId: string, action: ProjectAction): Promise<void>;
  /** Somebody listens to a project's feed until the answer is called; after the last one a project with auto_close closes. */
  attend(projectId: string): () => void;
  /** Replaces a file as a whole. */
  writeFile(caller: Caller, file: FileAddress, content: Upload): Promise<void>;
}
