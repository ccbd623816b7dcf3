import { invalid } from '../common/errors.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { fold } from '../projections/fold/fold.ts';
import type { RecordView } from '../projections/records.ts';
import { Records } from '../projections/store.ts';
import type { Base } from '../session/format.ts';
import { isVerdict } from './normalise.ts';
import { type Group, type Grouped, groupEvents, type Note } from './groups.ts';
import { type Bag, isInside, type KindOf, REQUESTS, type Request } from './requests.ts';

/** A request of the recording that changed something, or tried to. Ids are those of the recording. */
export interface Step extends Request {
  /** From 1. */
  n: number;
  at: string;
  position: number;
  /** Events that it led to. */
  events: AnyEvent[];
  /** null for a request that was carried out. */
  refused: { status: number; reason: string } | null;
  /** Whether the recording ends, or the server was killed, before all of its outcomes were known. */
  partial: boolean;
  /** Events that had happened by themselves since the step before. */
  awaits: AnyEvent[];
}

/** Plan to perform a recorded session. */
export interface Plan {
  project_id: string;
  /** The lab before the first step. */
  base: Base & { project: NonNullable<Base['project']> };
  steps: Step[];
  /** Events that happened by themselves during the steps. */
  background: AnyEvent[];
  /** Parts that are left out of the replay, and why. */
  notes: Note[];
  /** Ids of all objects of the recording. */
  ids: string[];
}

export interface Range {
  /** First and last position, inclusive. */
  from?: number;
  to?: number;
}

/** Pure. Throws `invalid_request` for a recording without anything to replay. */
export const planReplay = (session: { events: readonly AnyEvent[]; base: Base | null }, range: Range = {}): Plan => {
  const { events } = session;
  const { groups, background, notes } = groupEvents(events);
  const [first] = groups;
  const beginning = session.base === null && first?.roots[0]?.type === 'project.created' ? first : null;
  const baseEnd = beginning?.events.at(-1)?.position ?? 0;
  const from = Math.max(range.from ?? 0, 0);
  const to = range.to ?? Infinity;
  // A range that begins within the creation of the lab includes all of it.
  const whole = from <= baseEnd;
  const inBase = new Set(whole ? (beginning?.events ?? []) : []);
  const base = baseOf(session, (event) => inBase.has(event) || (!whole && event.position < from));
  const chosen = takeUntilEnd(
    groups.filter((g) => g !== beginning && g.position >= from && g.position <= to),
    notes,
  );
  const indexes = new Map(groups.map((group, i) => [group, i]));
  const last = chosen.at(-1);
  const end = last === undefined ? 0 : (indexes.get(last) ?? 0) + 1;
  const inside = background.filter(({ after, event }) => event.position >= from && !inBase.has(event) && after <= end);
  const kindOf = kindsIn(session);
  const requests = chosen.flatMap((group): [Group, Request][] => {
    const request = requestOf(group, base.project.project_id, kindOf);
    if (!('left out' in request)) return [[group, request]];
    notes.push({ position: group.position, text: request['left out'] });
    return [];
  });
  return {
    project_id: base.project.project_id,
    base,
    // Verdicts come as long as checks run, so those after the range are left out.
    steps: stepsOf(requests, inside, indexes).map((step) => ({
      ...step,
      events: step.events.filter(({ type, position }) => position <= to || !isVerdict(type)),
    })),
    background: inside.map(({ event }) => event),
    notes: notes.filter((n) => n.position >= from && n.position <= to).sort((a, b) => a.position - b.position),
    ids: idsIn(session),
  };
};

/** Makes steps, each with the events that had happened by themselves since the one before. */
const stepsOf = (
  requests: readonly [Group, Request][],
  background: Grouped['background'],
  indexes: ReadonlyMap<Group, number>,
): Step[] => {
  let next = 0;
  return requests.map(([group, request], i) => {
    const index = indexes.get(group) ?? 0;
    const awaits: AnyEvent[] = [];
    for (let one = background[next]; one !== undefined && one.after <= index; one = background[++next])
      awaits.push(one.event);
    return stepOf(group, request, i + 1, awaits);
  });
};

const baseOf = (
  session: { events: readonly AnyEvent[]; base: Base | null },
  includes: (event: AnyEvent) => boolean,
): Plan['base'] => {
  const records = new Records();
  if (session.base !== null) {
    const { project, nodes, links, drawings } = session.base;
    records.restore([
      ...(project === null ? [] : [{ collection: 'project', id: project.project_id, record: project } as const]),
      ...nodes.map((record) => ({ collection: 'node', id: record.node_id, record }) as const),
      ...links.map((record) => ({ collection: 'link', id: record.link_id, record }) as const),
      ...drawings.map((record) => ({ collection: 'drawing', id: record.drawing_id, record }) as const),
    ]);
  }
  for (const event of session.events) if (includes(event)) records.apply(fold(records.committed, event));
  return contentOf(records.committed);
};

const contentOf = (view: RecordView): Plan['base'] => {
  const [project] = view.projects();
  if (project === undefined) throw invalid('there is no project at the moment from which it is to be replayed');
  const id = project.project_id;
  return {
    project,
    nodes: [...view.ofProject('node', id)],
    links: [...view.ofProject('link', id)],
    drawings: [...view.ofProject('drawing', id)],
  };
};

/** Cuts the recording where the lab was deleted or replaced. */
const takeUntilEnd = (groups: Group[], notes: Note[]): Group[] => {
  const end = groups.findIndex((g) =>
    g.roots.some(({ type }) => type === 'project.deleted' || type === 'project.replaced' || type === 'project.created'),
  );
  const [last] = end === -1 ? [] : groups.slice(end, end + 1);
  if (last === undefined) return groups;
  const deleted = last.roots.some(({ type }) => type === 'project.deleted');
  const what = deleted ? 'the project was deleted' : 'the project file was changed by someone else and read again';
  notes.push({ position: last.position, text: `the replay ends here: ${what}` });
  return groups.slice(0, end);
};

const kindsIn = (session: { events: readonly AnyEvent[]; base: Base | null }): KindOf => {
  const kinds = new Map(session.base?.nodes.map((n) => [n.node_id, n.kind]));
  for (const event of session.events) if (event.type === 'node.created') kinds.set(event.data.node_id, event.data.kind);
  return (nodeId) => kinds.get(nodeId) ?? 'unknown';
};

const idsIn = ({ events, base }: { events: readonly AnyEvent[]; base: Base | null }): string[] => {
  const ids = new Set<string>();
  const add = (data: object): void => {
    for (const key of ['project_id', 'node_id', 'link_id', 'drawing_id', 'snapshot_id']) {
      const id = (data as Bag)[key];
      if (typeof id === 'string') ids.add(id);
    }
  };
  for (const record of [base?.project ?? {}, ...(base?.nodes ?? []), ...(base?.links ?? []), ...(base?.drawings ?? [])])
    add(record);
  for (const { type, data } of events) if (type.endsWith('.created')) add(data);
  return [...ids];
};

const requestOf = (group: Group, projectId: string, kindOf: KindOf): Request | { 'left out': string } => {
  const main = mainEvent(group);
  const made = main === undefined ? null : requestFor(main, group, kindOf);
  if (group.refused === null) return made ?? { 'left out': `${main?.type ?? 'a request'} is not replayed` };
  const { method, path, route, status, body } = group.refused;
  const outside = isInside(path, projectId) ? outsideOf(group.refused) : 'it is no path of its project';
  if (outside !== null) return { 'left out': `${method} ${path} (refused: ${status}) is not replayed: ${outside}` };
  // A path without a route is refused before its body is looked at.
  if (typeof body !== 'object' && route !== '*')
    return made ?? { 'left out': `${method} ${path} (refused: ${status}) is not replayed: its body was not kept` };
  return { method, path, body: typeof body === 'object' ? (body as Bag | null) : null };
};

/** Why the outcome of an attempt depends on more than the lab; null if it does not. */
const outsideOf = ({ method, route, status, body, reason }: NonNullable<Group['refused']>): string | null => {
  if (status >= 500 || [401, 408, 429].includes(status)) return 'that was the state of the server, not of the lab';
  if (/\/(fork|replays?)(\/|$)/.test(route)) return 'it would make another project';
  if (status === 403 && reason.includes('--local')) return 'it depends on whether the server is local';
  if (status !== 409) return null;
  const given = typeof body === 'object' && body !== null ? (body as Bag) : {};
  if (method === 'PUT' && route.endsWith('/projects/{project_id}')) return 'it depends on the other projects';
  if (typeof given['console'] === 'number') return 'it depends on the ports in use';
  return null;
};

/** The event that names the request: mostly the first, but a deletion begins with stopping what runs. */
const mainEvent = ({ roots }: Group): AnyEvent | undefined => {
  const last = roots.at(-1);
  const deletes = last?.type === 'node.deleted' || last?.type === 'link.deleted';
  return deletes && roots[0]?.type !== 'link.created' ? last : roots[0];
};

const requestFor = (event: AnyEvent, group: Group, kindOf: KindOf): Request | null => {
  const [first, second] = group.roots;
  const reload = first?.type === 'node.stop_requested' || first?.type === 'node.resume_requested';
  if (reload && second?.type.startsWith('node.') === true && second.type !== 'node.deleted')
    return REQUESTS['node.reload_requested']?.(first.data, kindOf) ?? null;
  // The table's row and the event's data are of one type.
  const make = REQUESTS[event.type] as ((data: unknown, kindOf: KindOf) => Request) | null;
  return make?.(event.data, kindOf) ?? null;
};

const stepOf = (group: Group, request: Request, n: number, awaits: AnyEvent[]): Step => {
  const { refused } = group;
  return {
    ...request,
    n,
    at: group.at,
    position: group.position,
    events: group.events,
    refused: refused === null ? null : { status: refused.status, reason: refused.reason },
    partial: isPartial(group.events),
    awaits,
  };
};

const isPartial = (events: readonly AnyEvent[]): boolean => {
  const answered = new Set(events.filter((f) => !f.type.endsWith('_requested')).map((f) => f.cause));
  return events.some((f) => f.type.endsWith('_requested') && !answered.has(f.position));
};
