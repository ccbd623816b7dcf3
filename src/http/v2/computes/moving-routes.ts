import { z } from 'zod';
import { AUTO } from '../../../actors/compute/placing.ts';
import type { Api } from '../../api.ts';
import { json, type Route, route } from '../../routing/route.ts';
import { moved, moveNodes, moveWish } from './schema.ts';
import { checkWhere, farRecord } from './known-compute.ts';

/** Nodes that are put on other computes. */
export const movingRoutes = (api: Api): Route[] => [
  route('POST', '/v2/computes/{compute_id}/drain', {
    summary: 'Put every node of a compute on others, one after another; those that run stay unless restart is true',
    body: z.strictObject(moveWish),
    success: { code: 200, schema: moved },
    errors: [400, 404, 409],
    handler: async ({ caller, params: { compute_id: id }, body: { to = AUTO, ...wish } }) => {
      if (id !== api.computeId) farRecord(api, id);
      checkWhere(api, 'to', to);
      return json(await api.commands.drainCompute(caller, id, { to, ...wish }));
    },
  }),
  route('POST', '/v2/projects/{project_id}/nodes/move', {
    summary: 'Put nodes of a project on another compute, one after another; those that run stay unless restart is true',
    body: moveNodes,
    success: { code: 200, schema: moved },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params: { project_id }, body: { to, nodes, ...wish } }) => {
      for (const node of nodes ?? []) api.find.node(project_id, node);
      checkWhere(api, 'to', to);
      return json(await api.commands.moveNodes(caller, project_id, nodes ?? null, { to, ...wish }));
    },
  }),
];
