import { notFound } from '../../../common/errors.ts';
import type { Kind, NodeOperation } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { answerOf, callOf, successOf } from '../compute/kind-operations.ts';
import { type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';
import { NODE } from './routes.ts';

/** What single kinds do, below their nodes; nodes of other kinds have nothing there. */
export const nodeOperationRoutes = (api: Api): Route[] =>
  api.kinds
    .all()
    .flatMap((kind) => (kind.nodeOperations ?? []).map((operation) => ({ kind, operation })))
    .flatMap(({ kind, operation }) =>
      operation.controller === undefined ? [] : [onNode(api, kind, operation, operation.controller)],
    );

const onNode = ({ commands, find }: Api, kind: Kind, operation: NodeOperation, path: string): Route =>
  route(operation.method, `${NODE}/${path}`, {
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
