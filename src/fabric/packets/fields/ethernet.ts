/** Ethernet and the other links of captures, tags, LLC (IEEE 802.2), and ARP (RFC 826). */
import { get16, get8 } from '../../codecs/bytes.ts';
import { isTagType } from '../../codecs/ethernet.ts';
import { data, type Decoder, type Dissection, Layer } from './field.ts';
import { ipv4, ipv6 } from './ip.ts';

/** Nesting of tags and packets. */
const DEEPEST = 16;
const DOT1AD = 0x88a8;

export const ethernet: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'eth', { at, end, length: 14 });
  layer.mac('eth.dst', 0);
  layer.mac('eth.src', 6);
  if (!layer.has(12, 2)) return;
  const type = get16(frame.bytes, at + 12);
  layer.put(type < 1536 ? 'eth.len' : 'eth.type', 12, 2, type);
  if (type < 1536) llc(frame, at + 14, Math.min(end, at + 14 + type));
  else byType(type)(frame, at + 14, end);
};

/** Decoder by EtherType, also of other links. */
const byType = (type: number): Decoder => {
  switch (type) {
    case 0x0800:
      return ipv4;
    case 0x0806:
      return arp;
    case 0x86dd:
      return ipv6;
    case 0x88cc:
      return lldp;
    default:
      return isTagType(type) ? tag(type === DOT1AD ? 'ieee8021ad' : 'vlan') : data;
  }
};

const tag =
  (name: 'vlan' | 'ieee8021ad'): Decoder =>
  (frame, at, end) => {
    if (++frame.depth > DEEPEST) return data(frame, at, end);
    const layer = new Layer(frame.layers, frame.bytes, name, { at, end, length: 4 });
    layer.bits(`${name}.priority`, { offset: 0, length: 2, shift: 13, width: 3 });
    layer.bits(`${name}.dei`, { offset: 0, length: 2, shift: 12, width: 1 });
    layer.bits(`${name}.id`, { offset: 0, length: 2, shift: 0, width: 12 });
    const type = layer.uint(`${name}.${name === 'vlan' ? 'etype' : 'type'}`, 2, 2);
    if (!layer.has(2, 2)) return undefined;
    return type < 1536 ? llc(frame, at + 4, Math.min(end, at + 4 + type)) : byType(type)(frame, at + 4, end);
  };

const arp: Decoder = ({ bytes, layers }, at, end) => {
  const layer = new Layer(layers, bytes, 'arp', { at, end, length: 28 });
  const hardware = layer.uint('arp.hw.type', 0, 2);
  const protocol = layer.uint('arp.proto.type', 2, 2);
  layer.uint('arp.hw.size', 4, 1);
  layer.uint('arp.proto.size', 5, 1);
  layer.uint('arp.opcode', 6, 2);
  if (hardware !== 1 || protocol !== 0x0800) return;
  layer.mac('arp.src.hw_mac', 8);
  layer.ipv4('arp.src.proto_ipv4', 14);
  layer.mac('arp.dst.hw_mac', 18);
  layer.ipv4('arp.dst.proto_ipv4', 24);
};

const CISCO = 0x00000c;

export const llc: Decoder = (frame, at, end) => {
  const { bytes, layers } = frame;
  const isSnap = get16(bytes, at) === 0xaaaa && at + 8 <= end;
  const layer = new Layer(layers, bytes, 'llc', { at, end, length: isSnap ? 8 : 3 });
  const dsap = layer.uint('llc.dsap', 0, 1);
  layer.uint('llc.ssap', 1, 1);
  layer.uint('llc.control', 2, 1);
  if (!isSnap) return (dsap === 0x42 ? stp : data)(frame, Math.min(end, at + 3), end);
  const organisation = layer.uint('llc.oui', 3, 3);
  const type = get16(bytes, at + 6);
  layer.put(organisation === CISCO ? 'llc.cisco_pid' : 'llc.type', 6, 2, type);
  return insideSnap(organisation, type)(frame, at + 8, end);
};

const insideSnap = (organisation: number, type: number): Decoder => {
  if (organisation === 0) return byType(type);
  if (organisation !== CISCO) return data;
  return type === 0x2000 ? cdp : type === 0x010b ? stp : data;
};

/** RFC 2427, and the encapsulation of EtherTypes that came before it. */
export const frameRelay: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'fr', { at, end, length: 2 });
  if (!layer.has(0, 2)) return;
  const [high, low] = [get8(frame.bytes, at), get8(frame.bytes, at + 1)];
  layer.put('fr.dlci', 0, 2, ((high >>> 2) << 4) | (low >>> 4));
  layer.bits('fr.fecn', { offset: 1, length: 1, shift: 3, width: 1 });
  layer.bits('fr.becn', { offset: 1, length: 1, shift: 2, width: 1 });
  layer.bits('fr.de', { offset: 1, length: 1, shift: 1, width: 1 });
  const isPlain = get16(frame.bytes, at + 2) === 0x03cc;
  if (isPlain) ipv4(frame, Math.min(end, at + 4), end);
  else typed(frame, at + 2, end);
};

/** An EtherType, then its content. */
const typed = (frame: Dissection, at: number, end: number): void =>
  byType(get16(frame.bytes, at))(frame, Math.min(end, at + 2), end);

export const hdlc: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'chdlc', { at, end, length: 4 });
  layer.uint('chdlc.address', 0, 1);
  const type = layer.uint('chdlc.protocol', 2, 2);
  byType(type)(frame, Math.min(end, at + 4), end);
};

export const ppp: Decoder = (frame, at, end) => {
  const start = get16(frame.bytes, at) === 0xff03 ? at + 2 : at;
  const layer = new Layer(frame.layers, frame.bytes, 'ppp', { at: start, end, length: 2 });
  const type = layer.uint('ppp.protocol', 0, 2);
  const inner = type === 0x0021 ? ipv4 : type === 0x0057 ? ipv6 : data;
  inner(frame, Math.min(end, start + 2), end);
};

// Protocols between switches: spanning tree (IEEE 802.1D, 802.1Q), LLDP (IEEE 802.1AB), CDP.

const CONFIGURATION = 0x00;
const RAPID = 0x02;

const stp: Decoder = ({ bytes, layers }, at, end) => {
  const type = get8(bytes, at + 3);
  const length = type === CONFIGURATION ? 35 : type === RAPID ? 36 : 4;
  const layer = new Layer(layers, bytes, 'stp', { at, end, length });
  layer.uint('stp.protocol', 0, 2);
  layer.uint('stp.version', 2, 1);
  layer.uint('stp.type', 3, 1);
  if (length === 4) return;
  layer.uint('stp.flags', 4, 1);
  layer.bits('stp.flags.tc', { offset: 4, length: 1, shift: 0, width: 1 });
  layer.bits('stp.flags.tcack', { offset: 4, length: 1, shift: 7, width: 1 });
  for (const [name, offset] of [
    ['root', 5],
    ['bridge', 17],
  ] as const) {
    if (layer.has(offset, 2)) layer.put(`stp.${name}.prio`, offset, 2, get16(bytes, at + offset) & 0xf000);
    layer.bits(`stp.${name}.ext`, { offset, length: 2, shift: 0, width: 12 });
    layer.mac(`stp.${name}.hw`, offset + 2);
    if (name === 'root') layer.uint('stp.root.cost', 13, 4);
  }
  layer.uint('stp.port', 25, 2);
  const times = ['stp.msg_age', 'stp.max_age', 'stp.hello', 'stp.forward'];
  // In 256ths of a second.
  for (const [index, name] of times.entries())
    if (layer.has(27 + index * 2, 2)) layer.put(name, 27 + index * 2, 2, get16(bytes, at + 27 + index * 2) / 256);
};

/** Texts of LLDP by the type of their TLV. */
const LLDP_TEXTS: Readonly<Record<number, string>> = {
  4: 'lldp.port.desc',
  5: 'lldp.tlv.system.name',
  6: 'lldp.tlv.system.desc',
};

const lldp: Decoder = ({ bytes, layers }, at, end) => {
  const layer = new Layer(layers, bytes, 'lldp', { at, end });
  for (let offset = 0; layer.has(offset, 2);) {
    const length = get16(bytes, at + offset) & 0x1ff;
    const part = layer.part('lldp.tlv', offset, 2 + length);
    const type = part.bits('lldp.tlv.type', { offset: 0, length: 2, shift: 9, width: 7 });
    part.bits('lldp.tlv.len', { offset: 0, length: 2, shift: 0, width: 9 });
    const text = LLDP_TEXTS[type];
    if (text !== undefined) part.text(text, 2, length);
    else if (type === 3) part.uint('lldp.time_to_live', 2, 2);
    else if (type === 1 || type === 2) lldpId(part, type === 1 ? 'lldp.chassis' : 'lldp.port', length);
    if (type === 0) return;
    offset += 2 + length;
  }
};

/** Subtypes whose identity is a MAC address: of a chassis 4, of a port 3. */
const lldpId = (part: Layer, name: 'lldp.chassis' | 'lldp.port', length: number): void => {
  const kind = part.uint(`${name}.subtype`, 2, 1);
  if (kind === (name === 'lldp.chassis' ? 4 : 3) && length === 7) part.mac(`${name}.id.mac`, 3);
  else part.text(`${name}.id`, 3, length - 1);
};

const CDP_TEXTS: Readonly<Record<number, string>> = {
  1: 'cdp.deviceid',
  3: 'cdp.portid',
  5: 'cdp.software_version',
  6: 'cdp.platform',
};

const cdp: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'cdp', { at, end });
  layer.uint('cdp.version', 0, 1);
  layer.uint('cdp.ttl', 1, 1);
  layer.uint('cdp.checksum', 2, 2);
  for (let offset = 4; layer.has(offset, 4);) {
    const length = get16(frame.bytes, at + offset + 2);
    if (length < 4) return data(frame, at + offset, end);
    const part = layer.part('cdp.tlv', offset, length);
    const type = part.uint('cdp.tlv.type', 0, 2);
    part.uint('cdp.tlv.len', 2, 2);
    const text = CDP_TEXTS[type];
    if (text !== undefined) part.text(text, 4, length - 4);
    offset += length;
  }
  return undefined;
};
