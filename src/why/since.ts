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
import { weatherAt, linkWeatherOf } from '../projections/weather.ts';
import type { Obstacle, Since } from './contract.ts';
import { told, weatherTold } from './event-text.ts';
import { changeLab, compileFilters, type Known, type Lab, labOf, linkName } from './lab.ts';
import { addressless, analyse, closed, nothing, type Question } from './packet-path.ts';
import { ownersOf } from './routing.ts';
import { stateOf } from './segment.ts';

/** Events of a project that are folded again first: most causes are young. */
const STEP = 5_000;
/** So many times as many are folded at once later on, as what was before them is folded each time. */
const LONGEST_STEPS = 4;
/** So many times as many in all: of what is older nobody says since when. */
const MOST_STEPS = 20;
/** Longest that is searched. Milliseconds. */
const PATIENCE_MS = 20_000;

export interface Asked {
  project_id: string;
  position: number;
  question: Question;
  known: Known;
}

interface Limits {
  /** Events that are folded first. */
  step?: number;
  /** The search has taken long enough. */
  isLate?: () => boolean;
}

/** `isLate`: it was not searched to its end. `walks`: how often the way was followed. */
export interface Found {
  since: Since | null;
  isLate: boolean;
  walks: number;
}

const patience = (): (() => boolean) => {
  const until = performance.now() + PATIENCE_MS;
  return () => performance.now() > until;
};

/**
 * The last event after which an obstacle was there and before which it was not. The records are folded once more, and taken back event by
 * event, the newest first; the way is only followed again where an event has changed what was looked up on it.
 */
export const findSince = async (
  log: Log,
  asked: Asked,
  { key }: Pick<Obstacle, 'key'>,
  { step = STEP, isLate = patience() }: Limits = {},
): Promise<Found> => {
  const { project_id } = asked;
  let back: GoingBack | null = null;
  const found = (since: Since | null, late = false): Found => ({ since, isLate: late, walks: back?.walks ?? 0 });
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
      back = new GoingBack(await labOf(view, project, asked.known), asked, key);
      if (!(await inSlices(back.begins(view)))) return found(null);
    }
    const cause = await inSlices(back.through(records, done, isLate));
    if (cause === 'late') return found(null, true);
    if (cause !== null) return found(await sinceOf(log, { project_id, view, lab: back.lab }, cause));
    [to, n, steps] = [from - 1, n + steps, Math.min(2 * steps, LONGEST_STEPS)];
  }
  return found(null);
};

const STATE = /^node_[a-z]+:/;
/** What is missing was not there before something else was made either. */
const MISSING = /^no_(?:path|gateway|address):/;

/** Whether an obstacle is there, while events are taken back. */
class GoingBack {
  readonly lab: Lab;
  readonly #asked: Asked;
  readonly #key: string;
  walks = 0;

  constructor(lab: Lab, asked: Asked, key: string) {
    this.lab = lab;
    this.#asked = asked;
    this.#key = key;
  }

  begins(view: RecordView): Steps<boolean> {
    return this.#isThere(view);
  }

  /** Takes events back, the last one first; answers the one before which the obstacle was not there. `records` are those of then. */
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
    for (const map of [lab.nodes, lab.links, lab.owners]) map.asked.clear();
    const isThis = (one: Obstacle): boolean => one.key === key;
    if (STATE.test(key)) {
      // What a node is in, it is in before anything leads over it, and before there is the other one.
      const id = key.slice(key.indexOf(':') + 1);
      const node = lab.nodes.get(id);
      const record = view.get('node', id) ?? node?.record;
      return node !== undefined && record !== undefined && stateOf({ ...node, record }).some(isThis);
    }
    if (keysOfNobody(lab, question).includes(key)) return true;
    const ends = [question.from, question.to].flatMap((id) => (id === null ? [] : [lab.nodes.get(id)]));
    if (view.get('project', project_id) === undefined) return false;
    if (closed(lab).some(isThis)) return true;
    if (ends.some((node) => node === undefined || node.isGone)) return false;
    if (ends.some((node) => addressless(lab, node ?? null).some(isThis))) return true;
    this.walks += 1;
    const ways = { request: nothing(), reply: nothing() };
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

/** An address that nobody has is not there before the node that sends, either: that this was made, or got its own, is no cause. */
const keysOfNobody = (lab: Lab, { from, to, address }: Question): string[] => {
  if (to !== null || address === null || ownersOf(lab, address).length > 0) return [];
  const isThere = lab.nodes.get(from)?.isGone === false;
  return [`no_address:${from}:${address.text}`, ...(isThere ? [] : [`no_route:${from}:${address.text}`])];
};

/** Events that are read at once: some milliseconds of work. */
const PAGE = 250;

async function* eventsOf(
  { past }: Pick<Log, 'past'>,
  { from, ...query }: { project_id: string; from: number; to: number; types?: string[] },
): AsyncGenerator<AnyEvent> {
  for (let next: number | null = from; next !== null;) {
    const page = await past.history({ ...query, from: next, limit: PAGE });
    for (const text of page.texts) yield upcast(JSON.parse(text) as LogEvent);
    ({ next } = page);
  }
}

/** Deleted nodes and links, as they were, that may have been on the way: the newest. */
const MOST_GONE = 100;

export const findGone = async (log: Log, project_id: string, position: number): Promise<NonNullable<Known['gone']>> => {
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
    nodes: NonNullable<Known['gone']>['nodes'][number][];
    links: NonNullable<Known['gone']>['links'][number][];
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

export interface Log {
  past: Pick<Past, 'history' | 'causes'>;
  moments: Pick<Moments, 'copyAt' | 'firstOf'>;
}

type Bag = Readonly<Record<string, unknown>>;

/** The records before an event, and the lab of then. */
interface Before {
  project_id: string;
  view: RecordView;
  lab: Lab;
}

/** An outcome is told as what was asked for; what the weather does, as done by that. */
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
  const who = sky === undefined ? by : weatherTold(storms);
  const sentence = told(asked, { who, name: nameOf(before, id, transitions), before: was });
  return {
    ...{ position: asked.position, at: asked.at, type: asked.type, by },
    sentence: `${sentence} at ${asked.at} (event ${asked.position})`,
  };
};

/** Properties of a node, or a link, before an event changed it. */
const propertiesOf = ({ type, data }: LogEvent, view: RecordView): Bag => {
  const id = objectOf(data)?.id;
  if ((type !== 'node.updated' && type !== 'link.updated') || id === undefined) return {};
  return view.get('node', id)?.properties ?? { ...view.get('link', id) };
};

/** What something is called after an event, or before it where it is gone then. */
const nameOf = ({ view, lab }: Before, id: string, transitions: Step['transitions']): string => {
  const changed = transitions.find((one) => one.id === id);
  if (changed?.collection === 'node') return (changed.record ?? changed.before)?.name ?? '';
  const link = changed?.collection === 'link' ? (changed.record ?? changed.before) : (view.get('link', id) ?? null);
  return link === null ? (view.get('node', id)?.name ?? '') : linkName(lab, link);
};

/** Names of what the weather did in a step, as far as it is about what the event changed. */
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
