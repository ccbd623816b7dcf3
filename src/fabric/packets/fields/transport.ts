/** UDP (RFC 768), TCP (RFC 9293), the first line of HTTP (RFC 9112), DHCP and DNS. */
import { get16, get32, get8 } from '../../codecs/bytes.ts';
import { printable } from '../packet.ts';
import { data, type Decoder, Layer } from './field.ts';

export const udp: Decoder = (frame, at, end) => {
  const layer = new Layer(frame.layers, frame.bytes, 'udp', { at, end, length: 8 });
  const from = layer.uint('udp.srcport', 0, 2);
  const to = layer.uint('udp.dstport', 2, 2);
  const length = layer.uint('udp.length', 4, 2);
  layer.uint('udp.checksum', 6, 2);
  if (!layer.has(0, 8)) return;
  const last = length >= 8 ? Math.min(end, at + length) : end;
  inside(from, to)(frame, at + 8, last);
};

const inside = (from: number, to: number): Decoder => {
  if (from === 67 || to === 67 || from === 68 || to === 68) return dhcp;
  if (from === 53 || to === 53) return dns('dns');
  if (from === 5353 || to === 5353) return dns('mdns');
  return data;
};

const FLAGS = ['fin', 'syn', 'reset', 'push', 'ack', 'urg'];

export const tcp: Decoder = (frame, at, end) => {
  const { bytes, layers } = frame;
  const header = (get8(bytes, at + 12) >>> 4) * 4;
  if (end - at < 20 || header < 20) return data(frame, at, end);
  const layer = new Layer(layers, bytes, 'tcp', { at, end, length: header });
  layer.uint('tcp.srcport', 0, 2);
  layer.uint('tcp.dstport', 2, 2);
  const first = Math.min(end, at + header);
  layer.put('tcp.len', 0, 0, end - first);
  layer.uint('tcp.seq_raw', 4, 4);
  layer.uint('tcp.ack_raw', 8, 4);
  layer.put('tcp.hdr_len', 12, 1, header);
  layer.bits('tcp.flags', { offset: 12, length: 2, shift: 0, width: 12 });
  for (const [bit, flag] of FLAGS.entries())
    layer.bits(`tcp.flags.${flag}`, { offset: 13, length: 1, shift: bit, width: 1 });
  layer.uint('tcp.window_size_value', 14, 2);
  layer.uint('tcp.checksum', 16, 2);
  layer.uint('tcp.urgent_pointer', 18, 2);
  layer.raw('tcp.options', 20, header - 20);
  layer.raw('tcp.payload', header, end - first);
  return http(frame, first, end);
};

const LONGEST_LINE = 2_000;
const REQUEST = /^([A-Z]{3,10}) (\S+) (HTTP\/\d\.\d)\r?\n/;
const RESPONSE = /^(HTTP\/\d\.\d) (\d{3})(?: ([^\r\n]*))?\r?\n/;

const http: Decoder = (frame, at, end) => {
  const first = get8(frame.bytes, at);
  // A capital letter begins every method and every answer.
  if (end <= at || first < 0x41 || first > 0x5a) return data(frame, at, end);
  const text = Buffer.from(frame.bytes.subarray(at, Math.min(end, at + LONGEST_LINE))).toString('latin1');
  const [request, response] = [REQUEST.exec(text), RESPONSE.exec(text)];
  const found = request ?? response;
  if (found === null) return data(frame, at, end);
  const layer = new Layer(frame.layers, frame.bytes, 'http', { at, end });
  const names = request === null ? ['version', 'code', 'phrase'] : ['method', 'uri', 'version'];
  let offset = 0;
  for (const [index, name] of names.entries()) {
    const length = (found[index + 1] ?? '').length;
    if (name === 'code') layer.put('http.response.code', offset, length, Number(found[index + 1]));
    else if (length > 0) layer.text(`http.${request === null ? 'response' : 'request'}.${name}`, offset, length);
    offset += length + 1;
  }
  return undefined;
};

// DHCP (RFC 2131) with common options of RFC 2132.

const MAGIC = 0x63825363;
const ADDRESSES: readonly (readonly [string, number])[] = [
  ['dhcp.ip.client', 12],
  ['dhcp.ip.your', 16],
  ['dhcp.ip.server', 20],
  ['dhcp.ip.relay', 24],
];

const dhcp: Decoder = (frame, at, end) => {
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

// DNS messages (RFC 1035) with expanded names.

const HEADER = 12;
/** A hostile count must not cost more. */
const MOST_RECORDS = 256;

const dns =
  (name: 'dns' | 'mdns'): Decoder =>
  (frame, at, end) => {
    if (end - at < HEADER) return data(frame, at, end);
    const layer = new Layer(frame.layers, frame.bytes, name, { at, end });
    layer.uint('dns.id', 0, 2);
    layer.uint('dns.flags', 2, 2);
    layer.bits('dns.flags.response', { offset: 2, length: 2, shift: 15, width: 1 });
    layer.bits('dns.flags.opcode', { offset: 2, length: 2, shift: 11, width: 4 });
    layer.bits('dns.flags.authoritative', { offset: 2, length: 2, shift: 10, width: 1 });
    layer.bits('dns.flags.truncated', { offset: 2, length: 2, shift: 9, width: 1 });
    layer.bits('dns.flags.recdesired', { offset: 2, length: 2, shift: 8, width: 1 });
    layer.bits('dns.flags.rcode', { offset: 2, length: 2, shift: 0, width: 4 });
    const questions = layer.uint('dns.count.queries', 4, 2);
    const answers = ['dns.count.answers', 'dns.count.auth_rr', 'dns.count.add_rr'].reduce(
      (sum, count, index) => sum + layer.uint(count, 6 + index * 2, 2),
      0,
    );
    const message = frame.bytes.subarray(at, end);
    let offset: number | null = HEADER;
    for (let n = 0; n < Math.min(questions + answers, MOST_RECORDS) && offset !== null; n++)
      offset = n < questions ? question(layer, message, offset) : answer(layer, message, offset);
    return undefined;
  };

/** Returns the offset of the next record, as `answer` does; null: it is truncated. */
const question = (layer: Layer, message: Uint8Array, offset: number): number | null => {
  const name = readName(message, offset);
  if (name === null || name.end + 4 > message.length) return null;
  const part = layer.part('dns.qry', offset, name.end + 4 - offset);
  part.put('dns.qry.name', 0, name.end - offset, name.text);
  part.uint('dns.qry.type', name.end - offset, 2);
  part.uint('dns.qry.class', name.end - offset + 2, 2);
  return name.end + 4;
};

const answer = (layer: Layer, message: Uint8Array, offset: number): number | null => {
  const name = readName(message, offset);
  if (name === null || name.end + 10 > message.length) return null;
  const head = name.end - offset;
  const length = get16(message, name.end + 8);
  const part = layer.part('dns.resp', offset, head + 10 + length);
  part.put('dns.resp.name', 0, head, name.text);
  const type = part.uint('dns.resp.type', head, 2);
  part.uint('dns.resp.class', head + 2, 2);
  part.uint('dns.resp.ttl', head + 4, 4);
  part.uint('dns.resp.len', head + 8, 2);
  const at = head + 10;
  if (type === 1 && length === 4) part.ipv4('dns.a', at);
  else if (type === 28 && length === 16) part.ipv6('dns.aaaa', at);
  else if (type === 2 || type === 5 || type === 12) {
    const target = readName(message, offset + at);
    const field = type === 2 ? 'dns.ns' : type === 5 ? 'dns.cname' : 'dns.ptr.domain_name';
    if (target !== null && part.has(at, length)) part.put(field, at, length, target.text);
  } else part.raw('dns.resp.data', at, length);
  return name.end + 10 + length;
};

/** Pointers lead backwards only, so that no loop is endless; a name has at most 255 octets. */
const readName = (message: Uint8Array, start: number): { text: string; end: number } | null => {
  const labels: string[] = [];
  let [at, length] = [start, 0];
  let end: number | null = null;
  while (at < message.length) {
    const size = get8(message, at);
    if (size === 0) return { text: labels.length === 0 ? '<Root>' : labels.join('.'), end: end ?? at + 1 };
    if (size >= 0xc0) {
      const target = get16(message, at) & 0x3fff;
      if (target >= at) return null;
      end ??= at + 2;
      at = target;
      continue;
    }
    length += size + 1;
    if (size > 63 || length > 255) return null;
    labels.push(printable(Buffer.from(message.subarray(at + 1, at + 1 + size)).toString('latin1')));
    at += size + 1;
  }
  return null;
};
