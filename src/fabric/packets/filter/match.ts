import { maskOf, parseIpv4, parseIpv6Octets } from '../../codecs/ip-address.ts';
import { parseMac } from '../../codecs/mac-address.ts';
import type { Field } from '../fields/field.ts';
import { describe, type Described, EITHER } from '../fields/names.ts';
import { type Filter, FilterError, type Operator, type Literal } from './filter.ts';

/** A frame as filters see it. */
export interface FilteredFrame {
  fields: readonly Field[];
  bytes: Uint8Array;
  /** The frame's line of the list; called only for text filters. */
  line(): string;
}
export type Match = (frame: FilteredFrame) => boolean;

/** Compiles a filter. Throws `FilterError` for values that its fields cannot have. */
export const matcherOf = (filter: Filter): Match => {
  switch (filter.sort) {
    case 'and': {
      const parts = filter.parts.map(matcherOf);
      return (frame) => parts.every((part) => part(frame));
    }
    case 'or': {
      const parts = filter.parts.map(matcherOf);
      return (frame) => parts.some((part) => part(frame));
    }
    case 'not': {
      const part = matcherOf(filter.part);
      return (frame) => !part(frame);
    }
    case 'has':
      return (frame) => anyOf(frame.fields, namesOf(filter.name), () => true);
    case 'words': {
      const words = filter.text.toLowerCase();
      return (frame) => frame.line().toLowerCase().includes(words);
    }
    case 'compare':
      return compare(filter);
    case 'in':
      return among(filter);
  }
};

const namesOf = (name: string): readonly string[] => EITHER[name] ?? [name];

const anyOf = (fields: readonly Field[], names: readonly string[], holds: (field: Field) => boolean): boolean =>
  fields.some((field) => (names.includes(field.name) && holds(field)) || anyOf(field.fields, names, holds));

/** Compares a field with a value: below 0, 0 or above; NaN: different, without an order. */
type Order = (field: Field, frame: Uint8Array) => number;

const compare = ({ name, operator, value }: Extract<Filter, { sort: 'compare' }>): Match => {
  const names = namesOf(name);
  if (operator === 'contains') {
    const holds = containing(describedAs(name), value);
    return ({ fields, bytes }) => anyOf(fields, names, (field) => holds(field, bytes));
  }
  const order = orderOf(name, value, operator === '==' || operator === '!=');
  if (operator === '!=')
    return ({ fields, bytes }) =>
      anyOf(fields, names, () => true) && !anyOf(fields, names, (field) => order(field, bytes) === 0);
  const holds = HOLDS[operator];
  return ({ fields, bytes }) => anyOf(fields, names, (field) => holds(order(field, bytes)));
};

const HOLDS: Readonly<Record<Exclude<Operator, '!=' | 'contains'>, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

const among = ({ name, values }: Extract<Filter, { sort: 'in' }>): Match => {
  const names = namesOf(name);
  const orders = values.map(([from, to]): [Order, Order | null] => [
    orderOf(name, from, to === null),
    to === null ? null : orderOf(name, to, false),
  ]);
  const holds = (field: Field, bytes: Uint8Array): boolean =>
    orders.some(([from, to]) =>
      to === null ? from(field, bytes) === 0 : from(field, bytes) >= 0 && to(field, bytes) <= 0,
    );
  return ({ fields, bytes }) => anyOf(fields, names, (field) => holds(field, bytes));
};

const describedAs = (name: string): Described => describe(name) ?? { label: name, sort: 'text' };

/** `isEqual`: networks and octets have no order. */
const orderOf = (name: string, value: Literal, isEqual: boolean): Order => {
  const described = describedAs(name);
  const fail = (what: string): FilterError =>
    new FilterError(`${name} is ${what}`, value.at, value.text.length + (value.isQuoted ? 2 : 0));
  switch (described.sort) {
    case 'protocol':
      throw fail('a protocol: it has no value of its own');
    case 'mac': {
      const wanted = parseMac(value.text);
      if (wanted === null) throw fail('a MAC address, for example 00:50:79:66:68:00');
      return (field) => Number(field.value) - wanted;
    }
    case 'ipv4':
      return ipv4Order(value, isEqual, fail);
    case 'ipv6':
      return ipv6Order(value, isEqual, fail);
    case 'text':
      return (field) => (String(field.value).toLowerCase() === value.text.toLowerCase() ? 0 : textOrder(field, value));
    case 'octets': {
      const wanted = octetsOf(value);
      if (wanted === null || !isEqual) throw fail('octets: compare them by == or contains, with "text" or 0a:1b:2c');
      return (field, frame) => Buffer.compare(frame.subarray(field.at, field.at + field.length), wanted);
    }
    default: {
      const wanted = numberOf(described, value.text);
      if (wanted === null) throw fail(described.sort === 'flag' ? 'a flag: 0, 1, true or false' : 'a number');
      return (field) => Number(field.value) - wanted;
    }
  }
};

const textOrder = ({ value }: Field, { text }: Literal): number => (String(value) < text ? -1 : 1);

const numberOf = ({ sort, values }: Described, text: string): number | null => {
  if (sort === 'flag' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? 1 : 0;
  if (/^(\d+(\.\d+)?|0x[0-9a-f]+)$/i.test(text)) return Number(text);
  const named = Object.entries(values ?? {}).find(([, word]) => word.toLowerCase() === text.toLowerCase());
  return named === undefined ? null : Number(named[0]);
};

type Fail = (what: string) => FilterError;

const ipv4Order = ({ text }: Literal, isEqual: boolean, fail: Fail): Order => {
  const [head = '', length = '32', ...rest] = text.split('/');
  const wanted = parseIpv4(head);
  const isWrong = wanted === null || rest.length > 0 || !/^\d{1,2}$/.test(length) || Number(length) > 32;
  if (isWrong) throw fail('an IPv4 address, for example 10.0.0.1 or 10.0.0.0/24');
  if (!isEqual || length === '32') return (field) => Number(field.value) - wanted;
  const mask = maskOf(Number(length));
  return (field) => (((Number(field.value) ^ wanted) & mask) === 0 ? 0 : NaN);
};

const ipv6Order = ({ text }: Literal, isEqual: boolean, fail: Fail): Order => {
  const [head = '', length = '128', ...rest] = text.split('/');
  const wanted = parseIpv6Octets(head);
  const isWrong = wanted === null || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > 128;
  if (isWrong) throw fail('an IPv6 address, for example fe80::1 or fe80::/10');
  const bits = isEqual ? Number(length) : 128;
  const whole = Math.floor(bits / 8);
  return ({ at }, frame) => {
    const order = Buffer.compare(frame.subarray(at, at + whole), wanted.subarray(0, whole));
    if (order !== 0 || bits % 8 === 0) return order;
    return ((frame[at + whole] ?? 0) ^ (wanted[whole] ?? 0)) >>> (8 - (bits % 8)) === 0 ? 0 : NaN;
  };
};

const octetsOf = ({ text, isQuoted }: Literal): Buffer | null => {
  if (isQuoted) return Buffer.from(text, 'utf8');
  return /^[0-9a-f]{2}([:-]?[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text.replaceAll(/[:-]/g, ''), 'hex') : null;
};

const containing = ({ sort }: Described, value: Literal): ((field: Field, frame: Uint8Array) => boolean) => {
  if (sort === 'text') {
    const wanted = value.text.toLowerCase();
    return (field) => String(field.value).toLowerCase().includes(wanted);
  }
  const wanted = octetsOf(value) ?? Buffer.from(value.text, 'utf8');
  return ({ at, length }, frame) => Buffer.from(frame.subarray(at, at + length)).includes(wanted);
};
