import { ETHERTYPE_DOT1Q, isTagType } from '../../codecs/ethernet.ts';
import type { NodeSpec } from '../../protocol.ts';

/**
 * A port of an Ethernet switch.
 * - `access`: untagged, in `vlan`; tagged frames are refused.
 * - `dot1q`: a trunk for every VLAN, tagged; `vlan` is the native one, untagged.
 * - `qinq`: a tunnel (802.1ad customer port): whatever arrives, tagged or not, travels in VLAN `vlan` and gets one more
 *   tag, of `ethertype`, on trunks; that tag is taken off again where the frame leaves by a qinq port of the same VLAN.
 */
export interface SwitchPort {
  number: number;
  adapter: number;
  name: string;
  type: 'access' | 'dot1q' | 'qinq';
  vlan: number;
  ethertype: number;
}

/** The ports of `config.ports_mapping`: `[{name, port_number, type, vlan, ethertype}]`. Throws an Error that names the entry. */
export function switchPorts(config: NodeSpec['config'], adapters: NodeSpec['ports']): SwitchPort[] {
  const mapping = config['ports_mapping'] ?? [];
  if (!Array.isArray(mapping)) throw new Error('ports_mapping must be a list of ports');
  const ports = mapping.map((entry: unknown, index) => switchPort(entry, index, adapters));
  const twice = ports.find((port, index) => ports.findIndex((other) => other.number === port.number) !== index);
  if (twice !== undefined) throw new Error(`ports_mapping has port_number ${twice.number} twice`);
  return ports;
}

function switchPort(entry: unknown, index: number, adapters: NodeSpec['ports']): SwitchPort {
  const fields = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const { port_number: number, name, type = 'access', vlan = 1, ethertype } = fields;
  const where = `ports_mapping[${index}]`;
  if (!isInteger(number, 0, 0x7fff)) throw new Error(`${where}.port_number must be a whole number from 0`);
  if (!isInteger(vlan, 1, 4094)) throw new Error(`${where}.vlan must be a whole number from 1 to 4094`);
  if (type !== 'access' && type !== 'dot1q' && type !== 'qinq') {
    throw new Error(`${where}.type must be access, dot1q or qinq`);
  }
  const adapter = adapters.find((port) => port.port_number === number)?.adapter_number ?? 0;
  const shown = typeof name === 'string' && name !== '' ? name : `Ethernet${number}`;
  return { number, adapter, name: shown, type, vlan, ethertype: tagType(ethertype, where) };
}

/** Empty is 0x8100, as existing tools take it. */
function tagType(ethertype: unknown, where: string): number {
  if (ethertype === undefined || ethertype === null || ethertype === '') return ETHERTYPE_DOT1Q;
  const value = typeof ethertype === 'string' ? Number(ethertype) : Number.NaN;
  if (!isTagType(value)) throw new Error(`${where}.ethertype must be 0x8100, 0x88A8, 0x9100 or 0x9200`);
  return value;
}

const isInteger = (value: unknown, from: number, to: number): value is number =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
