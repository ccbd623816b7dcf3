import type { Schemas } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { createStore } from '../../store/store.ts';
import { type Cast, parseCast } from './cast.ts';

export type Recording = Schemas['Recording'];

/** Oldest first. Throws what the server says; so do the others. */
export const listRecordings = (
  { client, projectId }: Lab,
  nodeId: string,
  signal: AbortSignal,
): Promise<readonly Recording[]> =>
  client.get('/v2/projects/{project_id}/nodes/{node_id}/recordings', {
    path: { project_id: projectId, node_id: nodeId },
    signal,
  });

export const readRecording = async (
  { client, projectId }: Lab,
  nodeId: string,
  name: string,
  signal?: AbortSignal,
): Promise<string> => {
  const stream = await client.get('/v2/projects/{project_id}/nodes/{node_id}/recordings/{recording_name}', {
    path: { project_id: projectId, node_id: nodeId, recording_name: name },
    ...(signal === undefined ? {} : { signal }),
  });
  return new Response(stream).text();
};

export const readCast = async (...args: Parameters<typeof readRecording>): Promise<Cast> =>
  parseCast(await readRecording(...args));

/** The recording that somebody has asked to be played, until its panel begins with it. */
export const toPlay = createStore<string | null>(null);

const keyFor = (nodeId: string, name: string): string => `${nodeId} ${name}`;

export const playNext = (nodeId: string, name: string): void => toPlay.set(keyFor(nodeId, name));

/** Whether it is this one; asked once. */
export const isNext = (nodeId: string, name: string): boolean => {
  const isIt = toPlay.get() === keyFor(nodeId, name);
  if (isIt) toPlay.set(null);
  return isIt;
};
