import { z } from 'zod';
import { filledLine, tcpPort } from '../schema.ts';
import { filters } from '../../../model/types.ts';

const device = z.string().regex(/^[^\s/\0]{1,15}$/, 'must be the name of a network device, at most 15 characters');

/** Each type of NIO with its fields; `filters` and `suspend` act on every frame through it. */
const shapes = {
  nio_udp: { lport: tcpPort, rhost: filledLine, rport: tcpPort },
  nio_tap: { tap_device: device },
  nio_ethernet: { ethernet_device: device },
  nio_generic_ethernet: { ethernet_device: device },
  nio_linux_ethernet: { ethernet_device: device },
  nio_unix: { local_file: filledLine, remote_file: filledLine },
  nio_vde: { control_file: filledLine, local_file: filledLine },
  nio_vmnet: { vmnet: filledLine },
  nio_nat: {},
  nio_null: {},
} satisfies Record<string, z.ZodRawShape>;

const isType = (type: string): type is keyof typeof shapes => Object.hasOwn(shapes, type);

const one = (type: keyof typeof shapes) =>
  z.strictObject({
    type: z.literal(type),
    ...shapes[type],
    filters: filters.exactOptional(),
    suspend: z.boolean().exactOptional(),
  });

/** The NIOs that a kind takes. Each parses to an object with its `type`. */
export const nioOf = (types: readonly string[]): z.ZodType<{ type: string } & Record<string, unknown>> => {
  const [first, ...rest] = types.filter(isType).map(one);
  return first ? z.discriminatedUnion('type', [first, ...rest], `must be one of ${types.join(', ')}`) : z.never();
};

export const nioRecord = z
  .looseObject({ type: z.string() })
  .meta({ description: 'The NIO: its type and its addresses' });
