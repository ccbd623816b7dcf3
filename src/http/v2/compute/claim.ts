import { z } from 'zod';
import { holderOf } from '../../../actors/claim/fence.ts';
import { invalid, notFound } from '../../../common/errors.ts';
import { name, uuid } from '../../../model/types.ts';
import { CLAIM } from '../../../projections/records.ts';
import type { Api } from '../../api.ts';
import { HEADER } from '../../routing/controller.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject } from '../schema.ts';

const PATH = '/v2/compute/controller';

const claim = z.strictObject({ controller_id: uuid, name, epoch: z.int().min(1) });
const claimRecord = z
  .strictObject({ controller_id: z.string(), name: z.string(), epoch: z.int() })
  .meta({ description: 'The controller that has this compute; `epoch` grows with each of its connections' });

/** Whose compute this server is. */
export const claimRoutes = (api: Api): Route[] => [
  route('GET', PATH, {
    summary: 'The controller that has this compute',
    success: { code: 200, schema: claimRecord },
    errors: [404],
    handler: () => {
      const held = api.records.get('claim', CLAIM);
      if (held === undefined) throw notFound('Controller', 'of this compute');
      return json(holderOf(held));
    },
  }),
  route('PUT', PATH, {
    summary: 'Have this compute as a controller; one that another has is taken over only with `take`',
    body: claim.extend({ take: z.boolean().exactOptional() }),
    isUnfenced: true,
    success: { code: 200, schema: claimRecord },
    errors: [400, 409],
    handler: async ({ caller, body: { take = false, ...given } }) => {
      const asked = { ...given, controller_id: given.controller_id.toLowerCase() };
      return json(holderOf(await api.commands.claimCompute(caller, asked, take)));
    },
  }),
  route('DELETE', PATH, {
    summary: 'Give this compute up, as the controller that has it',
    body: anyObject,
    isUnfenced: true,
    errors: [400, 409],
    handler: ({ caller, controller }) => {
      if (controller === null) throw invalid(`the header ${HEADER} is missing: it says who asks`, { field: HEADER });
      return done(api.commands.releaseCompute(caller, controller));
    },
  }),
];
