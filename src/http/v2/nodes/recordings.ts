import { z } from 'zod';
import { notFound } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { NODE_PATH } from './nodes.ts';

export const recordingFile = z.strictObject({
  name: z.string(),
  bytes: z.int(),
  started_at: z.string().meta({ format: 'date-time' }),
  seconds: z.number().nullable().meta({ description: 'null while it goes on' }),
  recording: z.boolean(),
});

const CAST_TYPE = 'application/x-asciicast';
const RECORDINGS = `${NODE_PATH}/recordings` as const;

/** Which recording of a node goes on; null: none. A node that was deleted has left its recordings. Throws `not_found`. */
const goingOn = async ({ records, past }: Api, projectId: string, nodeId: string): Promise<string | null> => {
  const node = records.get('node', nodeId);
  if (node?.project_id === projectId) return node.recording;
  const { texts } = await past.history({ project_id: projectId, object: nodeId, types: ['node.'], limit: 1 });
  if (texts.length === 0) throw notFound('Node', nodeId);
  return null;
};

/** Recorded consoles; docs/reference/recordings.md. */
export const recordingRoutes = (api: Api): Route[] => [
  route('GET', RECORDINGS, {
    summary: 'Recordings of a node’s console, oldest first; also of one that was deleted',
    success: { code: 200, schema: z.array(recordingFile) },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id } }) => {
      const { path } = api.find.project(project_id);
      const recording = await goingOn(api, project_id, node_id);
      const files = await api.recordings.list(path, node_id);
      return json(
        files.map(({ name, bytes, started_at, seconds }) => {
          const growing = name === recording;
          return { name, bytes, started_at, seconds: growing ? null : seconds, recording: growing };
        }),
      );
    },
  }),
  route('GET', `${RECORDINGS}/{recording_name}`, {
    summary: 'A recording, for asciinema; of one that goes on, what there is of it',
    success: { code: 200, type: CAST_TYPE, description: 'An asciicast v3 file' },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id, recording_name } }) => {
      const { path } = api.find.project(project_id);
      await goingOn(api, project_id, node_id);
      return { stream: await api.recordings.open(path, node_id, recording_name), type: CAST_TYPE };
    },
  }),
];
