import type { AnyFact, DataOf } from '../../events/facts.ts';

/** Facts by what they come from: a request each, or nobody. */

export type Refused = DataOf<'request.refused'>;

/** One request and everything it led to. */
export interface Group {
  request_id: string | null;
  /** Asked for by nobody: the server did it by itself, as it would again only in the same situation. */
  system: boolean;
  at: string;
  position: number;
  /** Facts without a cause, in order. */
  roots: AnyFact[];
  /** All of them, roots included, in order; refusals left out. */
  facts: AnyFact[];
  refused: Refused | null;
  /** Alike refusals that followed. */
  repeats: number;
}

export interface Grouped {
  groups: Group[];
  /** What happened by itself, and what that led to, each with the number of groups before it. */
  background: { fact: AnyFact; after: number }[];
  /** What a replay leaves out, and why. */
  notes: Note[];
}

export interface Note {
  position: number;
  text: string;
}

/** What the server does by itself again in the same situation. */
const BY_ITSELF = new Set<AnyFact['type']>([
  'node.start_requested',
  'node.exited',
  'node.trace_finished',
  'project.nodes_requested',
]);
/** Without effect on what a lab is. */
const SIDE = new Set<AnyFact['type']>([
  'warning.raised',
  'project.file_written',
  'project.unattended',
  'project.attended',
  'node.recording_started',
  'node.recording_stopped',
]);

type Owner = Group | 'background' | 'left out';

const isSystem = ({ by }: AnyFact): boolean => by.principal === 'system' && by.address === null;

export const groupFacts = (facts: readonly AnyFact[]): Grouped => {
  const grouping = new Grouping();
  for (const fact of facts) grouping.take(fact);
  return grouping.result;
};

/** `groupFacts` for facts that come one by one; `result` grows. */
export class Grouping {
  readonly result: Grouped = { groups: [], background: [], notes: [] };
  readonly #owners = new Map<number, Owner>();
  /** Newest group of each request id. */
  readonly #open = new Map<string, Group>();

  take(fact: AnyFact): void {
    const owner = this.#ownerOf(fact);
    if (owner === null) return;
    this.#owners.set(fact.position, owner);
    if (owner === 'background') this.result.background.push({ fact, after: this.result.groups.length });
    else if (owner !== 'left out' && fact.type !== 'request.refused') owner.facts.push(fact);
  }

  /** null: the fact belongs to nothing that is looked at. */
  #ownerOf(fact: AnyFact): Owner | null {
    if (fact.type === 'request.refused') return this.#refusal(fact);
    if (SIDE.has(fact.type)) return null;
    // That nobody listened is not part of the lab; that it was closed is.
    if (fact.type === 'project.close_requested' && isSystem(fact)) return this.#root(fact);
    // What led to it may be before the part that was recorded.
    if (fact.cause !== null) return this.#owners.get(fact.cause) ?? null;
    return isSystem(fact) ? this.#byItself(fact) : this.#root(fact);
  }

  #refusal(fact: Extract<AnyFact, { type: 'request.refused' }>): Owner | null {
    if (fact.cause !== null) {
      const first = this.#owners.get(fact.cause);
      if (typeof first === 'object') first.repeats += fact.data.count;
      return null;
    }
    const open = fact.request_id === null ? undefined : this.#open.get(fact.request_id);
    const group = open !== undefined && open.refused === null && mayRefuse(open, fact.data) ? open : this.#begin(fact);
    group.refused = fact.data;
    return group;
  }

  #byItself(fact: AnyFact): Owner {
    const last = this.result.groups.at(-1)?.roots[0]?.type;
    // Opening starts the nodes of a project with auto_start; after a load, that is a step of its own.
    const step =
      fact.type === 'project.open_requested' ||
      (fact.type === 'project.nodes_requested' && last !== 'project.open_requested');
    if (step) return this.#root(fact);
    if (BY_ITSELF.has(fact.type)) return 'background';
    this.result.notes.push({ position: fact.position, text: `${fact.type} (the server's own doing) is not replayed` });
    return 'left out';
  }

  #root(fact: AnyFact): Group {
    const open = fact.request_id === null ? undefined : this.#open.get(fact.request_id);
    const group = open !== undefined && continues(open, fact) ? open : this.#begin(fact);
    group.roots.push(fact);
    return group;
  }

  #begin(fact: AnyFact): Group {
    const { request_id, at, position } = fact;
    const group = { request_id, system: isSystem(fact), at, position, roots: [], facts: [], refused: null, repeats: 0 };
    this.result.groups.push(group);
    if (request_id !== null) this.#open.set(request_id, group);
    return group;
  }
}

/** Clients may give one id to several requests, so an id alone does not make a refusal that of the request before. */
const mayRefuse = (group: Group, { method, path }: Refused): boolean => {
  const [first] = group.roots;
  if (first === undefined) return false;
  const data = first.data as { node_id?: string; link_id?: string | null };
  const about = [data.node_id, data.link_id].filter((id): id is string => typeof id === 'string');
  if (method === 'POST' && first.type.endsWith('.created')) return true;
  return about.length === 0 ? first.type.startsWith('project.') : about.some((id) => path.includes(id));
};

/** Facts without a cause that one request makes, one after another. */
const FOLLOWERS: Partial<Record<AnyFact['type'], readonly AnyFact['type'][]>> = {
  // Kinds that always run start with their creation.
  'node.created': ['node.start_requested'],
  // A reload, or a deletion.
  'node.stop_requested': ['node.start_requested', 'capture.stop_requested', 'link.deleted', 'node.deleted'],
  'node.resume_requested': ['node.reload_requested', 'node.stop_requested'],
  'capture.stop_requested': ['capture.stop_requested', 'link.deleted', 'node.deleted'],
  'link.deleted': ['link.deleted', 'node.deleted'],
  // What the world did not take is taken back.
  'link.created': ['link.deleted'],
  'node.nio_added': ['node.nio_removed'],
  'node.nio_updated': ['node.nio_updated'],
  'project.close_requested': ['project.deleted'],
};
const CONTENT = ['node.created', 'link.created', 'drawing.created', 'project.open_requested', 'project.deleted'];

const continues = (group: Group, fact: AnyFact): boolean => {
  const [first] = group.roots;
  const last = group.roots.at(-1);
  if (first === undefined || last === undefined || group.refused !== null) return false;
  if (first.type === 'project.created' || first.type === 'project.replaced')
    return last.type !== 'project.open_requested' && CONTENT.includes(fact.type);
  return FOLLOWERS[last.type]?.includes(fact.type) === true && isOfSameNode(last, fact);
};

/** A link or a capture may be of either of two nodes. */
const isOfSameNode = (a: AnyFact, b: AnyFact): boolean => {
  if (!a.type.startsWith('node.') || !b.type.startsWith('node.')) return true;
  return (a.data as { node_id?: string }).node_id === (b.data as { node_id?: string }).node_id;
};
