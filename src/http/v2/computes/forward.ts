import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { finder, type Found, innerCall } from '../../routing/dispatch.ts';
import { pathPattern } from '../../routing/path-template.ts';
import { type Call, isSocket, json, type ParamTypes, type Payload, type Route, route } from '../../routing/route.ts';
import { jsonOf } from '../../server/request-body.ts';
import { parseParams } from '../../server/parameters.ts';
import { anyObject } from '../schema.ts';
import { farCompute } from './compute-record.ts';
import { image } from '../compute/kinds.ts';

type Method = 'GET' | 'POST' | 'PUT';
type FarCall = Call<Pick<ParamTypes, 'compute_id' | 'emulator' | 'action'>>;
type Forward = (method: Method, call: FarCall) => Promise<Payload>;

/**
 * Requests that go on to another compute, as they are. What a path carries, JSON or bytes, is what the same path of the compute group
 * carries here; one that is not known here carries JSON.
 */
const farForwarder = (api: Api, computeRoutes: readonly Route[]): Forward => {
  const rows = computeRoutes.filter((row) => !isSocket(row));
  const patterns = rows.map((row) => ({ row, pattern: pathPattern(row.path) }));
  const find = (method: Method, path: string) =>
    patterns.find(({ row, pattern }) => row.method === method && pattern.test(path))?.row;
  return async (method, call) => {
    const { compute_id, emulator, action } = call.params;
    const { client } = farCompute(api, compute_id);
    const kind = api.kindNames.kind(emulator);
    const row = find(method, `/v2/compute/${kind?.name ?? emulator}/${action}`);
    const path = `/${[kind?.alias ?? emulator, ...segmentsOf(method, call.params)].join('/')}${queryOf(call.query)}`;
    if (method === 'GET' && row?.success.type !== undefined)
      return { stream: await client.download(path, call.signal), type: BYTES };
    if (method === 'POST' && row?.upload !== undefined) {
      await client.upload(path, call.upload, call.signal);
      return json({});
    }
    const given = method === 'GET' ? call.body : await jsonOf(call.upload, row?.bodyLimit ?? api.bodyLimit);
    const body = isEmpty(given) ? {} : { body: given };
    return json((await client.request(method, path, { ...body, signal: call.signal })) ?? {});
  };
};

const BYTES = 'application/octet-stream';

/** Encodes the path again. Throws `no_route` for one that would lead out of the compute group. */
const segmentsOf = (method: Method, { emulator, action }: FarCall['params']): string[] => {
  const segments = action.split('/');
  if ([emulator, ...segments].some((segment) => segment === '.' || segment === '..'))
    throw new TopologError('no_route', { method, path: `/v2/compute/${emulator}/${action}` });
  return segments.map(encodeURIComponent);
};

const queryOf = (query: unknown): string => {
  const given = Object.entries((query ?? {}) as Record<string, string | string[]>);
  const text = new URLSearchParams(
    given.flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, one])),
  );
  return text.size === 0 ? '' : `?${text.toString()}`;
};

const isEmpty = (body: unknown): boolean => Object.keys(body ?? {}).length === 0;

const FORWARD = '/v2/computes/{compute_id}/{emulator}/{action}';
const IMAGES = '/v2/computes/{compute_id}/{emulator}/images';
const ANYTHING = { code: 200, type: 'application/octet-stream', description: 'What the compute answers' } as const;
/** Whatever the compute reads of it. */
const query = z.looseObject({});
const errors = [400, 403, 404, 405, 408, 409, 412, 413, 507];

type ForwardCall = Call<Pick<ParamTypes, 'compute_id' | 'emulator' | 'action'>>;

/**
 * Requests for a compute that go by way of the controller. Those for this server are answered by the handlers of the compute group, with
 * their checks; the others go on to their compute. The code is always 200, and what has no body gets `{}`, as existing tools expect.
 */
export const forwardRoutes = (api: Api, computeRoutes: readonly Route[]): Route[] => {
  const find = seeker(api, computeRoutes);
  const far = farForwarder(api, computeRoutes);
  const isHere = ({ params }: ForwardCall): boolean => params.compute_id === api.computeId;
  const get = (call: ForwardCall, body: Record<string, unknown>): Promise<Payload> | Payload => {
    if (!isHere(call)) return far('GET', call);
    const found = find('GET', call.params);
    return found.row.handler(callOf(api, found, call, body));
  };
  return [
    route('GET', IMAGES, {
      summary: 'Images that a compute has for a kind',
      success: { code: 200, schema: z.union([z.array(image), z.array(z.strictObject({ image: z.string() }))]) },
      errors: [400, 403, 404, 409],
      handler: (call) => get({ ...common(call), params: { ...call.params, action: 'images' } }, {}),
    }),
    route('GET', FORWARD, {
      summary: 'Ask a compute',
      query,
      body: anyObject,
      success: ANYTHING,
      errors,
      handler: (call) => get(call, call.body),
    }),
    ...(['POST', 'PUT'] as const).map((method) =>
      route(method, FORWARD, {
        summary:
          method === 'POST' ? 'Have a compute do something, e.g. take an image' : 'Have a compute change something',
        query,
        upload: 'application/octet-stream',
        success: ANYTHING,
        errors,
        handler: async (call) => {
          if (!isHere(call)) return far(method, call);
          const found = find(method, call.params);
          const { row } = found;
          const body = row.upload === undefined ? await jsonOf(call.upload, row.bodyLimit ?? api.bodyLimit) : {};
          return (await row.handler(callOf(api, found, call, body))) ?? { json: '{}' };
        },
      }),
    ),
  ];
};

/** Parts of the call that the inner one shares. Getters are read only when a handler needs them. */
const common = (call: Call<unknown>): Omit<ForwardCall, 'params'> => ({
  query: call.query,
  body: call.body,
  caller: call.caller,
  accept: call.accept,
  lastEventId: call.lastEventId,
  controller: call.controller,
  get signal() {
    return call.signal;
  },
  get upload() {
    return call.upload;
  },
  get uploadLength() {
    return call.uploadLength;
  },
});

type Seek = (method: string, params: ForwardCall['params']) => Found;

const seeker = (api: Api, routes: readonly Route[]): Seek => {
  const find = finder(routes);
  return (method, { emulator, action }) => {
    return find(method, `/v2/compute/${api.kindNames.kind(emulator)?.name ?? emulator}/${action}`);
  };
};

const callOf = (
  api: Api,
  { row, groups }: Found,
  call: ForwardCall,
  body: Record<string, unknown>,
): Call<ParamTypes, never, never> => {
  const params = parseParams(row.params, groups);
  return innerCall(api, row, { params, query: call.query as object, body }, common(call));
};
