import { formatMac, isGroupMac, parseMac } from '../codecs/mac-address.ts';
import type { NodeSpec } from '../protocol.ts';

/** First three bytes of the addresses of the classic simple PC program, which its users know. */
const PREFIX = 0x005079;
const ROUTER_PREFIX = 0x0200;

/** `config.mac`, or an address made of the node's id: the same at every start, another for (nearly) every node. */
export function hostMac(spec: NodeSpec): string {
  const { mac } = spec.config;
  if (mac === undefined || mac === null || mac === '') return formatMac(PREFIX * 0x1000000 + hash24(spec.node_id));
  const value = typeof mac === 'string' ? parseMac(mac) : null;
  if (value === null || value === 0 || isGroupMac(value)) {
    throw new Error(`mac is ${JSON.stringify(mac)}; it must be the MAC address of one host, like 00:50:79:66:68:00`);
  }
  return formatMac(value);
}

/** MACs of a router's ports, from another, locally administered range: the last octet counts the ports. */
export const routerMacs = (spec: Pick<NodeSpec, 'node_id' | 'ports'>): number[] =>
  spec.ports.map((_, index) => ROUTER_PREFIX * 0x100000000 + hash24(spec.node_id) * 0x100 + index);

/** FNV-1a, folded to the 24 bits that make a clash between a thousand nodes a 3 % chance; 16 bits would make it certain. */
function hash24(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
