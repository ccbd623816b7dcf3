import type { Kind } from '../../../emulators/kit/contract.ts';
import type { Api } from '../../api.ts';
import { servesController } from '../../controller/ways.ts';
import { done, json, type Route, route } from '../../routing/route.ts';
import { anyObject, omit } from '../schema.ts';
import { nioOf, nioRecord } from './nio-schema.ts';
import { portPath } from './paths.ts';

export const computeNioRoutes = (api: Api, kind: Kind): Route[] => {
  const { commands, find } = api;
  const path = `${portPath(kind)}/nio` as const;
  const body = nioOf(kind.capabilities.nio_types);
  const update = route('PUT', path, {
    summary: `Change filters or suspension of a NIO of a ${kind.name} node`,
    body,
    success: { code: 201, schema: nioRecord },
    errors: [400, 403, 404, 409],
    handler: async ({ caller, params, body: nio }) => {
      const { project_id, node_id } = params;
      find.node(project_id, node_id, kind.name);
      return json(await commands.updateNio(caller, params, nio));
    },
  });
  return [
    route('POST', path, {
      summary: `Attach a NIO to a port of a ${kind.name} node`,
      body,
      success: { code: 201, schema: nioRecord },
      errors: [400, 403, 404, 409],
      handler: async (call) => {
        const { caller, params, body: nio } = call;
        const { project_id, node_id, adapter_number, port_number } = params;
        const { nios } = find.node(project_id, node_id, kind.name);
        // A controller that has forgotten the last one, as after its crash, has no other way.
        const isThere = servesController(api, call) && nios[`${adapter_number}/${port_number}`] !== undefined;
        const made = await commands[isThere ? 'updateNio' : 'addNio'](caller, params, nio);
        return json(omit(made, ['filters', 'suspend']));
      },
    }),
    ...(kind.capabilities.nio_update ? [update] : []),
    route('DELETE', path, {
      summary: `Detach the NIO from a port of a ${kind.name} node`,
      body: anyObject,
      errors: [400, 403, 404, 409],
      handler: async ({ caller, params }) => {
        const { project_id, node_id } = params;
        find.node(project_id, node_id, kind.name);
        return done(commands.removeNio(caller, params));
      },
    }),
  ];
};
