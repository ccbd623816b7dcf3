import { MOST_ITEMS } from '../../common/bounds.ts';
import { conflict, notFound } from '../../common/errors.ts';
import type { WeatherEntry } from '../../events/fields.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, openProjectOf, projectOf } from '../context.ts';
import type { ProjectCommands } from '../project/interface.ts';
import { entriesOf, entryOf } from './entries.ts';
import type { WeatherCommands } from './interface.ts';
import type { WeatherRuns } from './runs.ts';

/** What is to happen is a setting of the project; what happens is told by events of its own. */
export const weatherCommands = (
  context: LabContext,
  runs: WeatherRuns,
  { updateProject }: Pick<ProjectCommands, 'updateProject'>,
): WeatherCommands => {
  const set = (caller: Caller, projectId: string, weather: WeatherEntry[]): Promise<ProjectRecord> => {
    if (weather.length > MOST_ITEMS) throw conflict(`a weather can have at most ${MOST_ITEMS} entries`);
    return updateProject(caller, projectId, { weather });
  };
  const answering =
    <A extends unknown[]>(work: (caller: Caller, projectId: string, ...more: A) => Promise<void>) =>
    async (caller: Caller, projectId: string, ...more: A): Promise<ProjectRecord> => {
      await work(caller, projectId, ...more);
      return projectOf(context.committed, projectId);
    };
  return {
    async setWeather(caller, projectId, inputs) {
      return set(caller, projectId, await entriesOf(context, projectId, inputs, weatherOf(context, projectId)));
    },

    async putWeather(caller, projectId, input) {
      openProjectOf(context.pending, projectId);
      const entry = await entryOf(context, projectId, input);
      const entries = weatherOf(context, projectId);
      const index = entries.findIndex(({ weather_id }) => weather_id === entry.weather_id);
      await set(caller, projectId, index < 0 ? [...entries, entry] : entries.with(index, entry));
      return entry;
    },

    async deleteWeather(caller, projectId, weatherId) {
      openProjectOf(context.pending, projectId);
      const entries = weatherOf(context, projectId);
      const left = entries.filter(({ weather_id }) => weather_id !== weatherId);
      if (left.length === entries.length) throw notFound('Weather', weatherId);
      await set(caller, projectId, left);
    },

    startWeather: answering((...asked) => runs.start(...asked)),
    pauseWeather: answering((...asked) => runs.pause(...asked)),
    resumeWeather: answering((...asked) => runs.resume(...asked)),
    skipWeather: answering((...asked) => runs.skip(...asked)),
    endWeather: answering((...asked) => runs.end(...asked)),
  };
};

const weatherOf = ({ pending }: LabContext, projectId: string): WeatherEntry[] =>
  projectOf(pending, projectId).weather ?? [];
