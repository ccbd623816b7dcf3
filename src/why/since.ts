import { isDeepStrictEqual } from 'node:util';
import type { LogEvent } from '../events/event.ts';
import type { LinkWeather, WeatherEntry } from '../events/fields.ts';
import type { AnyEvent } from '../events/schemas.ts';
import { upcast } from '../events/upcasters.ts';
import { objectOf } from '../projections/past/timeline/names.ts';
import { asData, kindOf } from '../projections/past/timeline/kinds.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { Past } from '../projections/past/past.ts';
import type { RecordView } from '../projections/records.ts';
import { skyAt, weatherOf } from '../projections/sky.ts';
import { Records } from '../projections/store.ts';
import { analyse, type Question } from './analysis.ts';
import type { Obstacle, Since } from './contract.ts';
import { type Known, type Lab, labOf, linkName } from './lab.ts';
import { ownersOf } from './routing.ts';
import { stateOf } from './segment.ts';
import { told, weatherTold } from './tell.ts';

/** Events of a project that are folded again at once: most causes are young. */
const STEP = 5_000;
/** So often, at most: of what is older nobody says since when. */
const MOST_STEPS = 20;
const PAGE = 1000;

export interface Log {
  past: Pick<Past, 'history' | 'causes'>;
  moments: Pick<Moments, 'copyAt' | 'firstOf'>;
}

interface Asked {
  project_id: string;
  position: number;
  question: Question;
  known: Known;
  /** What the way goes over. */
  ids: ReadonlySet<string>;
}

/**
 * The last event after which each obstacle was there and before which it was not, by its key: the records are folded once more, and looked at
 * after every event about what is on the way. `step`: so many events at once, the newest first.
 */
export const findSince = async (
  log: Log,
  asked: Asked,
  obstacles: readonly Obstacle[],
  step = STEP,
): Promise<Map<string, Since>> => {
  const since = new Map<string, Since>();
  let keys = obstacles.map(({ key }) => key);
  for (let [to, n] = [asked.position, 0]; keys.length > 0 && to > 0 && n < MOST_STEPS; n++) {
    const from = await log.moments.firstOf(asked.project_id, step, to);
    const { begun, older } = await beginnings(log, asked, keys, { from, to });
    for (const [key, event] of begun) since.set(key, await sinceOf(log, asked, event));
    [keys, to] = [older, from - 1];
  }
  return since;
};

/** The events of a stretch after which obstacles were there to its end, and those that were there before it. */
const beginnings = async (
  log: Log,
  asked: Asked,
  keys: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<{ begun: Map<string, AnyEvent>; older: string[] }> => {
  const { project_id, ids } = asked;
  const records = from === 1 ? new Records() : await log.moments.copyAt(project_id, from - 1);
  const begun = new Map<string, AnyEvent>();
  const had = new Set<string>();
  const isAbout = (event: AnyEvent): boolean => matters(event, ids) || isOfOwner(event, keys, had);
  let before = await keysAt(records.committed, asked);
  const older = new Set(keys.filter((key) => before.has(key)));
  for await (const event of eventsOf(log, { project_id, from, to })) {
    records.advance(event);
    if (!isAbout(event)) continue;
    const after = await keysAt(records.committed, asked);
    for (const key of keys) {
      if (!after.has(key)) begun.delete(key);
      else if (!before.has(key)) begun.set(key, event);
      if (!after.has(key) || !before.has(key)) older.delete(key);
    }
    before = after;
  }
  return { begun, older: [...older] };
};

async function* eventsOf(
  { past }: Log,
  { from, ...query }: { project_id: string; from: number; to: number; types?: string[] },
): AsyncGenerator<AnyEvent> {
  for (let next: number | null = from; next !== null;) {
    const page = await past.history({ ...query, from: next, limit: PAGE });
    for (const text of page.texts) yield upcast(JSON.parse(text) as LogEvent);
    ({ next } = page);
  }
}

const matters = (event: AnyEvent, ids: ReadonlySet<string>): boolean => {
  if (kindOf(event) === 'move' || /^(capture|request|drawing|file)\.|^node\.(recording|nio|trace)/.test(event.type))
    return false;
  const object = objectOf(event.data);
  return object === null ? event.type.startsWith('project.') : ids.has(object.id);
};

/** Keys of obstacles that are an address which nobody has. */
const OF_ADDRESS = /^no_(?:address|gateway):[^:]+:(.+)$/;

/** Change of a node that has had such an address, if its events since then have named it. `had`: ids of these, which are kept there. */
const isOfOwner = (event: AnyEvent, keys: readonly string[], had: Set<string>): boolean => {
  if (!/^node\.(created|updated|deleted|restored)$/.test(event.type)) return false;
  const id = objectOf(event.data)?.id ?? '';
  const addresses = keys.flatMap((key) => OF_ADDRESS.exec(key)?.[1] ?? []);
  const text = addresses.length === 0 ? '' : JSON.stringify(event.data);
  if (addresses.some((address) => text.includes(address))) had.add(id);
  return had.has(id);
};

/** An address that nobody has is not there before the node that sends, either: that this was made, or got its own, is no cause. */
const keysOfNobody = (lab: Lab | null, { from, to, address }: Question): string[] => {
  if (to !== null || address === null) return [];
  const isThere = lab?.nodes.has(from) === true;
  if (lab !== null && ownersOf(lab, address).length > 0) return [];
  return [`no_address:${from}:${address.text}`, ...(isThere ? [] : [`no_route:${from}:${address.text}`])];
};

const keysAt = async (view: RecordView, { project_id, question, known, ids }: Asked): Promise<Set<string>> => {
  const project = view.get('project', project_id);
  if (project === undefined) return new Set(keysOfNobody(null, question));
  const lab = await labOf(view, project, known);
  const isThere = (id: string | null): boolean => id === null || view.get('node', id) !== undefined;
  const { obstacles } = isThere(question.from) && isThere(question.to) ? analyse(lab, question) : { obstacles: [] };
  // What a node is in, it is in before anything leads over it, and before there is the other one.
  const states = [...ids].flatMap((id) => {
    const node = lab.nodes.get(id);
    return node === undefined ? [] : stateOf(node);
  });
  return new Set([...[...obstacles, ...states].map(({ key }) => key), ...keysOfNobody(lab, question)]);
};

/** An outcome is told as what was asked for; what the weather does, as done by that. */
const sinceOf = async (log: Log, of: Asked, event: AnyEvent): Promise<Since> => {
  const causes = await log.past.causes(event);
  const [cause] = causes;
  const isOutcome = cause?.type.endsWith('_requested') === true;
  const asked = isOutcome ? cause : event;
  const root = causes.at(-1) ?? event;
  const name = await nameOf(log, of, objectOf(asked.data)?.id ?? null, event.position);
  const before = await recordBefore(log, of, asked);
  const sky = causes.find(({ type }) => type.startsWith('weather.'));
  const by = sky === undefined ? root.by.principal : asked.by.principal;
  const storms = sky === undefined ? [] : await stormsOf(log, of, { step: sky, event: asked, before });
  const sentence = told(asked, { who: sky === undefined ? by : weatherTold(storms), name, before });
  return {
    ...{ position: asked.position, at: asked.at, type: asked.type, by },
    sentence: `${sentence} at ${asked.at} (event ${asked.position})`,
  };
};

type Bag = Readonly<Record<string, unknown>>;

/** Properties of a node, or a link, before an event changed it. */
const recordBefore = async (
  { moments: past }: Log,
  { project_id }: Asked,
  { type, data, position }: AnyEvent | LogEvent,
): Promise<Bag> => {
  const id = objectOf(data)?.id;
  if ((type !== 'node.updated' && type !== 'link.updated') || id === undefined) return {};
  const view = (await past.copyAt(project_id, position - 1)).committed;
  return view.get('node', id)?.properties ?? { ...view.get('link', id) };
};

/** Names of what the weather did in a step, as far as it is about what the event changed. */
const stormsOf = async (
  { moments: past }: Log,
  { project_id }: Asked,
  { step, event, before }: { step: LogEvent; event: AnyEvent | LogEvent; before: Bag },
): Promise<string[]> => {
  const id = objectOf(event.data)?.id ?? '';
  const at = asData(step.data)['at'];
  const project = (await past.copyAt(project_id, step.position)).committed.get('project', project_id);
  const { weather: made } = asData(asData(event.data)['changes']);
  const [now, then] = [asData(made), asData(before['weather'])];
  const isCut = now['suspend'] === true && then['suspend'] !== true;
  const isOther = (name: string): boolean =>
    !isDeepStrictEqual(asData(now['filters'])[name], asData(then['filters'])[name]);
  const isNew = ({ filters, suspend }: LinkWeather): boolean =>
    isCut ? suspend === true : Object.keys(filters).some(isOther);
  const isIts = (entry: WeatherEntry): boolean => {
    const sky = skyAt([entry], typeof at === 'number' ? at : 0);
    const weather = weatherOf(sky, id);
    return sky.down.has(id) || (made != null && weather !== null && isNew(weather));
  };
  return [...new Set((project?.weather ?? []).filter(isIts).flatMap(({ name }) => name ?? []))];
};

/** What something is called at a position, or before it where it is gone then. */
const nameOf = async (log: Log, { project_id, known }: Asked, id: string | null, position: number): Promise<string> => {
  if (id === null) return '';
  for (const at of [position, position - 1]) {
    const view = (await log.moments.copyAt(project_id, at)).committed;
    const [node, link, project] = [view.get('node', id), view.get('link', id), view.get('project', project_id)];
    if (node !== undefined) return node.name;
    if (link !== undefined && project !== undefined) return linkName(await labOf(view, project, known), link);
  }
  return '';
};

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
