/** DHCP (RFC 2131) with the options of RFC 2132 that labs meet. */
import { get32, get8 } from '../../codecs/bytes.ts';
import { data, type Decoder, Layer } from './field.ts';

const MAGIC = 0x63825363;
const ADDRESSES: readonly (readonly [string, number])[] = [
  ['dhcp.ip.client', 12],
  ['dhcp.ip.your', 16],
  ['dhcp.ip.server', 20],
  ['dhcp.ip.relay', 24],
];

export const dhcp: Decoder = (frame, at, end) => {
  const { bytes, layers } = frame;
  if (end - at < 240 || get32(bytes, at + 236) !== MAGIC) return data(frame, at, end);
  const layer = new Layer(layers, bytes, 'dhcp', { at, end });
  layer.uint('dhcp.type', 0, 1);
  layer.uint('dhcp.hw.type', 1, 1);
  layer.uint('dhcp.hw.len', 2, 1);
  layer.uint('dhcp.hops', 3, 1);
  layer.uint('dhcp.id', 4, 4);
  layer.uint('dhcp.secs', 8, 2);
  layer.uint('dhcp.flags', 10, 2);
  for (const [name, offset] of ADDRESSES) layer.ipv4(name, offset);
  layer.mac('dhcp.hw.mac_addr', 28);
  layer.ipv4('dhcp.cookie', 236);
  for (let offset = 240; layer.has(offset, 1);) {
    const type = get8(bytes, at + offset);
    const length = type === 0 || type === 255 ? -1 : get8(bytes, at + offset + 1);
    option(layer.part('dhcp.option', offset, 2 + length), length);
    if (type === 255) return undefined;
    offset += 2 + length;
  }
  return undefined;
};

/** Options that are addresses, one or more. */
const AS_ADDRESS: Readonly<Record<number, string>> = {
  1: 'dhcp.option.subnet_mask',
  3: 'dhcp.option.router',
  6: 'dhcp.option.domain_name_server',
  28: 'dhcp.option.broadcast_address',
  50: 'dhcp.option.requested_ip_address',
  54: 'dhcp.option.dhcp_server_id',
};
const AS_TEXT: Readonly<Record<number, string>> = { 12: 'dhcp.option.hostname', 15: 'dhcp.option.domain_name' };
const AS_SECONDS: Readonly<Record<number, string>> = {
  51: 'dhcp.option.ip_address_lease_time',
  58: 'dhcp.option.renewal_time_value',
  59: 'dhcp.option.rebinding_time_value',
};

const option = (part: Layer, length: number): void => {
  const type = part.uint('dhcp.option.type', 0, 1);
  if (length < 0) return;
  part.uint('dhcp.option.length', 1, 1);
  const [address, text, seconds] = [AS_ADDRESS[type], AS_TEXT[type], AS_SECONDS[type]];
  if (type === 53) part.uint('dhcp.option.dhcp', 2, 1);
  else if (address !== undefined) for (let n = 0; n + 4 <= length; n += 4) part.ipv4(address, 2 + n);
  else if (text !== undefined) part.text(text, 2, length);
  else if (seconds !== undefined && length === 4) part.uint(seconds, 2, 4);
  else part.raw('dhcp.option.value', 2, length);
};
