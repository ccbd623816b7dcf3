import type { z } from 'zod';
import type { Undone } from '../../../actors/commands.ts';
import { type Edit, isSamePerson, nextOf, type EditState, editStates } from '../../../projections/edits.ts';
import type { Api } from '../../api.ts';
import { json, type Payload, type Route, route } from '../../routing/route.ts';
import { type edit, edits, editsQuery, restoreBody, restored, undoBody, undone } from './schema.ts';

const PATH = '/v2/projects/{project_id}';
const SHOWN = 20;
const ERRORS = [400, 403, 404, 409];

/** Edits of people, undo and redo; docs/reference/undo.md. */
export const editRoutes = (api: Api): Route[] => [
  route('GET', `${PATH}/edits`, {
    anyServer: true,
    summary: 'The last edits of a project, newest first, and which of them you can undo or redo',
    query: editsQuery,
    success: { code: 200, schema: edits },
    errors: [400, 404],
    handler: async ({ caller, params: { project_id }, query: { limit = SHOWN } }) => {
      api.find.project(project_id);
      const all = editStates(await api.edits.of(project_id));
      const next = (what: 'undo' | 'redo'): number | null => nextOf(all, caller.by, what)?.edit.position ?? null;
      const shown = all.slice(0, limit).map((standing) => standingToJson(api, project_id, standing, caller.by));
      return json({ undo: next('undo'), redo: next('redo'), edits: shown });
    },
  }),
  ...(['undo', 'redo'] as const).map((what) =>
    route('POST', `${PATH}/${what}`, {
      summary: what === 'undo' ? 'Take back an edit of yours' : 'Make an edit again that you have undone',
      body: undoBody,
      success: { code: 200, schema: undone },
      errors: ERRORS,
      handler: async ({ caller, params: { project_id }, body: { position } }) => {
        api.find.project(project_id);
        return answer(api, project_id, await api.commands[what](caller, project_id, position));
      },
    }),
  ),
  route('POST', `${PATH}/restore`, {
    summary: 'Make objects, or the lab, what they were at a moment; with plan: only say what would change',
    body: restoreBody,
    success: { code: 200, schema: restored },
    errors: ERRORS,
    handler: async ({ caller, params: { project_id }, body }) => {
      api.find.project(project_id);
      return json(await api.commands.restore(caller, project_id, body));
    },
  }),
];

const answer = (api: Api, projectId: string, { edit, changes, left }: Undone): Payload =>
  json({ edit: editToJson(api, projectId, edit), changes, left });

type Shown = Omit<z.output<typeof edit>, 'undone' | 'can_undo' | 'can_redo' | 'why_not'>;

const editToJson = ({ edits, records }: Api, projectId: string, { position, at, by, ...edit }: Edit): Shown => {
  const nameOf = (id: string): string => records.get('node', id)?.name ?? edits.nameOf(projectId, id) ?? '?';
  const { action, counts } = edit;
  const objects = edit.objects.map(({ nodes, ...object }) =>
    object.type === 'link' ? { ...object, name: nodes.map(nameOf).join(' – ') } : object,
  );
  return { position, at, by, action, objects, counts };
};

const standingToJson = (
  api: Api,
  projectId: string,
  { edit, isUndone, isOver }: EditState,
  by: Edit['by'],
): z.output<typeof edits>['edits'][number] => {
  const own = isSamePerson(edit.by, by);
  const why_not = own
    ? isUndone && isOver
      ? 'It was undone, and you have edited the lab since.'
      : null
    : `It is an edit by ${edit.by.principal}.`;
  const can = why_not === null;
  return {
    ...editToJson(api, projectId, edit),
    undone: isUndone,
    can_undo: can && !isUndone,
    can_redo: can && isUndone,
    why_not,
  };
};
