import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { conflict, reporting } from '../../common/errors.ts';
import { hostUse } from '../../emulators/kit/host-uses.ts';
import type { ProjectFields, ProjectSettings } from '../../events/fields.ts';
import { DEFAULT_SETTINGS, SETTINGS_WHEN_ABSENT } from '../../model/project.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { checkExpressions } from '../check/expressions.ts';
import { draft, type LabContext, openProjectOf, projectOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { plumb } from '../link/cabling.ts';
import { bringHere } from '../recovery/recover-compute.ts';
import { draftsOf, isNothing, realChanges } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { fork } from '../transfer/fork.ts';
import { leaveComputes } from './closing.ts';
import { makeOwnDirectory, removeDirectory } from './directory.ts';
import { knownVariables } from './fields.ts';
import type { ProjectCommands, ProjectInput } from './interface.ts';
import { ProjectLoader } from './loading.ts';
import { checkProjectName, projectFileName, uniqueProjectName } from './names.ts';
import { placeOf, refuseOverwrite, refuseTaken, usualPlace } from './place.ts';
import type { ProjectWriter } from './writer.ts';

type Commands = Omit<ProjectCommands, 'attend' | 'writeFile'>;

export const projectCommands = (directory: Directory, writer: ProjectWriter): Commands => {
  const { context } = directory;
  const loader = new ProjectLoader(directory, writer);
  return {
    loadProject: (caller, file, options) => loader.load(caller, file, options),
    forkProject: (caller, id, input) => fork(context, caller, id, input),
    async actOnProject(caller, id, action) {
      await directory.project(openProjectOf(context.pending, id)).nodes.act(caller, action);
    },
    ...keeping(directory),
    ...opening(directory, writer),
  };
};

const answer = ({ committed }: LabContext, id: string): ProjectRecord => projectOf(committed, id);

const keeping = (directory: Directory): Pick<Commands, 'createProject' | 'updateProject'> => {
  const { context } = directory;
  const { pending, log } = context;
  return {
    async createProject(caller, input, more = []) {
      await checkNewChecks({}, input);
      const id = input.project_id ?? randomUUID();
      if (pending.get('project', id) !== undefined) return log.settled().then(() => answer(context, id));
      const fields = newProject(context, id, input);
      await log.append([draft(caller, id, 'project.created', fields), ...draftsOf(caller, id, more)]);
      await makeOwnDirectory(context, caller, fields);
      try {
        await directory.project(answer(context, id)).open(caller);
        return answer(context, id);
      } catch (error) {
        if (pending.get('project', id) !== undefined) throw error;
        throw conflict('the project was deleted while it was made', { field: 'project_id' });
      }
    },

    async updateProject(caller, id, given) {
      await checkNewChecks(projectOf(pending, id), given);
      const record = projectOf(pending, id);
      checkPrecondition(caller, record.name, record);
      if (given.name !== undefined) checkProjectName(pending, given.name, id);
      const wished = { ...given, ...knownVariables(context, id, given, record) };
      const changes = realChanges({ ...SETTINGS_WHEN_ABSENT, ...record }, wished);
      const [event] = await log.append(
        isNothing(changes) ? [] : [draft(caller, id, 'project.updated', { project_id: id, changes })],
      );
      if (event !== undefined) await projectUpdated(directory, { ...caller, cause: event.position }, id, changes);
      return answer(context, id);
    },
  };
};

/** Settings were changed, which is on record (`cause`): what is outside the log follows. */
export const projectUpdated = async (
  directory: Directory,
  { request_id, cause = null }: Caller,
  id: string,
  changes: Partial<ProjectSettings>,
): Promise<void> => {
  const { context } = directory;
  const about = { project_id: id, request_id };
  if ('record_consoles' in changes || 'record_hidden_input' in changes) await syncRecordings(directory, id, cause);
  if ('seed' in changes && answer(context, id).state === 'opened') await plumb(context, id);
  // Each start is on record, and none is waited for.
  if (changes.on_takeover === 'restart')
    void bringHere(directory, id).catch(reporting(context.logger, about, 'nodes of the server before'));
  if ('variables' in changes) await context.computes.tellVariables(id).catch(reporting(context.logger, about));
};

/** Those that are there already stay, whatever reads them here. */
const checkNewChecks = async (
  { checks: known = [] }: Partial<ProjectRecord>,
  { checks = [] }: Pick<ProjectSettings, 'checks'>,
): Promise<void> => {
  for (const [i, check] of checks.entries())
    if (!known.some((one) => isDeepStrictEqual(one, check))) await checkExpressions(check, ['checks', i]);
};

/** Every field of a new project. Throws on what cannot be. */
const newProject = (
  context: LabContext,
  project_id: string,
  { name: asked, project_id: _id, path: wished, names, ...changes }: ProjectInput,
): ProjectFields => {
  const { pending, settings } = context;
  const name = names === 'make_unique' ? uniqueProjectName(pending, asked) : asked;
  checkProjectName(pending, name);
  const place = placeOf(settings, project_id, wished);
  if (!settings.local && place !== usualPlace(settings, project_id))
    throw hostUse({ field: 'path', reason: 'a project elsewhere than where the server has them' });
  refuseTaken(context, project_id, place);
  refuseOverwrite(place, name);
  return {
    ...DEFAULT_SETTINGS,
    ...(changes as Partial<ProjectSettings>),
    ...knownVariables(context, project_id, changes),
    name,
    project_id,
    path: place,
    filename: projectFileName(name),
    file_sha256: null,
    extra: {},
  };
};

/** Running nodes follow the setting at once; others when they start. */
const syncRecordings = async (directory: Directory, id: string, cause: number | null): Promise<void> => {
  const nodes = directory.context.pending.ofProject('node', id);
  await Promise.all(nodes.map(async ({ node_id }) => directory.findNode(node_id)?.onRecording((r) => r.sync(cause))));
};

const opening = (
  directory: Directory,
  writer: ProjectWriter,
): Pick<Commands, 'openProject' | 'closeProject' | 'deleteProject'> => {
  const { context } = directory;
  const { pending } = context;
  return {
    async openProject(caller, id) {
      await directory.project(projectOf(pending, id)).open(caller);
      return answer(context, id);
    },

    async closeProject(caller, id) {
      await directory.project(projectOf(pending, id)).close(caller);
      await writer.flush(id);
      return answer(context, id);
    },

    async deleteProject(caller, id) {
      const project = directory.project(projectOf(pending, id));
      await project.exclusive(async () => {
        const before = projectOf(pending, id);
        checkPrecondition(caller, before.name, before);
        await project.closeNow(caller);
        const record = answer(context, id);
        await leaveComputes(context, id, 'delete');
        await writer.leave(id);
        await project.remove(caller);
        writer.forget(id);
        directory.forgetProject(id);
        await removeDirectory(context, record);
      });
    },
  };
};
