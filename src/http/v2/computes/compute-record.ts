import { z } from 'zod';
import { AUTO } from '../../../actors/compute/placing.ts';
import { notFound, TopologError } from '../../../common/errors.ts';
import type { ComputeLoad } from '../../../computes/client/remote-compute.ts';
import type { ComputeRecord } from '../../../projections/records.ts';
import type { Api, RemoteComputeView } from '../../api.ts';
import type { EngineJson } from '../compute/machine.ts';

export const computeRecord = z.strictObject({
  compute_id: z.string(),
  name: z.string(),
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  port: z.int(),
  user: z.string().nullable(),
  connected: z.boolean(),
  cpu_usage_percent: z.number().nullable(),
  memory_usage_percent: z.number().nullable(),
  last_error: z.string().nullable(),
  capabilities: z.strictObject({
    version: z.string().nullable().meta({ description: 'null: it was never connected' }),
    node_types: z.array(z.string()),
    platform: z.string().nullable(),
  }),
  topolog: z.string().nullable().exactOptional().meta({
    description: 'Its version where it is one; null: it is not, or was never connected. Absent with the names gns3',
  }),
  clock_ahead: z
    .int()
    .nullable()
    .exactOptional()
    .meta({
      description:
        'Seconds by which its clock is ahead of that of this server; null: it is not known. Absent for this server, with the names gns3, ' +
        'and in frames about what has changed',
    }),
});

type ComputeParts = Pick<
  Api,
  'computeId' | 'version' | 'computes' | 'address' | 'shownVersion' | 'kindNames' | 'gns3Compat'
>;

export interface ComputeJsonOptions {
  /** Name of a kind as answers carry it; a name that no kind has stays. */
  emit: (nameOrAlias: string) => string;
  /** Without keys that clients of GNS3 do not know, and break on. */
  gns3Compat: boolean;
}

const NO_LOAD = { cpu_usage_percent: null, memory_usage_percent: null };

/** Another compute; its node types are empty until it was connected. */
export const computeToJson = (
  { compute_id, name, protocol, host, port, user, connected, last_error, capabilities }: ComputeRecord,
  load: ComputeLoad | null,
  { emit, gns3Compat }: ComputeJsonOptions,
) => ({
  compute_id,
  name,
  protocol,
  host,
  port,
  user,
  connected,
  ...(load ?? NO_LOAD),
  last_error,
  capabilities: {
    version: capabilities?.version ?? null,
    node_types: [...new Set(capabilities?.node_types.map(emit))],
    platform: capabilities?.platform ?? null,
  },
  ...(gns3Compat ? {} : { topolog: capabilities?.topolog ?? null }),
});

export const computeJsonOptions = ({
  kindNames,
  gns3Compat,
}: Pick<ComputeParts, 'kindNames' | 'gns3Compat'>): ComputeJsonOptions => ({
  emit: (given) => kindNames.emit(kindNames.kind(given)?.name ?? given),
  gns3Compat,
});

/** Another compute as it is at the moment, which its record tells only after a while. */
export const computeNow = (api: ComputeParts, record: ComputeRecord) => {
  const compute = api.computes.find(record.compute_id)?.compute;
  const problem = compute === undefined ? null : compute.problem;
  return {
    ...computeToJson(record, compute?.load ?? null, computeJsonOptions(api)),
    connected: problem === null,
    last_error: problem,
    ...(api.gns3Compat ? {} : { clock_ahead: compute?.clockAhead ?? null }),
  };
};

/** This server as a compute. */
export const localCompute = (api: ComputeParts, { cpu_usage_percent, memory_usage_percent }: ComputeLoad) => ({
  compute_id: api.computeId,
  name: api.computeId,
  protocol: 'http',
  ...api.address(),
  user: null,
  connected: true,
  cpu_usage_percent,
  memory_usage_percent,
  last_error: null,
  capabilities: {
    version: api.shownVersion,
    node_types: api.kindNames.emitted,
    platform: process.platform,
  },
  ...(api.gns3Compat ? {} : { topolog: api.version }),
});

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

/** Engines as the compute told when it was connected; empty for a GNS3 server, which tells none. Throws `compute_unreachable`. */
export const enginesAt = (api: Api, computeId: string): EngineJson[] => {
  const compute = farCompute(api, computeId);
  void compute.client;
  const { kindNames } = api;
  const named = (type: string): string => kindNames.emit(kindNames.kind(type)?.name ?? type);
  return (compute.engines ?? []).map((found) => ({ ...found, node_type: named(found.node_type) }));
};
