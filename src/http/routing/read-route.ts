import { z } from 'zod';
import type { RecordView } from '../../projections/records.ts';
import type { Api } from '../api.ts';
import { createLookups, type Lookups } from '../lookups.ts';
import { type ParamsOf, type ParamTypes, type Payload, type PlainRoute, route } from './route.ts';
import { filledLine } from '../v2/schema.ts';

/** The records that a read answers from: as they are, or as they were. */
export interface Reading {
  records: RecordView;
  find: Lookups;
}

/** `?at=<position or ISO time>` on a read answers as it would have been answered then. */
const momentQuery = z.object({ at: filledLine.exactOptional() });

type Row<P> = Omit<Parameters<typeof route<string, typeof momentQuery>>[2], 'handler' | 'query'> & {
  read: (reading: Reading, params: P) => Payload;
};

/** A GET of records that can be asked for any moment. */
export const readRoute = <T extends string>(api: Api, path: T, { read, ...row }: Row<ParamsOf<T>>): PlainRoute =>
  route<T, typeof momentQuery>('GET', path, {
    anyServer: true,
    ...row,
    query: momentQuery,
    errors: [...new Set([400, ...(row.errors ?? [])])],
    handler: ({ params, query }) => {
      if (query.at === undefined) return read(api, params);
      return api.past
        .at((params as Partial<ParamTypes>).project_id ?? null, query.at)
        .then((records) => read({ records, find: createLookups(records) }, params));
    },
  });
