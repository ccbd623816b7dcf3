import { isDeepStrictEqual } from 'node:util';
import { inSlices, type Steps } from '../common/slices.ts';
import type { LogEvent } from '../events/event.ts';
import type { LinkWeather, WeatherEntry } from '../events/fields.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { upcast } from '../events/upcasters.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { Past } from '../projections/past/past.ts';
import type { Step } from '../projections/fold/change.ts';
import { asData } from '../projections/past/timeline/kinds.ts';
import { objectOf } from '../projections/past/timeline/names.ts';
import type { RecordView } from '../projections/records.ts';
import { Records } from '../projections/store.ts';
import { linkWeatherOf, weatherAt } from '../projections/weather.ts';
import type { Obstacle, Since } from './contract.ts';
import { eventSentence, weatherName } from './event-text.ts';
import { changeLab, compileFilters, type Lab, labOf, type LabSources, linkName } from './lab.ts';
import { analyse, closedProject, emptyPath, missingAddress, type Question } from './packet-path.ts';
import { ownersOf } from './routing.ts';
import { stateOf } from './segment.ts';

/** Events of a project in the first step back: most causes are recent. */
const STEP = 5_000;
/** Factor by which later steps are longer, as each one folds the records before it again. */
const LONGEST_STEPS = 4;
/** Length of the whole search in first steps; older causes are not found. */
const MOST_STEPS = 20;
/** Time limit of a search. Milliseconds. */
const PATIENCE_MS = 20_000;

export interface SinceQuery {
  project_id: string;
  position: number;
  question: Question;
  known: LabSources;
}

interface Limits {
  /** Events in the first step. */
  step?: number;
  /** Whether the time limit has passed. */
  isLate?: () => boolean;
}

/** `isLate`: the search hit its time limit. `walks`: how often the path was followed. */
export interface SinceResult {
  since: Since | null;
  /** Whether the event changed something that was there before. */
  isChange: boolean;
  isLate: boolean;
  walks: number;
}

const patience = (): (() => boolean) => {
  const until = performance.now() + PATIENCE_MS;
  return () => performance.now() > until;
};

/**
 * Finds the last event after which an obstacle existed and before which it did not. Folds the records again and takes them back event by
 * event, newest first; follows the path again only where an event changed something that was looked up on it.
 */
export const findSince = async (
  log: Log,
  asked: SinceQuery,
  { key }: Pick<Obstacle, 'key'>,
  { step = STEP, isLate = patience() }: Limits = {},
): Promise<SinceResult> => {
  const { project_id } = asked;
  let back: Rewind | null = null;
  const found = (since: Since | null, { isLate: late = false, isChange = false } = {}): SinceResult => ({
    since,
    isChange,
    isLate: late,
    walks: back?.walks ?? 0,
  });
  for (let [to, n, steps] = [asked.position, 0, 1]; to > 0 && n < MOST_STEPS;) {
    const events = Math.min(steps, MOST_STEPS - n) * step;
    const from = await log.moments.firstOf(project_id, events, to);
    const records = from === 1 ? new Records() : await log.moments.copyAt(project_id, from - 1);
    const done: Step[] = [];
    for await (const event of eventsOf(log, { project_id, from, to })) {
      const one = records.advance(event);
      for (const { collection, before } of one.transitions)
        if (collection === 'link' && before !== null) await compileFilters([before]);
      done.push(one);
    }
    const view = records.committed;
    if (back === null) {
      const project = view.get('project', project_id);
      if (project === undefined) return found(null);
      back = new Rewind(await labOf(view, project, asked.known), asked, key);
      if (!(await inSlices(back.begins(view)))) return found(null);
    }
    const cause = await inSlices(back.through(records, done, isLate));
    if (cause === 'late') return found(null, { isLate: true });
    if (cause !== null) {
      const isChange = cause.transitions.some(({ before }) => before !== null);
      return found(await sinceOf(log, { project_id, view, lab: back.lab }, cause), { isChange });
    }
    [to, n, steps] = [from - 1, n + steps, Math.min(2 * steps, LONGEST_STEPS)];
  }
  return found(null);
};

const STATE = /^node_[a-z]+:/;
/** Obstacles by something missing, which was also missing before an unrelated object was made. */
const MISSING = /^no_(?:path|gateway|address):/;

/** Takes events back and tells whether an obstacle exists. */
class Rewind {
  readonly lab: Lab;
  readonly #asked: SinceQuery;
  readonly #key: string;
  walks = 0;

  constructor(lab: Lab, asked: SinceQuery, key: string) {
    this.lab = lab;
    this.#asked = asked;
    this.#key = key;
  }

  begins(view: RecordView): Steps<boolean> {
    return this.#isThere(view);
  }

  /** Takes events back, last one first; returns the one before which the obstacle did not exist. `records`: after these events. */
  *through(records: Records, steps: readonly Step[], isLate: () => boolean): Steps<Step | 'late' | null> {
    for (const step of steps.toReversed()) {
      const { transitions } = step;
      records.apply(transitions.map(({ collection, id, before }) => ({ collection, id, record: before }) as never));
      let matters = false;
      for (const transition of transitions.toReversed())
        if (this.#takeBack(transition, records.committed)) matters = true;
      if (matters && !(yield* this.#isThere(records.committed))) return step;
      yield;
      if (isLate()) return 'late';
    }
    return null;
  }

  #takeBack(transition: Step['transitions'][number], view: RecordView): boolean {
    const { collection, id, before } = transition;
    const { project_id, question, known } = this.#asked;
    if (collection === 'project') {
      const project = view.get('project', project_id);
      if (project !== undefined) this.lab.project = project;
      return project === undefined || this.#key === 'project_closed';
    }
    const isOnWay = changeLab(this.lab, known, transition);
    if (STATE.test(this.#key)) return this.#key.endsWith(`:${id}`);
    if (before !== null || !MISSING.test(this.#key)) return isOnWay;
    const ends = [question.from, question.to];
    const touched = collection === 'link' ? (transition.record?.nodes.map(({ node_id }) => node_id) ?? []) : [id];
    return isOnWay && touched.some((one) => ends.includes(one));
  }

  *#isThere(view: RecordView): Steps<boolean> {
    const { project_id, question } = this.#asked;
    const [key, lab] = [this.#key, this.lab];
    for (const map of [lab.nodes, lab.links, lab.owners]) map.lookedUp.clear();
    const isThis = (one: Obstacle): boolean => one.key === key;
    if (STATE.test(key)) {
      // The state of a node counts even before the path leads over it, and before the other node exists.
      const id = key.slice(key.indexOf(':') + 1);
      const node = lab.nodes.get(id);
      const record = view.get('node', id) ?? node?.record;
      return node !== undefined && record !== undefined && stateOf({ ...node, record }).some(isThis);
    }
    if (unownedKeys(lab, question).includes(key)) return true;
    const ends = [question.from, question.to].flatMap((id) => (id === null ? [] : [lab.nodes.get(id)]));
    if (view.get('project', project_id) === undefined) return false;
    if (closedProject(lab).some(isThis)) return true;
    if (ends.some((node) => node === undefined || node.isGone)) return false;
    if (ends.some((node) => missingAddress(lab, node ?? null).some(isThis))) return true;
    this.walks += 1;
    const ways = { request: emptyPath(), reply: emptyPath() };
    const walk = analyse(lab, question, ways);
    for (let seen = 0; ;) {
      const { done } = walk.next();
      const all = [ways.request.obstacles, ways.reply.obstacles];
      const count = all.reduce((sum, { length }) => sum + length, 0);
      if (count > seen && all.some((obstacles) => obstacles.some(isThis))) return true;
      if (done === true) return false;
      seen = count;
      yield;
    }
  }
}

/** Keys of obstacles by an address that no node has: it was also missing before the sender was made, or got its own, so that is no cause. */
const unownedKeys = (lab: Lab, { from, to, address }: Question): string[] => {
  if (to !== null || address === null || ownersOf(lab, address).length > 0) return [];
  const isThere = lab.nodes.get(from)?.isGone === false;
  return [`no_address:${from}:${address.text}`, ...(isThere ? [] : [`no_route:${from}:${address.text}`])];
};

/** Events in one page: some milliseconds of work. */
const PAGE = 250;

async function* eventsOf(
  { past }: Pick<Log, 'past'>,
  { from, ...query }: { project_id: string; from: number; to: number; types?: string[]; object?: string },
): AsyncGenerator<AnyEvent> {
  for (let next: number | null = from; next !== null;) {
    const page = await past.history({ ...query, from: next, limit: PAGE });
    for (const text of page.texts) yield upcast(JSON.parse(text) as LogEvent);
    ({ next } = page);
  }
}

/** Most deleted nodes and links, newest first, that may have been on the path. */
const MOST_GONE = 100;

export const findGone = async (
  log: Log,
  project_id: string,
  position: number,
): Promise<NonNullable<LabSources['gone']>> => {
  const deleted: string[] = [];
  for await (const event of eventsOf(log, {
    project_id,
    from: 1,
    to: position,
    types: ['node.deleted', 'link.deleted'],
  })) {
    const id = objectOf(event.data)?.id;
    if (id !== undefined) deleted.push(id);
  }
  const gone: {
    nodes: NonNullable<LabSources['gone']>['nodes'][number][];
    links: NonNullable<LabSources['gone']>['links'][number][];
  } = { nodes: [], links: [] };
  for (const id of deleted.slice(-MOST_GONE)) {
    const records = new Records();
    const { texts } = await log.past.history({ project_id, object: id, to: position });
    for (const text of texts) {
      const event = upcast(JSON.parse(text) as LogEvent);
      if (!event.type.endsWith('.deleted')) records.advance(event);
    }
    const [node, link] = [records.committed.get('node', id), records.committed.get('link', id)];
    if (node !== undefined) gone.nodes.push(node);
    if (link !== undefined) gone.links.push(link);
  }
  return gone;
};

/** Events that begin and end a run of a node, whose start-up text alone outlives it. */
const BEGINS = new Set(['node.started', 'node.reloaded']);
const ENDS = new Set(['node.stop_requested', 'node.reload_requested', 'node.exited', 'node.lost']);
const RUNS = [...BEGINS, ...ENDS];

/** The event that ended the last run but one of a node; null if what `cause` did came only in that run: it needed a restart to count. */
export const findRestart = async (
  log: Log,
  { project_id, position, node_id, lab, view }: { position: number; node_id: string } & Before,
  cause: Since | null,
): Promise<Since | null> => {
  const query = { project_id, object: node_id, from: 1, to: position, types: RUNS };
  const events: AnyEvent[] = [];
  for await (const event of eventsOf(log, query)) events.push(event);
  const began = events.findLastIndex(({ type }) => BEGINS.has(type));
  const ended = events.findLastIndex(({ type }, n) => n < began && ENDS.has(type));
  const first = events.findLast(({ type }, n) => n < ended && BEGINS.has(type));
  const event = events[ended];
  if (event === undefined || first === undefined || first.position < (cause?.position ?? 0)) return null;
  return sinceOf(log, { project_id, view, lab }, { event, transitions: [] });
};

export interface Log {
  past: Pick<Past, 'history' | 'causes'>;
  moments: Pick<Moments, 'copyAt' | 'firstOf'>;
}

type Bag = Readonly<Record<string, unknown>>;

/** Records before an event, and the lab of that moment. */
interface Before {
  project_id: string;
  view: RecordView;
  lab: Lab;
}

/** Describes the cause. An outcome is told as the request that led to it; the weather is the actor of its steps. */
const sinceOf = async (log: Log, before: Before, { event, transitions }: Step): Promise<Since> => {
  const causes = await log.past.causes(event);
  const [cause] = causes;
  const isOutcome = cause?.type.endsWith('_requested') === true;
  const asked = isOutcome ? cause : event;
  const root = causes.at(-1) ?? event;
  const id = objectOf(asked.data)?.id ?? '';
  const was = propertiesOf(asked, before.view);
  const sky = causes.find(({ type }) => type.startsWith('weather.'));
  const by = sky === undefined ? root.by.principal : asked.by.principal;
  const storms = sky === undefined ? [] : await stormsOf(log, before, { step: sky, event: asked, was });
  const who = sky === undefined ? by : weatherName(storms);
  const sentence = eventSentence(asked, { who, name: nameOf(before, id, transitions), before: was });
  return {
    position: asked.position,
    at: asked.at,
    type: asked.type,
    by,
    sentence: `${sentence} at ${asked.at} (event ${asked.position})`,
  };
};

/** Properties of a node or a link before an event. */
const propertiesOf = ({ type, data }: LogEvent, view: RecordView): Bag => {
  const id = objectOf(data)?.id;
  if ((type !== 'node.updated' && type !== 'link.updated') || id === undefined) return {};
  return view.get('node', id)?.properties ?? { ...view.get('link', id) };
};

/** Name of an object after an event, or before it if the event deleted it. */
const nameOf = ({ view, lab }: Before, id: string, transitions: Step['transitions']): string => {
  const changed = transitions.find((one) => one.id === id);
  if (changed?.collection === 'node') return (changed.record ?? changed.before)?.name ?? '';
  const link = changed?.collection === 'link' ? (changed.record ?? changed.before) : (view.get('link', id) ?? null);
  return link === null ? (view.get('node', id)?.name ?? '') : linkName(lab, link);
};

/** Names of the storms in a step of the weather that concern the object of an event. */
const stormsOf = async (
  { moments }: Log,
  { project_id }: Before,
  { step, event, was }: { step: LogEvent; event: LogEvent; was: Bag },
): Promise<string[]> => {
  const id = objectOf(event.data)?.id ?? '';
  const at = asData(step.data)['at'];
  const project = (await moments.copyAt(project_id, step.position)).committed.get('project', project_id);
  const { weather: made } = asData(asData(event.data)['changes']);
  const [now, then] = [asData(made), asData(was['weather'])];
  const isCut = now['suspend'] === true && then['suspend'] !== true;
  const isOther = (name: string): boolean =>
    !isDeepStrictEqual(asData(now['filters'])[name], asData(then['filters'])[name]);
  const isNew = ({ filters, suspend }: LinkWeather): boolean =>
    isCut ? suspend === true : Object.keys(filters).some(isOther);
  const isIts = (entry: WeatherEntry): boolean => {
    const sky = weatherAt([entry], typeof at === 'number' ? at : 0);
    const weather = linkWeatherOf(sky, id);
    return sky.down.has(id) || (made != null && weather !== null && isNew(weather));
  };
  return [...new Set((project?.weather ?? []).filter(isIts).flatMap(({ name }) => name ?? []))];
};
