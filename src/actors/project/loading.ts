import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import type { ProjectFields } from '../../events/fields.ts';
import { FORM_OF_TODAY } from '../../files/read/convert.ts';
import { readDrawingImages } from '../../files/project/drawing-images.ts';
import { copyNodeDirectory } from '../../files/project/node-directories.ts';
import { gatherNodeFiles, keepOriginal, withMissingFiles } from '../../files/read/old/node-files.ts';
import { withOwnFile } from '../../files/write/own-file.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import { readLargeProjectFile } from '../../files/read/read.ts';
import { loadProjectFile } from '../../files/write/save.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { checkServerRoom, draft, type LabContext, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import type { Batch } from '../runtime/runtime.ts';
import { knownVariables, projectFields } from './fields.ts';
import type { ProjectCommands } from './interface.ts';
import { type Content, contentEvents, contentEventsInSlices, stillFits } from './load.ts';
import { uniqueProjectName } from './names.ts';
import { refuseInside } from './place.ts';
import type { ProjectWriter } from './writer.ts';

/** Then a load is decided in one turn of the event loop, so that others cannot keep getting in between. */
const MOST_TRIES = 3;

/** What a project file holds, and what it is registered as when that is asked. */
interface Loaded {
  caller: Caller;
  parsed: ParsedProject;
  fieldsNow: () => ProjectFields;
}

/** What a file holds, as events that only have to take their places in the log. */
interface Registration {
  content: Content;
  batch: Batch;
  fields: ProjectFields;
}

/** Makes projects of project files. */
export class ProjectLoader {
  readonly #directory: Directory;
  readonly #writer: ProjectWriter;
  /** Projects that are just being registered. */
  readonly #registering = new Map<string, Promise<void>>();

  constructor(directory: Directory, writer: ProjectWriter) {
    this.#directory = directory;
    this.#writer = writer;
  }

  get #context(): LabContext {
    return this.#directory.context;
  }

  async load(
    caller: Caller,
    file: string,
    { new_id = false, ...unsaid }: Parameters<ProjectCommands['loadProject']>[2] = {},
  ): Promise<ProjectRecord> {
    const { kinds, pending } = this.#context;
    const { text, sha256 } = await loadProjectFile(file);
    const place = path.dirname(file);
    const read = await withOwnFile(await readLargeProjectFile(text, kinds), file, kinds);
    const found = await withMissingFiles(await readDrawingImages(read, place), place, kinds);
    // With an id of its own, it is not in the file before that is written.
    const here = pending.projects().find((p) => fileOf(p) === file && p.file_sha256 === sha256);
    const id = here?.project_id ?? (new_id ? randomUUID() : found.project_id);
    const parsed = { ...found, project_id: id };
    const fieldsNow = (): ProjectFields => ({
      ...projectFields(parsed, file, sha256, unsaid),
      ...knownVariables(this.#context, id, parsed.settings, pending.get('project', id)),
      name: uniqueProjectName(pending, parsed.settings.name, id),
    });
    const loaded = { caller, parsed, fieldsNow };
    refuseInside(this.#context, id, file);
    await this.#registerNew(loaded);
    await refuseElsewhere(this.#answer(id), file);
    const isNew = id !== found.project_id;
    if (isNew) {
      this.#writer.touch(id);
      await this.#writer.flush(id);
    }
    const project = this.#directory.project(this.#answer(id));
    await project.exclusive(async () => {
      const record = this.#answer(id);
      const same = isNew || (record.file_sha256 === sha256 && fileOf(record) === file);
      // An open project is what it is; a closed one follows a file that was changed or moved by someone else.
      if (project.state === 'closed' && !same) await this.#register(loaded, true);
      await project.openNow(caller);
    });
    return this.#answer(id);
  }

  #answer(id: string): ProjectRecord {
    return projectOf(this.#context.committed, id);
  }

  /** A project that is not known yet; a second load at the same time waits for the first. */
  async #registerNew(loaded: Loaded): Promise<void> {
    const id = loaded.parsed.project_id;
    let running = this.#registering.get(id);
    if (running === undefined) {
      if (this.#context.pending.get('project', id) !== undefined) return;
      running = this.#register(loaded, false).finally(() => this.#registering.delete(id));
      this.#registering.set(id, running);
    }
    await running;
  }

  /** Registers what a file holds: one batch, all or nothing. */
  async #register(loaded: Loaded, known: boolean): Promise<void> {
    const { caller, parsed, fieldsNow } = loaded;
    const { kinds, log, logger } = this.#context;
    // Copies, which can be made again; without them, the end of the server between here and there would lose files.
    const { path: place, filename } = fieldsNow();
    await gatherNodeFiles(parsed, place, kinds);
    if (parsed.revision < FORM_OF_TODAY) await keepOriginal(path.join(place, filename), parsed);
    const found = await this.#prepared(loaded, known);
    if (found === null) return;
    const { content, batch, fields } = found;
    const { project_id } = fields;
    await copyRenamed(this.#context, fields.name, content);
    if (known) await this.#directory.project(this.#answer(project_id)).replace(batch);
    else await log.append(batch);
    // The file is what was just read: nothing is to be written until something changes. One of an old form is written in today's.
    if (parsed.revision >= FORM_OF_TODAY) this.#writer.forget(project_id);
    for (const warning of content.warnings)
      logger.warn({ project_id, request_id: caller.request_id }, `${fields.filename}: ${warning}`);
  }

  /** Made again when a name, an id or a port in it was taken meanwhile; null when somebody else registered or deleted the project. */
  async #prepared({ caller, parsed, fieldsNow }: Loaded, known: boolean): Promise<Registration | null> {
    const { log, pending } = this.#context;
    for (let tries = 1; ; tries++) {
      const before = log.changeToken;
      const fields = fieldsNow();
      const id = fields.project_id;
      const record: ProjectRecord = { ...fields, state: 'closed', created: 0, changed: 0 };
      const isLast = tries === MOST_TRIES;
      const content = isLast
        ? contentEvents(this.#context, caller, record, parsed)
        : await contentEventsInSlices(this.#context, caller, record, parsed);
      const { extra, drafts } = content;
      const first = draft(caller, id, known ? 'project.replaced' : 'project.created', { ...fields, extra });
      const batch = isLast ? [first, ...drafts] : await log.prepare([first, ...drafts]);
      if ((pending.get('project', id) !== undefined) !== known) return null;
      if (!known) checkServerRoom(pending, 'project');
      const fits = (): boolean => fieldsNow().name === fields.name && stillFits(this.#context, id, content);
      if (isLast || log.changeToken === before || fits()) return { content, batch, fields };
    }
  }
}

const fileOf = (project: ProjectRecord): string => path.join(project.path, project.filename);

/** A closed project follows its file where that was moved; a copy of the file is no second way to it. */
const refuseElsewhere = async (project: ProjectRecord, file: string): Promise<void> => {
  const there = fileOf(project);
  if (there === file) return;
  const real = await realpath(there).catch(() => null);
  if (real === null ? project.state === 'closed' : real === (await realpath(file))) return;
  const { project_id, name } = project;
  throw conflict(
    `project_id ${project_id} of ${file} is that of ${name}, which is loaded from ${there}; new_id=true loads it beside`,
    { field: 'project_id', project_id, path: there },
  );
};

/** Nodes whose id another project has find their files under the one of the project file. */
const copyRenamed = async (context: LabContext, project: string, { drafts, ids }: Content): Promise<void> => {
  const before = new Map([...ids].map(([given, own]) => [own, given]));
  for (const { type, data } of drafts) {
    if (type !== 'node.created' || data.node_directory === null) continue;
    const given = before.get(data.node_id) ?? data.node_id;
    if (given === data.node_id) continue;
    const from = path.join(path.dirname(data.node_directory), given);
    await copyNodeDirectory(context.logger, from, data.node_directory, `${data.name} in ${project}`);
  }
};
