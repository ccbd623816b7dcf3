/** IPv4 (RFC 791), IPv6 (RFC 8200), and the messages about them: ICMP (RFC 792), ICMPv6 (RFC 4443, RFC 4861). */
import { get16, get8 } from '../../codecs/bytes.ts';
import { data, type Decoder, type Dissection, Layer } from './field.ts';
import { tcp, udp } from './transport.ts';

/** Nesting of packets. */
const DEEPEST = 16;

export const ipv4: Decoder = (frame, at, end) => {
  const { bytes, layers } = frame;
  const header = (get8(bytes, at) & 0x0f) * 4;
  if (end - at < 20 || get8(bytes, at) >>> 4 !== 4 || header < 20 || ++frame.depth > DEEPEST)
    return data(frame, at, end);
  const layer = new Layer(layers, bytes, 'ip', { at, end, length: header });
  layer.bits('ip.version', { offset: 0, length: 1, shift: 4, width: 4 });
  layer.put('ip.hdr_len', 0, 1, header);
  layer.uint('ip.dsfield', 1, 1);
  const total = layer.uint('ip.len', 2, 2);
  layer.uint('ip.id', 4, 2);
  layer.bits('ip.flags.df', { offset: 6, length: 1, shift: 6, width: 1 });
  const more = layer.bits('ip.flags.mf', { offset: 6, length: 1, shift: 5, width: 1 });
  // In units of eight octets.
  const offset = (get16(bytes, at + 6) & 0x1fff) * 8;
  layer.put('ip.frag_offset', 6, 2, offset);
  layer.uint('ip.ttl', 8, 1);
  const protocol = layer.uint('ip.proto', 9, 1);
  layer.uint('ip.checksum', 10, 2);
  layer.ipv4('ip.src', 12);
  layer.ipv4('ip.dst', 16);
  layer.raw('ip.options', 20, header - 20);
  const last = Math.min(end, at + Math.max(total, header));
  const first = Math.min(last, at + header);
  // Only the first fragment has the header of the content; it is decoded for ICMP alone, as the rest is missing.
  const isWhole = offset === 0 && more === 0;
  return (isWhole || (offset === 0 && protocol === 1) ? upper(protocol) : data)(frame, first, last);
};

const upper = (protocol: number): Decoder => {
  switch (protocol) {
    case 1:
      return icmp;
    case 4:
      return ipv4;
    case 6:
      return tcp;
    case 17:
      return udp;
    case 41:
      return ipv6;
    case 58:
      return icmpv6;
    default:
      return data;
  }
};

const FRAGMENT = 44;
/** Hop-by-hop, routing, destination options: a next header and a length in units of eight octets. */
const OPTIONS: ReadonlySet<number> = new Set([0, 43, 60]);
const NOTHING = 59;

export const ipv6: Decoder = (frame, at, end) => {
  const { bytes, layers } = frame;
  if (end - at < 40 || get8(bytes, at) >>> 4 !== 6 || ++frame.depth > DEEPEST) return data(frame, at, end);
  const layer = new Layer(layers, bytes, 'ipv6', { at, end, length: 40 });
  layer.bits('ipv6.version', { offset: 0, length: 1, shift: 4, width: 4 });
  layer.bits('ipv6.tclass', { offset: 0, length: 4, shift: 20, width: 8 });
  layer.bits('ipv6.flow', { offset: 0, length: 4, shift: 0, width: 20 });
  const length = layer.uint('ipv6.plen', 4, 2);
  const next = layer.uint('ipv6.nxt', 6, 1);
  layer.uint('ipv6.hlim', 7, 1);
  layer.ipv6('ipv6.src', 8);
  layer.ipv6('ipv6.dst', 24);
  return behind(frame, next, { at: at + 40, end: Math.min(end, at + 40 + length) });
};

/** Extension headers of IPv6, and then the content. */
const behind = (frame: Dissection, next: number, { at, end }: { at: number; end: number }): void => {
  for (let n = 0; n < 8 && at + 8 <= end && (OPTIONS.has(next) || next === FRAGMENT); n++) {
    const length = next === FRAGMENT ? 8 : (get8(frame.bytes, at + 1) + 1) * 8;
    const name = next === FRAGMENT ? 'ipv6.fraghdr' : 'ipv6.ext';
    const layer = new Layer(frame.layers, frame.bytes, name, { at, end, length });
    layer.uint(`${name}.nxt`, 0, 1);
    // RFC 8200, section 4.5: a part that is not the first begins in the middle of something.
    const isLater = next === FRAGMENT && get16(frame.bytes, at + 2) >= 8;
    next = isLater ? NOTHING : get8(frame.bytes, at);
    at = Math.min(end, at + length);
  }
  (next === NOTHING ? data : upper(next))(frame, at, end);
};

const FRAGMENTATION_NEEDED = 4;

const icmp: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'icmp', { at, end, length: 8 });
  const type = layer.uint('icmp.type', 0, 1);
  const code = layer.uint('icmp.code', 1, 1);
  layer.uint('icmp.checksum', 2, 2);
  if (type === 0 || type === 8) {
    layer.uint('icmp.ident', 4, 2);
    layer.uint('icmp.seq', 6, 2);
  } else if (type === 5) layer.ipv4('icmp.redir_gw', 4);
  else if (type === 3 && code === FRAGMENTATION_NEEDED) layer.uint('icmp.mtu', 6, 2);
  const inner = type === 3 || type === 5 || type === 11 || type === 12 ? ipv4 : data;
  inner(frame, Math.min(end, at + 8), end);
};

/** Where the options of neighbour discovery begin, by the type of the message. */
const OPTIONS_AT: Readonly<Record<number, number>> = { 133: 8, 134: 16, 135: 24, 136: 24, 137: 40 };

const icmpv6: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'icmpv6', { at, end });
  const type = layer.uint('icmpv6.type', 0, 1);
  layer.uint('icmpv6.code', 1, 1);
  layer.uint('icmpv6.checksum', 2, 2);
  if (type === 128 || type === 129) {
    layer.uint('icmpv6.echo.identifier', 4, 2);
    layer.uint('icmpv6.echo.sequence_number', 6, 2);
    data(frame, Math.min(end, at + 8), end);
  } else if (type >= 1 && type <= 4) ipv6(frame, Math.min(end, at + 8), end);
  else discovery(layer, frame.bytes, type);
};

const discovery = (layer: Layer, bytes: Uint8Array, type: number): void => {
  const first = OPTIONS_AT[type];
  if (first === undefined) return;
  if (type === 135) layer.ipv6('icmpv6.nd.ns.target_address', 8);
  if (type === 136) {
    layer.bits('icmpv6.nd.na.flag.r', { offset: 4, length: 4, shift: 31, width: 1 });
    layer.bits('icmpv6.nd.na.flag.s', { offset: 4, length: 4, shift: 30, width: 1 });
    layer.bits('icmpv6.nd.na.flag.o', { offset: 4, length: 4, shift: 29, width: 1 });
    layer.ipv6('icmpv6.nd.na.target_address', 8);
  }
  if (type === 134) {
    layer.uint('icmpv6.nd.ra.cur_hop_limit', 4, 1);
    layer.uint('icmpv6.nd.ra.router_lifetime', 6, 2);
  }
  for (let offset = first; layer.has(offset, 8);) {
    const length = get8(bytes, layer.at + offset + 1) * 8;
    if (length === 0) return;
    const part = layer.part('icmpv6.opt', offset, length);
    const kind = part.uint('icmpv6.opt.type', 0, 1);
    part.uint('icmpv6.opt.length', 1, 1);
    if (kind === 1 || kind === 2) part.mac('icmpv6.opt.linkaddr', 2);
    if (kind === 3) {
      part.uint('icmpv6.opt.prefix.length', 2, 1);
      part.ipv6('icmpv6.opt.prefix', 16);
    }
    if (kind === 5) part.uint('icmpv6.opt.mtu', 4, 4);
    offset += length;
  }
};
