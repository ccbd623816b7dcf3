/** Bridge protocol data units of the spanning tree: IEEE 802.1D-2004, clause 9. */
import { get16, get32, get8 } from '../codecs/bytes.ts';
import { formatMac, readMac } from '../codecs/mac-address.ts';

const CONFIGURATION = 0x00;
const RAPID = 0x02;
const TOPOLOGY_CHANGE = 0x80;

const ROLES = ['unknown', 'alternate', 'root', 'designated'];

/** In one line; what is cut short says so. */
export function bpduText(bytes: Uint8Array): string {
  const type = get8(bytes, 3);
  if (bytes.length < 4 || get16(bytes, 0) !== 0) return 'No BPDU';
  if (type === TOPOLOGY_CHANGE) return 'Topology change notification';
  if (type !== CONFIGURATION && type !== RAPID) return `BPDU of type ${type}`;
  if (bytes.length < 35) return 'BPDU, cut short';
  const name = type === RAPID ? rapidName(bytes) : 'Configuration';
  const change = (get8(bytes, 4) & 1) === 1 ? ', topology change' : '';
  return `${name}: root ${bridge(bytes, 5)}, cost ${get32(bytes, 13)}, bridge ${bridge(bytes, 17)}${change}`;
}

const rapidName = (bytes: Uint8Array): string => {
  const role = ROLES[(get8(bytes, 4) >>> 2) & 3] ?? '';
  return get8(bytes, 2) >= 3 ? `Multiple (${role})` : `Rapid (${role})`;
};

/** Priority and address. */
const bridge = (bytes: Uint8Array, at: number): string => `${get16(bytes, at)}/${formatMac(readMac(bytes, at + 2))}`;
