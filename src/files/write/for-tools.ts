import type { Kind } from '../../emulators/kit/contract.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import type { ComputeFields } from '../../events/server-fields.ts';
import { isBag, without } from '../fields/json.ts';
import { NODE_FIELDS } from '../fields/node-fields.ts';
import { withoutNewest } from './as-read.ts';

/** Console types of GNS3 2.2. */
const CONSOLES = new Set(['telnet', 'vnc', 'http', 'https', 'spice', 'spice+agent', 'none']);
/** Maximum of names in a sentence. */
const NAMED = 5;

interface Lab {
  project: ProjectFields;
  nodes: readonly NodeFields[];
  links: readonly LinkFields[];
  drawings: readonly DrawingFields[];
}

/** Kinds, as needed for files of existing tools. */
interface ToolKinds {
  get(kind: string): Pick<Kind, 'alias' | 'properties' | 'capabilities'> | undefined;
}

/**
 * A lab that GNS3 2.2 can open, which refuses a lab with any unknown key. `told`: description of what is left out;
 * empty: nothing.
 */
export const forTools = ({ project, nodes, links, drawings }: Lab, kinds: ToolKinds): Lab & { told: string[] } => {
  const lost = new Map<string, string[]>();
  const tell = (what: string, name: string): void => void lost.set(what, [...(lost.get(what) ?? []), name]);
  const known = nodes.filter(({ kind }) => kinds.get(kind) !== undefined);
  const ids = new Set(known.map(({ node_id }) => node_id));
  const tied = links.filter((link) => link.nodes.every(({ node_id }) => ids.has(node_id)));
  const { topology, ...keys } = project.extra;
  const kept = isBag(topology) ? topology : {};
  const told = [
    ...Object.keys(keys),
    ...Object.keys(without(kept, ['computes'])).map((key) => `topology.${key}`),
    ...nodes
      .filter(({ kind }) => kinds.get(kind) === undefined)
      .map(({ name, kind }) => `${name}, of the kind ${kind}`),
    ...(tied.length < links.length ? [`${links.length - tied.length} links of such nodes`] : []),
  ];
  const plainNodes = known.map((node) => plainNode(node, kinds.get(node.kind), tell));
  for (const { extra } of tied) for (const key of Object.keys(extra)) tell(`${key} of links`, '');
  for (const { extra } of drawings) for (const key of Object.keys(extra)) tell(`${key} of drawings`, '');
  const plain = withoutNewest(project);
  if (isNewestSupplier(project)) told.push('supplier');
  return {
    project: { ...plain, extra: 'computes' in kept ? { topology: { computes: kept['computes'] } } : {} },
    nodes: plainNodes,
    links: tied.map((link) => ({ ...link, extra: {} })),
    drawings: drawings.map((drawing) => ({ ...drawing, extra: {} })),
    told: [...told, ...[...lost].map(([what, names]) => `${what}${listed(names)}`)],
  };
};

const plainNode = (
  node: NodeFields,
  kind: Pick<Kind, 'properties' | 'capabilities'> | undefined,
  tell: (what: string, name: string) => void,
): NodeFields => {
  const { name, extra, properties, console_type: type } = node;
  for (const key of Object.keys(extra)) if (!(key in NODE_FIELDS)) tell(key, name);
  const unknown = Object.keys(properties).filter((key) => !Object.hasOwn(kind?.properties.shape ?? {}, key));
  for (const key of unknown) tell(`properties.${key}`, name);
  const isKnown = type === null || CONSOLES.has(type);
  if (!isKnown) tell(`console_type ${type}`, name);
  return {
    ...node,
    extra: {},
    properties: without(properties, unknown),
    console_type: isKnown ? type : (kind?.capabilities.console_types[0] ?? 'none'),
  };
};

const listed = (names: readonly string[]): string => {
  const shown = names.filter((name) => name !== '').slice(0, NAMED);
  if (shown.length === 0) return '';
  const more = names.length - shown.length;
  return ` of ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
};

const isNewestSupplier = ({ as_read = [], supplier }: ProjectFields): boolean =>
  supplier === null && as_read.some(({ at: [key], file }) => key === 'supplier' && isBag(file));

/**
 * Adds the computes of a project's nodes to its file, as existing tools refuse labs with nodes on computes that
 * neither they nor the file know. Computes that the file had are kept.
 */
export const namingComputes = <P extends Pick<ProjectFields, 'extra'>>(
  project: P,
  nodes: readonly Pick<NodeFields, 'compute_id'>[],
  known: readonly ComputeFields[],
): P => {
  const used = new Set(nodes.map(({ compute_id }) => compute_id));
  const { topology } = project.extra;
  const kept = isBag(topology) ? topology : {};
  const before: unknown[] = Array.isArray(kept['computes']) ? kept['computes'] : [];
  const named = new Set(before.map((compute) => (isBag(compute) ? compute['compute_id'] : null)));
  const more = known
    .filter(({ compute_id }) => used.has(compute_id) && !named.has(compute_id))
    .map(({ compute_id, name, protocol, host, port }) => ({ compute_id, name, protocol, host, port }));
  if (more.length === 0) return project;
  return { ...project, extra: { ...project.extra, topology: { ...kept, computes: [...before, ...more] } } };
};
