/** DNS messages (RFC 1035), as they are, with their names unfolded. */
import { get16, get8 } from '../../codecs/bytes.ts';
import { printable } from '../packet.ts';
import { data, type Decoder, Layer } from './field.ts';

const HEADER = 12;
/** A hostile count must not cost more. */
const MOST_RECORDS = 256;

export const dns =
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

/** Each answers where the next one begins; null: it is cut short. */
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
