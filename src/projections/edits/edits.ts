import { lastVersion, readTexts } from '../../events/read.ts';
import type { Store } from '../../events/store/database.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import type { LogEvent } from '../../events/event.ts';
import { upcast } from '../../events/upcasters.ts';
import type { Changes } from '../past/changes.ts';
import type { Step } from '../past/step.ts';
import { addToEdit, beginEdit, type Edit, isOfEdit, isOfWhole } from './edit.ts';

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
        if (step.event.request_id === request_id && isOfEdit(step.event)) steps.push(step);
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
    if (request_id !== null && isOfWhole(event)) this.#ignore(request_id);
    if (request_id === null || !isOfEdit(event) || this.#ignored.has(request_id)) return;
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
      if (isOfEdit(event) && event.request_id !== null) requests.add(event.request_id);
    }
    const [text] = texts;
    if (text === undefined) break;
    oldest = JSON.parse(text) as LogEvent;
    first = from;
  }
  if (oldest === null) return { after: 0, cut: null };
  return { after: oldest.position - 1, cut: first === 1 ? null : oldest.request_id };
};
