import { TopologError } from '../../common/errors.ts';
import type { Api } from '../api.ts';
import { validate } from '../server/validate.ts';
import { byPreference, pathPattern } from './path-template.ts';
import { type Call, isSocket, type ParamTypes, type PlainRoute, type Route } from './route.ts';

/** Requests that reach a row of the compute group by way of another one. */

/** The row that answers, and the placeholders of its path, not decoded. */
export interface Found {
  row: PlainRoute;
  groups: Readonly<Record<string, string>>;
}
/** `path`: below `/v2/compute/`, with the token of a kind. Throws `no_route`, `method_not_allowed`. */
export type Find = (method: string, path: string) => Found;

export const finder = (routes: readonly Route[]): Find => {
  const bySegment = new Map<string, { row: PlainRoute; pattern: RegExp }[]>();
  const plain = routes.filter((r): r is PlainRoute => !isSocket(r));
  for (const row of plain.sort((a, b) => byPreference(a.path, b.path))) {
    const key = segmentsOf(row.path);
    const rows = bySegment.get(key) ?? [];
    bySegment.set(key, rows);
    rows.push({ row, pattern: pathPattern(row.path) });
  }
  return (method, path) => {
    const rows = bySegment.get(segmentsOf(path)) ?? [];
    for (const { row, pattern } of rows) {
      const match = row.method === method ? pattern.exec(path) : null;
      if (match !== null) return { row, groups: match.groups ?? {} };
    }
    const there = rows.filter(({ pattern }) => pattern.test(path)).map(({ row }) => row.method);
    throw absent(method, path, there);
  };
};

/** Segments that are written out in the path of every row: by them rows are found faster, as every kind has its own. */
const segmentsOf = (path: string): string => {
  const [, , , first = '', , third = ''] = path.split('/');
  return first === 'projects' ? `${first}/${third}` : first;
};

const absent = (method: string, path: string, allowed: readonly string[]): TopologError =>
  allowed.length > 0
    ? new TopologError('method_not_allowed', { method, path, allowed: [...new Set(allowed)].sort().join(', ') })
    : new TopologError('no_route', { method, path });

/** Parts of the outer request that the inner one shares. Getters are read only when a handler needs them. */
export type Outer = Pick<Call, 'caller' | 'accept' | 'controller' | 'signal'> & Partial<Pick<Call, 'upload'>>;

/** Arguments of the row's handler, checked as those of a request of its own. */
export const innerCall = (
  api: Pick<Api, 'local'>,
  row: PlainRoute,
  { params, query, body }: { params: ParamTypes; query: object; body: Record<string, unknown> },
  outer: Outer,
): Call<ParamTypes, never, never> => {
  if (row.localOnly && !api.local) throw new TopologError('not_local');
  const checked = {
    params,
    query: row.query ? validate(row.query, query) : {},
    body: row.body ? validate(row.body, row.queryIntoBody ? { ...query, ...body } : body) : {},
    caller: outer.caller,
    accept: outer.accept,
    controller: outer.controller,
    lastEventId: null,
  };
  return Object.defineProperties(checked, {
    signal: { get: () => outer.signal },
    upload: { get: () => outer.upload },
  }) as unknown as Call<ParamTypes, never, never>;
};
