import { z } from 'zod';
import { JSON_RULES } from '../../../common/forms/property-text.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import { startUpOf } from '../../../emulators/kit/text-files.ts';
import { labForm } from './form.ts';

type Json = Readonly<Record<string, unknown>>;

/** JSON Schema (draft 2020-12) of `lab.yaml` for editors, with what each kind takes. `filters`: JSON Schema of those of a link. */
export const labSchema = (kinds: readonly Kind[], filters: Json): Json => {
  const { $schema, ...schema } = jsonOf(labForm);
  const properties = schema['properties'] as Record<string, Json>;
  const nodes = properties['nodes'] ?? {};
  const node = nodes['additionalProperties'] as Json;
  const fields = node['properties'] as Record<string, Json>;
  const names = [...new Set(kinds.flatMap(({ name, alias }) => [name, alias]))];
  const of = { ...node, properties: { ...fields, kind: { ...fields['kind'], enum: names } }, allOf: kinds.map(ofKind) };
  return {
    $schema,
    title: 'A lab as a text',
    description: 'lab.yaml of Topolog: topolog apply FILE makes the lab what it says',
    ...schema,
    properties: { ...properties, nodes: { ...nodes, additionalProperties: of } },
    $defs: { filters, file: FILE },
  };
};

/** Rules of a node of one kind; of one that is made from a template it is not known. */
const ofKind = (kind: Kind): Json => {
  const startUp = startUpOf(kind);
  const none = [
    ...(startUp === null ? ['startup'] : []),
    ...((startUp?.addressLine ?? null) === null ? ['address'] : []),
    ...((startUp?.gateway ?? null) === null ? ['gateway'] : []),
  ];
  const types = kind.capabilities.console_types;
  const needed = kind.required.length === 0 ? {} : { required: kind.required };
  return {
    if: { properties: { kind: { enum: [kind.name, kind.alias] } }, required: ['kind'] },
    then: {
      properties: {
        properties: { ...(withFiles(propertiesOf(kind)) as Json), ...needed },
        console_type: { enum: types.length === 0 ? ['none'] : types },
        ...Object.fromEntries(none.map((key) => [key, false])),
      },
      ...(kind.required.length === 0 ? {} : { required: ['properties'] }),
    },
  };
};

const propertiesOf = (kind: Kind): Json => {
  const { $schema: _, ...schema } = jsonOf(kind.properties);
  return schema;
};

const jsonOf = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const rules = JSON_RULES.get(zodSchema as unknown as z.ZodType);
      if (rules === undefined) return;
      Object.assign(jsonSchema, rules);
      if (!('$ref' in rules)) return;
      delete jsonSchema.type;
      delete jsonSchema.propertyNames;
      delete jsonSchema.additionalProperties;
    },
  });

/** A text that stands in a file of its own. */
const FILE = {
  type: 'object',
  properties: { file: { type: 'string' } },
  required: ['file'],
  additionalProperties: false,
};

/** Allows each text to be in a file of its own. */
const withFiles = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withFiles);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, description, ...rest } = schema as Json;
  const said = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  if (rest['type'] === 'string' && !('enum' in rest) && !('const' in rest))
    return { ...said, anyOf: [rest, { $ref: '#/$defs/file' }] };
  const inside = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? eachOf(value as Json) : HOLDERS.has(key) ? withFiles(value) : value,
  ]);
  return { ...said, ...(Object.fromEntries(inside) as Json) };
};
const eachOf = (schemas: Json): Json =>
  Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, withFiles(value)]));
/** Keywords with schemas of values. */
const HOLDERS = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);
