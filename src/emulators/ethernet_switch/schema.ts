import { z } from 'zod';
import { field, type Fields, int, listOf, name } from '../kit/fields.ts';

export const PORT_TYPES = ['access', 'dot1q', 'qinq'] as const;

const portMapping = z.strictObject({
  name,
  port_number: z.int().min(0),
  /** `access`: untagged in `vlan`; `dot1q`: all VLANs tagged, `vlan` untagged; `qinq`: everything in the outer tag `vlan`. */
  type: z.enum(PORT_TYPES),
  vlan: int(1, 4094).optional(),
  /** Of the outer tag of a qinq port; empty is 0x8100. */
  ethertype: z.enum(['', '0x8100', '0x88A8', '0x9100', '0x9200']).optional(),
});

/** Eight access ports in VLAN 1. */
const eight = Array.from({ length: 8 }, (_, n) => ({ name: `Ethernet${n}`, port_number: n, type: 'access', vlan: 1 }));

export const fields: Fields = { ports_mapping: field(listOf(portMapping), eight) };
