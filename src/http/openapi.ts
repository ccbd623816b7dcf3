import { z } from 'zod';
import type { Api } from './api.ts';
import { isKeyable } from './idempotency.ts';
import { namedSchemas } from './openapi-schemas.ts';
import { RECORDING } from './request-params.ts';
import type { ParamName, Route } from './route.ts';
import { errorReply, omit } from './schemas/common.ts';

type Json = Record<string, unknown>;

/** The table as an OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.0 */
export const openApiDocument = (routes: readonly Route[], api: Pick<Api, 'kinds' | 'kindNames' | 'version'>): Json => {
  const names = namedSchemas(api);
  const components: Record<string, Json> = { Error: jsonSchema(errorReply, 'output') };
  const refer: Refer = (schema, io) => {
    const name = names.get(schema);
    if (name === undefined) return jsonSchema(schema, io);
    components[name] ??= jsonSchema(schema, io);
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operation(route, refer);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Topolog',
      version: api.version,
      description:
        'Every answer has the header X-Route with the template of the route that served it. A server with users asks for ' +
        'HTTP Basic at every route. Beside the errors of a route: 401, 403, 413, 429, 431 and 503 (docs/errors.md).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: ['controller', 'compute', 'server'].map((name) => ({ name })),
    paths,
    security: [{}, { basic: [] }],
    components: { schemas: components, securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
  };
};

type Refer = (schema: z.ZodType, io: 'input' | 'output') => Json;

const operation = (route: Route, refer: Refer): Json => ({
  operationId: operationId(route),
  summary: route.summary,
  tags: [route.group],
  parameters: [...(route.params ?? []).map(pathParameter), ...queryParameters(route)],
  ...(route.body && route.rawBody === undefined ? { requestBody: requestBody(route.body, refer) } : {}),
  ...(route.rawBody === undefined ? {} : { requestBody: { content: { [route.rawBody]: BYTES } } }),
  ...(route.upload === undefined ? {} : { requestBody: { content: { [route.upload]: BYTES } } }),
  responses: {
    [route.success.code]: success(route, refer),
    ...Object.fromEntries(errorsOf(route).map((code) => [code, failure(code)])),
  },
});

/** Its own, those of a body, and those of Idempotency-Key. */
const errorsOf = (route: Route): number[] => [
  ...new Set([
    ...route.errors,
    ...(route.body === undefined && route.method !== 'POST' ? [] : [400]),
    ...(isKeyable(route) ? [409] : []),
  ]),
];

/** `get_v2_projects_project_id_stats`: unique, as method and path are. */
const operationId = (route: Route): string =>
  `${route.method.toLowerCase()}_${route.path.slice(1).replace(/[{}]/g, '').replace(/\W+/g, '_')}`;

const pathParameter = (name: ParamName): Json => ({ name, in: 'path', required: true, schema: PARAMETERS[name] });

const ID = { type: 'string', format: 'uuid' };
const NUMBER = { type: 'string', pattern: '^\\d+$' };
const PARAMETERS: Record<ParamName, Json> = {
  project_id: ID,
  node_id: ID,
  link_id: ID,
  drawing_id: ID,
  template_id: ID,
  replay_id: ID,
  snapshot_id: ID,
  path: { type: 'string' },
  filename: { type: 'string' },
  action: { type: 'string' },
  emulator: { type: 'string' },
  compute_id: { type: 'string' },
  symbol_id: { type: 'string' },
  recording_name: { type: 'string', pattern: RECORDING.source },
  adapter_number: NUMBER,
  port_number: NUMBER,
};

const queryParameters = (route: Route): Json[] => {
  if (!route.query) return [];
  const { properties = {} } = jsonSchema(route.query, 'input') as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
};

/** Never required: a missing body is `{}`. */
const requestBody = (body: z.ZodType, refer: Refer): Json => ({
  required: false,
  content: { 'application/json': { schema: refer(body, 'input') } },
});

const BYTES = { schema: { type: 'string', format: 'binary' } };

const success = ({ success: { code, schema, type, description } }: Route, refer: Refer): Json => ({
  description: description ?? (code === 204 ? 'Done' : 'The answer'),
  ...(schema ? { content: { 'application/json': { schema: refer(schema, 'output') } } } : {}),
  ...(type === undefined ? {} : { content: { [type]: BYTES } }),
});

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  403: 'Not permitted on this server, or the project is closed',
  404: 'Something that the path or the body names does not exist',
  405: 'What it is forwarded to has no such method',
  408: 'It took too long',
  409: 'A conflict',
  429: 'More than this server serves',
  413: 'The body is too large',
  507: 'The disk is full',
};

const failure = (code: number): Json => ({
  description: MEANINGS[code] ?? 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  omit({ ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) }, ['$schema']);
