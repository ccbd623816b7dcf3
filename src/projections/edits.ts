import type { LogEvent, Principal } from '../events/event.ts';
import { lastVersion, readTexts } from '../events/read.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { Store } from '../events/store/store.ts';
import { upcast } from '../events/upcasters.ts';
import type { Step, Transition } from './fold/change.ts';
import type { Changes } from './past/changes.ts';

/** Types of objects that an edit can change. */
export type EditType = 'project' | 'node' | 'link' | 'drawing';
export type EditAction = 'create' | 'delete' | 'move' | 'rename' | 'change';

/** One object that an edit changed, with its name at that time. */
interface EditObject {
  type: EditType;
  id: string;
  action: EditAction;
  /** null: it has none, as a drawing. */
  name: string | null;
  /** Its former name, when it was renamed. */
  was: string | null;
  /** Ids of the nodes at the ends of a link. */
  nodes: string[];
  /** Changed fields. */
  fields: string[];
}

/** All changes of a project by one request. */
export interface Edit {
  /** Position of its first event. */
  position: number;
  /** Position of its last event so far. */
  last: number;
  at: string;
  by: Principal;
  request_id: string;
  /** Position of the edit that this one reverts. */
  undoes: number | null;
  action: EditAction;
  /** The first objects that it changed. */
  objects: EditObject[];
  /** Number of changed objects of each type. */
  counts: Record<EditType, number>;
}

const EDITS: ReadonlySet<string> = new Set([
  'project.updated',
  ...(['node', 'link', 'drawing'] as const).flatMap((type) =>
    ['created', 'updated', 'deleted'].map((t) => `${type}.${t}`),
  ),
]);
/** Types whose request creates or replaces a whole lab, and therefore is no edit. */
const WHOLE: ReadonlySet<string> = new Set(['project.created', 'project.replaced', 'project.restore_requested']);

type Seen = Pick<AnyEvent, 'type' | 'request_id' | 'by'>;

/** Whether an event is a user's change of a lab. Changes by the server itself are none, nor are starts of nodes. */
export const isEditEvent = ({ type, request_id, by }: Seen): boolean =>
  request_id !== null && by.principal !== 'system' && EDITS.has(type);

const replacesLab = ({ type, request_id }: Seen): boolean => request_id !== null && WHOLE.has(type);

/** Compares principals by name, and anonymous ones by address. */
export const isSamePerson = (a: Principal, b: Principal): boolean =>
  a.principal === b.principal && (a.principal !== 'anonymous' || a.address === b.address);

/** `isApplied`: its cause is the applying of a lab text, not an edit that it reverts. */
const beginEdit = (event: AnyEvent, request_id: string, isApplied: boolean): Edit => ({
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

/** Maximum of objects stored with an edit: for its description, and some for a list. */
const MOST_NAMED = 10;

/** Adds the changes of an event to its edit. `touched`: ids of objects that the edit has changed before. */
const addToEdit = (edit: Edit, event: AnyEvent, transitions: readonly Transition[], touched: Set<string>): void => {
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
      // Nodes are shown in preference to the links that came or went with them.
      else if (object.type === 'node') replaceLink(edit, object);
    }
  }
};

/**
 * The first object determines the action of an edit, unless another one differs. Settings that changed together with
 * objects, such as groups, do not count.
 */
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

/** The last edits of each project, for undo. */
export interface Edits {
  /** Oldest first. */
  of(projectId: string): Promise<readonly Edit[]>;
  /** Name of a node, which may be deleted. */
  nameOf(projectId: string, nodeId: string): string | null;
  /** Changes of an edit, event by event. */
  stepsOf(projectId: string, edit: Edit): Promise<Step[]>;
}

interface Log {
  readonly store: Store;
}

/** Edits kept per project. */
const MOST_EDITS = 200;
/** Events searched for edits, and events read at once. */
const MOST_LOOKED_AT = 60_000;
const BLOCK = 500;
/** Projects whose edits are kept; others are read again when needed. */
const MOST_PROJECTS = 32;

/** Reads the edits of a project from its newest events at the first request, and follows new events from then on. */
export const createEdits = (log: Log, changes: Changes): Edits => {
  const kept = new Map<string, EditIndex>();
  changes.onCommitted((steps) => {
    for (const step of steps) if (step.event.project_id !== null) kept.get(step.event.project_id)?.take(step);
  });
  const indexOf = (projectId: string): EditIndex => {
    const index = kept.get(projectId) ?? new EditIndex(projectId);
    kept.delete(projectId);
    kept.set(projectId, index);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_PROJECTS) break;
      kept.delete(oldest);
    }
    return index;
  };
  return {
    async of(projectId) {
      const index = indexOf(projectId);
      try {
        await index.ready(log, changes);
      } catch (error) {
        kept.delete(projectId);
        throw error;
      }
      return index.edits;
    },
    nameOf: (projectId, nodeId) => kept.get(projectId)?.names.get(nodeId) ?? null,
    async stepsOf(projectId, { position, last, request_id }) {
      const steps: Step[] = [];
      for await (const step of changes.since(projectId, position - 1)) {
        if (step.event.position > last) break;
        if (step.event.request_id === request_id && isEditEvent(step.event)) steps.push(step);
      }
      return steps;
    },
  };
};

/** The last edits of one project. */
class EditIndex {
  readonly edits: Edit[] = [];
  readonly names = new Map<string, string>();
  readonly #projectId: string;
  /** Edits that may still grow, with the ids of the objects that they changed. */
  readonly #open = new Map<Edit, Set<string>>();
  /** Requests without edits: those that replaced a whole lab, or whose beginning was not read. */
  readonly #ignored = new Set<string>();
  /** Positions at which lab texts were applied. */
  readonly #applied = new Set<number>();
  #read: Promise<void> | null = null;
  /** Position of the last event that was added. */
  #known = 0;
  /** Events committed while older ones are read; null: reading is done. */
  #waiting: Step[] | null = [];

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  ready(log: Log, changes: Changes): Promise<void> {
    return (this.#read ??= this.#begin(log, changes));
  }

  async #begin(log: Log, changes: Changes): Promise<void> {
    const { after, cut } = await findBeginning(log.store, this.#projectId);
    if (cut !== null) this.#ignored.add(cut);
    for await (const step of changes.since(this.#projectId, after)) this.#add(step);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const step of waiting) this.#add(step);
  }

  take(step: Step): void {
    if (this.#waiting === null) this.#add(step);
    else if (this.#read !== null) this.#waiting.push(step);
  }

  #add(step: Step): void {
    const { event } = step;
    if (event.position <= this.#known) return;
    this.#known = event.position;
    const { request_id } = event;
    if (event.type === 'project.apply_requested') this.#applied.add(event.position);
    if (request_id !== null && replacesLab(event)) this.#ignore(request_id);
    if (request_id === null || !isEditEvent(event) || this.#ignored.has(request_id)) return;
    for (const t of step.transitions)
      if (t.collection === 'node') this.names.set(t.id, t.record?.name ?? t.before?.name ?? '');
    const open = [...this.#open].find(([one]) => one.request_id === request_id);
    const [edit, touched] = open ?? this.#begun(event, request_id);
    addToEdit(edit, event, step.transitions, touched);
  }

  #begun(event: AnyEvent, request_id: string): [Edit, Set<string>] {
    const edit = beginEdit(event, request_id, event.cause !== null && this.#applied.has(event.cause));
    const touched = new Set<string>();
    this.edits.push(edit);
    while (this.edits.length > MOST_EDITS) this.edits.shift();
    this.#open.set(edit, touched);
    for (const old of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(old);
    }
    return [edit, touched];
  }

  #ignore(request_id: string): void {
    this.#ignored.add(request_id);
    const index = this.edits.findLastIndex((one) => one.request_id === request_id);
    for (const edit of index < 0 ? [] : this.edits.splice(index, 1)) this.#open.delete(edit);
  }
}

/** Requests whose events may interleave. More are not kept open, as a client may reuse a request id later. */
const MOST_OPEN = 8;

/**
 * Searches backwards for the position after which the last edits of a project lie, within bounds. `cut`: request that
 * began before it.
 */
const findBeginning = async (store: Store, projectId: string): Promise<{ after: number; cut: string | null }> => {
  const requests = new Set<string>();
  let first = (await lastVersion(store, projectId)) + 1;
  const least = Math.max(1, first - MOST_LOOKED_AT);
  let oldest: LogEvent | null = null;
  while (first > least && requests.size <= MOST_EDITS) {
    const from = Math.max(least, first - BLOCK);
    const texts = await readTexts(store, projectId, { from, limit: first - from });
    for (const text of texts) {
      const event = upcast(JSON.parse(text) as LogEvent);
      if (isEditEvent(event) && event.request_id !== null) requests.add(event.request_id);
    }
    const [text] = texts;
    if (text === undefined) break;
    oldest = JSON.parse(text) as LogEvent;
    first = from;
  }
  if (oldest === null) return { after: 0, cut: null };
  return { after: oldest.position - 1, cut: first === 1 ? null : oldest.request_id };
};

/** State of an edit: done, or undone. */
export interface EditState {
  edit: Edit;
  /** The latest edit among its undos and redos: the one to revert next. */
  latest: Edit;
  isUndone: boolean;
  /** A later edit of the same person prevents redo. */
  isOver: boolean;
}

/** States of all edits that revert no other one, newest first. Computed from the log alone. */
export const editStates = (edits: readonly Edit[]): EditState[] => {
  /** State by position of each edit of its undo and redo. */
  const by = new Map<number, EditState>();
  const all: EditState[] = [];
  for (const edit of edits) {
    if (edit.undoes !== null) {
      const standing = by.get(edit.undoes);
      // The edit that it reverts is older than those known.
      if (standing === undefined) continue;
      by.set(edit.position, standing);
      standing.latest = edit;
      standing.isUndone = !standing.isUndone;
      continue;
    }
    for (const other of all) if (other.isUndone && isSamePerson(other.edit.by, edit.by)) other.isOver = true;
    const standing = { edit, latest: edit, isUndone: false, isOver: false };
    by.set(edit.position, standing);
    all.push(standing);
  }
  return all.reverse();
};

/** The edit that a person would undo or redo next. */
export const nextOf = (all: readonly EditState[], by: Principal, what: 'undo' | 'redo'): EditState | undefined => {
  const own = all.filter(({ edit }) => isSamePerson(edit.by, by));
  if (what === 'undo') return own.find(({ isUndone }) => !isUndone);
  // Redo begins with the edit that was undone last.
  const undone = own.filter(({ isUndone, isOver }) => isUndone && !isOver);
  return undone.sort((a, b) => b.latest.position - a.latest.position)[0];
};
