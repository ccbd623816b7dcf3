import { z } from 'zod';
import type { Api } from '../../api.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { replayCreate, replayRecord } from './replay-schema.ts';
import { known } from './routes.ts';

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
