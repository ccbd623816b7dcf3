import { isDeepStrictEqual } from 'node:util';
import type { LogEvent } from '../../events/event.ts';
import type { LinkWeather, WeatherEntry } from '../../events/fields.ts';
import { asData } from '../../projections/past/timeline/kinds.ts';
import { objectOf } from '../../projections/past/timeline/names.ts';
import type { Moments } from '../../projections/past/moments.ts';
import type { Past } from '../../projections/past/past.ts';
import type { Step } from '../../projections/past/step.ts';
import type { RecordView } from '../../projections/records.ts';
import { skyAt, weatherOf } from '../../projections/sky.ts';
import type { Since } from '../contract.ts';
import { type Lab, linkName } from '../lab.ts';
import { told, weatherTold } from './tell.ts';

export interface Log {
  past: Pick<Past, 'history' | 'causes'>;
  moments: Pick<Moments, 'copyAt' | 'firstOf'>;
}

type Bag = Readonly<Record<string, unknown>>;

/** The records before an event, and the lab of then. */
export interface Before {
  project_id: string;
  view: RecordView;
  lab: Lab;
}

/** An outcome is told as what was asked for; what the weather does, as done by that. */
export const sinceOf = async (log: Log, before: Before, { event, transitions }: Step): Promise<Since> => {
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
    const sky = skyAt([entry], typeof at === 'number' ? at : 0);
    const weather = weatherOf(sky, id);
    return sky.down.has(id) || (made != null && weather !== null && isNew(weather));
  };
  return [...new Set((project?.weather ?? []).filter(isIts).flatMap(({ name }) => name ?? []))];
};
