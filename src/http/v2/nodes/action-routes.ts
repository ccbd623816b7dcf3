import { messageOf, nodesFailed } from '../../../common/errors.ts';
import type { NodeAction, ProjectAction } from '../../../actors/commands.ts';
import type { Api } from '../../api.ts';
import { jsonText, type Route, route, socketRoute } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { nodeRecord } from './schema.ts';
import { validate } from '../../server/validate.ts';
import { NODE } from './routes.ts';

const ALL = '/v2/projects/{project_id}/nodes';
const ofProject = { group: 'controller', params: ['project_id'] } as const;
const ofNode = { group: 'controller', params: ['project_id', 'node_id'] } as const;

export const nodeActionRoutes = (api: Api): Route[] => [
  ...(['start', 'stop', 'suspend', 'reload'] as const).flatMap((action) => [
    onProject(api, action),
    onNode(api, action),
  ]),
  ...consoles(api),
];

const onProject = ({ commands }: Api, action: ProjectAction): Route =>
  route({
    ...ofProject,
    method: 'POST',
    path: `${ALL}/${action}`,
    summary: `${verb(action)} every node of a project; each is attempted, a 409 lists those that failed`,
    body: anyObject,
    success: { code: 204 },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params }) => {
      await commands.actOnProject(caller, params.project_id, action);
      return null;
    },
  });

const onNode = ({ commands, kindNames, find, json }: Api, action: Exclude<NodeAction, 'resume'>): Route =>
  route({
    ...ofNode,
    method: 'POST',
    path: `${NODE}/${action}`,
    summary: `${verb(action)} a node; answers with the state reached`,
    body: anyObject,
    success: { code: 200, schema: nodeRecord },
    errors: [400, 403, 404, 408, 409],
    handler: async ({ caller, params, body }) => {
      const kind = action === 'start' ? kindNames.kind(find.node(params.project_id, params.node_id).kind) : undefined;
      const args = kind ? validate(kind.startBody, body) : undefined;
      return jsonText(json.node(await commands.actOnNode(caller, params, action, args)));
    },
  });

const verb = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

const consoles = (api: Api): Route[] => [
  route({
    ...ofProject,
    method: 'POST',
    path: `${ALL}/console/reset`,
    summary: 'Reset the console of every running node that has one',
    body: anyObject,
    success: { code: 204 },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params }) => {
      await resetAll(api, caller, params.project_id);
      return null;
    },
  }),
  route({
    ...ofNode,
    method: 'POST',
    path: `${NODE}/console/reset`,
    summary: 'Reset the console of a node',
    body: anyObject,
    success: { code: 204 },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params }) => {
      await api.commands.resetConsole(caller, params);
      return null;
    },
  }),
  socketRoute({
    ...ofNode,
    method: 'GET',
    path: `${NODE}/console/ws`,
    summary: 'Console of a node: raw bytes in binary frames, both ways',
    success: { code: 101, description: 'A WebSocket' },
    errors: [400, 403, 404, 409],
    socket: ({ params }) => {
      api.find.node(params.project_id, params.node_id);
      return api.commands.openConsole(params);
    },
  }),
];

const resetAll = async (
  { commands, find, records }: Api,
  caller: Parameters<Api['commands']['resetConsole']>[0],
  projectId: string,
): Promise<void> => {
  find.project(projectId);
  const nodes = records.ofProject('node', projectId).filter((n) => n.state === 'started' && n.console !== null);
  const results = await Promise.allSettled(nodes.map((n) => commands.resetConsole(caller, n)));
  const failed = nodes.flatMap(({ node_id, name }, i) => {
    const result = results[i];
    return result?.status === 'rejected' ? [{ node_id, name, message: messageOf(result.reason) }] : [];
  });
  if (failed.length > 0) throw nodesFailed('reset', nodes.length, failed);
};
