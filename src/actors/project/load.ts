import { randomUUID } from 'node:crypto';
import { messageOf } from '../../common/errors.ts';
import { lacksSecrets } from '../../common/lab-secrets/texts.ts';
import { atOnce, inSlices, type Steps } from '../../common/slices.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { type DrawingFields, type Failure, type LinkFields, type NodeFields, type Port } from '../../events/fields.ts';
import type { AnyDraft } from '../../events/schemas.ts';
import { normaliseFilters } from '../../fabric/client/plumbing.ts';
import type { ParsedNode, ParsedProject } from '../../files/read/parsed.ts';
import { drawingAsRead, linkAsRead, nodeAsRead } from '../../files/write/as-read.ts';
import { newValues } from '../../model/derive.ts';
import { LINK } from '../../model/link.ts';
import { NODE } from '../../model/node.ts';
import type { InsideCollection, ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext } from '../context.ts';
import { defaultEndLabel } from '../link/decide.ts';
import { type ConsoleSupply, consoleSupply, hasConsolePort, lookAtConsoles, wishProblem } from '../node/consoles.ts';
import { checkedProperties, defaultLabel, nodeDirectory, uniqueName } from '../node/fields.ts';
import { withDifferences } from './fields.ts';

/** Turns a parsed project file into events. Nothing in it makes the project unopenable: what is wrong is a warning. */

interface Loading {
  context: LabContext;
  project: ProjectRecord;
  consoles: ConsoleSupply;
  names: Set<string>;
  /** Node ids of the file to those used here: another when a different project has the id. */
  ids: Map<string, string>;
  ports: Map<string, Port[]>;
  warnings: string[];
  /** Those that nobody has to do anything about. */
  settled: string[];
  /** Links that could not be taken, as the file has them: written back, so that nothing is lost. */
  leftOut: unknown[];
}

export interface Content {
  drafts: AnyDraft[];
  warnings: string[];
  extra: Record<string, unknown>;
  /** Node ids of the file to those used here. */
  ids: ReadonlyMap<string, string>;
}

type Contents = [context: LabContext, caller: Caller, project: ProjectRecord, parsed: ParsedProject];

/** The events of everything inside the project, in an order in which each refers only to what came before. */
export const contentEvents = (...of: Contents): Content => atOnce(contents(...of));

/** The same without holding up the event loop: what it decides on may have changed meanwhile, see `stillFits`. */
export const contentEventsInSlices = async (...of: Contents): Promise<Content> => {
  const [context, , , { nodes }] = of;
  await lookAtConsoles(context, nodes);
  return inSlices(contents(...of));
};

function* contents(...[context, caller, project, parsed]: Contents): Steps<Content> {
  const loading: Loading = {
    context,
    project,
    consoles: wishedConsoles(context, parsed.nodes),
    names: new Set(),
    ids: new Map(),
    ports: new Map(),
    warnings: [...parsed.warnings],
    settled: [],
    leftOut: [],
  };
  const id = project.project_id;
  if (lacksSecrets(project.variables))
    loading.warnings.push('a variable of the project has *** in the place of a secret; set it again');
  const drafts: AnyDraft[] = [];
  for (const node of parsed.nodes) {
    drafts.push(draft(caller, id, 'node.created', loadedNode(loading, node)));
    yield;
  }
  for (const link of yield* loadedLinks(loading, parsed)) drafts.push(draft(caller, id, 'link.created', link));
  for (const d of parsed.drawings) drafts.push(draft(caller, id, 'drawing.created', loadedDrawing(loading, d)));
  const { warnings, settled } = loading;
  for (const message of warnings) drafts.push(draft(caller, id, 'warning.raised', { message, node_id: null }));
  for (const message of settled)
    drafts.push(draft(caller, id, 'warning.raised', { message, node_id: null, settled: true }));
  return {
    drafts,
    warnings: [...warnings, ...settled],
    extra: withLinks(parsed.extra, loading.leftOut),
    ids: loading.ids,
  };
}

/** Whether ids and console ports that the events give out are still nobody else's. */
export const stillFits = (context: LabContext, projectId: string, { drafts }: Pick<Content, 'drafts'>): boolean => {
  const { pending } = context;
  const consoles = consoleSupply(context);
  const isFree = (collection: InsideCollection, id: string): boolean => {
    const taken = pending.get(collection, id);
    return taken === undefined || taken.project_id === projectId;
  };
  return drafts.every((event) => {
    if (event.type === 'link.created') return isFree('link', event.data.link_id);
    if (event.type === 'drawing.created') return isFree('drawing', event.data.drawing_id);
    if (event.type !== 'node.created') return true;
    const { node_id, console } = event.data;
    return isFree('node', node_id) && (console === null || !consoles.has(console));
  });
};

const withLinks = (extra: Record<string, unknown>, links: unknown[]): Record<string, unknown> => {
  if (links.length === 0) return extra;
  const topology = (extra['topology'] ?? {}) as Record<string, unknown>;
  const kept = Array.isArray(topology['links']) ? (topology['links'] as unknown[]) : [];
  return { ...extra, topology: { ...topology, links: [...kept, ...links] } };
};

/** Ids are unique over the server; one that another project has gets replaced. */
const ownId = (loading: Loading, collection: InsideCollection, id: string): string => {
  const taken = loading.context.pending.get(collection, id);
  return taken === undefined || taken.project_id === loading.project.project_id ? id : randomUUID();
};

const loadedNode = (loading: Loading, parsed: ParsedNode): NodeFields => {
  const { context, project } = loading;
  const kind = context.kinds.get(parsed.kind);
  const node_id = ownId(loading, 'node', parsed.node_id);
  const name = uniqueName(parsed.name, loading.names);
  loading.names.add(name);
  loading.ids.set(parsed.node_id, node_id);
  if (name !== parsed.name) loading.warnings.push(`two nodes are named ${parsed.name}; one is ${name} now`);
  const naming = {
    node_id,
    port_name_format: parsed.port_name_format ?? kind?.look.port_name_format ?? 'Ethernet{0}',
    port_segment_size: parsed.port_segment_size ?? kind?.look.port_segment_size ?? 0,
    first_port_name: parsed.first_port_name,
    custom_adapters: parsed.custom_adapters,
  };
  const { properties, ports, failure } = completed(kind, parsed, name, naming);
  loading.ports.set(node_id, ports);
  if (failure !== null) loading.warnings.push(`${name}: ${failure.message}`);
  const type = parsed.console_type ?? kind?.capabilities.console_types[0] ?? null;
  const fields = {
    ...naming,
    project_id: project.project_id,
    compute_id: parsed.compute_id,
    kind: kind?.name ?? parsed.kind,
    name,
    template_id: parsed.template_id,
    console: hasConsolePort(type) ? consoleFor(loading, { ...parsed, name, console_type: type }) : null,
    console_type: type,
    properties,
    label: { ...(parsed.label ?? defaultLabel(name)), text: name },
    symbol: parsed.symbol ?? kind?.look.symbol ?? null,
    width: parsed.width ?? 65,
    height: parsed.height ?? 65,
    ...newValues(NODE, parsed),
    node_directory: kind === undefined ? null : nodeDirectory(project, kind, node_id),
    extra: parsed.extra,
    failure,
  };
  const { given } = parsed;
  const whole = given === null ? fields : withDifferences(fields, nodeAsRead(given, parsed.properties, fields));
  const before = context.pending.get('node', node_id)?.properties;
  const known = context.secrets.known(project.project_id, properties, before);
  if (lacksSecrets(known)) loading.warnings.push(`${name} has *** in the place of a secret; set it again`);
  return { ...whole, properties: known };
};

/** Ports for what has to take another one: none that somebody else of the file wishes for. */
const wishedConsoles = (context: LabContext, nodes: ParsedProject['nodes']): ConsoleSupply => {
  const consoles = consoleSupply(context);
  for (const { console: port } of nodes) if (port !== null) consoles.spare(port);
  return consoles;
};

type Wishing = Pick<ParsedNode, 'name' | 'console' | 'console_type' | 'compute_id'>;

/** A port in a file is a wish: a free one of the range is taken instead when it cannot be had. */
const consoleFor = ({ context, consoles, warnings, settled }: Loading, node: Wishing): number | null => {
  const { name, console: wished, console_type, compute_id } = node;
  const problem = wished === null ? null : wishProblem(context, consoles, { console: wished, compute_id });
  const port = wished !== null && problem === null ? wished : consoles.take(console_type);
  if (port === null) warnings.push(`${name} has no console port: all are taken`);
  else if (problem !== null) settled.push(`console port ${wished} of ${name} ${problem}; it has ${port} now`);
  if (port !== null) consoles.add(port);
  return port;
};

type Naming = Parameters<Kind['ports']>[1];

/** Properties the kind knows are checked, unknown ones are kept; a node that does not pass is there, with its error. */
const completed = (
  kind: Kind | undefined,
  parsed: ParsedNode,
  name: string,
  naming: Naming,
): { properties: Record<string, unknown>; ports: Port[]; failure: Failure | null } => {
  const broken = (message: string): { properties: Record<string, unknown>; ports: Port[]; failure: Failure } => ({
    properties: parsed.properties,
    ports: [],
    failure: { code: 'broken', message },
  });
  if (kind === undefined) return broken(parsed.problem?.message ?? `the kind ${parsed.kind} is not known`);
  try {
    const known = Object.fromEntries(
      Object.entries(parsed.properties).filter(([key]) => Object.hasOwn(kind.properties.shape, key)),
    );
    const given = { ...parsed.properties, ...checkedProperties(kind, known) };
    const unsaid = Object.entries(kind.asExisting.inFile(given)).filter(([key]) => (given[key] ?? null) === null);
    const properties = kind.complete({ ...given, ...Object.fromEntries(unsaid) }, { node_id: naming.node_id, name });
    const ports = kind.ports(properties, naming);
    return {
      properties,
      ports,
      failure: parsed.problem === null ? null : { code: 'broken', message: parsed.problem.message },
    };
  } catch (error) {
    return broken(messageOf(error));
  }
};

function* loadedLinks(loading: Loading, parsed: ParsedProject): Steps<LinkFields[]> {
  const used = new Set<string>();
  const links: LinkFields[] = [];
  for (const link of parsed.links) {
    links.push(...loadedLink(loading, link, used));
    yield;
  }
  return links;
}

/** None where another link has one of its ports. */
const loadedLink = (loading: Loading, link: ParsedProject['links'][number], used: Set<string>): LinkFields[] => {
  const nodes = link.nodes.map((end) => ({
    node_id: loading.ids.get(end.node_id) ?? end.node_id,
    adapter_number: end.adapter_number,
    port_number: end.port_number,
    label: end.label ?? defaultEndLabel(end.adapter_number, end.port_number),
  }));
  const keys = nodes.map((n) => `${n.node_id}/${n.adapter_number}/${n.port_number}`);
  if (keys.some((key) => used.has(key))) {
    loading.warnings.push(`link ${link.link_id} ends at a port that another link has; it was left out`);
    const { extra, given: _g, ...known } = link;
    loading.leftOut.push({ ...extra, ...known });
    return [];
  }
  for (const key of keys) used.add(key);
  const port = loading.ports
    .get(nodes[0]?.node_id ?? '')
    ?.find((p) => p.adapter_number === nodes[0]?.adapter_number && p.port_number === nodes[0].port_number);
  const fields: LinkFields = {
    link_id: ownId(loading, 'link', link.link_id),
    project_id: loading.project.project_id,
    link_type: port?.link_type ?? 'ethernet',
    nodes,
    ...newValues(LINK, { ...link, filters: filtersOf(loading, link.link_id, link.filters) }),
    extra: link.extra,
  };
  return [link.given === null ? fields : withDifferences(fields, linkAsRead(link.given, fields))];
};

const filtersOf = (loading: Loading, linkId: string, filters: LinkFields['filters']): LinkFields['filters'] => {
  try {
    return normaliseFilters(filters);
  } catch (error) {
    loading.warnings.push(`filters of link ${linkId}: ${messageOf(error)}; they were left out`);
    return {};
  }
};

const loadedDrawing = (loading: Loading, { given, ...parsed }: ParsedProject['drawings'][number]): DrawingFields => {
  const drawing_id = ownId(loading, 'drawing', parsed.drawing_id);
  const fields = { ...parsed, drawing_id, project_id: loading.project.project_id };
  return given === null ? fields : withDifferences(fields, drawingAsRead(given, fields));
};
