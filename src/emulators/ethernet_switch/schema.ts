import { z } from 'zod';
import { field, type Fields, int, listOf, name } from '../kit/fields.ts';
import { part } from '../kit/texts.ts';

export const PORT_TYPES = ['access', 'dot1q', 'qinq'] as const;

const portMapping = z.strictObject({
  name: part(name, 'Name', 'What the port is called.'),
  port_number: part(z.int().min(0), 'Number', 'Number of the port, each once.'),
  type: part(
    z.enum(PORT_TYPES),
    'Type',
    'access: untagged in the VLAN; dot1q: all VLANs tagged, this one untagged; qinq: everything in an outer tag.',
  ),
  vlan: part(int(1, 4094).optional(), 'VLAN', 'The access VLAN, the native VLAN of a trunk, or the outer tag.'),
  ethertype: part(
    z.enum(['', '0x8100', '0x88A8', '0x9100', '0x9200']).optional(),
    'EtherType',
    'Of the outer tag of a qinq port; empty is 0x8100.',
  ),
});

/** Eight access ports in VLAN 1. */
const eight = Array.from({ length: 8 }, (_, n) => ({ name: `Ethernet${n}`, port_number: n, type: 'access', vlan: 1 }));

export const fields: Fields = { ports_mapping: field(listOf(portMapping), eight) };
