import type { Records } from '../store/records.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { sayDuration } from '../words/format.ts';
import { t } from '../words/words.ts';
import { ACT_NAMES, actOf, linesOf } from './entry-draft.ts';
import { lengthOf } from './spans.ts';
import type { Entry } from './weather.ts';

const sayFilters = (filters: NonNullable<Entry['filters']>): string => linesOf(filters).replaceAll('\n', ', ');

/** Describes an entry's action in one line. */
export const sayAct = (entry: Entry): string => {
  const { filters, ramp, flap, trace } = entry;
  if (filters !== undefined) return sayFilters(filters);
  if (ramp !== undefined) {
    const to = sayFilters(ramp.to);
    return ramp.from === undefined
      ? t('growing to {to}', { to })
      : t('from {from} to {to}', { from: sayFilters(ramp.from), to });
  }
  if (flap !== undefined)
    return t('down for {down}, up for {up}', { down: sayDuration(flap.down), up: sayDuration(flap.up) });
  if (trace !== undefined)
    return t('{count, plural, one {# point} other {# points}} that were measured', { count: trace.points.length });
  return t(ACT_NAMES[actOf(entry)]);
};

/** `at 10 s for 5 s, every 1 min, 3 times`. */
export const sayTimes = (entry: Entry): string => {
  const { for: lasts, repeat } = entry;
  const at = sayDuration(entry.at);
  const length = lengthOf(entry);
  return [
    length === Infinity
      ? t('from {at} on', { at })
      : t('at {at} for {lasts}', { at, lasts: sayDuration(lasts ?? `${length / 1000}s`) }),
    ...(repeat === undefined ? [] : [t('every {every}', { every: sayDuration(repeat.every) })]),
    ...(repeat?.times === undefined
      ? []
      : [t('{times, plural, one {# time} other {# times}}', { times: repeat.times })]),
  ].join(', ');
};

const MOST_NAMED = 3;

/** Which links or nodes it happens to. */
export const sayObjects = (records: Records, { links, crash }: Entry): string => {
  if (links === undefined && crash === undefined) return t('all links');
  const [collection, ids] = crash === undefined ? (['link', links ?? []] as const) : (['node', crash] as const);
  const named = ids.slice(0, MOST_NAMED).map((id) => nameFor(records, collection, id));
  return ids.length > MOST_NAMED
    ? t('{names} and {count} more', { names: named.join(', '), count: ids.length - MOST_NAMED })
    : named.join(', ');
};
