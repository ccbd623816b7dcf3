import type { Api } from '../api.ts';
import { isKeyable } from './execute.ts';
import { createSchemas, type Json, type Schemas } from './openapi-schemas.ts';
import { RECORDING } from '../server/parameters.ts';
import { LINES, type ParamName, type Route } from './route.ts';
import { errorReply } from '../v2/schema.ts';

/** The table as an OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.0 */
export const openApiDocument = (routes: readonly Route[], api: Pick<Api, 'kinds' | 'kindNames' | 'version'>): Json => {
  const schemas = createSchemas(api);
  const failures = createFailures(schemas);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    if (route.isDocumented === false) continue;
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operation(route, schemas, failures);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Topolog',
      version: api.version,
      description:
        'Every answer has the header X-Route with the template of the route that served it. A server with users asks for ' +
        'HTTP Basic at every route. Beside the errors of a route: 401, 403, 413, 429, 431 and 503, and 400 for a header that ' +
        'is not valid (docs/reference/errors.md).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: ['controller', 'compute', 'server'].map((name) => ({ name })),
    'x-kinds': kindsOf(api, schemas),
    paths,
    security: [{}, { basic: [] }],
    components: {
      schemas: schemas.named(),
      responses: failures.named(),
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    },
  };
};

const operation = (route: Route, schemas: Schemas, failures: Failures): Json => ({
  operationId: operationId(route),
  summary: route.summary,
  tags: [route.group],
  parameters: [...route.params.map(pathParameter), ...queryParameters(route, schemas)],
  ...requestBody(route, schemas),
  responses: {
    [route.success.code]: success(route, schemas),
    ...Object.fromEntries(errorsOf(route).map((code) => [code, failures.refer(code)])),
  },
});

/** Kinds, for forms: names, the schema of a node's properties, settings of its templates, and console types. */
const kindsOf = ({ kinds }: Pick<Api, 'kinds'>, schemas: Schemas): Json[] =>
  kinds.all().map(({ name, alias, titles, properties, capabilities, template, images }) => ({
    name,
    alias,
    titles: titles ?? {},
    properties: schemas.refer(properties, 'input'),
    template: Object.keys(template.settings.shape),
    // Whether its images are files of the server.
    images: images !== undefined,
    console_types: capabilities.console_types,
    // Keys that only kinds with such port names have.
    settings: ['port_name_format', 'port_segment_size', 'first_port_name', 'custom_adapters'].filter(
      (key) => key in template.settings.shape,
    ),
  }));

/** Errors of a route, of bodies, and of Idempotency-Key. */
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
  weather_id: ID,
  check_id: ID,
  path: { type: 'string' },
  filename: { type: 'string' },
  action: { type: 'string' },
  emulator: { type: 'string' },
  engine: { type: 'string' },
  compute_id: { type: 'string' },
  symbol_id: { type: 'string' },
  recording_name: { type: 'string', pattern: RECORDING.source },
  capture_name: { type: 'string' },
  packet_number: NUMBER,
  position: NUMBER,
  adapter_number: NUMBER,
  port_number: NUMBER,
};

const queryParameters = ({ query }: Route, schemas: Schemas): Json[] => {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.whole(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema };
  });
};

const BYTES = { schema: { type: 'string', format: 'binary' } };

const requestBody = ({ body, upload, queryIntoBody }: Route, schemas: Schemas): Json => {
  if (upload !== undefined) return { requestBody: { content: { [upload]: BYTES } } };
  if (!body) return {};
  // A missing body is `{}`.
  const required = queryIntoBody !== true && !body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: schemas.refer(body, 'input') } } } };
};

const success = ({ success: { code, schema, type, lines, frames, description } }: Route, schemas: Schemas): Json => {
  const content = {
    ...(schema ? { 'application/json': { schema: schemas.refer(schema, 'output') } } : {}),
    ...(type === undefined ? {} : { [type]: BYTES }),
    ...(lines === true ? { [LINES]: BYTES } : {}),
  };
  return {
    description: description ?? (code === 204 ? 'Done' : 'The answer'),
    ...(Object.keys(content).length > 0 ? { content } : {}),
    ...(frames ? { 'x-frames': schemas.refer(frames, 'output') } : {}),
  };
};

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

/** Responses that all routes share: one with a name for each status. */
interface Failures {
  refer(code: number): Json;
  named(): Json;
}

const createFailures = (schemas: Schemas): Failures => {
  const error = { 'application/json': { schema: schemas.refer(errorReply, 'output') } };
  const named: Record<string, Json> = {};
  return {
    refer(code) {
      named[`Error${code}`] ??= { description: MEANINGS[code] ?? 'An error', content: error };
      return { $ref: `#/components/responses/Error${code}` };
    },
    named: () => named,
  };
};
