/** What switches tell each other: spanning tree (IEEE 802.1D, 802.1Q), LLDP (IEEE 802.1AB), CDP. */
import { get16, get8 } from '../../codecs/bytes.ts';
import { data, type Decoder, Layer } from './field.ts';

const CONFIGURATION = 0x00;
const RAPID = 0x02;

export const stp: Decoder = ({ bytes, layers }, at, end) => {
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

export const lldp: Decoder = ({ bytes, layers }, at, end) => {
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

export const cdp: Decoder = (frame, at, end) => {
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
