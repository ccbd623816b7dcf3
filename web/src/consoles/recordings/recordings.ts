import type { Schemas } from '../../store/api.ts';
import type { Lab } from '../../store/lab.ts';
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
