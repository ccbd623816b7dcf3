import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import { z } from 'zod';
import { notFound } from '../../errors.ts';
import type { Api } from '../api.ts';
import { json, type Route, route } from '../route.ts';
import { computeRecord } from '../schemas/server.ts';

/** This server as a compute. */
export const localCompute = (
  api: Pick<Api, 'computeId' | 'address' | 'version' | 'kinds' | 'kindNames'>,
  load: () => Load,
) => ({
  compute_id: api.computeId,
  name: api.computeId,
  protocol: 'http',
  ...api.address(),
  user: null,
  connected: true,
  ...load(),
  last_error: null,
  capabilities: {
    version: api.version,
    node_types: api.kinds.all().map((kind) => api.kindNames.emit(kind.name)),
    platform: process.platform,
  },
});

export const computeRoutes = (api: Api): Route[] => {
  const load = loadMeter();
  const local = () => localCompute(api, load);
  return [
    route({
      method: 'GET',
      path: '/v2/computes',
      group: 'controller',
      summary: 'The computes: this server is the only one',
      success: { code: 200, schema: z.array(computeRecord) },
      errors: [],
      handler: () => json([local()]),
    }),
    route({
      method: 'GET',
      path: '/v2/computes/{compute_id}',
      group: 'controller',
      summary: 'Read a compute',
      params: ['compute_id'],
      success: { code: 200, schema: computeRecord },
      errors: [404],
      handler: ({ params }) => {
        if (params.compute_id !== api.computeId) throw notFound('Compute', params.compute_id);
        return json(local());
      },
    }),
  ];
};

export interface Load {
  cpu_usage_percent: number;
  memory_usage_percent: number;
}

/** What this machine is busy with: processors since it was last asked for, memory now. */
export const loadMeter = (): (() => Load) => {
  const cpuUsage = cpuMeter();
  return () => ({
    cpu_usage_percent: cpuUsage(),
    memory_usage_percent: percent(totalmem() - freemem(), totalmem()),
  });
};

/** Usage since it was last asked for; at first, since the machine started. */
const cpuMeter = (): (() => number) => {
  let before = { idle: 0, total: 0 };
  let last = 0;
  return () => {
    const now = cpuTimes();
    const total = now.total - before.total;
    // Two questions within one tick of the kernel's clock have nothing between them.
    if (total >= availableParallelism() * 10) {
      last = percent(total - (now.idle - before.idle), total);
      before = now;
    }
    return last;
  };
};

/** Milliseconds over all processors. */
const cpuTimes = (): { idle: number; total: number } => {
  const all = cpus().map(({ times }) => times);
  const sum = (of: (t: (typeof all)[number]) => number) => all.reduce((total, t) => total + of(t), 0);
  return { idle: sum((t) => t.idle), total: sum((t) => t.user + t.nice + t.sys + t.idle + t.irq) };
};

const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((part / whole) * 100))) : 0;
