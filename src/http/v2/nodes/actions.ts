import type { NodeAction, ProjectAction } from '../../../actors/commands.ts';
import { messageOf, nodesFailed, notFound } from '../../../common/errors.ts';
import type { Kind, NodeOperation } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { done, jsonText, type Route, route, socketRoute } from '../../routing/route.ts';
import { validate } from '../../server/validate.ts';
import { answerOf, callOf, successOf } from '../compute/kinds.ts';
import { anyObject } from '../schema.ts';
import { NODE_PATH, nodeRecord } from './nodes.ts';

const ALL = '/v2/projects/{project_id}/nodes';

export const nodeActionRoutes = (api: Api): Route[] => [
  ...(['start', 'stop', 'suspend', 'reload'] as const).flatMap((action) => [
    onProject(api, action),
    onNode(api, action),
  ]),
  ...consoles(api),
];

const onProject = ({ commands }: Api, action: ProjectAction): Route =>
  route('POST', `${ALL}/${action}`, {
    summary: `${verb(action)} every node of a project; each is attempted, a 409 lists those that failed`,
    body: anyObject,
    errors: [400, 403, 404, 409],
    handler: ({ caller, params }) => done(commands.actOnProject(caller, params.project_id, action)),
  });

const onNode = ({ commands, kindNames, find, json }: Api, action: Exclude<NodeAction, 'resume'>): Route =>
  route('POST', `${NODE_PATH}/${action}`, {
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
  route('POST', `${ALL}/console/reset`, {
    summary: 'Reset the console of every running node that has one',
    body: anyObject,
    errors: [400, 403, 404, 409],
    handler: ({ caller, params }) => done(resetAll(api, caller, params.project_id)),
  }),
  route('POST', `${NODE_PATH}/console/reset`, {
    summary: 'Reset the console of a node',
    body: anyObject,
    errors: [400, 403, 404, 409],
    handler: ({ caller, params }) => done(api.commands.resetConsole(caller, params)),
  }),
  socketRoute(`${NODE_PATH}/console/ws`, {
    summary: 'Console of a node: raw bytes in binary frames, both ways; of one with VNC what that protocol says',
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

/** Operations of single kinds, below their nodes; other nodes answer `not_found`. */
export const nodeOperationRoutes = (api: Api): Route[] =>
  api.kinds
    .all()
    .flatMap((kind) => (kind.nodeOperations ?? []).map((operation) => ({ kind, operation })))
    .flatMap(({ kind, operation }) =>
      operation.controller === undefined ? [] : [operationRoute(api, kind, operation, operation.controller)],
    );

const operationRoute = ({ commands, find }: Api, kind: Kind, operation: NodeOperation, path: string): Route =>
  route(operation.method, `${NODE_PATH}/${path}`, {
    summary: `${operation.summary} (${kind.name} only)`,
    body: operation.body ?? anyObject,
    success: successOf(operation),
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body, signal }) => {
      const node = find.node(params.project_id, params.node_id);
      if (node.kind !== kind.name) throw notFound(`${path} of node`, node.node_id);
      return answerOf(operation, await commands.operateNode(caller, params, callOf(operation, body, signal)));
    },
  });
