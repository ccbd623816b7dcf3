import type { Client } from '../../client/index.ts';
import { messageOf } from '../../common/errors.ts';
import { NO_WEATHER, type Outcome, type Weather } from './outcome.ts';

const PROJECT = '/v2/projects/{project_id}';

/** Starts what is to happen to it, where anything is; answers what of it is there at a moment (milliseconds since the start of the lab). */
export const startWeather = async (
  client: Client,
  project_id: string,
): Promise<(nowMs: number) => Promise<Weather>> => {
  const at = { path: { project_id } };
  const look = () => client.get(`${PROJECT}/weather`, at);
  const { entries, state } = await look();
  if (entries.length === 0) return () => Promise.resolve(NO_WEATHER);
  if (state === 'off') await client.post(`${PROJECT}/weather/start`, { ...at, body: {} });
  const seen = new Map<string, number>();
  return async (nowMs) => {
    const { storms, next } = await look();
    for (const name of storms) seen.set(name, nowMs);
    return { storms, goesOn: next !== null, seen };
  };
};

/** It comes to an end by itself. */
export const endsItself = async (client: Client, project_id: string): Promise<boolean> => {
  const { entries } = await client.get(`${PROJECT}/weather`, { path: { project_id } });
  return entries.every(({ repeat }) => repeat === undefined || repeat.times !== undefined);
};

/** A node that does not start is an outcome like a check that is broken. */
export const startLab = async (client: Client, project_id: string): Promise<Outcome[]> => {
  try {
    await client.post(`${PROJECT}/nodes/start`, { path: { project_id }, body: {} });
    return [];
  } catch (error) {
    return [{ name: 'all nodes start', state: 'failed', after_ms: null, text: messageOf(error), evidence: null }];
  }
};
