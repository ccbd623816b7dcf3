import { z } from 'zod';
import type { Api } from '../../api.ts';
import { FILE_TYPE } from '../nodes/file-routes.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { projectFile } from '../projects/archive-schema.ts';

const ALL = '/v2/compute/projects/{project_id}/files';
const ONE = `${ALL}/{path}`;
const ofProject = { group: 'compute', params: ['project_id', 'path'] } as const;

/** Files of a project, as the compute group has them. */
export const computeFileRoutes = ({ commands, files, find, limits }: Api): Route[] => [
  route({
    group: 'compute',
    params: ['project_id'],
    method: 'GET',
    path: ALL,
    summary: 'Files of a project with their MD5 sums',
    success: { code: 200, schema: z.array(projectFile) },
    errors: [400, 404],
    handler: async ({ params }) => json(await files.list(find.project(params.project_id))),
  }),
  route({
    ...ofProject,
    method: 'GET',
    path: ONE,
    summary: 'Read a file of a project',
    success: { code: 200, type: FILE_TYPE, description: 'Its bytes' },
    errors: [400, 403, 404],
    handler: async ({ params }) => ({
      stream: await files.open(find.project(params.project_id).path, params.path),
      type: FILE_TYPE,
    }),
  }),
  route({
    ...ofProject,
    method: 'POST',
    path: ONE,
    summary: 'Write a file of a project, as a whole',
    upload: FILE_TYPE,
    success: { code: 201, description: 'It is on disk' },
    errors: [400, 403, 404, 408, 409, 413, 507],
    handler: async (call) => {
      const file = { content: call.upload, length: call.uploadLength, limit: limits.fileBytes };
      const { project_id, path: name } = call.params;
      await commands.writeFile(call.caller, { project_id, node_id: null, name }, file);
      return null;
    },
  }),
];
