import { z } from 'zod';
import type { RecordView } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { createLookups, type Lookups } from '../lookups.ts';
import { type Call, type ParamName, type ParamTypes, type Payload, type PlainRoute, route } from './route.ts';
import { filledLine } from '../v2/schema.ts';

/** The records that a read answers from: as they are, or as they were. */
export interface Reading {
  records: RecordView;
  find: Lookups;
}

/** `?at=<position or ISO time>` on a read answers as it would have been answered then. */
const momentQuery = z.object({ at: filledLine.exactOptional() });

type Spec<P extends readonly ParamName[]> = Omit<
  Parameters<typeof route<P, typeof momentQuery>>[0],
  'handler' | 'instant' | 'query' | 'method'
> & {
  read: (reading: Reading, params: Pick<ParamTypes, P[number]>) => Payload;
};

/** A GET of records that can be asked for any moment. */
export const readRoute = <const P extends readonly ParamName[] = []>(
  api: Api,
  { read, ...spec }: Spec<P>,
): PlainRoute =>
  route<readonly ParamName[], typeof momentQuery>({
    ...spec,
    method: 'GET',
    query: momentQuery,
    errors: [...new Set([400, ...spec.errors])],
    instant: (params) => read(api, params),
    handler: ({ params, query }: Call<Partial<ParamTypes>, { at?: string }>) => {
      const wanted = params as Pick<ParamTypes, P[number]>;
      if (query.at === undefined) return read(api, wanted);
      return api.past
        .at(params.project_id ?? null, query.at)
        .then((records) => read({ records, find: createLookups(records) }, wanted));
    },
  });
