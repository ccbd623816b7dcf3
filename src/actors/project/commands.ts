import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../common/durable.ts';
import { conflict, invalid, messageOf, notFound } from '../../common/errors.ts';
import type { ProjectFields, ProjectSettings } from '../../events/fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import type { PreparedBatch } from '../../events/log/prepare.ts';
import { hostUse } from '../../emulators/kit/host-uses.ts';
import { FORM_OF_TODAY } from '../../files/read/convert.ts';
import { readDrawingImages } from '../../files/project/drawing-images.ts';
import { gatherNodeFiles, keepOriginal, withMissingFiles } from '../../files/read/old/node-files.ts';
import { withOwnFile } from '../../files/write/own-file.ts';
import type { ParsedProject } from '../../files/read/parsed.ts';
import { readLargeProjectFile } from '../../files/read/read.ts';
import { loadProjectFile } from '../../files/write/store.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller, Commands } from '../commands.ts';
import { draft, type LabContext, openProjectOf, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { copyNodeFiles } from '../node/copy-files.ts';
import { isNothing, realChanges } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { fork } from '../transfer/fork.ts';
import {
  type Content,
  contentEvents,
  contentEventsInSlices,
  DEFAULT_SETTINGS,
  projectFields,
  stillFits,
} from './load.ts';
import { removeDirectory } from './directory.ts';
import { checkProjectName, projectFileName, uniqueProjectName } from './names.ts';
import type { ProjectWriter } from './writer.ts';

/** Then a load is decided in one turn of the event loop, so that others cannot keep getting in between. */
const MOST_TRIES = 3;

type ProjectCommands = Pick<
  Commands,
  | 'createProject'
  | 'loadProject'
  | 'updateProject'
  | 'openProject'
  | 'closeProject'
  | 'deleteProject'
  | 'forkProject'
  | 'actOnProject'
>;

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
    await copyNodeFiles(context, path.join(path.dirname(data.node_directory), given), data, project);
  }
};

/** What records of before do not have. */
const UNSAID = { record_hidden_input: false };

export const projectCommands = (context: LabContext, directory: Directory, writer: ProjectWriter): ProjectCommands => {
  const { pending, committed, log, settings } = context;

  const answer = (id: string): ProjectRecord => {
    const record = committed.get('project', id);
    if (record === undefined) throw notFound('Project', id);
    return record;
  };

  const checkName = (name: string, own?: string): void => checkProjectName(pending, name, own);

  /**
   * What a file holds, as events that only have to take their places in the log. Made again when a name, an id or a port in them
   * was taken meanwhile; null when somebody else registered or deleted the project.
   */
  const prepared = async (
    caller: Caller,
    fieldsNow: () => ProjectFields,
    parsed: ParsedProject,
    known: boolean,
  ): Promise<{
    content: Content;
    batch: readonly AnyDraft[] | PreparedBatch;
    fields: ProjectFields;
  } | null> => {
    for (let tries = 1; ; tries++) {
      const before = log.stand;
      const fields = fieldsNow();
      const id = fields.project_id;
      const record: ProjectRecord = { ...fields, state: 'closed', created: 0, changed: 0 };
      const isLast = tries === MOST_TRIES;
      const content = isLast
        ? contentEvents(context, caller, record, parsed)
        : await contentEventsInSlices(context, caller, record, parsed);
      const { extra, drafts } = content;
      const first = draft(caller, id, known ? 'project.replaced' : 'project.created', { ...fields, extra });
      const batch = isLast ? [first, ...drafts] : await log.prepare([first, ...drafts]);
      if ((pending.get('project', id) !== undefined) !== known) return null;
      const fits = (): boolean => fieldsNow().name === fields.name && stillFits(context, id, content);
      if (isLast || log.stand === before || fits()) return { content, batch, fields };
    }
  };

  /** Registers what a file holds: one batch, all or nothing. `fieldsNow`: as it can be named when it is asked. */
  const register = async (
    caller: Caller,
    fieldsNow: () => ProjectFields,
    parsed: ParsedProject,
    known: boolean,
  ): Promise<void> => {
    // Copies, which can be made again; without them, the end of the server between here and there would lose files.
    const { path: place, filename } = fieldsNow();
    await gatherNodeFiles(parsed, place, context.kinds);
    if (parsed.revision < FORM_OF_TODAY) await keepOriginal(path.join(place, filename), parsed);
    const found = await prepared(caller, fieldsNow, parsed, known);
    if (found === null) return;
    const { content, batch, fields } = found;
    await copyRenamed(context, fields.name, content);
    if (known) await directory.project(answer(fields.project_id)).replace(batch);
    else await log.append(batch);
    // The file is what was just read: nothing is to be written until something changes. One of an old form is written in today's.
    if (parsed.revision >= FORM_OF_TODAY) writer.forget(fields.project_id);
    for (const warning of content.warnings)
      context.logger.warn({ project_id: fields.project_id }, `${fields.filename}: ${warning}`);
  };

  /** Projects that are just being registered. */
  const registering = new Map<string, Promise<void>>();
  /** A project that is not known yet; a second load at the same time waits for the first. */
  const registerNew = async (caller: Caller, fieldsNow: () => ProjectFields, parsed: ParsedProject): Promise<void> => {
    const id = parsed.project_id;
    let running = registering.get(id);
    if (running === undefined) {
      if (pending.get('project', id) !== undefined) return;
      running = register(caller, fieldsNow, parsed, false).finally(() => registering.delete(id));
      registering.set(id, running);
    }
    await running;
  };

  /** Running nodes follow the setting at once; others when they start. */
  const syncRecordings = async (id: string, cause: number | null): Promise<void> => {
    const nodes = pending.ofProject('node', id);
    await Promise.all(nodes.map(async ({ node_id }) => directory.findNode(node_id)?.onRecording((r) => r.sync(cause))));
  };

  const nameFor = (parsed: ParsedProject): string =>
    uniqueProjectName(pending, parsed.settings.name, parsed.project_id);

  return {
    async createProject(caller, { name: asked, project_id: given, path: wished, names, ...changes }) {
      const id = given ?? randomUUID();
      if (pending.get('project', id) !== undefined) return answer(id);
      const name = names === 'make_unique' ? uniqueProjectName(pending, asked) : asked;
      checkName(name);
      if (wished !== undefined && !path.isAbsolute(wished)) throw invalid('path must be absolute', { field: 'path' });
      const usual = path.join(settings.dataDir, 'projects', id);
      const place = wished ?? usual;
      if (!settings.local && path.resolve(place) !== usual)
        throw hostUse({ field: 'path', reason: 'a project elsewhere than where the server has them' });
      const fields = {
        ...DEFAULT_SETTINGS,
        ...(changes as Partial<ProjectSettings>),
        name,
        project_id: id,
        path: place,
        filename: projectFileName(name),
        file_sha256: null,
        extra: {},
      };
      await log.append([draft(caller, id, 'project.created', fields)]);
      try {
        await makeDirectory(place);
      } catch (error) {
        await log.append([draft(caller, id, 'project.deleted', { project_id: id })]);
        throw conflict(`the directory ${place} cannot be made: ${messageOf(error)}`, { field: 'path' });
      }
      try {
        await directory.project(answer(id)).open(caller);
        return answer(id);
      } catch (error) {
        if (pending.get('project', id) !== undefined) throw error;
        throw conflict('the project was deleted while it was made', { field: 'project_id' });
      }
    },

    async loadProject(caller, file, { new_id = false, ...unsaid } = {}) {
      const { text, sha256 } = await loadProjectFile(file);
      const place = path.dirname(file);
      const read = await withOwnFile(await readLargeProjectFile(text, context.kinds), file);
      const found = await withMissingFiles(await readDrawingImages(read, place), place, context.kinds);
      // With an id of its own, it is not in the file before that is written.
      const here = pending.projects().find((p) => fileOf(p) === file && p.file_sha256 === sha256);
      const parsed = { ...found, project_id: here?.project_id ?? (new_id ? randomUUID() : found.project_id) };
      const fieldsNow = (): ProjectFields => ({
        ...projectFields(parsed, file, sha256, unsaid),
        name: nameFor(parsed),
      });
      await registerNew(caller, fieldsNow, parsed);
      await refuseElsewhere(answer(parsed.project_id), file);
      if (parsed.project_id !== found.project_id) {
        writer.touch(parsed.project_id);
        await writer.flush(parsed.project_id);
      }
      const project = directory.project(answer(parsed.project_id));
      await project.exclusive(async () => {
        const record = answer(parsed.project_id);
        const isNew = parsed.project_id !== found.project_id;
        const same = isNew || (record.file_sha256 === sha256 && fileOf(record) === file);
        // An open project is what it is; a closed one follows a file that was changed or moved by someone else.
        if (project.state === 'closed' && !same) await register(caller, fieldsNow, parsed, true);
        await project.openNow(caller);
      });
      return answer(parsed.project_id);
    },

    async updateProject(caller, id, given) {
      const record = projectOf(pending, id);
      checkPrecondition(caller, record.name, record);
      if (given.name !== undefined) checkName(given.name, id);
      const changes = realChanges({ ...UNSAID, ...record }, given);
      if (isNothing(changes)) return answer(id);
      const [event] = await log.append([draft(caller, id, 'project.updated', { project_id: id, changes })]);
      if ('record_consoles' in changes || 'record_hidden_input' in changes)
        await syncRecordings(id, event?.position ?? null);
      return answer(id);
    },

    async openProject(caller, id) {
      await directory.project(projectOf(pending, id)).open(caller);
      return answer(id);
    },

    async closeProject(caller, id) {
      await directory.project(projectOf(pending, id)).close(caller);
      await writer.flush(id);
      return answer(id);
    },

    async deleteProject(caller, id) {
      const project = directory.project(projectOf(pending, id));
      await project.exclusive(async () => {
        const before = projectOf(pending, id);
        checkPrecondition(caller, before.name, before);
        await project.closeNow(caller);
        const record = answer(id);
        writer.forget(id);
        await project.remove(caller);
        directory.forgetProject(id);
        await removeDirectory(context, record);
      });
    },

    forkProject: (caller, id, input) => fork(context, caller, id, input),

    async actOnProject(caller, id, action) {
      await directory.project(openProjectOf(pending, id)).nodes.act(caller, action);
    },
  };
};
