import { z } from 'zod';
import type { Api } from '../../api.ts';
import { projectFileRoutes } from '../nodes/file-routes.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { projectFile } from '../projects/archive-schema.ts';

const ALL = '/v2/compute/projects/{project_id}/files';

/** Files of a project, as the compute group has them. */
export const computeFileRoutes = (api: Api): Route[] => [
  route('GET', ALL, {
    summary: 'Files of a project with their MD5 sums',
    success: { code: 200, schema: z.array(projectFile) },
    errors: [400, 404],
    handler: async ({ params }) => json(await api.files.list(api.find.project(params.project_id))),
  }),
  ...projectFileRoutes(api, `${ALL}/{path}`),
];
