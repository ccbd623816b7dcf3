import { randomUUID } from 'node:crypto';
import { setImmediate as untilImmediate } from 'node:timers/promises';
import { messageOf, TopologError } from '../../common/errors.ts';
import type { Steps } from '../../common/slices.ts';
import type { Kind, Port, Properties } from '../../emulators/kit/contract.ts';
import { suggestionText } from '../../common/forms/suggestions.ts';
import { startUpOf } from '../../emulators/kit/text-files.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import type { Filters } from '../../events/fields.ts';
import type { TemplateFields } from '../../events/server-fields.ts';
import { portNamed } from '../../files/lab/ends.ts';
import { startUpText } from '../../files/lab/start-up.ts';
import type { LabEnd, LabLink, LabNode, ProblemAt } from '../../files/lab/model.ts';
import { Problems } from '../../files/lab/problems.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import { checkedProperties } from '../node/fields.ts';
import type { NodeInput } from '../node/interface.ts';
import { builtinTemplates } from '../template/templates.ts';

/** A node as the text means it, held against what is there. */
export interface Target {
  said: LabNode;
  /** Its own where it is there, and the one that it will have otherwise. */
  id: string;
  kind: Kind;
  template: TemplateFields | null;
  /** `auto`, or an id; undefined: not said. */
  compute: string | undefined;
  /** Properties that are said, with the text that it starts with. */
  given: Properties;
  /** null: it is new. */
  record: NodeRecord | null;
}

/** A target with what it is made from where it is new. */
export interface ReadyTarget extends Target {
  input: NodeInput | null;
}

/** A link as the text means it. */
export interface LinkTarget {
  said: LabLink;
  ends: { node_id: string; adapter_number: number; port_number: number }[];
  filters: Filters;
  /** Of its two ports, whichever comes first. */
  key: string;
  name: string;
}

/** An error that was met with something of the text, told at its place. */
export const atPlace = (wrong: ProblemAt, path: readonly PropertyKey[], error: unknown): unknown => {
  if (!(error instanceof TopologError) || typeof error.details['line'] === 'number') return error;
  const { reason, field } = error.details;
  const sentence = typeof reason === 'string' ? reason : error.message;
  const inside =
    typeof field === 'string' ? field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)) : [];
  const what =
    typeof field === 'string' && sentence.startsWith(`${field}: `) ? sentence.slice(field.length + 2) : sentence;
  const told = wrong([...path, ...inside], `: ${what}`);
  const message = told.message.replace(' : ', ': ');
  return TopologError.saying(error.code, message, { ...error.details, ...told.details, reason: sentence });
};

export interface Texts {
  context: LabContext;
  nodes: readonly LabNode[];
  wrong: ProblemAt;
  records: ReadonlyMap<string, NodeRecord>;
}

export function* targetsIn(texts: Texts, problems: Problems): Steps<Target[]> {
  const { context, nodes } = texts;
  const templates = [...builtinTemplates(context.kinds).values(), ...context.pending.ofServer('template')];
  const names = new Set(nodes.map(({ name }) => name));
  const targets: Target[] = [];
  for (const said of nodes) {
    if (problems.isFull) break;
    try {
      targets.push(targetOf(texts, said, templates, names));
    } catch (error) {
      problems.add(error);
    }
    yield;
  }
  return targets;
}

const targetOf = (
  { context, wrong, records }: Texts,
  said: LabNode,
  templates: readonly TemplateFields[],
  names: ReadonlySet<string>,
): Target => {
  const path = ['nodes', said.name];
  const template = said.template === undefined ? null : templateNamed(templates, said.template);
  if (template === undefined)
    throw wrong(
      [...path, 'template'],
      `${said.template ?? ''} is not one of ${templates.map(({ name }) => name).join(', ')}`,
    );
  const kind = context.kinds.get(template?.kind ?? said.kind ?? '');
  if (kind === undefined)
    throw wrong(
      [...path, 'kind'],
      `${said.kind ?? ''} is not one of ${context.kinds
        .all()
        .map((one) => one.name)
        .join(', ')}`,
    );
  const was = said.was === undefined || names.has(said.was) ? undefined : records.get(said.was);
  const found = records.get(said.name) ?? was;
  // Another sort of node by the same name is another node.
  const record = found?.kind === kind.name ? found : null;
  const given = givenOf(kind, said, (field, problem) => wrong([...path, ...field], problem));
  const compute = computeNamed(context, said.compute);
  if (compute === null) throw wrong([...path, 'compute'], `${said.compute ?? ''} is no compute of this server`);
  return { said, id: record?.node_id ?? randomUUID(), kind, template, compute, given, record };
};

const templateNamed = (templates: readonly TemplateFields[], wanted: string): TemplateFields | undefined =>
  templates.findLast(({ template_id, name }) => template_id === wanted || name === wanted);

/** null: there is none. */
const computeNamed = (
  { computes, settings, pending }: LabContext,
  wanted: string | undefined,
): string | undefined | null => {
  if (wanted === undefined || wanted === 'auto') return wanted;
  if (computes.isHere(wanted)) return settings.computeId;
  const found = pending.ofServer('compute').find(({ compute_id, name }) => compute_id === wanted || name === wanted);
  return found?.compute_id ?? null;
};

const givenOf = (
  kind: Kind,
  said: LabNode,
  wrong: (field: PropertyKey[], problem: string) => TopologError,
): Properties => {
  const startUp = startUpOf(kind);
  const hasText = said.addresses !== undefined || said.startup !== undefined;
  if (hasText && startUp === null)
    throw wrong(
      [said.startup === undefined ? 'address' : 'startup'],
      'is not for this kind: it reads no text at its start',
    );
  if (hasText && startUp !== null && said.properties[startUp.property] !== undefined)
    throw wrong(['properties', startUp.property], 'is what startup and address say already');
  try {
    const text = hasText && startUp !== null ? { [startUp.property]: startUpText(said, startUp) } : {};
    refuseUnknown(kind, said, wrong);
    return checkedProperties(kind, { ...said.properties, ...text });
  } catch (error) {
    if (error instanceof TopologError) throw atPlace((path, problem) => wrong([...path], problem), [], error);
    throw wrong(['address'], `cannot be: ${messageOf(error)}`);
  }
};

const refuseUnknown = (
  kind: Kind,
  { properties }: LabNode,
  wrong: (field: PropertyKey[], problem: string) => TopologError,
): void => {
  const known = Object.keys(kind.properties.shape);
  const unknown = Object.keys(properties).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const meant = suggestionText(unknown, known) || `; it has ${known.join(', ')}`;
  throw wrong(['properties', unknown], `is no setting of this kind${meant}`);
};

/** Ports of a node once it is as the text says. */
const portsAfter = ({ kind, given, record, input, said, id }: ReadyTarget): Port[] => {
  const before = { ...kind.look, first_port_name: null, custom_adapters: [], ...record };
  const { port_name_format, port_segment_size, first_port_name, custom_adapters } = input ?? said;
  const properties = input?.properties ?? { ...record?.properties, ...given };
  return kind.ports(kind.complete(properties, { node_id: id, name: said.name }), {
    node_id: id,
    port_name_format: port_name_format ?? before.port_name_format,
    port_segment_size: port_segment_size ?? before.port_segment_size,
    first_port_name: first_port_name ?? before.first_port_name,
    custom_adapters: custom_adapters ?? before.custom_adapters,
  });
};

export interface PortsOf {
  target: ReadyTarget;
  ports: () => Port[];
}

export const portsByName = (targets: readonly ReadyTarget[]): ReadonlyMap<string, PortsOf> =>
  new Map(targets.map((target) => [target.said.name, { target, ports: memoOf(() => portsAfter(target)) }]));

/** Links whose ports and filters are made out in one turn of the event loop: the ports of a node that changes take three milliseconds. */
const IN_A_TURN = 2;

export const linkTargetsOf = async (
  links: readonly LabLink[],
  targets: readonly ReadyTarget[],
  wrong: ProblemAt,
): Promise<LinkTarget[]> => {
  const byName = portsByName(targets);
  const taken = new Set<string>();
  const problems = new Problems();
  const found: LinkTarget[] = [];
  for (const [i, said] of links.entries()) {
    if (problems.isFull) break;
    try {
      if (i % IN_A_TURN === 0) await untilImmediate();
      const ends = said.ends.map((end) => endOf(end, byName, taken, (problem) => wrong(['links', i], problem)));
      const name = said.ends.map(({ node, port }) => (port === undefined ? node : `${node}:${port}`)).join(' – ');
      const filters = await checkFilters(said.filters).catch((error: unknown) => {
        throw atPlace(wrong, ['links', i], error);
      });
      found.push({ said, ends, filters, key: keyOf(ends), name });
    } catch (error) {
      problems.add(error);
    }
  }
  problems.refuse();
  return found;
};

export const endOf = (
  { node, port }: LabEnd,
  byName: ReadonlyMap<string, PortsOf>,
  taken: Set<string>,
  refuse: (problem: string) => TopologError,
): End => {
  const known = byName.get(node);
  if (known === undefined) throw refuse(`names ${node}, which is no node of this lab`);
  const one = portNamed(known.ports(), port);
  if (one === undefined) throw refuse(noPort({ node, ...(port === undefined ? {} : { port }) }, known.ports()));
  const end = { node_id: known.target.id, adapter_number: one.adapter_number, port_number: one.port_number };
  if (taken.has(endKey(end))) throw refuse(`uses port ${one.short_name} of ${node}, which another link has`);
  taken.add(endKey(end));
  return end;
};

const memoOf = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** So many ports are named. */
const MOST_NAMED = 12;

const noPort = ({ node, port }: LabEnd, ports: readonly Port[]): string => {
  const names = ports.slice(0, MOST_NAMED).map(({ short_name }) => short_name);
  const has = `it has ${names.join(', ') || 'none'}${ports.length > MOST_NAMED ? ` and ${ports.length - MOST_NAMED} more` : ''}`;
  return port === undefined ? `must say which port of ${node}: ${has}` : `names port ${port} of ${node}: ${has}`;
};

type End = LinkTarget['ends'][number];
const endKey = ({ node_id, adapter_number, port_number }: End): string => `${node_id}/${adapter_number}/${port_number}`;

/** The same for a link in either direction. */
export const keyOf = (ends: readonly End[]): string => ends.map(endKey).toSorted().join(' ');
