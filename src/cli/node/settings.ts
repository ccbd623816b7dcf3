import { parse } from 'yaml';
import type { z } from 'zod';
import { invalid, messageOf } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { startUpOf } from '../../emulators/kit/text-files.ts';
import { startUpText, withGateways } from '../../files/lab/start-up.ts';
import { nodeForm } from '../../files/lab/yaml/form.ts';
import { didYouMean, wordsNear } from '../names.ts';

/** Keys of a node in a lab's text that stand beside what it is and where it runs. */
const {
  kind: _kind,
  template: _template,
  was: _was,
  compute: _compute,
  properties: _properties,
  files: _files,
  ...NODE
} = nodeForm.shape;

/** Fields of a node as the interface takes them. */
export interface NodeSettings {
  properties: Record<string, unknown>;
  [field: string]: unknown;
}

/** Reads `KEY=VALUE` for a node of this kind: keys of a node in a lab's text, and properties of the kind. Throws `invalid_request`. */
export const settingsOf = (kind: Kind, given: readonly string[]): NodeSettings => {
  const node = new Map<string, unknown[]>();
  const properties: Record<string, unknown> = {};
  for (const text of given) {
    const [, key = '', value = ''] = /^([\w.-]+)=([^]*)$/.exec(text) ?? [];
    if (key === '') throw invalid(`--set takes KEY=VALUE, not ${text}`);
    if (isKey(NODE, key)) node.set(key, [...(node.get(key) ?? []), valueOf(key, value, NODE[key])]);
    else properties[key] = valueOf(key, value, propertyOf(kind, key));
  }
  const { at, address = [], gateway = [], startup, ...fields } = Object.fromEntries(node);
  const [x, y] = (at?.at(-1) ?? []) as number[];
  return {
    ...Object.fromEntries(Object.entries(fields).map(([key, values]) => [key, values?.at(-1)])),
    ...(x === undefined ? {} : { x, y }),
    properties: { ...properties, ...startUp(kind, address.flat(), gateway.flat(), startup?.at(-1)) },
  };
};

const isKey = <T extends object>(shape: T, key: string): key is keyof T & string => Object.hasOwn(shape, key);

const propertyOf = ({ name: kind, properties: { shape } }: Kind, key: string): z.core.$ZodType => {
  const schema = (Object.entries(shape) as [string, z.core.$ZodType][]).find(([name]) => name === key)?.[1];
  if (schema !== undefined) return schema;
  const meant = didYouMean(wordsNear(key, [...Object.keys(shape), ...Object.keys(NODE)]));
  throw invalid(`${kind} has no ${key}${meant === '' ? `; its properties: ${Object.keys(shape).join(', ')}` : meant}`);
};

/** A text where one is taken, otherwise a value as YAML has it. */
const valueOf = (key: string, text: string, schema: z.core.$ZodType): unknown => {
  const check = schema as z.ZodType;
  if (check.safeParse(text).success) return text;
  const value = yamlOf(text);
  const problem = check.safeParse(value).error?.issues[0]?.message;
  if (problem !== undefined) throw invalid(`${key} ${problem}, not ${text}`);
  return value;
};

const yamlOf = (text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return text;
  }
};

/** The text that it reads at its start. */
const startUp = (kind: Kind, addresses: unknown[], gateways: unknown[], startup: unknown): Record<string, string> => {
  if (addresses.length === 0 && gateways.length === 0 && startup === undefined) return {};
  const takes = startUpOf(kind);
  if (takes === null) throw invalid(`${kind.name} reads no text at its start: it takes no address, gateway or startup`);
  if (addresses.length === 0 && gateways.length > 0) throw invalid('gateway needs an address beside it');
  const said = { addresses: withGateways(addresses as string[], gateways as string[]) };
  try {
    return {
      [takes.property]: startUpText(startup === undefined ? said : { ...said, startup: startup as string }, takes),
    };
  } catch (error) {
    throw invalid(messageOf(error));
  }
};
