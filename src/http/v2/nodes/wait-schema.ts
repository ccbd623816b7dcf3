import { z } from 'zod';
import { LENGTHS } from '../../../common/bounds.ts';

const node = z.string().min(1, 'must be an identifier or a name').max(LENGTHS.line);

/** `node` may be repeated. */
export const waitQuery = z.object({
  node: z.union([node, z.array(node)]).exactOptional(),
  all: z.enum(['true', 'false']).exactOptional(),
  status: z.enum(['stopped', 'started', 'suspended']),
  timeout: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number of seconds from 0 to 600')
    .transform(Number)
    .refine((seconds) => seconds <= 600, 'must be a number of seconds from 0 to 600')
    .exactOptional(),
});
