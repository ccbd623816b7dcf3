import { createHash } from 'node:crypto';
import type { Kind, Properties } from '../../emulators/kit/contract.ts';
import type { TemplateFields } from '../../events/server-fields.ts';
import type { TemplateRecord } from '../../projections/records.ts';
import { withoutEmptyLists } from '../node/fields.ts';
import type { NodeChanges, NodeInput } from '../node/interface.ts';
import type { NodePlace, TemplateInput } from './interface.ts';

/** What templates are, without doing anything. */

/** Name space of domain names: RFC 9562, 6.6. */
const DNS = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');

/** UUID of version 3 (RFC 9562, 5.3) of a name in the name space of domain names. */
const uuid3 = (name: string): string => {
  const hash = createHash('md5').update(DNS).update(name).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x30;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** One for every kind that needs no image. Their ids are the same everywhere: project files of other servers name them. */
export const builtinTemplates = (kinds: { all(): readonly Kind[] }): ReadonlyMap<string, TemplateRecord> => {
  const records = kinds.all().flatMap((kind): TemplateRecord[] => {
    const { builtin: name } = kind.template;
    if (name === null) return [];
    const fields = newTemplate(kind, uuid3(kind.alias), { kind: kind.name, name });
    return [{ ...fields, compute_id: null, builtin: true, created: 0, changed: 0 }];
  });
  return new Map(records.map((record) => [record.template_id, record]));
};

/** Throws TopologError for settings that the kind does not take. */
export const newTemplate = (kind: Kind, template_id: string, input: TemplateInput): TemplateFields => ({
  template_id,
  kind: kind.name,
  name: input.name,
  compute_id: input.compute_id ?? 'local',
  default_name_format: input.default_name_format ?? kind.template.nameFormat,
  symbol: input.symbol ?? kind.look.symbol,
  category: input.category ?? kind.template.category,
  settings: kind.template.complete(input.settings ?? {}),
});

/** Settings of a template that become fields of its nodes rather than properties. */
type TemplateSettings = Pick<
  NodeChanges,
  | 'console_type'
  | 'console_auto_start'
  | 'port_name_format'
  | 'port_segment_size'
  | 'first_port_name'
  | 'custom_adapters'
>;

/** The node that a template makes. `texts`: properties read from the files that its settings name. */
export const nodeOfTemplate = (
  kind: Kind,
  template: TemplateFields,
  place: NodePlace,
  texts: Properties,
): NodeInput => {
  const { settings } = template;
  const properties = Object.fromEntries(
    Object.entries(settings).filter(
      ([key]) => Object.hasOwn(kind.properties.shape, key) && !Object.hasOwn(kind.template.texts, key),
    ),
  );
  const { first_port_name: first, ...own } = settings as TemplateSettings;
  return withoutAbsent({
    kind: kind.name,
    name: place.name ?? template.default_name_format.replaceAll('{name}', () => template.name),
    template_id: template.template_id,
    compute_id: place.compute_id ?? template.compute_id ?? undefined,
    x: place.x,
    y: place.y,
    symbol: template.symbol,
    properties: withoutEmptyLists(kind, { ...properties, ...texts }),
    console_type: own.console_type,
    console_auto_start: own.console_auto_start,
    port_name_format: own.port_name_format,
    port_segment_size: own.port_segment_size,
    first_port_name: first === '' ? undefined : first,
    custom_adapters: own.custom_adapters,
  });
};

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const withoutAbsent = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
