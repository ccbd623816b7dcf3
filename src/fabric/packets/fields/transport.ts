/** UDP (RFC 768), TCP (RFC 9293), and the first line of HTTP (RFC 9112). */
import { get8 } from '../../codecs/bytes.ts';
import { dhcp } from './dhcp.ts';
import { dns } from './dns.ts';
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
