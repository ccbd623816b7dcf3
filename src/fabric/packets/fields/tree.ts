import { formatIpv4, formatIpv6Octets } from '../../codecs/ip-address.ts';
import { formatMac } from '../../codecs/mac-address.ts';
import { hex, octets } from '../packet.ts';
import type { Field } from './field.ts';
import { DESCRIBED } from './names.ts';

/** A field with its label and text. */
export interface ShownField {
  /** Name in filters. */
  name: string;
  label: string;
  /** Its value; for a protocol the text of its first line. */
  text: string;
  at: number;
  length: number;
  fields: ShownField[];
}

/** Octets shown of a value. */
const MOST_OCTETS = 24;

const hexOf = (bytes: Uint8Array): string => {
  const shown = Buffer.from(bytes.subarray(0, MOST_OCTETS))
    .toString('hex')
    .replaceAll(/..(?=.)/g, '$&:');
  return bytes.length > MOST_OCTETS ? `${shown}…` : shown;
};

/** Text of a field's value, with its name where it has one. */
export const textOf = (field: Field, frame: Uint8Array): string => {
  const { name, value, at, length } = field;
  const described = DESCRIBED.get(name);
  const bytes = frame.subarray(at, at + length);
  switch (described?.sort) {
    case 'protocol':
      return length === 0 ? '' : octets(length);
    case 'mac':
      return formatMac(Number(value));
    case 'ipv4':
      return formatIpv4(Number(value));
    case 'ipv6':
      return formatIpv6Octets(bytes);
    case 'flag':
      return value === 1 ? 'Set' : 'Not set';
    case 'octets':
      return hexOf(bytes);
    case 'text':
      return String(value);
    default: {
      const number = Number(value);
      const word = described?.values?.[number];
      const said = described?.sort === 'hex' ? hexNumber(name, number, length) : String(number);
      return word === undefined ? said : `${word} (${said})`;
    }
  }
};

/** Fields whose numbers are commonly written in decimal. */
const DECIMAL = new Set(['arp.opcode', 'ip.proto', 'ipv6.nxt', 'icmp.type', 'icmpv6.type', 'dhcp.option.dhcp']);

const hexNumber = (name: string, value: number, length: number): string =>
  DECIMAL.has(name) ? String(value) : hex(value, Math.max(2, length * 2));

export const treeOf = (fields: readonly Field[], frame: Uint8Array): ShownField[] =>
  fields.map((field) => ({
    name: field.name,
    label: DESCRIBED.get(field.name)?.label ?? field.name,
    text: textOf(field, frame),
    at: field.at,
    length: field.length,
    fields: treeOf(field.fields, frame),
  }));
