import { TopologError } from '../../../common/errors.ts';
import type { Api } from '../../api.ts';
import { type Call, isSocket, json, type ParamTypes, type Payload, type Route } from '../../routing/route.ts';
import { pathPattern } from '../../routing/path-template.ts';
import { jsonOf } from '../../server/body-bytes.ts';
import { farCompute } from './known-compute.ts';

type Method = 'GET' | 'POST' | 'PUT';
type FarCall = Call<Pick<ParamTypes, 'compute_id' | 'emulator' | 'action'>>;
type Forward = (method: Method, call: FarCall) => Promise<Payload>;

/**
 * Requests that go on to another compute, as they are. What a path carries, JSON or bytes, is what the same path of the compute group
 * carries here; one that is not known here carries JSON.
 */
export const farForwarder = (api: Api, computeRoutes: readonly Route[]): Forward => {
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

/** Encoded again. What would lead out of the compute group is nowhere. */
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
