import { z } from 'zod';
import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { jsonOf } from '../../server/body-bytes.ts';
import { parseParams } from '../../server/parameters.ts';
import {
  type Call,
  isSocket,
  type ParamTypes,
  type Payload,
  type PlainRoute,
  type Route,
  route,
} from '../../routing/route.ts';
import { image } from './schema.ts';
import { farForwarder } from './forward-far.ts';
import { anyObject } from '../schema.ts';
import { validate } from '../../server/validate.ts';
import { byPreference, pathPattern } from '../../routing/path-template.ts';

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
  const find = finder(api, computeRoutes);
  const far = farForwarder(api, computeRoutes);
  const isHere = ({ params }: ForwardCall): boolean => params.compute_id === api.computeId;
  const get = (call: ForwardCall, body: Record<string, unknown>): Promise<Payload> | Payload => {
    if (!isHere(call)) return far('GET', call);
    const found = find('GET', call.params);
    return found.target.handler(callOf(api, found, call, body));
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
          const { target } = found;
          const body = target.upload === undefined ? await jsonOf(call.upload, target.bodyLimit ?? api.bodyLimit) : {};
          return (await target.handler(callOf(api, found, call, body))) ?? { json: '{}' };
        },
      }),
    ),
  ];
};

/** What is the same for the row that answers. A getter must not be read before its time. */
const common = (call: Call<unknown>): Omit<ForwardCall, 'params'> => ({
  query: call.query,
  body: call.body,
  caller: call.caller,
  accept: call.accept,
  lastEventId: call.lastEventId,
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

/** The row that answers, and what the path says to it. */
interface Found {
  target: PlainRoute;
  params: ParamTypes;
}
type Find = (method: string, params: ForwardCall['params']) => Found;

const finder = (api: Api, routes: readonly Route[]): Find => {
  const rows = routes
    .filter((r): r is PlainRoute => !isSocket(r))
    .sort((a, b) => byPreference(a.path, b.path))
    .map((r) => ({ row: r, pattern: pathPattern(r.path) }));
  return (method, { emulator, action }) => {
    const path = `/v2/compute/${api.kindNames.kind(emulator)?.name ?? emulator}/${action}`;
    const found = rows.filter(({ pattern }) => pattern.test(path));
    const match = found.find(({ row }) => row.method === method);
    if (match === undefined)
      throw absent(
        method,
        path,
        found.map(({ row }) => row.method),
      );
    const groups = match.pattern.exec(path)?.groups ?? {};
    return { target: match.row, params: parseParams(match.row.params, groups) };
  };
};

const absent = (method: string, path: string, allowed: readonly string[]): TopologError =>
  allowed.length > 0
    ? new TopologError('method_not_allowed', { method, path, allowed: [...new Set(allowed)].sort().join(', ') })
    : new TopologError('no_route', { method, path });

const callOf = (
  api: Api,
  { target, params }: Found,
  call: ForwardCall,
  body: Record<string, unknown>,
): Call<ParamTypes, never, never> => {
  if (target.localOnly && !api.local) throw new TopologError('not_local');
  const query = target.query ? validate(target.query, call.query) : {};
  const given = target.queryIntoBody ? { ...(call.query as object), ...body } : body;
  const made = common(call);
  return Object.defineProperties(
    { params, query, body: target.body ? validate(target.body, given) : {}, caller: made.caller, accept: made.accept },
    {
      signal: { get: () => made.signal },
      upload: { get: () => made.upload },
    },
  ) as Call<ParamTypes, never, never>;
};
