import { messageOf } from '../../common/errors.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { ProjectWriter } from './writer.ts';

/** Between two tries to close a project, or to put on record that the last listener has left: a log that cannot be written may stay so for long. */
const RETRY_MS = 1000;
/** Events after which a project that waits for a listener may be closed, where it could not be when its grace time was over. */
const AGAIN: ReadonlySet<AnyEvent['type']> = new Set(['project.updated', 'project.opened', 'project.restore_failed']);
/** Log, feeds and the operator say so. */
const REASON = 'its last viewer left';

/**
 * Closes projects with `auto_close` a while after the last listener of their feed has left. That one has left is an event, so
 * that the closing has a cause, and a server that is restarted within the grace time closes the project all the same.
 */
export class AutoClose {
  readonly #directory: Directory;
  readonly #writer: ProjectWriter;
  readonly #listeners = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #stopped = false;

  constructor(directory: Directory, writer: ProjectWriter) {
    this.#directory = directory;
    this.#writer = writer;
    this.#context.log.onCommitted((events) => {
      // Another server writes, and closes them.
      if (!this.#context.log.writable) return;
      for (const { type, project_id } of events) if (project_id !== null && AGAIN.has(type)) this.#resume(project_id);
    });
  }

  get #context(): LabContext {
    return this.#directory.context;
  }

  /** Somebody listens to the project's feed until the answer is called. */
  attend(projectId: string): () => void {
    this.#listeners.set(projectId, (this.#listeners.get(projectId) ?? 0) + 1);
    this.#cancel(projectId);
    if (this.#waiting(projectId) !== null) void this.#append(projectId, 'project.attended');
    let there = true;
    return () => {
      if (there) this.#left(projectId);
      there = false;
    };
  }

  /** The listeners of an earlier server are gone; those projects whose last one had left already get their grace time again. */
  resume(): void {
    for (const { project_id } of this.#context.committed.projects()) this.#resume(project_id);
  }

  stop(): void {
    this.#stopped = true;
    for (const projectId of [...this.#timers.keys()]) this.#cancel(projectId);
  }

  /** Gives one that waits its grace time, unless that is running. */
  #resume(projectId: string): void {
    if (this.#waiting(projectId)?.auto_close !== true) return;
    if (this.#listeners.has(projectId) || this.#timers.has(projectId)) return;
    this.#closeAfter(projectId, this.#context.settings.autoCloseGraceMs);
  }

  #closeAfter(projectId: string, ms: number): void {
    this.#later(projectId, ms, () => void this.#close(projectId));
  }

  #left(projectId: string): void {
    const left = (this.#listeners.get(projectId) ?? 1) - 1;
    if (left > 0) this.#listeners.set(projectId, left);
    else this.#listeners.delete(projectId);
    if (left === 0) this.#begin(projectId);
  }

  /** On record first, as nothing may close without it; what cannot be put there is tried again. */
  #begin(projectId: string): void {
    const record = this.#context.pending.get('project', projectId);
    if (this.#stopped || record?.auto_close !== true || record.state !== 'opened') return;
    void this.#append(projectId, 'project.unattended').then((done) => {
      const grace = this.#context.settings.autoCloseGraceMs;
      if (done) this.#closeAfter(projectId, grace);
      else
        this.#later(projectId, Math.max(grace, RETRY_MS), () => {
          if (!this.#listeners.has(projectId)) this.#begin(projectId);
        });
    });
  }

  /** Resolves with whether it is on record. */
  async #append(projectId: string, type: 'project.unattended' | 'project.attended'): Promise<boolean> {
    try {
      await appendOne(this.#context, SYSTEM_CALLER, projectId, type, { project_id: projectId });
      return true;
    } catch (error) {
      this.#context.logger.error(
        { project_id: projectId },
        `project ${projectId}: ${type} is not on record: ${messageOf(error)}`,
      );
      return false;
    }
  }

  #later(projectId: string, ms: number, what: () => void): void {
    this.#cancel(projectId);
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(projectId);
      what();
    }, ms);
    timer.unref();
    this.#timers.set(projectId, timer);
  }

  #cancel(projectId: string): void {
    clearTimeout(this.#timers.get(projectId));
    this.#timers.delete(projectId);
  }

  /** The project, while it waits for a listener. */
  #waiting(projectId: string): (ProjectRecord & { unattended: number }) | null {
    const record = this.#context.pending.get('project', projectId);
    if (record?.unattended === undefined || record.state !== 'opened') return null;
    return { ...record, unattended: record.unattended };
  }

  async #close(projectId: string): Promise<void> {
    const record = this.#waiting(projectId);
    if (record === null) return;
    try {
      const project = this.#directory.project(record);
      await project.exclusive(async () => {
        // Somebody may have come, or the setting may have changed, while something else had the project.
        const now = this.#waiting(projectId);
        if (now === null || !now.auto_close || this.#listeners.has(projectId) || this.#stopped) return;
        await project.closeNow({ ...SYSTEM_CALLER, cause: now.unattended }, { reason: REASON });
        await this.#writer.flush(projectId);
        this.#context.logger.info({ project_id: projectId }, `${record.name} is closed, as ${REASON} (auto_close)`);
      });
    } catch (error) {
      this.#context.logger.error(
        { project_id: projectId },
        `${record.name} could not be closed by itself: ${messageOf(error)}`,
      );
      this.#closeAfter(projectId, Math.max(this.#context.settings.autoCloseGraceMs, RETRY_MS));
    }
  }
}
