import path from 'node:path';
import { messageOf, reporting } from '../../common/errors.ts';
import type { AnyDraft, AnyEvent } from '../../events/schemas.ts';
import { type Content, contentOf } from '../../files/project/content.ts';
import { recordingName, recordingsDirectory } from '../../files/recordings.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { draft, type LabContext, SYSTEM_CALLER } from '../context.ts';
import { recordOutcome } from '../runtime/outcomes.ts';

type Recording = Parameters<LabContext['plumbing']['record']>[0];

/** Whether the console of a node is to be recorded while it runs; docs/reference/recordings.md. */
const isWanted = ({ pending }: LabContext, record: NodeRecord): boolean =>
  // The fabric serves text consoles only.
  record.console_type === 'telnet' && pending.get('project', record.project_id)?.record_consoles === true;

/**
 * The recording of one node's console: what the fabric does of it, and the events that say so. Used by its actor only, among
 * the node's other events, one call at a time. A recording that fails keeps no node from running.
 */
export class NodeRecording {
  readonly #id: string;
  readonly #context: LabContext;
  /** Milliseconds since 1970 of the last file's name. */
  #named = 0;
  /** File that the next run was to be recorded to. */
  #next: string | null = null;

  constructor(context: LabContext, nodeId: string) {
    this.#context = context;
    this.#id = nodeId;
  }

  /** Before the engine starts, so that nothing is missed that the node prints first. */
  async prepare(record: NodeRecord): Promise<void> {
    if (!isWanted(this.#context, record)) return;
    const file = this.#newFile();
    this.#next = file;
    await this.#context.plumbing
      .recordNext(this.#recording(record, file))
      .catch(reporting(this.#context.logger, { node_id: this.#id }, `recording ${record.name}`));
  }

  /** An event of the node is on disk. Never rejects. */
  async after(event: AnyEvent): Promise<void> {
    switch (event.type) {
      case 'node.adopted':
        await this.#guard(() => this.#adopt(event.position));
        await this.sync(event.position);
        return;
      case 'node.reloaded':
        // Some engines give it a new console, and the recording ended with the old one.
        if (this.#record()?.recording !== null) await this.#guard(() => this.#adopt(event.position));
        await this.sync(event.position);
        return;
      case 'node.started':
        await this.sync(event.position);
        return;
      case 'node.start_failed':
      case 'node.lost':
        await this.#guard(() => this.#forgetNext(event.type === 'node.lost'));
        await this.#guard(() => this.#stopped(event.position));
        return;
      case 'node.stopped':
      case 'node.exited':
        await this.#guard(() => this.#stopped(event.position));
        return;
      default:
        return;
    }
  }

  /** Begins or ends the recording, as the project's setting and the node's state have it now. Never rejects. */
  sync(cause: number | null): Promise<void> {
    return this.#guard(async () => {
      const record = this.#record();
      // What has not started yet is decided once it has.
      if (record === undefined || record.state === 'starting') return;
      if (record.state === 'stopped') await this.#stopped(cause);
      else if (!isWanted(this.#context, record)) await this.#end(record, cause);
      else if (record.recording !== null)
        // What it leaves out may be another now.
        await this.#context.plumbing.record(this.#recording(record, record.recording));
      else if (record.state !== 'stopping') await this.#begin(record, cause);
    });
  }

  /** The fabric can no longer write a file. Never rejects. */
  broke(file: string, message: string): Promise<void> {
    return this.#guard(async () => {
      await this.#warn(message);
      if (this.#record()?.recording === file) await this.#stopped(null);
    });
  }

  #record(): NodeRecord | undefined {
    return this.#context.pending.get('node', this.#id);
  }

  /** The fabric went on while the server was away: what it does is what is so. */
  async #adopt(cause: number): Promise<void> {
    const found = (await this.#context.plumbing.recordings()).get(this.#id);
    const file = found === undefined ? null : path.basename(found.path);
    if (this.#record()?.recording === file) return;
    await this.#stopped(cause);
    if (file !== null) await this.#append('node.recording_started', file, cause);
  }

  async #begin(record: NodeRecord, cause: number | null): Promise<void> {
    const file = this.#next ?? this.#newFile();
    this.#next = null;
    try {
      await this.#context.plumbing.record(this.#recording(record, file));
    } catch (error) {
      await this.#warn(`the console of ${record.name} is not recorded: ${messageOf(error)}`);
      return;
    }
    await this.#append('node.recording_started', file, cause);
  }

  async #end(record: NodeRecord, cause: number | null): Promise<void> {
    if (record.recording === null && this.#next === null) return;
    await this.#forgetNext(true);
    await this.#stopped(cause);
  }

  async #forgetNext(always: boolean): Promise<void> {
    if (!always && this.#next === null) return;
    this.#next = null;
    await this.#context.plumbing.stopRecording(this.#id);
  }

  /** The recording is over. */
  async #stopped(cause: number | null): Promise<void> {
    const file = this.#record()?.recording ?? null;
    if (file === null) return;
    const project = this.#context.committed.get('project', this.#record()?.project_id ?? '');
    const content = project && (await contentOf(path.join(recordingsDirectory(project.path, this.#id), file)));
    await this.#append('node.recording_stopped', file, cause, content === undefined ? {} : { content });
  }

  async #append(
    type: 'node.recording_started' | 'node.recording_stopped',
    file: string,
    cause: number | null,
    more: { content?: Content } = {},
  ): Promise<void> {
    const project_id = this.#record()?.project_id;
    if (project_id === undefined) return;
    await this.#put(
      draft({ ...SYSTEM_CALLER, cause }, project_id, type, { node_id: this.#id, project_id, file, ...more }),
    );
  }

  async #warn(message: string): Promise<void> {
    this.#context.logger.warn({ node_id: this.#id }, message);
    const record = this.#record();
    if (record === undefined) return;
    await this.#put(draft(SYSTEM_CALLER, record.project_id, 'warning.raised', { message, node_id: this.#id }));
  }

  /** What has happened gets on the record, however long the log cannot be written. */
  async #put(event: AnyDraft): Promise<void> {
    await recordOutcome(() => this.#context.log.append([event]));
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#context.logger.error({ node_id: this.#id }, `the recording of node ${this.#id}: ${messageOf(error)}`);
    }
  }

  #newFile(): string {
    // Two files of one node never have one name.
    this.#named = Math.max(Date.now(), this.#named + 1);
    return recordingName(this.#named);
  }

  #recording(record: NodeRecord, file: string): Recording {
    const { project_id } = record;
    const project = this.#context.pending.get('project', project_id);
    const directory = recordingsDirectory(project?.path ?? '', this.#id);
    const hidden = project?.record_hidden_input === true ? { hidden: true } : {};
    return { node_id: this.#id, project_id, path: path.join(directory, file), ...hidden };
  }
}
