import type { LogEvent, Principal } from '../events/event.ts';
import { lastVersion, readTexts } from '../events/read.ts';
import type { AnyEvent } from '../events/schemas.ts';
import type { Store } from '../events/store/store.ts';
import { upcast } from '../events/upcasters.ts';
import type { Step, Transition } from './fold/change.ts';
import type { Changes } from './past/changes.ts';

/** What an edit can touch. */
export type EditType = 'project' | 'node' | 'link' | 'drawing';
export type EditAction = 'create' | 'delete' | 'move' | 'rename' | 'change';

/** One object that an edit touched, as it was called then. */
interface EditObject {
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
export const isEditEvent = ({ type, request_id, by }: Seen): boolean =>
  request_id !== null && by.principal !== 'system' && EDITS.has(type);

const replacesLab = ({ type, request_id }: Seen): boolean => request_id !== null && WHOLE.has(type);

/** The same person: by name, and where nobody has one by the address. */
export const isSamePerson = (a: Principal, b: Principal): boolean =>
  a.principal === b.principal && (a.principal !== 'anonymous' || a.address === b.address);

/** `isApplied`: its cause is a text that was applied, and no edit that it takes back. */
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

/** Objects that are kept with an edit: those that are named in its words, and some for a list. */
const MOST_NAMED = 10;

/** Takes in what an event of the edit has changed. `touched`: what it is known to have touched before. */
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

/** What can be undone is among the last edits of a project. */
export interface Edits {
  /** Oldest first. */
  of(projectId: string): Promise<readonly Edit[]>;
  /** Name of a node, also of one that is gone. */
  nameOf(projectId: string, nodeId: string): string | null;
  /** What an edit has changed, event by event. */
  stepsOf(projectId: string, edit: Edit): Promise<Step[]>;
}

interface Log {
  readonly store: Store;
}

/** Edits kept of a project. */
const MOST_EDITS = 200;
/** Events looked at for them, and read at once. */
const MOST_LOOKED_AT = 60_000;
const BLOCK = 500;
/** Projects whose edits are kept; those of another one are looked up again. */
const MOST_PROJECTS = 32;

/** Read from the newest events when they are first asked for, and then kept up with those that come. */
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
  /** Those that may still grow, with what they have touched. */
  readonly #open = new Map<Edit, Set<string>>();
  /** Requests that are none: of a whole lab, or not known from their beginning. */
  readonly #ignored = new Set<string>();
  /** Where texts of labs were applied. */
  readonly #applied = new Set<number>();
  #read: Promise<void> | null = null;
  /** Position that is taken in. */
  #known = 0;
  /** What came while older ones were read; null: they are read. */
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

/** Requests whose events may come between those of others. A client may give a later one the same id. */
const MOST_OPEN = 8;

/**
 * The position after which the last edits of a project are, found from the end. `cut`: the request that began before it. Neither all events
 * nor all edits are looked at.
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

/** An edit as it stands: done, or taken back. */
export interface EditState {
  edit: Edit;
  /** The last of those that did it and took it back: what is to be taken back next. */
  latest: Edit;
  isUndone: boolean;
  /** An edit that its person made later keeps it from being done again. */
  isOver: boolean;
}

/** Every edit that is not one that takes back another, newest first, and whether it is undone: known from the log alone. */
export const editStates = (edits: readonly Edit[]): EditState[] => {
  /** By the position of each that did it or took it back. */
  const by = new Map<number, EditState>();
  const all: EditState[] = [];
  for (const edit of edits) {
    if (edit.undoes !== null) {
      const standing = by.get(edit.undoes);
      // What it takes back is older than what is known.
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

/** What somebody would undo or redo next. */
export const nextOf = (all: readonly EditState[], by: Principal, what: 'undo' | 'redo'): EditState | undefined => {
  const own = all.filter(({ edit }) => isSamePerson(edit.by, by));
  if (what === 'undo') return own.find(({ isUndone }) => !isUndone);
  // The one that was undone last.
  const undone = own.filter(({ isUndone, isOver }) => isUndone && !isOver);
  return undone.sort((a, b) => b.latest.position - a.latest.position)[0];
};
