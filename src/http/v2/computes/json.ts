import type { ComputeRecord } from '../../../projections/records.ts';
import type { ComputeLoad } from '../../../computes/client/remote-compute.ts';
import type { Api } from '../../api.ts';

type ComputeParts = Pick<
  Api,
  'computeId' | 'version' | 'computes' | 'address' | 'shownVersion' | 'kindNames' | 'asExisting'
>;

export interface ComputeJsonOptions {
  /** Name of a kind as answers carry it; a name that no kind has stays. */
  emit: (nameOrAlias: string) => string;
  /** Existing tools break on a key that they do not know. */
  asExisting: boolean;
}

const NO_LOAD = { cpu_usage_percent: null, memory_usage_percent: null };

/** Another compute. What it can run is empty until it was connected. `load` null: it is not known. */
export const computeToJson = (
  { compute_id, name, protocol, host, port, user, connected, last_error, capabilities }: ComputeRecord,
  load: ComputeLoad | null,
  { emit, asExisting }: ComputeJsonOptions,
) => ({
  ...{ compute_id, name, protocol, host, port, user, connected },
  ...(load ?? NO_LOAD),
  last_error,
  capabilities: {
    version: capabilities?.version ?? null,
    node_types: [...new Set(capabilities?.node_types.map(emit))],
    platform: capabilities?.platform ?? null,
  },
  ...(asExisting ? {} : { topolog: capabilities?.topolog ?? null }),
});

export const computeJsonOptions = ({
  kindNames,
  asExisting,
}: Pick<ComputeParts, 'kindNames' | 'asExisting'>): ComputeJsonOptions => ({
  emit: (given) => kindNames.emit(kindNames.kind(given)?.name ?? given),
  asExisting,
});

/** Another compute as it is at the moment, which its record tells only after a while. */
export const computeNow = (api: ComputeParts, record: ComputeRecord) => {
  const compute = api.computes.find(record.compute_id)?.compute;
  const problem = compute === undefined ? null : compute.problem;
  return {
    ...computeToJson(record, compute?.load ?? null, computeJsonOptions(api)),
    connected: problem === null,
    last_error: problem,
    ...(api.asExisting ? {} : { clock_ahead: compute?.clockAhead ?? null }),
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
  ...(api.asExisting ? {} : { topolog: api.version }),
});
