import { z } from 'zod';

export const versionRecord = z.strictObject({ version: z.string(), local: z.boolean() });
export const versionCheck = z.strictObject({ version: z.string(), local: z.boolean().exactOptional() });
export const udpPort = z.strictObject({ udp_port: z.int() });
export const health = z.looseObject({});

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
  capabilities: z.strictObject({ version: z.string(), node_types: z.array(z.string()), platform: z.string() }),
});

const digits = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be digits only')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum));

/** A page of facts: `from` is the first position (of a project: version) wanted. */
export const eventsQuery = z.object({
  from: digits(0, Number.MAX_SAFE_INTEGER).exactOptional(),
  limit: digits(1, 1000).exactOptional(),
});
export const fact = z.looseObject({ position: z.int(), type: z.string(), at: z.string() });
