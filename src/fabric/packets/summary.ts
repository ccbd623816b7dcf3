import { LINK_TYPES } from '../capture/pcap.ts';
import { decodeArp } from '../codecs/arp.ts';
import { get16, get32, get8 } from '../codecs/bytes.ts';
import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4 } from '../codecs/ethernet.ts';
import { decodeFrameRelayAddress, decodeLmi } from '../codecs/frame-relay.ts';
import { formatIpv4 } from '../codecs/ip-address.ts';
import { decodeIpv4, decodeIpv4Header } from '../codecs/ipv4.ts';
import { formatMac, readMac } from '../codecs/mac-address.ts';
import { hex, type Layer, octets, type PacketSummary } from './packet.ts';
import { ipv4Payload, ipv6Layer } from './ip-summary.ts';

/**
 * Summary of a frame for a list of packets. Never throws: a truncated, damaged or unknown frame says so. `linkType`: of the capture file.
 */
export function summarise(linkType: number, frame: Uint8Array): PacketSummary {
  const layer = layerOf(linkType, frame);
  return {
    source: layer.source ?? '',
    destination: layer.destination ?? '',
    protocol: layer.protocol,
    summary: layer.summary,
  };
}

function layerOf(linkType: number, frame: Uint8Array): Layer {
  switch (linkType) {
    case LINK_TYPES.DLT_EN10MB:
      return ethernetLayer(frame);
    case LINK_TYPES.DLT_FRELAY:
      return frameRelayLayer(frame);
    case LINK_TYPES.DLT_C_HDLC:
      return typed(get16(frame, 2), frame.subarray(4)) ?? other('HDLC', frame, `Type ${hex(get16(frame, 2))}`);
    case LINK_TYPES.DLT_PPP_SERIAL:
      return pppLayer(frame);
    case LINK_TYPES.DLT_ATM_RFC1483:
      return snapLayer(frame) ?? other('ATM', frame);
    default:
      return other('Data', frame);
  }
}

const other = (protocol: string, frame: Uint8Array, what = 'Data'): Layer => ({
  protocol,
  summary: `${what}, ${octets(frame.length)}`,
});

function ethernetLayer(bytes: Uint8Array): Layer {
  const frame = bytes.length < 14 ? null : decodeEthernet(bytes);
  if (frame === null) return other('Ethernet', bytes, 'Cut short');
  const addresses = { source: formatMac(frame.source), destination: formatMac(frame.destination) };
  const { ethertype, payload, tags } = frame;
  const inner = ethertype < 1536 ? lengthLayer(ethertype, payload) : typed(ethertype, payload);
  const layer = inner ?? other('Ethernet', payload, `Type ${hex(ethertype)}`);
  const vlans = tags.map(({ vid }) => `VLAN ${vid}`).join(', ');
  // VLANs come first, as people look at a trunk for them.
  return { ...addresses, ...layer, ...(vlans === '' ? {} : { summary: `${vlans}: ${layer.summary}` }) };
}

/** Layer by EtherType, also of other links; null: unknown. */
function typed(ethertype: number, bytes: Uint8Array): Layer | null {
  switch (ethertype) {
    case ETHERTYPE_IPV4:
      return ipv4Layer(bytes);
    case ETHERTYPE_ARP:
      return arpLayer(bytes);
    case 0x86dd:
      return ipv6Layer(bytes) ?? other('IPv6', bytes, 'Damaged');
    case 0x88cc:
      return other('LLDP', bytes, 'Discovery');
    case 0x8863:
      return other('PPPoE', bytes, 'Discovery');
    case 0x8864:
      return other('PPPoE', bytes, 'Session');
    case 0x8847:
      return { protocol: 'MPLS', summary: `Label ${get32(bytes, 0) >>> 12}` };
    case 0x9000:
      return other('Loopback', bytes, 'Test');
    default:
      return null;
  }
}

function ipv4Layer(bytes: Uint8Array): Layer {
  const packet = decodeIpv4(bytes);
  const header = packet ?? decodeIpv4Header(bytes);
  if (header === null) return other('IPv4', bytes, 'Damaged');
  const addresses = { source: formatIpv4(header.source), destination: formatIpv4(header.destination) };
  return { ...addresses, ...(packet === null ? other('IPv4', bytes, 'Damaged') : ipv4Payload(packet)) };
}

function arpLayer(bytes: Uint8Array): Layer {
  const arp = decodeArp(bytes);
  if (arp === null) return other('ARP', bytes);
  const [sender, target] = [formatIpv4(arp.senderAddress), formatIpv4(arp.targetAddress)];
  if (arp.operation === 'reply') return { protocol: 'ARP', summary: `${sender} is at ${formatMac(arp.senderMac)}` };
  if (arp.senderAddress === arp.targetAddress) return { protocol: 'ARP', summary: `${sender} announces itself` };
  return {
    protocol: 'ARP',
    summary: `Who has ${target}? Tell ${arp.senderAddress === 0 ? formatMac(arp.senderMac) : sender}`,
  };
}

/** IEEE 802.3: a length in the place of the type, then LLC (IEEE 802.2). */
function lengthLayer(length: number, payload: Uint8Array): Layer {
  const bytes = payload.subarray(0, length);
  const [dsap, ssap] = [get8(bytes, 0), get8(bytes, 1)];
  if (dsap === 0x42 && ssap === 0x42) return { protocol: 'STP', summary: bpduText(bytes.subarray(3)) };
  return snapLayer(bytes) ?? other('LLC', bytes, `SAP ${hex(dsap, 2)} ${hex(ssap, 2)}`);
}

/** LLC with a subnetwork's header (RFC 1042); null: something else. */
function snapLayer(bytes: Uint8Array): Layer | null {
  if (get16(bytes, 0) !== 0xaaaa || get8(bytes, 2) !== 3) return null;
  const organisation = get8(bytes, 3) * 0x10000 + get16(bytes, 4);
  const type = get16(bytes, 6);
  const payload = bytes.subarray(8);
  if (organisation === 0) return typed(type, payload) ?? other('SNAP', payload, `Type ${hex(type)}`);
  if (organisation !== 0x00000c) return other('SNAP', payload, `Organisation ${hex(organisation, 6)}`);
  if (type === 0x2000) return other('CDP', payload, 'Discovery');
  if (type === 0x010b) return { protocol: 'STP', summary: `Per VLAN: ${bpduText(payload)}` };
  return other('SNAP', payload, `Cisco ${hex(type)}`);
}

/** RFC 2427, and the encapsulation of EtherTypes that came before it. */
function frameRelayLayer(bytes: Uint8Array): Layer {
  const lmi = decodeLmi(bytes);
  if (lmi !== null) {
    const what = lmi.message === 'status' ? 'Status' : 'Status enquiry';
    return {
      protocol: 'LMI',
      summary: `${what} (${lmi.type}), sequence ${lmi.sendSequence}, received ${lmi.receiveSequence}`,
    };
  }
  const address = decodeFrameRelayAddress(bytes);
  if (address === null) return other('Frame relay', bytes, 'Cut short');
  const inner =
    get16(bytes, 2) === 0x03cc ? typed(ETHERTYPE_IPV4, bytes.subarray(4)) : typed(get16(bytes, 2), bytes.subarray(4));
  const layer = inner ?? other('Frame relay', bytes);
  return { ...layer, summary: `DLCI ${address.dlci}: ${layer.summary}` };
}

/** RFC 1662 with the address and control fields. */
function pppLayer(bytes: Uint8Array): Layer {
  const protocol = get16(bytes, 2);
  const payload = bytes.subarray(4);
  if (protocol === 0x0021) return ipv4Layer(payload);
  if (protocol === 0x0057) return ipv6Layer(payload) ?? other('IPv6', payload, 'Damaged');
  return other('PPP', payload, PPP[protocol] ?? `Protocol ${hex(protocol)}`);
}

const PPP: Readonly<Record<number, string>> = {
  0xc021: 'Link control',
  0x8021: 'IPv4 control',
  0x8057: 'IPv6 control',
  0xc023: 'Password authentication',
  0xc223: 'Challenge authentication',
};

/** Types of spanning tree BPDUs: IEEE 802.1D-2004, clause 9. */
const CONFIGURATION = 0x00;
const RAPID = 0x02;
const TOPOLOGY_CHANGE = 0x80;

const ROLES = ['unknown', 'alternate', 'root', 'designated'];

/** Summary of a BPDU in one line. */
function bpduText(bytes: Uint8Array): string {
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

export type { PacketSummary };
