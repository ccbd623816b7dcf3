import { z } from 'zod';
import { type Length, LENGTHS, MOST_ITEMS, MOST_JSON } from '../../common/bounds.ts';
import { isOneLine, ONE_LINE } from '../../common/forms/one-line.ts';
import type { Properties } from './contract.ts';
import { part } from './texts.ts';

/**
 * The end of a stopped machine has two names in the interface: `on_close`, which is stored, and the older `acpi_shutdown`, which says
 * whether `on_close` is `shutdown_signal`. Given together they may contradict one another in a record put back with one of them changed;
 * `acpi_shutdown` wins, as it is never stored.
 */
export const acpiInput = { acpi_shutdown: z.boolean().nullable() };

export const acpiDerived = {
  acpi_shutdown: {
    schema: z.boolean(),
    value: (properties: Properties): unknown => properties['on_close'] === 'shutdown_signal',
  },
};

export const settleOnClose = (properties: Properties, given: Properties): void => {
  const wanted = given['acpi_shutdown'];
  if (typeof wanted !== 'boolean' || wanted === (properties['on_close'] === 'shutdown_signal')) return;
  properties['on_close'] = wanted ? 'shutdown_signal' : 'power_off';
};

/** The properties of a kind are a table: name to Field. Schemas, defaults and the record are all read off it. */

export interface NodeIdentity {
  node_id: string;
  name: string;
}

export type Fill = (given: Properties, node: NodeIdentity) => unknown;

export interface Field {
  /** A value as clients send it, null apart. */
  schema: z.ZodType;
  /** Value when none (or null) is given; undefined leaves the key out. */
  fill: Fill;
  /** null on input means the default. */
  nullIn: boolean;
  /** An empty text on input means the default. */
  emptyIn: boolean;
  /** The record may have null. */
  nullOut: boolean;
  required: boolean;
  /** The record may lack the key. */
  optional: boolean;
  /** Existing tools do not know it: neither their project file nor their record has it. */
  own: boolean;
}
export type Fields = Record<string, Field>;

const make = (schema: z.ZodType, fill: Fill, flags: Partial<Field> = {}): Field => ({
  schema,
  fill,
  nullIn: false,
  emptyIn: false,
  nullOut: false,
  required: false,
  optional: false,
  own: false,
  ...flags,
});

type Default = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>> | Fill;
const filler = (value: Default): Fill => (typeof value === 'function' ? value : () => structuredClone(value));

/** Never null. */
export const field = (schema: z.ZodType, value: Default): Field => make(schema, filler(value));
/** null may be sent and means the default; the record never has it. */
export const nullIn = (schema: z.ZodType, value: Default): Field => make(schema, filler(value), { nullIn: true });
/** null may be sent and may be in the record. */
export const nullable = (schema: z.ZodType, value: Default = null): Field =>
  make(schema, filler(value), { nullIn: true, nullOut: true });
export const required = (schema: z.ZodType): Field => make(schema, () => undefined, { required: true });
/** Absent unless given or filled in. */
export const optional = (schema: z.ZodType, fill: Fill = () => undefined): Field =>
  make(schema, fill, { nullIn: true, nullOut: true, optional: true });

/** The same field; an empty text may be sent and means the default. */
export const emptyIn = (field: Field): Field => ({ ...field, emptyIn: true });

/** The same field, unknown to existing tools. A lab that is loaded again has no `false` of it. */
export const own = (field: Field): Field => ({ ...field, own: true });

/** Schema of a field on input: optional, null where it may be sent. Forms leave out what is empty, and need not know of it. */
export const inputOf = (f: Field): z.ZodType => {
  const value = f.nullIn ? f.schema.nullable() : f.schema;
  return f.emptyIn ? z.preprocess((given) => (given === '' ? undefined : given), value.optional()) : value;
};
export const outputOf = (f: Field): z.ZodType => {
  const value = f.nullOut ? f.schema.nullable() : f.schema;
  return f.optional ? value.optional() : value;
};

export const mapFields = (fields: Fields, to: (f: Field) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, f]) => [name, to(f)]));

const upTo = (length: Length): z.ZodString =>
  z.string().max(LENGTHS[length], `must have at most ${LENGTHS[length]} characters`);
const EMPTY = 'must not be empty';

export const text = upTo('text');
export const filled = upTo('line').min(1, EMPTY);
export const name = upTo('name').min(1, EMPTY).refine(isOneLine, ONE_LINE);
/** May be empty. */
export const word = upTo('name').refine(isOneLine, ONE_LINE);
/** Content of a file that the node gets. */
export const content = upTo('content');
/** The same of one that is copied as it is, octet by octet. */
export const octets = upTo('file');
export const listOf = <S extends z.ZodType>(item: S): z.ZodArray<S> =>
  z.array(item).max(MOST_ITEMS, `must have at most ${MOST_ITEMS} items`);
export const tableOf = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V): z.ZodRecord<K, V> =>
  z
    .record(key, value)
    .refine((table) => Object.keys(table).length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} entries`);
/** Limits the size of a value that is stored unchanged. */
export const kept = <S extends z.ZodType>(schema: S): S =>
  schema.refine(
    (value) => JSON.stringify(value).length <= MOST_JSON,
    `must have at most ${MOST_JSON} characters as JSON`,
  );
export const int = (min: number, max: number): z.ZodInt => z.int().min(min).max(max);
export const tcpPort = int(1, 65535);
export const macAddress = z
  .string()
  .regex(/^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}$/, 'must be a MAC address such as 0c:12:34:56:00:00');

const PATTERN = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
export const uuid = z.string().regex(PATTERN, 'must be a UUID');

export const customAdapters = listOf(
  z.strictObject({
    adapter_number: part(z.int().min(0), 'Adapter', 'Number of the adapter, from 0.'),
    port_name: part(word.exactOptional(), 'Port name', 'Empty: as the format names it.'),
    adapter_type: part(word.exactOptional(), 'Adapter type', 'Empty: as all of the node.'),
    mac_address: part(
      macAddress.or(z.literal('')).exactOptional(),
      'MAC address',
      'Empty: counted up from that of the node.',
    ),
  }),
);

/** Settings of the simulated engine; the others ignore them. */
export const simulate = z.strictObject({
  delay_ms: part(z.int().min(0).max(600_000).optional(), 'Delay', 'How long every action takes.', 'ms'),
  fail: part(
    filled.optional(),
    'Fails',
    'The action that fails: start, stop, suspend, resume or reload. Any other text: start fails and says it.',
  ),
  exit_after_ms: part(
    z.int().min(1).max(86_400_000).optional(),
    'Ends after',
    'How long after its start the node ends by itself.',
    'ms',
  ),
});

/** Hexadecimal digits of a node id, for what is derived from it; zeros for an id that has too few. */
export const hexOf = (nodeId: string, from: number, to: number): string =>
  nodeId
    .replace(/[^0-9a-f]/gi, '')
    .padEnd(32, '0')
    .slice(from, to)
    .toLowerCase();

/** A number of 1..max that stays the same for a node. */
export const numberOf = (nodeId: string, max: number): number => (parseInt(hexOf(nodeId, 0, 8), 16) % max) + 1;
