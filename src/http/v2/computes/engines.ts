import type { z } from 'zod';
import type { Api } from '../../api.ts';
import type { engine } from '../server/schema.ts';
import { farCompute } from './known-compute.ts';

type EngineJson = z.output<typeof engine>;

export const enginesHere = async ({ engines, kindNames }: Api): Promise<EngineJson[]> =>
  (await engines()).map(({ kind, ...found }) => ({ node_type: kindNames.emit(kind), ...found }));

/** As it said when it was connected. Empty: it does not say. Throws `compute_unreachable`. */
export const enginesAt = (api: Api, computeId: string): EngineJson[] => {
  const compute = farCompute(api, computeId);
  void compute.client;
  const { kindNames } = api;
  const named = (type: string): string => kindNames.emit(kindNames.kind(type)?.name ?? type);
  return (compute.engines ?? []).map((found) => ({ ...found, node_type: named(found.node_type) }));
};
