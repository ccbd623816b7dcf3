import { z } from 'zod';
import type { Kind } from '../../../emulators/kit/contract.ts';
import { labForm } from './form.ts';

type Json = Readonly<Record<string, unknown>>;

/** The JSON Schema (draft 2020-12) of `lab.yaml`, for editors: what each kind takes as properties is in it. */
export const labSchema = (kinds: readonly Kind[]): Json => {
  const { $schema, ...schema } = jsonOf(labForm);
  const properties = schema['properties'] as Record<string, Json>;
  const nodes = properties['nodes'] ?? {};
  const node = nodes['additionalProperties'] as Json;
  const ofKinds = kinds.map((kind) => ({
    if: { properties: { kind: { enum: [kind.name, kind.alias] } }, required: ['kind'] },
    then: { properties: { properties: withFiles(jsonOf(kind.properties)) } },
  }));
  return {
    $schema,
    title: 'A lab as a text',
    description: 'lab.yaml of Topolog: topolog apply FILE makes the lab what it says',
    ...schema,
    properties: { ...properties, nodes: { ...nodes, additionalProperties: { ...node, allOf: ofKinds } } },
  };
};

const jsonOf = (schema: z.ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Texts can be in files of their own. */
const withFiles = ({ $schema: _, properties, ...schema }: Record<string, unknown>): Json => {
  const file = {
    type: 'object',
    properties: { file: { type: 'string' } },
    required: ['file'],
    additionalProperties: false,
  };
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries((properties ?? {}) as Record<string, Json>).map(([key, value]) => [
        key,
        'x-file' in value ? { title: value['title'], description: value['description'], anyOf: [value, file] } : value,
      ]),
    ),
  };
};
