import { z } from 'zod';
import { conflict } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { json, jsonText, type Route, route } from '../../routing/route.ts';
import { health, versionCheck, versionRecord } from './schema.ts';

/** `document`: text of the OpenAPI document, made when it is first asked for. */
export const serverRoutes = (api: Api, document: () => string): Route[] => [
  version(api, '/v2/version', 'controller'),
  version(api, '/v2/compute/version', 'compute'),
  route({
    method: 'POST',
    path: '/v2/version',
    group: 'controller',
    summary: 'Check that a client expects this very version',
    body: versionCheck,
    success: { code: 200, schema: versionRecord },
    errors: [400, 409],
    handler: ({ body }) => {
      if (body.version !== api.shownVersion)
        throw conflict(`The client expects version ${body.version.slice(0, 64)}, this server is ${api.shownVersion}`);
      return json({ version: api.shownVersion, local: api.local });
    },
  }),
  route({
    method: 'GET',
    path: '/v2/health',
    group: 'server',
    summary: 'How the server is',
    success: { code: 200, schema: health },
    errors: [],
    handler: () => json(api.health()),
  }),
  route({
    method: 'GET',
    path: '/v2/openapi.json',
    group: 'server',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { code: 200, schema: z.looseObject({ openapi: z.string() }) },
    errors: [],
    handler: () => jsonText(document()),
  }),
];

const version = (api: Api, path: string, group: 'controller' | 'compute'): Route => {
  const answer = json({ version: api.shownVersion, local: api.local });
  return route({
    method: 'GET',
    path,
    group,
    summary: 'Version of the server, and whether it is the local one',
    success: { code: 200, schema: versionRecord },
    errors: [],
    instant: () => answer,
    handler: () => answer,
  });
};
