import { z } from 'zod';
import type { Api } from '../../api.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { known } from './events.ts';

const position = z.int().positive();

/** How a recording is replayed. `from` and `to` are positions of the log. */
export const replayCreate = z.strictObject({
  speed: z
    .number()
    .min(0.01)
    .max(10_000)
    .meta({ description: 'Times as fast as it was recorded; 1 when absent' })
    .exactOptional(),
  as_fast: z.boolean().meta({ description: 'Without the recorded gaps' }).exactOptional(),
  engine: z.enum(['auto', 'simulated']).exactOptional(),
  from: position.exactOptional(),
  to: position.exactOptional(),
  keep: z.boolean().meta({ description: 'Whether the replay’s own project stays afterwards' }).exactOptional(),
});

const difference = z.strictObject({
  step: z.int().nullable(),
  request: z.string().nullable(),
  what: z.string(),
  recorded: z.unknown(),
  now: z.unknown(),
});

export const replayRecord = z.strictObject({
  replay_id: z.string(),
  source_project_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  progress: z.strictObject({
    step: z.int(),
    of: z.int(),
    current: z.string(),
    left_ms: z.int().nullable(),
  }),
  performed: z.int().nullable(),
  differences: z.array(difference).nullable(),
  notes: z.array(z.string()),
  failure: z.string().nullable(),
});

const PROJECT = '/v2/projects/{project_id}';
const ONE = `${PROJECT}/replays/{replay_id}` as const;

/** The recorded commands of a project, performed again on a project of their own and compared. */
export const replayRoutes = (api: Api): Route[] => [
  route('POST', `${PROJECT}/replay`, {
    summary: 'Replay a project’s recording, also of a deleted one; answers while it runs',
    body: replayCreate,
    success: { code: 201, schema: replayRecord },
    errors: [400, 404, 409],
    handler: async ({ caller, params: { project_id }, body }) => {
      await known(api, project_id);
      const { principal } = caller.by;
      return json(await api.replays.start(project_id, body, principal === 'anonymous' ? null : principal));
    },
  }),
  route('GET', `${PROJECT}/replays`, {
    summary: 'Replays of a project since the server started, oldest first',
    success: { code: 200, schema: z.array(replayRecord) },
    errors: [400, 404],
    handler: async ({ params: { project_id } }) => {
      await known(api, project_id);
      return json(api.replays.list(project_id));
    },
  }),
  route('GET', ONE, {
    summary: 'How far a replay is, and its differences from the recording once it has ended',
    success: { code: 200, schema: replayRecord },
    errors: [400, 404],
    handler: ({ params: { project_id, replay_id } }) => json(api.replays.get(project_id, replay_id)),
  }),
  route('DELETE', ONE, {
    summary: 'Cancel a replay; one that has ended is forgotten',
    body: anyObject,
    errors: [400, 404],
    handler: ({ params: { project_id, replay_id } }) => done(api.replays.cancel(project_id, replay_id)),
  }),
];
