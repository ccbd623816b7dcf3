import { z } from 'zod';
import type { Undone } from '../../actors/commands.ts';
import { MOST_STEPS } from '../../common/bounds.ts';
import { uuid } from '../../model/types.ts';
import { type Edit, isSamePerson, nextOf, type EditState, editStates } from '../../projections/edits.ts';
import type { Api } from '../api.ts';
import { json, type Payload, type Route, route } from '../routing/route.ts';
import { digits, filledLine } from './schema.ts';

const type = z.enum(['project', 'node', 'link', 'drawing']);
const by = z.strictObject({ principal: z.string(), address: z.string().nullable(), agent: z.string().nullable() });
const name = z.string().nullable().meta({ description: 'null: it has none' });

const editObject = z.strictObject({
  type,
  id: z.string(),
  action: z.enum(['create', 'delete', 'move', 'rename', 'change']),
  name,
  was: z.string().nullable().meta({ description: 'Its former name, where it was renamed' }),
  fields: z.array(z.string()).meta({ description: 'What was changed of it' }),
});

export const edit = z.strictObject({
  position: z.int().meta({ description: 'Of its first event: names the edit' }),
  at: z.string(),
  by,
  action: z.enum(['create', 'delete', 'move', 'rename', 'change']),
  objects: z.array(editObject).meta({ description: 'The first ten that it touched, as they were called then' }),
  counts: z.strictObject({ project: z.int(), node: z.int(), link: z.int(), drawing: z.int() }),
  undone: z.boolean(),
  can_undo: z.boolean(),
  can_redo: z.boolean(),
  why_not: z.string().nullable().meta({ description: 'Why it can be neither undone nor redone' }),
});

export const edits = z.strictObject({
  undo: z.int().nullable().meta({ description: 'Position of the edit that is undone next' }),
  redo: z.int().nullable().meta({ description: 'Position of the edit that is redone next' }),
  edits: z.array(edit),
});

const editsQuery = z.object({ limit: digits(3, 1, 200).exactOptional() });

const undoBody = z.strictObject({ position: z.int().positive().exactOptional() });

const planned = z.strictObject({
  type,
  id: z.string(),
  name,
  action: z.enum(['create', 'delete', 'change']),
  fields: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
const left = z.strictObject({
  type,
  id: z.string(),
  name,
  fields: z.array(z.string()),
  why: z.enum(['changed', 'deleted', 'exists', 'linked', 'no_end', 'not_kept']),
  by: by.nullable(),
});

export const undone = z.strictObject({
  edit: edit.omit({ undone: true, can_undo: true, can_redo: true, why_not: true }),
  changes: z.array(planned),
  left: z.array(left).meta({ description: 'What stays as it is, and why' }),
});

const restoreBody = z.strictObject({
  at: z.union([filledLine, z.int().transform(String)]),
  objects: z
    .array(z.strictObject({ type, id: uuid }))
    .min(1)
    .max(MOST_STEPS)
    .exactOptional(),
  plan: z.boolean().exactOptional(),
});
export const restored = z.strictObject({
  position: z.int().meta({ description: 'The moment' }),
  changes: z.array(planned),
  left: z.array(left).meta({ description: 'What stays as it is, and why' }),
});

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
