import type { Principal } from '../../events/event.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { Transition } from '../past/step.ts';

/** What an edit can touch. */
export type EditType = 'project' | 'node' | 'link' | 'drawing';
export type EditAction = 'create' | 'delete' | 'move' | 'rename' | 'change';

/** One object that an edit touched, as it was called then. */
export interface EditObject {
  type: EditType;
  id: string;
  action: EditAction;
  /** null: it has none, as a drawing. */
  name: string | null;
  /** Its former name, where it was renamed. */
  was: string | null;
  /** Ends of a link. */
  nodes: string[];
  /** What was changed of it. */
  fields: string[];
}

/** What one request changed of a project: all of its events. */
export interface Edit {
  /** Of its first event. */
  position: number;
  /** Of its last one, so far. */
  last: number;
  at: string;
  by: Principal;
  request_id: string;
  /** Position of the edit that it takes back. */
  undoes: number | null;
  action: EditAction;
  /** The first ones of those that it touched. */
  objects: EditObject[];
  /** How many it touched, of each type. */
  counts: Record<EditType, number>;
}

const EDITS: ReadonlySet<string> = new Set([
  'project.updated',
  ...(['node', 'link', 'drawing'] as const).flatMap((type) =>
    ['created', 'updated', 'deleted'].map((t) => `${type}.${t}`),
  ),
]);
/** A request with one of these made or replaced all of a lab: that is no edit of it. */
const WHOLE: ReadonlySet<string> = new Set(['project.created', 'project.replaced', 'project.restore_requested']);

type Seen = Pick<AnyEvent, 'type' | 'request_id' | 'by'>;

/** Somebody's change of what the lab is; what the server does by itself is none, nor is a start. */
export const isOfEdit = ({ type, request_id, by }: Seen): boolean =>
  request_id !== null && by.principal !== 'system' && EDITS.has(type);

export const isOfWhole = ({ type, request_id }: Seen): boolean => request_id !== null && WHOLE.has(type);

/** The same person: by name, and where nobody has one by the address. */
export const isSamePerson = (a: Principal, b: Principal): boolean =>
  a.principal === b.principal && (a.principal !== 'anonymous' || a.address === b.address);

/** `isApplied`: its cause is a text that was applied, and no edit that it takes back. */
export const beginEdit = (event: AnyEvent, request_id: string, isApplied: boolean): Edit => ({
  position: event.position,
  last: event.position,
  at: event.at,
  by: event.by,
  request_id,
  undoes: isApplied ? null : event.cause,
  action: 'change',
  objects: [],
  counts: { project: 0, node: 0, link: 0, drawing: 0 },
});

/** Objects that are kept with an edit: those that are named in its words, and some for a list. */
const MOST_NAMED = 10;

/** Takes in what an event of the edit has changed. `touched`: what it is known to have touched before. */
export const addToEdit = (
  edit: Edit,
  event: AnyEvent,
  transitions: readonly Transition[],
  touched: Set<string>,
): void => {
  edit.last = event.position;
  for (const transition of transitions) {
    const object = objectOf(event, transition);
    if (object === null) continue;
    const known = edit.objects.find(({ id }) => id === object.id);
    if (known !== undefined) merge(known, object);
    else if (!touched.has(object.id)) {
      touched.add(object.id);
      edit.counts[object.type]++;
      edit.action = actionOf(edit, object);
      if (edit.objects.length < MOST_NAMED) edit.objects.push(object);
      // Nodes say more than the links that came or went with them.
      else if (object.type === 'node') replaceLink(edit, object);
    }
  }
};

/** Its first object says what it is, unless another one differs. Settings that changed with objects, as groups do, say nothing. */
const actionOf = ({ action, counts: { node, link, drawing } }: Edit, object: EditObject): EditAction => {
  const objects = node + link + drawing;
  if (object.type === 'project') return objects === 0 ? object.action : action;
  return objects === 1 || action === object.action ? object.action : 'change';
};

const merge = (known: EditObject, { action, fields, name, was }: EditObject): void => {
  for (const field of fields) if (!known.fields.includes(field)) known.fields.push(field);
  known.name = name;
  known.was ??= was;
  if (known.action !== action && known.action !== 'create') known.action = action === 'delete' ? action : 'change';
};

const replaceLink = ({ objects }: Edit, object: EditObject): void => {
  const index = objects.findLastIndex(({ type }) => type === 'link');
  if (index >= 0) objects.splice(index, 1, object);
};

const objectOf = ({ data }: AnyEvent, { collection, id, before, record }: Transition): EditObject | null => {
  if (collection !== 'node' && collection !== 'link' && collection !== 'drawing' && collection !== 'project')
    return null;
  const one = (record ?? before) as { name?: string; nodes?: { node_id: string }[] } | null;
  const former = (before as { name?: string } | null)?.name ?? null;
  const name = one?.name ?? null;
  const fields = 'changes' in data ? Object.keys(data.changes).filter((key) => key !== 'failure') : [];
  const isNamed = before !== null && record !== null && former !== name;
  return {
    type: collection,
    id,
    action: before === null ? 'create' : record === null ? 'delete' : isNamed ? 'rename' : movedOr(fields),
    name,
    was: isNamed ? former : null,
    nodes: collection === 'link' ? (one?.nodes ?? []).map(({ node_id }) => node_id) : [],
    fields,
  };
};

const movedOr = (fields: readonly string[]): EditAction =>
  fields.length > 0 && fields.every((field) => field === 'x' || field === 'y') ? 'move' : 'change';
