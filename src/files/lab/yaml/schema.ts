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
  const own = { ...fields, kind: { ...fields['kind'], enum: names }, for: ROUNDS };
  const of = { if: IS_DO, then: LOOP, else: { ...node, properties: own, allOf: kinds.map(ofKind) } };
  return {
    $schema,
    title: 'A lab as a text',
    description: 'lab.yaml of Topolog: topolog apply FILE makes the lab what it says',
    ...(expandable({
      ...schema,
      properties: { ...withTexts(properties), nodes: { ...nodes, additionalProperties: of }, ...HEAD },
    }) as Json),
    $defs: { filters: expandable(filters), file: FILE, loop: LOOP, variable: VARIABLE },
  };
};

const WITH_TEXTS = new Set(['settings', 'checks', 'stages', 'weather']);
const withTexts = (properties: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, WITH_TEXTS.has(key) ? withFiles(value) : value]),
  );

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

/** Names of variables, and a text with one, which can stand for anything. */
const NAME = { pattern: String.raw`^[A-Za-z_][\w-]*$` };
const VARIABLE = { type: 'string', pattern: String.raw`\$\{[A-Za-z_]` };
/** Variables of a loop. */
const ROUNDS = {
  title: 'Loop',
  description: 'Variables with a list or a range of each, such as {i: 1..20}: it is there once for each.',
  type: 'object',
  propertyNames: NAME,
  additionalProperties: {
    anyOf: [{ type: 'array' }, { type: 'string', pattern: String.raw`^-?\d{1,9}\.\.-?\d{1,9}$|\$\{` }],
  },
};
/** An entry of a list that is there more than once, as `do` says it or the keys beside. */
const LOOP = { type: 'object', properties: { for: ROUNDS }, required: ['for'] };
/** A node as `do` says it. */
const IS_DO = { type: 'object', required: ['for', 'do'] };
const IS_LOOP = { type: 'object', properties: { for: { type: 'object' } }, required: ['for'] };
const HEAD = {
  vars: {
    title: 'Variables',
    description: 'Values by their names: ${name} stands for one, ${name.key} for what a map has.',
    type: 'object',
    propertyNames: NAME,
  },
  include: {
    title: 'Include',
    description: 'Other texts beside this one, whose nodes, links and lists come before its own.',
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 } },
    ],
  },
};

/** Allows loops in lists, and a variable in place of each value that is no plain text. */
const expandable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(expandable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties') return [key, eachOf(value as Json, expandable)];
    if (key === 'items' && value !== false)
      return [key, { if: IS_LOOP, then: { $ref: '#/$defs/loop' }, else: expandable(value) }];
    return [key, HOLDERS.has(key) ? expandable(value) : value];
  });
  const made = Object.fromEntries(inside) as Json;
  if (!isNarrow(made)) return made;
  const { title, description, ...rest } = made;
  return { ...titled(title, description), anyOf: [rest, { $ref: '#/$defs/variable' }] };
};

const isNarrow = ({ type, pattern, enum: values }: Json): boolean =>
  values !== undefined ||
  type === 'number' ||
  type === 'integer' ||
  type === 'boolean' ||
  (type === 'string' && pattern !== undefined);

const titled = (title: unknown, description: unknown): Json => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
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
  const said = titled(title, description);
  if (rest['type'] === 'string' && !('enum' in rest) && !('const' in rest))
    return { ...said, anyOf: [rest, { $ref: '#/$defs/file' }] };
  const inside = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? eachOf(value as Json, withFiles) : HOLDERS.has(key) ? withFiles(value) : value,
  ]);
  return { ...said, ...(Object.fromEntries(inside) as Json) };
};
const eachOf = (schemas: Json, change: (schema: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, change(value)]));
/** Keywords with schemas of values. */
const HOLDERS = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'then', 'else']);
