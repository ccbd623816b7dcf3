import { z } from 'zod';
import { conflict } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { json, jsonText, type Route, route } from '../../routing/route.ts';
import { health, versionCheck, versionRecord } from './schema.ts';

/** `document`: text of the OpenAPI document, made when it is first asked for. */
export const serverRoutes = (api: Api, document: () => string): Route[] => [
  version(api, '/v2/version'),
  version(api, '/v2/compute/version'),
  route('POST', '/v2/version', {
    anyServer: true,
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
  route('GET', '/v2/health', {
    anyServer: true,
    group: 'server',
    summary: 'How the server is',
    success: { code: 200, schema: health },
    handler: () => json(api.health()),
  }),
  route('GET', '/v2/openapi.json', {
    anyServer: true,
    group: 'server',
    summary: 'This interface as an OpenAPI 3.1 document',
    success: { code: 200, schema: z.looseObject({ openapi: z.string() }) },
    handler: () => jsonText(document()),
  }),
];

const version = (api: Api, path: string): Route => {
  const answer = json({ version: api.shownVersion, local: api.local });
  return route('GET', path, {
    summary: 'Version of the server, and whether it is the local one',
    success: { code: 200, schema: versionRecord },
    instant: () => answer,
    handler: () => answer,
  });
};
