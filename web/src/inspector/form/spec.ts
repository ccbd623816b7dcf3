/** A JSON Schema of the server's OpenAPI document, as far as forms read it. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly readOnly?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-group'?: string;
  readonly 'x-unit'?: string;
  readonly 'x-widget'?: string;
  readonly 'x-separator'?: string;
  readonly 'x-file'?: string;
  readonly 'x-options'?: Readonly<Record<string, string>>;
  readonly 'x-order'?: number;
  readonly 'x-needs-stop'?: boolean;
  readonly 'x-unique'?: boolean;
}

/** How a value is edited. `lines`: a list, one a line; `map`: a table of keys and values; `row`: an object, as a table with one row. */
export type Widget =
  | 'text'
  | 'number'
  | 'switch'
  | 'select'
  | 'multiline'
  | 'code'
  | 'lines'
  | 'table'
  | 'row'
  | 'map'
  | 'pairs'
  | 'image'
  | 'symbol'
  | 'compute';

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** A field of a form, or a column of its table. */
export interface Spec {
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly group: string;
  readonly order: number;
  readonly widget: Widget;
  readonly unit: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly maxLength: number;
  readonly pattern: string | null;
  readonly options: readonly Option[];
  /** Empty is null. */
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  /** A node that runs cannot take a change. */
  readonly needsStop: boolean;
  /** Each node has its own. */
  readonly isUnique: boolean;
  /** The text is that of a file of the node, with `{node_id}`; null: it is in the record. */
  readonly file: string | null;
  readonly separator: string;
  readonly columns: readonly Spec[];
  /** Columns of each variant of a row, by the value of the column `type`. */
  readonly variants: Readonly<Record<string, readonly string[]>>;
  /** Lines of a list are numbers. */
  readonly isNumeric: boolean;
  /** The number need not be whole. */
  readonly isDecimal: boolean;
}

const WIDGETS = new Set(['code', 'multiline', 'image', 'symbol', 'pairs', 'compute']);
/** Bounds of a 53 bit integer say nothing. */
const bound = (value: number | undefined, none: number): number =>
  value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? none : value;

/** The schema without the null that it may have beside it. */
const plain = (schema: Schema): { schema: Schema; isNullable: boolean } => {
  const { anyOf, type } = schema;
  if (Array.isArray(type)) {
    const left = (type as readonly string[]).filter((one) => one !== 'null');
    return { schema: { ...schema, type: left[0] ?? 'string' }, isNullable: left.length < type.length };
  }
  const left = anyOf?.filter((one) => one.type !== 'null');
  if (anyOf === undefined || left?.[0] === undefined) return { schema, isNullable: false };
  return { schema: { ...left[0], ...schema }, isNullable: left.length < anyOf.length };
};

const isTable = ({ items }: Schema): boolean => items?.properties !== undefined || items?.oneOf !== undefined;

const widgetOf = (schema: Schema): Widget => {
  const asked = schema['x-widget'];
  if (asked !== undefined && WIDGETS.has(asked)) return asked as Widget;
  if (schema.enum !== undefined || schema.const !== undefined) return 'select';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return isTable(schema) ? 'table' : 'lines';
  if (schema.properties !== undefined) return 'row';
  if (schema.type === 'object') return 'map';
  return 'text';
};

const optionsOf = (schema: Schema): Option[] =>
  (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String).map((value) => ({
    value,
    text: schema['x-options']?.[value] ?? value,
  }));

/** Shapes of the rows of a table. */
const shapesOf = ({ items, properties }: Schema): readonly Schema[] =>
  properties === undefined ? (items?.oneOf ?? (items === undefined ? [] : [items])) : [{ properties }];

const columnsOf = (shapes: readonly Schema[]): Spec[] => {
  const columns = new Map<string, Spec>();
  for (const shape of shapes)
    for (const [key, schema] of Object.entries(shape.properties ?? {})) {
      const fresh = specOf(key, schema, shape.required?.includes(key) === true);
      const old = columns.get(key);
      columns.set(key, old === undefined ? fresh : { ...old, options: [...old.options, ...fresh.options] });
    }
  return [...columns.values()];
};

/** Variants of rows that have their type as a constant each. */
const variantsOf = (shapes: readonly Schema[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    shapes.flatMap(({ properties = {} }) => {
      const type = properties['type']?.const;
      return typeof type === 'string' ? [[type, Object.keys(properties)] as const] : [];
    }),
  );

export const specOf = (key: string, given: Schema, isRequired = false): Spec => {
  const { schema, isNullable } = plain(given);
  const shapes = shapesOf(schema);
  return {
    key,
    title: schema.title ?? key,
    help: schema.description ?? '',
    group: schema['x-group'] ?? 'General',
    order: schema['x-order'] ?? Infinity,
    widget: widgetOf(schema),
    unit: schema['x-unit'] ?? '',
    minimum: bound(schema.minimum, -Infinity),
    maximum: bound(schema.maximum, Infinity),
    maxLength: schema.maxLength ?? Infinity,
    pattern: schema.pattern ?? null,
    options: optionsOf(schema),
    isNullable,
    isRequired,
    needsStop: schema['x-needs-stop'] === true,
    isUnique: schema['x-unique'] === true,
    file: schema['x-file'] ?? null,
    separator: schema['x-separator'] ?? '=',
    columns: shapes.length === 0 ? [] : columnsOf(shapes),
    variants: variantsOf(shapes),
    isNumeric: schema.items?.type === 'integer' || schema.items?.type === 'number',
    isDecimal: schema.type === 'number',
  };
};

/** Fields of a record's schema that can be changed, in their order. */
export const specsOf = ({ properties = {}, required = [] }: Schema): Spec[] =>
  Object.entries(properties)
    .filter(([, schema]) => schema.readOnly !== true && schema['x-widget'] !== 'none')
    .map(([key, schema]) => specOf(key, schema, required.includes(key)))
    .sort((a, b) => a.order - b.order);

/** Fields that all of the schemas have alike. */
export const sharedSpecs = (lists: readonly (readonly Spec[])[]): readonly Spec[] => {
  const [first = [], ...others] = lists;
  const texts = others.map((list) => new Map(list.map((spec) => [spec.key, JSON.stringify({ ...spec, order: 0 })])));
  return first.filter((spec) => texts.every((known) => known.get(spec.key) === JSON.stringify({ ...spec, order: 0 })));
};

/** In the order of the first field of each. */
export const byGroup = (specs: readonly Spec[]): ReadonlyMap<string, readonly Spec[]> => {
  const groups = new Map<string, Spec[]>();
  for (const spec of specs) groups.set(spec.group, [...(groups.get(spec.group) ?? []), spec]);
  return groups;
};
