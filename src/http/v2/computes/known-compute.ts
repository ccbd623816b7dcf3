import { notFound, TopologError } from '../../../common/errors.ts';
import { AUTO } from '../../../actors/compute/placing.ts';
import type { ComputeRecord } from '../../../projections/records.ts';
import type { Api, RemoteComputeView } from '../../api.ts';

/** The record of a compute that is not this server. Throws `not_found`. */
export const farRecord = ({ records }: Pick<Api, 'records'>, id: string): ComputeRecord => {
  const record = records.get('compute', id);
  if (record === undefined) throw notFound('Compute', id);
  return record;
};

/** A compute that is not this server, to ask it something. Throws `not_found`. */
export const farCompute = (api: Pick<Api, 'computes' | 'records'>, id: string): RemoteComputeView => {
  const { name } = farRecord(api, id);
  const place = api.computes.find(id);
  if (place === undefined) throw new TopologError('compute_unreachable', { name, reason: 'it was just removed' });
  return place.compute;
};

/** Throws `not_found` for a field that names no compute. `auto` is one. */
export const checkWhere = ({ computes, records }: Api, field: string, id: string): void => {
  if (id === AUTO || computes.isHere(id) || records.get('compute', id) !== undefined) return;
  throw new TopologError('not_found', { what: 'Compute', id, field });
};
