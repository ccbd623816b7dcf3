import { z } from 'zod';
import { LENGTHS } from '../../common/bounds.ts';
import { conflict, invalid } from '../../common/errors.ts';
import type { CableEnd } from '../protocol.ts';

const udpPort = z.int().min(1).max(65_535);

/**
 * Network inputs/outputs of the compute group: `{type: "nio_udp", lport, rhost, rport, filters?, suspend?}` is what this server
 * has; the types that lead to interfaces of the host need engines that it does not have.
 */
const udp = z.looseObject({
  type: z.literal('nio_udp'),
  lport: udpPort,
  rhost: z.string().min(1, 'must not be empty').max(LENGTHS.line, `must have at most ${LENGTHS.line} characters`),
  rport: udpPort,
  filters: z.record(z.string(), z.array(z.union([z.number(), z.string()]))).optional(),
  suspend: z.boolean().optional(),
});
export type UdpNio = z.infer<typeof udp>;

/** The NIO, checked. Throws TopologError. */
export const udpNio = (nio: Readonly<Record<string, unknown>>): UdpNio => {
  if (nio['type'] !== 'nio_udp')
    throw conflict(`A NIO of type ${String(nio['type'])} is not possible here; nio_udp is`);
  const result = udp.safeParse(nio);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join('.') ?? 'nio'}: ${issue?.message ?? 'not valid'}`);
};

export const udpEnd = ({ lport, rhost, rport }: Pick<UdpNio, 'lport' | 'rhost' | 'rport'>): CableEnd => ({
  type: 'udp',
  lport,
  rhost,
  rport,
});
