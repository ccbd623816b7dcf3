import type { Client } from '../../store/api.ts';
import { type Schema, type Spec, specsOf } from '../form/spec.ts';

/** What the server says of its records, by its OpenAPI document. */
export interface Forms {
  /** Of a kind's properties; none of a kind that the server does not know. */
  readonly properties: (nodeType: string) => readonly Spec[];
  /** Of the node itself; which consoles it can have goes by its kind. */
  readonly node: (nodeType: string) => readonly Spec[];
  readonly link: readonly Spec[];
  readonly drawing: readonly Spec[];
  readonly project: readonly Spec[];
}

interface KindEntry {
  readonly name: string;
  readonly alias: string;
  readonly properties: Schema;
  readonly console_types: readonly string[];
  /** Those of its node's own settings that not every kind has. */
  readonly settings: readonly string[];
}
export interface OpenApi {
  readonly 'x-kinds'?: readonly KindEntry[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const memo = <T>(make: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};

const CONSOLE = /^console/;
const SOME = new Set(['port_name_format', 'port_segment_size', 'first_port_name', 'custom_adapters']);

const withConsoles = (spec: Spec, types: readonly string[]): Spec =>
  spec.key === 'console_type'
    ? { ...spec, isNullable: false, options: spec.options.filter(({ value }) => types.includes(value)) }
    : spec;

export const formsOf = ({ 'x-kinds': kinds = [], components: { schemas } }: OpenApi): Forms => {
  const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const named = (name: string): readonly Spec[] => specsOf(schemas[name] ?? {});
  const kindOf = (type: string): KindEntry | undefined =>
    kinds.find(({ name, alias }) => name === type || alias === type);
  const node = named('NodeUpdate');
  return {
    properties: memo((type) => specsOf(resolve(kindOf(type)?.properties ?? {}))),
    node: memo((type) => {
      const { console_types: types = [], settings = [] } = kindOf(type) ?? {};
      const own = node.filter(({ key }) => !SOME.has(key) || settings.includes(key));
      return types.length === 0
        ? own.filter(({ key }) => !CONSOLE.test(key))
        : own.map((spec) => withConsoles(spec, types));
    }),
    link: named('LinkUpdate'),
    drawing: named('DrawingUpdate'),
    project: named('ProjectUpdate'),
  };
};

const known = new WeakMap<Client, Promise<Forms>>();

/** Read once, when the first form is wanted. */
export const readForms = (client: Client): Promise<Forms> => {
  const reading =
    known.get(client) ?? client.get('/v2/openapi.json').then((document) => formsOf(document as unknown as OpenApi));
  known.set(client, reading);
  // The server may answer again later.
  reading.catch(() => known.delete(client));
  return reading;
};
