import path from 'node:path';
import { z } from 'zod';
import { conflict, invalid } from '../../common/errors.ts';
import type { Kind, Properties } from '../../emulators/kit/contract.ts';
import { refuseHostUses } from '../../emulators/kit/host-uses.ts';
import { withoutEmpty } from '../../emulators/ports/ports.ts';
import type { Label, NodeFields } from '../../events/fields.ts';
import type { DataOf } from '../../events/schemas.ts';
import { keysOf, newValues } from '../../model/derive.ts';
import { NODE } from '../../model/node.ts';
import type { NodeRecord, ProjectRecord, RecordView } from '../../projections/records.ts';
import type { NamePolicy, NodeAddress } from '../caller.ts';
import { checkRoom, type LabContext } from '../context.ts';
import { portKey } from '../port/port-key.ts';
import { realChanges } from '../runtime/decision.ts';
import {
  checkUnheld,
  consolesInUse,
  type ConsoleSupply,
  consoleSupply,
  hasConsolePort,
  type Held,
  needConsole,
} from './consoles.ts';
import type { NodeChanges, NodeInput } from './interface.ts';

/** Decisions about a node's fields. Pure. */

type Changes = DataOf<'node.updated'>['changes'];

/** Size of the default symbols, which labels are placed by. */
const SYMBOL_SIZE = 65;

export const kindOf = (context: LabContext, name: string): Kind => {
  const kind = context.kinds.get(name);
  if (kind !== undefined) return kind;
  const known = context.kinds.all().map((k) => k.name);
  throw invalid(`node_type ${JSON.stringify(name)} is not one of ${known.join(', ')}`, { field: 'node_type' });
};

/** Checks properties by the kind's schema. Unknown and wrong ones are errors that name them. */
export const checkedProperties = (kind: Kind, given: Properties): Properties => {
  const result = kind.properties.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = ['properties', ...(issue?.path ?? [])].join('.');
  throw invalid(`${where}: ${issue?.message ?? 'is not valid'}`, { field: where });
};

/** The node with what it has from this machine; a server that is not local keeps that from its clients. */
export const withMachine = async (context: LabContext, input: NodeInput): Promise<NodeInput> => {
  const { ofMachine = {} } = kindOf(context, input.kind);
  const lacking = Object.entries(ofMachine).filter(([key]) => input.properties?.[key] === undefined);
  const { local, allowedInterfaces } = context.settings;
  if (lacking.length === 0 || (!local && allowedInterfaces.length === 0)) return input;
  const allowed = local ? 'any' : allowedInterfaces;
  const found = await Promise.all(lacking.map(async ([key, find]) => [key, await find(allowed)] as const));
  return { ...input, properties: { ...input.properties, ...Object.fromEntries(found) } };
};

/** Templates and controllers leave such a list empty where none is meant. */
export const withoutEmptyLists = (kind: Kind, properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([key, value]) => !(Array.isArray(value) && value.length === 0 && Object.hasOwn(kind.ofMachine ?? {}, key)),
    ),
  );

/** Existing controllers leave out each property that is null. Here it says something where the kind takes it. */
export const withoutNulls = ({ properties }: Kind, given: Properties): Properties => {
  const shape: Readonly<Record<string, z.core.$ZodType>> = properties.shape;
  const isTaken = (key: string): boolean => {
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    return schema !== undefined && z.safeParse(schema, null).success;
  };
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== null || isTaken(key)));
};

const requireAll = (kind: Kind, properties: Properties): void => {
  for (const key of kind.required)
    if (properties[key] === undefined) throw invalid(`${key} is needed for a node of this kind`, { field: key });
};

/** Numbers that names have got, by what was wished: the next search goes on from there. */
export type Numbers = Map<string, number>;

/**
 * A name nobody in the project has: `PC1`, taken, becomes `PC2`; `{0}` stands for the number. `numbers`: of names that are taken since, and
 * none was free before.
 */
export const uniqueName = (wished: string, taken: Held<string>, numbers?: Numbers): string => {
  const pattern = /\{(0|id)\}/.test(wished) ? wished.replace(/\{(0|id)\}/g, '\0') : null;
  if (pattern === null && !taken.has(wished)) return wished;
  const digits = /(?<!\d)\d+$/.exec(wished)?.[0];
  const stem = pattern ?? `${digits === undefined ? `${wished}-` : wished.slice(0, -digits.length)}\0`;
  let number = numbers?.get(wished) ?? (pattern === null && digits !== undefined ? Number(digits) + 1 : 1);
  for (; ; number++) {
    const name = stem.replaceAll('\0', String(number));
    if (taken.has(name)) continue;
    numbers?.set(wished, number);
    return name;
  }
};

/** `own`: of the node that is named; without a node_id it is a new one. */
export const nameFor = (
  view: RecordView,
  own: Pick<NodeAddress, 'project_id'> & Partial<NodeAddress>,
  wished: string,
  { policy, numbers }: { policy: NamePolicy; numbers?: Numbers | undefined },
): string => {
  const isOther = ({ node_id }: NodeRecord): boolean => node_id !== own.node_id;
  const names: Held<string> = { has: (name) => view.named(own.project_id, name).some(isOther) };
  if (policy === 'make_unique') return uniqueName(wished, names, numbers);
  if (names.has(wished)) throw conflict(`another node of the project is named ${wished}`, { field: 'name' });
  return wished;
};

export const defaultLabel = (name: string, height = SYMBOL_SIZE): Label => ({
  text: name,
  style: null,
  x: null,
  y: -(Math.round(height / 2) + 10),
  rotation: 0,
});

const consoleType = (kind: Kind, wished: string | null | undefined): string | null => {
  const types = kind.capabilities.console_types;
  if (wished === undefined || wished === null) return types[0] ?? null;
  if (types.length === 0 && wished === 'none') return wished;
  if (types.includes(wished)) return wished;
  throw invalid(`console_type ${wished} is not one of ${types.join(', ') || 'none'}`, { field: 'console_type' });
};

export const nodeDirectory = (project: ProjectRecord, kind: Kind, nodeId: string): string | null =>
  kind.capabilities.directory ? path.join(project.path, 'project-files', kind.directory, nodeId) : null;

/** Texts that are given as files of the node; those it had before stay. */
const textFilesOf = (
  kind: Kind,
  given: Properties,
  node: Pick<NodeFields, 'node_id' | 'name'>,
  { text_files = [], texts }: Pick<NodeFields, 'text_files' | 'texts'> = {},
): Pick<NodeFields, 'text_files' | 'texts'> => {
  const names = (kind.files?.(given, node) ?? []).map(({ name }) => name);
  if (names.length === 0) return {};
  const told = (kind.textsOnRecord ?? []).flatMap((key) => (typeof given[key] === 'string' ? [[key, given[key]]] : []));
  return {
    text_files: [...new Set([...text_files, ...names])],
    ...(told.length === 0 ? {} : { texts: { ...texts, ...(Object.fromEntries(told) as Record<string, string>) } }),
  };
};

/** Every field of a new node. Throws on what the kind does not take. */
export const newNode = (
  context: LabContext,
  project: ProjectRecord,
  input: NodeInput & { node_id: string },
  consoles: ConsoleSupply,
): NodeFields => {
  checkRoom(context.pending, project.project_id, 'node');
  const kind = kindOf(context, input.kind);
  const given = checkedProperties(kind, input.properties ?? {});
  requireAll(kind, given);
  const { node_id, name } = input;
  const type = consoleType(kind, input.console_type);
  // Once more: another node may have taken it while the port was tried.
  if (input.console != null) checkUnheld(input.console, consoles);
  const naming = {
    node_id,
    port_name_format: input.port_name_format ?? kind.look.port_name_format,
    port_segment_size: input.port_segment_size ?? kind.look.port_segment_size,
    first_port_name: input.first_port_name ?? null,
    custom_adapters: (input.custom_adapters ?? []).map(withoutEmpty),
  };
  const properties = kind.complete(given, { node_id, name });
  const symbol = input.symbol ?? kind.look.symbol;
  const size = context.symbols.sizeOf(symbol);
  const compute_id = input.compute_id ?? context.settings.computeId;
  const isHere = context.computes.isHere(compute_id);
  if (!context.settings.local && isHere)
    refuseHostUses(kind, properties, {}, { interfaces: context.settings.allowedInterfaces });
  // Throws for a format that says what it cannot.
  kind.ports(properties, naming);
  return {
    ...naming,
    ...size,
    project_id: project.project_id,
    compute_id,
    kind: kind.name,
    name,
    template_id: input.template_id ?? null,
    // Another compute says which one it has.
    console: hasConsolePort(type) && isHere ? (input.console ?? needConsole(context, consoles, type)) : null,
    console_type: type,
    properties,
    label: { ...defaultLabel(name, size.height), ...input.label, text: name },
    symbol,
    ...newValues(NODE, input),
    node_directory: nodeDirectory(project, kind, node_id),
    ...textFilesOf(kind, input.properties ?? {}, { node_id, name }),
    ...(input.placed === undefined ? {} : { placed: input.placed }),
    extra: {},
    ...(input.kept === undefined ? {} : { ...input.kept, label: { ...input.kept.label, text: name } }),
    failure: null,
  };
};

const LAYOUT = ['label', 'symbol', 'template_id', ...keysOf(NODE)] as const;

/** True when a running engine has nothing to do with the change: it need not wait for a start or stop. */
export const isLayout = (changes: NodeChanges): boolean =>
  Object.keys(changes).every((k) => (LAYOUT as readonly string[]).includes(k));

/** As final values for the event; empty when nothing really changes. */
export const changesOf = (
  context: LabContext,
  record: NodeRecord,
  changes: NodeChanges,
  names: NamePolicy,
): Changes => {
  const next: Changes = {};
  for (const key of LAYOUT) if (changes[key] !== undefined) Object.assign(next, { [key]: changes[key] });
  if (changes.symbol != null && changes.symbol !== record.symbol)
    Object.assign(next, context.symbols.sizeOf(changes.symbol));
  if (changes.label !== undefined) next.label = { ...record.label, ...changes.label, text: record.name };
  if (changes.name !== undefined && changes.name !== record.name) {
    next.name = nameFor(context.pending, record, changes.name, { policy: names });
    // The client centres a label without x again.
    next.label = { ...(next.label ?? record.label), text: next.name, x: next.label?.x ?? null };
  }
  if (!isLayout(changes)) Object.assign(next, engineChanges(context, record, changes));
  const { properties } = changes;
  // What a text says is in its file alone: one that is given is a change, also where the node had one before.
  const given = { ...record.properties, ...properties };
  const texts = properties === undefined ? {} : textFilesOf(kindOf(context, record.kind), given, record, record);
  return { ...realChanges(record, next), ...texts };
};

const engineChanges = (context: LabContext, record: NodeRecord, changes: NodeChanges): Changes => {
  const kind = kindOf(context, record.kind);
  const next: Changes = { failure: null, ...consoleChanges(context, kind, record, changes) };
  if (changes.properties !== undefined) {
    next.properties = propertyChanges(kind, record, changes.properties);
    const { local, allowedInterfaces } = context.settings;
    if (!local && context.computes.isHere(record.compute_id))
      refuseHostUses(kind, next.properties, record.properties, { interfaces: allowedInterfaces });
  }
  const naming = {
    node_id: record.node_id,
    port_name_format: changes.port_name_format ?? record.port_name_format,
    port_segment_size: changes.port_segment_size ?? record.port_segment_size,
    first_port_name: changes.first_port_name === undefined ? record.first_port_name : changes.first_port_name,
    custom_adapters: changes.custom_adapters?.map(withoutEmpty) ?? record.custom_adapters,
  };
  keepLinked(context, record, kind.ports(next.properties ?? record.properties, naming));
  const { port_name_format, port_segment_size, first_port_name, custom_adapters } = naming;
  return { ...next, port_name_format, port_segment_size, first_port_name, custom_adapters };
};

const propertyChanges = (kind: Kind, record: NodeRecord, given: Properties): Properties => {
  const checked = checkedProperties(kind, withoutNulls(kind, given));
  const { node_id, name, state } = record;
  const properties = kind.complete({ ...record.properties, ...checked }, { node_id, name });
  const blocked = state !== 'stopped' ? kind.needsStop(record.properties, properties) : [];
  if (blocked.length > 0)
    throw conflict(`${blocked.join(', ')} of ${name} can change only while it is stopped`, { fields: blocked });
  return properties;
};

const consoleChanges = (context: LabContext, kind: Kind, record: NodeRecord, changes: NodeChanges): Changes => {
  const type = changes.console_type === undefined ? record.console_type : consoleType(kind, changes.console_type);
  const wished = changes.console ?? record.console;
  if (wished !== null && wished !== record.console && context.computes.isHere(record.compute_id))
    checkUnheld(wished, consolesInUse(context.pending, record.node_id));
  const isHere = context.computes.isHere(record.compute_id);
  const port = hasConsolePort(type)
    ? (wished ?? (isHere ? needConsole(context, consoleSupply(context, record.node_id), type) : null))
    : null;
  if (record.state !== 'stopped' && (port !== record.console || type !== record.console_type))
    throw conflict(`the console of ${record.name} can change only while it is stopped`, { field: 'console' });
  return { console: port, console_type: type };
};

/** A port with a link or a NIO cannot go away under it. */
const keepLinked = (context: LabContext, record: NodeRecord, ports: Parameters<typeof portKey>[0][]): void => {
  const there = new Set(ports.map(portKey));
  for (const link of context.pending.linksOf(record.node_id))
    for (const end of link.nodes)
      if (end.node_id === record.node_id && !there.has(portKey(end)))
        throw conflict(`port ${portKey(end)} of ${record.name} has a link; delete that first`);
};
