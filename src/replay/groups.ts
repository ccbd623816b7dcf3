import type { AnyEvent, DataOf } from '../events/schemas.ts';
import { isEditEvent } from '../projections/edits.ts';

/** Groups the events of a recording by the request that they come from, or none. */

export type Refused = DataOf<'request.refused'>;

/** One request and everything it led to. */
export interface Group {
  request_id: string | null;
  /** Whether the server did it by itself, as it would again only in the same situation. */
  system: boolean;
  at: string;
  position: number;
  /** Events without a cause, in order. */
  roots: AnyEvent[];
  /** All events, including the roots, in order, without refusals. */
  events: AnyEvent[];
  refused: Refused | null;
  /** Number of equal refusals that followed. */
  repeats: number;
}

export interface Grouped {
  groups: Group[];
  /** Events that happened by themselves, and their consequences, each with the number of groups before it. */
  background: { event: AnyEvent; after: number }[];
  /** Parts that a replay leaves out, and why. */
  notes: Note[];
}

export interface Note {
  position: number;
  text: string;
}

/** Events that the server causes by itself again in the same situation. */
const BY_ITSELF = new Set<AnyEvent['type']>([
  'node.start_requested',
  'node.exited',
  'node.trace_finished',
  'project.nodes_requested',
]);
/** Events without effect on the lab. */
const SIDE = new Set<AnyEvent['type']>([
  'warning.raised',
  'project.file_written',
  'project.unattended',
  'project.attended',
  'node.recording_started',
  'node.recording_stopped',
  // The log does not contain the applied text: each change is replayed as a request.
  'project.apply_requested',
  'project.applied',
  'project.apply_finished',
  // A replay pauses the weather, and requests its steps.
  'weather.paused',
  'weather.resumed',
]);

type Owner = Group | 'background' | 'left out';

const isSystem = ({ by }: AnyEvent): boolean => by.principal === 'system' && by.address === null;

export const groupEvents = (events: readonly AnyEvent[]): Grouped => {
  const grouping = new Grouping();
  for (const event of events) grouping.take(event);
  return grouping.result;
};

/** `groupEvents` for events that come one by one; `result` grows. */
export class Grouping {
  readonly result: Grouped = { groups: [], background: [], notes: [] };
  readonly #owners = new Map<number, Owner>();
  /** Latest group of each request id. */
  readonly #open = new Map<string, Group>();
  /** Positions at which texts of labs were applied. */
  readonly #applied = new Set<number>();
  /** Groups of nodes that such a text has made. */
  readonly #made = new Map<string, Group>();

  take(event: AnyEvent): void {
    const owner = this.#ownerOf(event);
    if (owner === null) return;
    this.#owners.set(event.position, owner);
    if (owner === 'background') this.result.background.push({ event, after: this.result.groups.length });
    else if (owner !== 'left out' && event.type !== 'request.refused') owner.events.push(event);
  }

  /** null for an event that is ignored. */
  #ownerOf(event: AnyEvent): Owner | null {
    if (event.type === 'request.refused') return this.#refusal(event);
    if (event.type === 'project.apply_requested') this.#applied.add(event.position);
    if (SIDE.has(event.type)) return null;
    // A project that the server closed, as nobody listened, is closed by a step.
    if (event.type === 'project.close_requested' && isSystem(event)) return this.#root(event);
    if (event.type === 'weather.stepped') return this.#root(event);
    // The cause may be before the recorded part.
    const cause = event.cause !== null && this.#applied.has(event.cause) ? null : event.cause;
    if (cause !== null && !this.#takesBack(event, cause)) return this.#owners.get(cause) ?? null;
    return isSystem(event) ? this.#byItself(event) : this.#root(event);
  }

  /** Whether an event undoes an edit of another request, which makes it a request of its own. */
  #takesBack(event: AnyEvent, cause: number): boolean {
    const owner = this.#owners.get(cause);
    return isEditEvent(event) && (typeof owner !== 'object' || owner.request_id !== event.request_id);
  }

  #refusal(event: Extract<AnyEvent, { type: 'request.refused' }>): Owner | null {
    if (event.cause !== null) {
      const first = this.#owners.get(event.cause);
      if (typeof first === 'object') first.repeats += event.data.count;
      return null;
    }
    const open = event.request_id === null ? undefined : this.#open.get(event.request_id);
    const group =
      open !== undefined && open.refused === null && mayRefuse(open, event.data) ? open : this.#begin(event);
    group.refused = event.data;
    return group;
  }

  #byItself(event: AnyEvent): Owner {
    const last = this.result.groups.at(-1)?.roots[0]?.type;
    // Opening a project with auto_start starts its nodes; after a load, that is a step of its own.
    const step =
      event.type === 'project.open_requested' ||
      (event.type === 'project.nodes_requested' && last !== 'project.open_requested');
    if (step) return this.#root(event);
    if (BY_ITSELF.has(event.type)) return 'background';
    this.result.notes.push({
      position: event.position,
      text: `${event.type} (the server's own doing) is not replayed`,
    });
    return 'left out';
  }

  #root(event: AnyEvent): Group {
    const open = event.request_id === null ? undefined : this.#open.get(event.request_id);
    const group = this.#startsWith(event) ?? (open !== undefined && continues(open, event) ? open : this.#begin(event));
    group.roots.push(event);
    if (event.type === 'node.created' && event.cause !== null) this.#made.set(event.data.node_id, group);
    return group;
  }

  /** Group of a node that always runs, which starts with its creation; a text creates all nodes first. */
  #startsWith(event: AnyEvent): Group | null {
    if (event.type !== 'node.start_requested' || event.cause === null) return null;
    const group = this.#made.get(event.data.node_id);
    return group?.request_id === event.request_id ? group : null;
  }

  #begin(event: AnyEvent): Group {
    const { request_id, at, position } = event;
    const group = {
      request_id,
      system: isSystem(event),
      at,
      position,
      roots: [],
      events: [],
      refused: null,
      repeats: 0,
    };
    this.result.groups.push(group);
    if (request_id !== null) this.#open.set(request_id, group);
    return group;
  }
}

/** Whether a refusal belongs to a group. Clients may reuse a request id, so the id alone is not enough. */
const mayRefuse = (group: Group, { method, path }: Refused): boolean => {
  const [first] = group.roots;
  if (first === undefined) return false;
  const data = first.data as { node_id?: string; link_id?: string | null };
  const about = [data.node_id, data.link_id].filter((id): id is string => typeof id === 'string');
  if (method === 'POST' && first.type.endsWith('.created')) return true;
  return about.length === 0 ? first.type.startsWith('project.') : about.some((id) => path.includes(id));
};

/** Events without a cause that one request produces one after another. */
const FOLLOWERS: Partial<Record<AnyEvent['type'], readonly AnyEvent['type'][]>> = {
  // Kinds that always run start with their creation.
  'node.created': ['node.start_requested'],
  // A reload, or a deletion.
  'node.stop_requested': ['node.start_requested', 'capture.stop_requested', 'link.deleted', 'node.deleted'],
  'node.resume_requested': ['node.reload_requested', 'node.stop_requested'],
  'capture.stop_requested': ['capture.stop_requested', 'link.deleted', 'node.deleted'],
  'link.deleted': ['link.deleted', 'node.deleted'],
  // A failure outside of the records is undone.
  'link.created': ['link.deleted'],
  'node.nio_added': ['node.nio_removed'],
  'node.nio_updated': ['node.nio_updated'],
  'project.close_requested': ['project.deleted'],
};
const CONTENT = ['node.created', 'link.created', 'drawing.created', 'project.open_requested', 'project.deleted'];

const continues = (group: Group, event: AnyEvent): boolean => {
  const [first] = group.roots;
  const last = group.roots.at(-1);
  if (first === undefined || last === undefined || group.refused !== null) return false;
  if (first.type === 'project.created' || first.type === 'project.replaced')
    return last.type !== 'project.open_requested' && CONTENT.includes(event.type);
  return FOLLOWERS[last.type]?.includes(event.type) === true && isOfSameNode(last, event);
};

/** Whether two events may concern the same node; links and captures have two nodes. */
const isOfSameNode = (a: AnyEvent, b: AnyEvent): boolean => {
  if (!a.type.startsWith('node.') || !b.type.startsWith('node.')) return true;
  return (a.data as { node_id?: string }).node_id === (b.data as { node_id?: string }).node_id;
};
