import { useEffect } from 'react';
import type { Schemas } from 'topolog/client';
import { useScope } from '../app/lab-context.tsx';
import { followedOf, type FollowedState } from '../store/following/followed.ts';
import type { Lab } from '../store/lab.ts';
import { useStore } from '../store/use-store.ts';
import type { Highlight } from '../store/workbench.ts';

export type Weather = Schemas['Weather'];
export type Entry = Schemas['WeatherEntry'];
export type EntryBody = Schemas['WeatherEntryInput'];

const ALL = '/v2/projects/{project_id}/weather';
const ONE = '/v2/projects/{project_id}/weather/{weather_id}';

const readWeather = ({ client, projectId }: Lab, at: string | null): Promise<Weather> =>
  client.get(ALL, { path: { project_id: projectId }, ...(at === null ? {} : { query: { at } }) });

/** The weather of a lab, as it is at the moment that is shown; null: it was not read yet. */
const weatherOf = followedOf<Weather | null>({
  none: null,
  read: readWeather,
  told: new Set(['weather.updated']),
});

/** Lets one thing more happen, or something else in its place. Throws what the server says. */
export const saveEntry = ({ client, projectId }: Lab, entry: Entry | null, body: EntryBody): Promise<Entry> =>
  entry === null
    ? client.post(ALL, { path: { project_id: projectId }, body })
    : client.put(ONE, { path: { project_id: projectId, weather_id: entry.weather_id }, body });

export const deleteEntry = ({ client, projectId }: Lab, { weather_id }: Entry): Promise<unknown> =>
  client.delete(ONE, { path: { project_id: projectId, weather_id } });

/** Absent: the seed of the project. */
export const startWeather = ({ client, projectId }: Lab, seed: number | null): Promise<Weather> =>
  client.post(`${ALL}/start`, { path: { project_id: projectId }, body: seed === null ? {} : { seed } });

/** To the next change; what lies between does not happen. */
export const skipWeather = ({ client, projectId }: Lab): Promise<Weather> =>
  client.post(`${ALL}/skip`, { path: { project_id: projectId }, body: {} });

export const controlWeather = ({ client, projectId }: Lab, what: 'pause' | 'resume' | 'end'): Promise<Weather> =>
  client.post(`${ALL}/${what}`, { path: { project_id: projectId }, body: {} });

/** Links and nodes that have weather now. */
export const highlightsOf = ({ links, down }: Weather): ReadonlyMap<string, Highlight> =>
  new Map([...links.map(({ link_id }) => link_id), ...down].map((id) => [id, 'storm']));

/** The weather of the lab that is shown, followed as long as it is wanted. */
export const useWeather = (): FollowedState<Weather | null> => {
  const { lab } = useScope();
  const isLoaded = useStore(lab.state, (now) => now.isLoaded);
  const weather = weatherOf(lab);
  useEffect(() => (isLoaded ? weather.follow() : undefined), [weather, isLoaded]);
  return useStore(weather.state);
};
