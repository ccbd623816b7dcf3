import { z } from 'zod';
import type { Api } from '../api.ts';
import { json, type Route, route } from '../route.ts';
import { recordingFile } from '../schemas/recording.ts';
import { NODE } from './nodes.ts';

const CAST_TYPE = 'application/x-asciicast';
const RECORDINGS = `${NODE}/recordings`;

/** Recorded consoles; docs/recordings.md. */
export const recordingRoutes = ({ find, recordings }: Api): Route[] => [
  route({
    group: 'controller',
    method: 'GET',
    path: RECORDINGS,
    summary: 'Recordings of a node’s console, oldest first',
    params: ['project_id', 'node_id'],
    success: { code: 200, schema: z.array(recordingFile) },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id } }) => {
      const { path } = find.project(project_id);
      const { recording } = find.node(project_id, node_id);
      const files = await recordings.list(path, node_id);
      return json(
        files.map(({ name, bytes, started_at, seconds }) => {
          const growing = name === recording;
          return { name, bytes, started_at, seconds: growing ? null : seconds, recording: growing };
        }),
      );
    },
  }),
  route({
    group: 'controller',
    method: 'GET',
    path: `${RECORDINGS}/{recording_name}`,
    summary: 'A recording, for asciinema; of one that goes on, what there is of it',
    params: ['project_id', 'node_id', 'recording_name'],
    success: { code: 200, type: CAST_TYPE, description: 'An asciicast v3 file' },
    errors: [400, 404],
    handler: async ({ params: { project_id, node_id, recording_name } }) => {
      const { path } = find.project(project_id);
      find.node(project_id, node_id);
      return { stream: await recordings.open(path, node_id, recording_name), type: CAST_TYPE };
    },
  }),
];
