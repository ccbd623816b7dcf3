import type { WeatherForm } from '../../common/forms/weather.ts';
import type { WeatherEntry } from '../../events/fields.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';

export interface WeatherStart {
  /** Of what happens at random; absent: that of the project, or 1. */
  seed?: number;
  /** Its time stands still until it is resumed. */
  paused?: boolean;
}

/** Each resolves with the project as it is afterwards. */
export interface WeatherCommands {
  /** All of its entries. Those without an id, or with one that is not in the list yet, are new. */
  setWeather(caller: Caller, projectId: string, entries: readonly WeatherInput[]): Promise<ProjectRecord>;
  /** One more at the end, or another one in the place of the one with its id. */
  putWeather(caller: Caller, projectId: string, entry: WeatherInput): Promise<WeatherEntry>;
  deleteWeather(caller: Caller, projectId: string, weatherId: string): Promise<void>;
  startWeather(caller: Caller, projectId: string, start: WeatherStart): Promise<ProjectRecord>;
  pauseWeather(caller: Caller, projectId: string): Promise<ProjectRecord>;
  resumeWeather(caller: Caller, projectId: string): Promise<ProjectRecord>;
  /** To a time of the weather in milliseconds, or where a storm begins; absent: where something changes next. */
  skipWeather(caller: Caller, projectId: string, to?: number | string): Promise<ProjectRecord>;
  endWeather(caller: Caller, projectId: string): Promise<ProjectRecord>;
}

export type WeatherInput = WeatherForm & { weather_id?: string };
