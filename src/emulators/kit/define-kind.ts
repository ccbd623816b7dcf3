import { z } from 'zod';
import { invalid } from '../../common/errors.ts';
import type {
  AsExisting,
  Capabilities,
  Category,
  EngineFactory,
  HostUse,
  Kind,
  KindTemplate,
  Port,
  PortNaming,
  Properties,
} from './contract.ts';
import * as f from './fields.ts';
import { describedProperties, type Texts } from './texts.ts';

/** Keys that are copied from the definition to the kind unchanged, where the definition has them. */
const PASSTHROUGH = [
  'files',
  'nameLine',
  'startUpCommands',
  'firstFiles',
  'textsOnRecord',
  'forwarding',
  'addresses',
  'ping',
  'configFiles',
  'titles',
  'images',
  'fileName',
  'old',
  'sharedFile',
  'operations',
  'nodeOperations',
  'setting',
  'writes',
  'ofMachine',
  'standIn',
  'appliance',
  'containerlab',
  'gateway',
] as const;
type Passthrough = Partial<Pick<Kind, (typeof PASSTHROUGH)[number]>>;

/** Definition of a kind in its folder; defineKind makes the schemas, the defaults and the record of it. */
export interface KindDefinition extends Passthrough {
  name: string;
  /** Name that existing tools use; the kind's own when it has no other. */
  alias?: string;
  directory: string;
  capabilities?: Partial<Capabilities>;
  /** Absent: one port after the other, `Ethernet0` and so on. */
  look: Pick<Kind['look'], 'symbol' | 'name'> & Partial<Kind['look']>;
  template?: TemplateDefinition;
  fields: f.Fields;
  /** Texts of its fields and inputs for people; a kind of the server has one for each. */
  texts?: Texts;
  /** Keys that are accepted and become something else: a file, another property. */
  inputs?: Record<string, z.ZodType>;
  /** Keys of the record that are read off other properties. */
  derived?: Record<string, { schema: z.ZodType; value(properties: Properties): unknown }>;
  /** Keys of the record that all nodes have and this kind shows. */
  shown: readonly ('console' | 'node_directory' | 'command_line')[];
  /** Keys that a running node takes at once, or that only its next start reads. */
  hot: readonly string[];
  unique?: readonly string[];
  /** Requirements of existing tools for a project file, beside the required properties. */
  file?: {
    /** Refused when they are absent. */
    needs?: readonly string[];
    /** Refused when they are empty, so that they are absent then. */
    filled?: readonly string[];
    /** Properties that may be null. Absent: any property may. */
    nulls?: readonly string[];
  };
  asExisting?: Partial<Omit<AsExisting, 'record'>>;
  /** Schema of `name` in a create; a kind with a default name may go without. */
  nameSchema?: z.ZodType;
  /** The create body may be a record as it was read. */
  createsFromRecord?: boolean;
  startBody?: z.ZodObject;
  /** Last step of `complete`: whatever depends on several keys. Changes `properties`; throws TopologError. */
  settle?(properties: Properties, given: Properties, node: f.NodeIdentity): void;
  ports(properties: Properties, naming: PortNaming): Port[];
  /** Default: none. */
  hostUses?(properties: Properties): HostUse[];
  engines: readonly EngineFactory[];
}

const CAPABILITIES: Capabilities = {
  always_on: false,
  suspend: false,
  reload: true,
  duplicate: true,
  filters: true,
  nio_types: ['nio_udp'],
  nio_update: true,
  adapter_only: false,
  capture_needs_started: false,
  console_types: [],
  directory: true,
  serves_linked: false,
  leads_out: false,
  portable: true,
  start_answers_record: false,
};

/** Capabilities of switches and of kinds that lead out of the lab: they run as long as their project is open. */
export const ALWAYS_ON: Partial<Capabilities> = { always_on: true, reload: false, directory: false };

export const defineKind = (d: KindDefinition): Kind => {
  const capabilities = { ...CAPABILITIES, ...d.capabilities };
  const fields = { ...d.fields, ...fieldsOfAll(d.engines) };
  const schemas = schemasOf(d, fields, capabilities);
  const look = { port_name_format: 'Ethernet{0}', port_segment_size: 0, ...d.look };
  const completed = completion(d, fields, schemas.properties);
  const unique = d.unique ?? [];
  return {
    name: d.name,
    alias: d.alias ?? d.name,
    directory: d.directory,
    capabilities,
    look,
    template: defineTemplate(
      { look, capabilities, properties: schemas.properties, unique, complete: completed },
      d.template,
    ),
    ...schemas,
    startBody: d.startBody ?? z.strictObject({}),
    required: Object.keys(fields).filter((key) => fields[key]?.required === true),
    unique,
    own: ownKeys(fields),
    ...(Object.fromEntries(PASSTHROUGH.filter((key) => key in d).map((key) => [key, d[key]])) as Passthrough),
    complete: completed,
    inFile: (properties, made) => inFile(d, properties, made),
    ports: (properties, naming) => d.ports(properties, naming),
    record: (node) => recordOf(d, fields, capabilities, node),
    asExisting: asExistingOf(d, capabilities),
    needsStop: (before, after) => changedKeys(before, after).filter((key) => !isHot(d, key)),
    hostUses: (properties) => [...(d.hostUses?.(properties) ?? []), ...engineUses(d.engines, properties['engine'])],
    engines: d.engines,
  };
};

/** Properties of every kind. */
const fieldsOfAll = (engines: readonly EngineFactory[]): f.Fields => ({
  engine: f.own(f.optional(z.enum([...engines.map(({ name }) => name), 'simulated']))),
  simulate: f.own(f.optional(f.simulate)),
});

const ownKeys = (fields: f.Fields): string[] => Object.keys(fields).filter((key) => fields[key]?.own === true);

/** Own properties of a kind that is not known. */
export const OWN_OF_ALL: readonly string[] = ownKeys(fieldsOfAll([]));

const engineUses = (engines: readonly EngineFactory[], wished: unknown): HostUse[] =>
  engines.flatMap(({ name, hostUse }) =>
    hostUse !== undefined && name === wished ? [{ field: 'engine', reason: hostUse }] : [],
  );

/** Keys that all nodes have: never properties, whatever a file or a record put back says. */
const SHARED = new Set([
  'name',
  'node_id',
  'project_id',
  'status',
  'node_directory',
  'command_line',
  'console',
  'console_type',
  'custom_adapters',
]);

const schemasOf = (
  d: KindDefinition,
  fields: f.Fields,
  capabilities: Capabilities,
): Pick<Kind, 'properties' | 'create' | 'update' | 'output'> => {
  // A text becomes a file, which only the next start reads.
  const needsStop = (key: string): boolean => key in fields && !isHot(d, key);
  const inputs = describedProperties({ ...f.mapFields(fields, f.inputOf), ...d.inputs }, d.texts, needsStop, d.unique);
  const every = optionals(inputs);
  const must = Object.fromEntries(Object.entries(inputs).filter(([key]) => fields[key]?.required === true));
  const readOnly = optionals({
    project_id: z.unknown(),
    status: z.unknown(),
    node_directory: z.unknown(),
    command_line: z.unknown(),
    ...Object.fromEntries(Object.keys(d.derived ?? {}).map((key) => [key, z.unknown()])),
  });
  const own = optionals({ node_id: f.uuid, custom_adapters: f.customAdapters, ...consoleInput(capabilities) });
  const name = d.nameSchema ?? f.name;
  return {
    properties: z.strictObject(every),
    create: z.strictObject({ ...(d.createsFromRecord === true ? readOnly : {}), name, ...own, ...every, ...must }),
    update: z.strictObject({ ...readOnly, name: f.name.nullish(), ...own, ...every }),
    output: z.object({ ...sharedOutput(d, capabilities), ...fieldsOutput(d, fields), ...derivedOutput(d) }),
  };
};

const optionals = (shape: Record<string, z.ZodType>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, schema.optional()]));

const consoleInput = (capabilities: Capabilities): Record<string, z.ZodType> =>
  capabilities.console_types.length === 0
    ? {}
    : { console: f.tcpPort.nullable(), console_type: z.enum(capabilities.console_types) };

const sharedOutput = (d: KindDefinition, capabilities: Capabilities): Record<string, z.ZodType> => ({
  name: z.string(),
  node_id: f.uuid,
  project_id: f.uuid,
  status: z.enum(['stopped', 'started', 'suspended']),
  ...(shows(d, 'console')
    ? {
        // null only where the console type is `none`, or none has been leased yet.
        console: z.int().nullable(),
        console_type: z.enum(capabilities.console_types),
      }
    : {}),
  ...(shows(d, 'node_directory') ? { node_directory: z.string().nullable() } : {}),
  ...(shows(d, 'command_line') ? { command_line: z.string() } : {}),
});

/** Values that existing tools refuse when they are empty are left out for them. */
const fieldsOutput = ({ file = {} }: KindDefinition, fields: f.Fields): Record<string, z.ZodType> => {
  const mayLack = (key: string, { nullOut }: f.Field): boolean =>
    file.filled?.includes(key) === true || (nullOut && file.nulls?.includes(key) === false);
  return Object.fromEntries(
    Object.entries(fields).map(([key, of]) => [key, mayLack(key, of) ? f.outputOf(of).optional() : f.outputOf(of)]),
  );
};

/** Optional, as existing tools do not know them. */
const derivedOutput = (d: KindDefinition): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(d.derived ?? {}).map(([key, { schema }]) => [key, schema.optional()]));

const shows = (d: KindDefinition, key: KindDefinition['shown'][number]): boolean => d.shown.includes(key);

const completion = (d: KindDefinition, fields: f.Fields, schema: z.ZodObject): Kind['complete'] => {
  // A null of a key we know is "no value" here, also where a request would be refused for it: old project files have them.
  const isKnown = (key: string): boolean => Object.hasOwn(fields, key) || Object.hasOwn(d.inputs ?? {}, key);
  const isKept = (key: string): boolean => !isKnown(key) && !SHARED.has(key) && !(key in (d.derived ?? {}));
  return (given, node) => {
    const known = Object.fromEntries(Object.entries(given).filter(([key, value]) => isKnown(key) && value != null));
    check(schema, known);
    const missing = Object.keys(fields).find((key) => fields[key]?.required === true && known[key] === undefined);
    if (missing !== undefined) throw invalid(`${missing} is needed`, { field: missing });
    const out: Properties = Object.fromEntries(Object.entries(given).filter(([key]) => isKept(key)));
    for (const [key, field] of Object.entries(fields)) {
      const value = known[key] ?? field.fill(known, node);
      if (value !== undefined) out[key] = value;
    }
    d.settle?.(out, known, node);
    return out;
  };
};

/** Unknown keys inside values are let through: strictness is for requests, which the schemas check before. */
const check = (schema: z.ZodObject, known: Properties): void => {
  const issues = schema.safeParse(known).error?.issues ?? [];
  const issue = issues.find((i) => i.code !== 'unrecognized_keys');
  if (issue === undefined) return;
  const field = issue.path.map(String).join('.');
  throw invalid(`${field}: ${issue.message}`, { field });
};

const recordOf = (
  d: KindDefinition,
  fields: f.Fields,
  capabilities: Capabilities,
  node: Parameters<Kind['record']>[0],
): Record<string, unknown> => ({
  name: node.name,
  node_id: node.node_id,
  project_id: node.project_id,
  status: node.status,
  ...(shows(d, 'console')
    ? { console: node.console, console_type: node.console_type ?? capabilities.console_types[0] }
    : {}),
  ...(shows(d, 'node_directory') ? { node_directory: node.node_directory } : {}),
  ...(shows(d, 'command_line') ? { command_line: node.command_line } : {}),
  ...Object.fromEntries(
    Object.keys(fields)
      .filter((key) => node.properties[key] !== undefined)
      .map((key) => [key, node.properties[key]]),
  ),
  ...Object.fromEntries(Object.entries(d.derived ?? {}).map(([key, of]) => [key, of.value(node.properties)])),
});

const asExistingOf = ({ derived: _derived, ...d }: KindDefinition, capabilities: Capabilities): AsExisting => {
  const known = Object.fromEntries(Object.entries(d.fields).filter(([, { own }]) => !own));
  return {
    record: (node) =>
      recordOf(d, known, capabilities, { ...node, properties: inFile(d, node.properties, node.properties) }),
    defaults: () => ({}),
    inFile: () => ({}),
    here: (given: Properties) => given,
    ignoresSuspend: false,
    ...d.asExisting,
  };
};

const inFile = ({ file = {} }: KindDefinition, properties: Properties, made: Properties): Properties => {
  const { needs = [], filled = [], nulls } = file;
  const isRefused = (key: string, value: unknown): boolean =>
    value === '' ? filled.includes(key) : value === null && nulls?.includes(key) === false;
  const kept = Object.entries(properties).filter(([key, value]) => !isRefused(key, value));
  const needed = needs.filter((key) => (properties[key] ?? null) === null).map((key) => [key, made[key]] as const);
  return Object.fromEntries([...kept, ...needed]);
};

const changedKeys = (before: Properties, after: Properties): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );

/** Texts about a node, and what only the next start reads, can always be changed. */
const ALWAYS_HOT = new Set(['usage', 'simulate']);
const isHot = (d: KindDefinition, key: string): boolean => ALWAYS_HOT.has(key) || d.hot.includes(key);

/** Definition of a kind's templates in its folder. */
interface TemplateDefinition {
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

/** Placeholder for a node that does not exist yet: values derived from it are left out again. */
const NOBODY = { node_id: '00000000-0000-0000-0000-000000000000', name: '' };

const defineTemplate = (kind: TemplateBase, definition: TemplateDefinition = { category: 'guest' }): KindTemplate => {
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

/** Settings that only templates have, or that nodes have outside their properties. */
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
