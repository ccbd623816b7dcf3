import type { ComputeRecord } from '../../../projections/records.ts';
import type { HttpDeps, Load } from '../../deps.ts';
import type { KindNames } from '../../kind-names.ts';

export interface ComputeParts extends Pick<HttpDeps, 'computeId' | 'kinds'> {
  address(): { host: string; port: number };
  shownVersion: string;
  kindNames: KindNames;
}

/** Another compute. What it can run is empty until it was connected. */
export const computeToJson = (
  { compute_id, name, protocol, host, port, user, connected, last_error, capabilities }: ComputeRecord,
  load: { cpu_usage_percent: number | null; memory_usage_percent: number | null },
) => ({
  ...{ compute_id, name, protocol, host, port, user, connected },
  ...load,
  last_error,
  capabilities: {
    version: capabilities?.version ?? null,
    node_types: capabilities?.node_types ?? [],
    platform: capabilities?.platform ?? null,
  },
});

/** This server as a compute. */
export const localCompute = (api: ComputeParts, { cpu_usage_percent, memory_usage_percent }: Load) => ({
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
    node_types: api.kinds.all().map((kind) => api.kindNames.emit(kind.name)),
    platform: process.platform,
  },
});
