import { z } from 'zod';
import type { Capabilities, Category, Kind, KindTemplate, Properties } from './contract.ts';
import * as f from './fields.ts';

/** What a kind's folder says about its templates. */
export interface TemplateDefinition {
  builtin?: string;
  category: Category;
  /** Absent: the name of the kind's nodes. */
  nameFormat?: string;
  /** `named`: by a format that a template can set. `customised`: only one by one. Absent: ports have fixed names. */
  ports?: 'named' | 'customised';
  /** Properties that belong to one node and that a template may set all the same. */
  shared?: readonly string[];
  texts?: Readonly<Record<string, string>>;
}

interface TemplateBase extends Pick<Kind, 'look' | 'properties' | 'unique' | 'complete'> {
  capabilities: Capabilities;
}

interface TemplateSetting {
  schema: z.ZodType;
  fill: unknown;
}

/** Stands for the node that there is not yet: what is derived from it is left out again. */
const NOBODY = { node_id: '00000000-0000-0000-0000-000000000000', name: '' };

export const defineTemplate = (
  kind: TemplateBase,
  definition: TemplateDefinition = { category: 'guest' },
): KindTemplate => {
  const { texts = {}, shared = [] } = definition;
  const ownToNode = kind.unique.filter((key) => !shared.includes(key));
  const withoutText = Object.values(texts);
  const properties = Object.entries(kind.properties.shape).filter(
    ([key]) => !ownToNode.includes(key) && !withoutText.includes(key),
  );
  const own = ownSettings(kind, definition);
  const shape = { ...Object.fromEntries(properties), ...optional(own) };
  const isProperty = (key: string): boolean => Object.hasOwn(kind.properties.shape, key);
  return {
    builtin: definition.builtin ?? null,
    category: definition.category,
    nameFormat: definition.nameFormat ?? kind.look.name,
    settings: z.strictObject(shape),
    texts,
    tidy: (given) =>
      Object.fromEntries(Object.entries(given).filter(([key, value]) => !meansDefault(shape, key, value))),
    complete: (given) => {
      const filled = kind.complete(pick(given, isProperty), NOBODY);
      const shareable = pick(filled, (key) => !kind.unique.includes(key) || given[key] !== undefined);
      const defaults = Object.fromEntries(Object.entries(own).map(([key, { fill }]) => [key, structuredClone(fill)]));
      return { ...defaults, ...shareable, ...pick(given, (key) => Object.hasOwn(own, key)) };
    },
  };
};

/** What only templates have, or what nodes have outside their properties. */
const ownSettings = (
  { look, capabilities, properties }: TemplateBase,
  definition: TemplateDefinition,
): Record<string, TemplateSetting> => {
  const [console] = capabilities.console_types;
  return {
    ...('usage' in properties.shape ? {} : { usage: { schema: f.text, fill: '' } }),
    ...(console === undefined
      ? {}
      : {
          console_type: { schema: z.enum(capabilities.console_types), fill: console },
          console_auto_start: { schema: z.boolean(), fill: false },
        }),
    ...(definition.ports === 'named'
      ? {
          port_name_format: { schema: f.name, fill: look.port_name_format },
          port_segment_size: { schema: z.int().min(0), fill: look.port_segment_size },
          first_port_name: { schema: f.word, fill: '' },
        }
      : {}),
    ...(definition.ports === undefined ? {} : { custom_adapters: { schema: f.customAdapters, fill: [] } }),
    ...Object.fromEntries(Object.keys(definition.texts ?? {}).map((key) => [key, { schema: f.text, fill: '' }])),
  };
};

const optional = (own: Record<string, TemplateSetting>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(own).map(([key, { schema }]) => [key, schema.optional()]));

const pick = (given: Properties, wanted: (key: string) => boolean): Properties =>
  Object.fromEntries(Object.entries(given).filter(([key, value]) => wanted(key) && value !== undefined));

const meansDefault = (shape: Readonly<Record<string, z.core.$ZodType>>, key: string, value: unknown): boolean => {
  const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
  return (value === '' || value === null) && schema !== undefined && !z.safeParse(schema, value).success;
};
