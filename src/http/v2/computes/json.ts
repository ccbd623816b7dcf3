import type { HttpDeps, Load } from '../../deps.ts';
import type { KindNames } from '../../kind-names.ts';

export interface ComputeParts extends Pick<HttpDeps, 'computeId' | 'kinds'> {
  address(): { host: string; port: number };
  shownVersion: string;
  kindNames: KindNames;
}

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
