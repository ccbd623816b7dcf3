import { Readable } from 'node:stream';
import { z } from 'zod';
import { fileNotFound, TopologError } from '../../../common/errors.ts';
import type { NodeRecord } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { done, type Route, route } from '../../routing/route.ts';
import { NODE_PATH } from './nodes.ts';

export const FILE_TYPE = 'application/octet-stream';
const FILE = '/v2/projects/{project_id}/files/{path}';
const NODE_FILE = `${NODE_PATH}/files/{path}` as const;

/** Forms show texts that are not there yet. */
const fileQuery = z.object({ if_missing: z.literal('empty', 'must be empty').exactOptional() });

/** Files of projects and of nodes, by names below their directories. */
export const fileRoutes = (api: Api): Route[] => [
  ...projectFileRoutes(api, FILE),
  readNodeFile(api),
  writeNodeFile(api),
];

/** Reading and writing a file of a project, which both groups have. */
export const projectFileRoutes = (
  { commands, find, files, limits }: Api,
  path: `${string}/{project_id}/files/{path}`,
): Route[] => [
  route('GET', path, {
    summary: 'Read a file of a project; if_missing=empty: one that is not there is empty',
    query: fileQuery,
    success: { code: 200, type: FILE_TYPE, description: 'Its bytes' },
    errors: [400, 403, 404],
    handler: async ({ params: { project_id, path: name }, query: { if_missing } }) => ({
      ...(await files.read(find.project(project_id).path, name, if_missing)),
      type: FILE_TYPE,
    }),
  }),
  route('POST', path, {
    summary: 'Write a file of a project, as a whole',
    upload: FILE_TYPE,
    success: { code: 201, description: 'It is on disk' },
    errors: [400, 403, 404, 408, 409, 412, 413, 507],
    handler: async (call) => {
      const file = { content: call.upload, length: call.uploadLength, limit: limits.fileBytes };
      const { project_id, path: name } = call.params;
      return done(commands.writeFile(call.caller, { project_id, node_id: null, name }, file));
    },
  }),
];

const isMissing = (problem: unknown): boolean => problem instanceof TopologError && problem.code === 'not_found';

const readNodeFile = (api: Api): Route => {
  const stream = nodeFile(api);
  return route('GET', NODE_FILE, {
    summary: 'Read a file of a node; if_missing=empty: one that is not there is empty',
    query: fileQuery,
    success: { code: 200, type: FILE_TYPE, description: 'Its bytes' },
    errors: [400, 403, 404],
    handler: async ({ params: { project_id, node_id, path }, query, signal }) => {
      const node = api.find.node(project_id, node_id);
      try {
        return { stream: await stream(node, path, signal), type: FILE_TYPE };
      } catch (problem) {
        if (query.if_missing === undefined || !isMissing(problem)) throw problem;
        return { stream: Readable.from([]), type: FILE_TYPE };
      }
    },
  });
};

const nodeFile =
  ({ files, kinds, computes }: Api) =>
  async (node: NodeRecord, path: string, signal: AbortSignal): Promise<Readable> => {
    if (node.node_directory === null) throw fileNotFound(path);
    const kind = kinds.get(node.kind);
    const name = kind?.fileName?.(path, node) ?? path;
    const far = computes.find(node.compute_id)?.compute;
    // While it is away there is the copy of the last time.
    if (far?.problem === null && kind !== undefined) {
      const place = ['project-files', kind.directory, node.node_id, ...name.split('/')]
        .map(encodeURIComponent)
        .join('/');
      return far.client.download(`/projects/${node.project_id}/files/${place}`, signal);
    }
    return files.open(node.node_directory, name);
  };

const writeNodeFile = ({ commands, limits }: Api): Route =>
  route('POST', NODE_FILE, {
    summary: 'Write a file of a node, as a whole; its next start reads it',
    upload: FILE_TYPE,
    success: { code: 201, description: 'It is on disk' },
    errors: [400, 403, 404, 408, 409, 412, 413, 507],
    handler: async (call) => {
      const { project_id, node_id, path: name } = call.params;
      const file = { content: call.upload, length: call.uploadLength, limit: limits.fileBytes };
      return done(commands.writeFile(call.caller, { project_id, node_id, name }, file));
    },
  });
