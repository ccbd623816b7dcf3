import { createHash } from 'node:crypto';
import path from 'node:path';
import { messageOf } from '../../common/errors.ts';
import { lastEnd } from '../../events/read.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { namingComputes } from '../../files/write/for-tools.ts';
import { ownText, saveOwnFile } from '../../files/write/own-file.ts';
import { saveProjectFile, settleProjectFile } from '../../files/write/save.ts';
import { writeLargeProjectFile } from '../../files/write/write.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from '../context.ts';
import { Mailbox } from '../../common/mailbox.ts';

/** A project that changes all the time is written this often all the same. */
const LONGEST_MS = 30_000;

/** Events that change nothing in the file. */
const UNSEEN =
  /^(project\.(open|close|nodes_|appl(y_|ied)|file_written|unattended|attended)|node\.(start|stop|suspend|resum|reload|exit|adopt|lost|nio|trace|record|unreach|reach)|link\.tunnel|capture\.|weather\.|warning\.|request\.|snapshot\.|file\.|image\.|operation\.)/;

const seen = new Map<AnyEvent['type'], boolean>();
/** Whether events of a type change the file; asked of every event. */
const isSeen = (type: AnyEvent['type']): boolean => {
  let answer = seen.get(type);
  if (answer === undefined) seen.set(type, (answer = !UNSEEN.test(type) && type !== 'project.deleted'));
  return answer;
};

/** Times in milliseconds of the clock. */
interface Dirty {
  since: number;
  /** When it is to be written. */
  due: number;
  /** When its timer looks whether it is time; not later than that. */
  looks: number;
  timer: NodeJS.Timeout;
}

/** Keeps project files: a projection, written after a short idle time, on close and on demand, never on each change. */
export class ProjectWriter {
  readonly #context: LabContext;
  readonly #dirty = new Map<string, Dirty>();
  /** What was last warned of, by project; gone once its file was written. */
  readonly #warned = new Map<string, string>();
  readonly #writes = new Mailbox();

  constructor(context: LabContext) {
    this.#context = context;
    context.log.onCommitted((events) => this.#seen(events));
  }

  #seen(events: AnyEvent[]): void {
    // Another server writes, and its files.
    if (!this.#context.log.writable) return;
    const changed = new Set<string>();
    for (const { project_id, type } of events) if (project_id !== null && isSeen(type)) changed.add(project_id);
    for (const projectId of changed) this.touch(projectId);
  }

  /** Something in the file may have changed. */
  touch(projectId: string): void {
    const now = Date.now();
    const dirty = this.#dirty.get(projectId);
    const since = dirty?.since ?? now;
    const due = Math.max(now, Math.min(now + this.#context.settings.fileIdleMs, since + LONGEST_MS));
    // The timer finds out by itself that there is more time: another timer for every change would cost each of them.
    if (dirty !== undefined && dirty.looks <= due) dirty.due = due;
    else this.#writeAt(projectId, since, due);
  }

  #writeAt(projectId: string, since: number, due: number): void {
    clearTimeout(this.#dirty.get(projectId)?.timer);
    const timer = setTimeout(() => this.#look(projectId), due - Date.now());
    timer.unref();
    this.#dirty.set(projectId, { since, due, looks: due, timer });
  }

  #look(projectId: string): void {
    const dirty = this.#dirty.get(projectId);
    if (dirty !== undefined && dirty.due > Date.now()) this.#writeAt(projectId, dirty.since, dirty.due);
    else void this.flush(projectId);
  }

  /** At the start: what kills have kept from the files of projects that have been closed, or made so, since a server ended by itself. */
  async catchUp(): Promise<void> {
    const { committed, log } = this.#context;
    const position = await lastEnd(log.store);
    for (const { project_id, state, changed } of committed.projects()) {
      if (state !== 'closed' || changed <= position) continue;
      this.touch(project_id);
      await this.flush(project_id);
    }
  }

  forget(projectId: string): void {
    clearTimeout(this.#dirty.get(projectId)?.timer);
    this.#dirty.delete(projectId);
  }

  /** Before the project is deleted: none of its files is written any more. */
  async leave(projectId: string): Promise<void> {
    this.forget(projectId);
    await this.#writes.run(() => Promise.resolve());
  }

  /**
   * Writes the file now when anything in it has changed. A failure is a warning, as the log has everything; it is tried again
   * now and then, and when the project is closed.
   */
  flush(projectId: string): Promise<void> {
    return this.#writes.run(async () => {
      if (!this.#dirty.has(projectId)) return;
      this.forget(projectId);
      try {
        await this.#write(projectId);
        this.#warned.delete(projectId);
      } catch (error) {
        await this.#failed(projectId, `the project file could not be written: ${messageOf(error)}`);
      }
    });
  }

  async #failed(projectId: string, message: string): Promise<void> {
    if (this.#context.committed.get('project', projectId) === undefined) return;
    if (!this.#dirty.has(projectId)) this.#writeAt(projectId, Date.now(), Date.now() + LONGEST_MS);
    // One failure that lasts is one warning.
    if (this.#warned.get(projectId) === message) return;
    this.#warned.set(projectId, message);
    this.#context.logger.warn({ project_id: projectId }, message);
    const warning = { message, node_id: null };
    await appendOne(this.#context, SYSTEM_CALLER, projectId, 'warning.raised', warning).catch(() => undefined);
  }

  /** Writes nothing any more. */
  stop(): void {
    for (const projectId of [...this.#dirty.keys()]) this.forget(projectId);
  }

  async flushAll(): Promise<void> {
    await Promise.all([...this.#dirty.keys()].map((id) => this.flush(id)));
  }

  /** Makes the file beside its place, puts it on record, and then moves it there: the next start can finish that. */
  async #write(projectId: string): Promise<void> {
    const { committed, kinds, log } = this.#context;
    // Until it is cut there, a log that has refused an event may have it all the same.
    log.check();
    const record = committed.get('project', projectId);
    if (record === undefined) return;
    const file = path.join(record.path, record.filename);
    await settleProjectFile(file, record.file_sha256);
    const nodes = committed.ofProject('node', projectId);
    const links = committed.ofProject('link', projectId);
    const drawings = committed.ofProject('drawing', projectId);
    const project = namingComputes(record, nodes, committed.ofServer('compute'));
    const text = await writeLargeProjectFile(project, nodes, links, drawings, kinds);
    await saveOwnFile(file, ownText(record, nodes, links, kinds));
    if (createHash('sha256').update(text).digest('hex') === record.file_sha256) return;
    await saveProjectFile(file, text, { record: (sha256) => this.#record(projectId, sha256) });
  }

  #record(projectId: string, sha256: string): Promise<AnyEvent> {
    return appendOne(this.#context, SYSTEM_CALLER, projectId, 'project.file_written', {
      project_id: projectId,
      file_sha256: sha256,
      version: this.#context.settings.version,
    });
  }
}
