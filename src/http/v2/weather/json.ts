import type { z } from 'zod';
import { durationText } from '../../../common/forms/duration.ts';
import { nextChange } from '../../../projections/weather.ts';
import type { ProjectRecord, RecordView } from '../../../projections/records.ts';
import type { weatherRecord, weatherState } from './schema.ts';

type WeatherEntry = NonNullable<ProjectRecord['weather']>[number];

/** An entry as it can be sent back. */
export const weatherToJson = ({
  at,
  for: lasts,
  repeat,
  flap,
  ...entry
}: WeatherEntry): z.output<typeof weatherRecord> => ({
  ...entry,
  at: durationText(at),
  ...(lasts === undefined ? {} : { for: durationText(lasts) }),
  ...(repeat === undefined ? {} : { repeat: { ...repeat, every: durationText(repeat.every) } }),
  ...(flap === undefined ? {} : { flap: { down: durationText(flap.down), up: durationText(flap.up) } }),
});

export const stateToJson = (
  records: RecordView,
  { project_id, weather_run: run, weather = [] }: ProjectRecord,
): z.output<typeof weatherState> => {
  const next = run === undefined ? null : nextChange(weather, run.stepped);
  return {
    project_id,
    state: run === undefined ? 'off' : run.since === null ? 'paused' : 'on',
    seed: run?.seed ?? null,
    time: run === undefined ? null : run.at / 1000,
    since: run?.since == null ? null : new Date(run.since).toISOString(),
    next: next === null ? null : next / 1000,
    storms: run?.storms ?? [],
    links: records.ofProject('link', project_id).flatMap(({ link_id, weather: its }) =>
      // The seed is its own business.
      its === undefined ? [] : [{ link_id, filters: its.filters, suspend: its.suspend === true }],
    ),
    down: run?.down ?? [],
    entries: weather.map(weatherToJson),
  };
};
