import { isDeepStrictEqual } from 'node:util';
import { type LinkName, renamed } from '../../common/forms/check.ts';
import type { Steps } from '../../common/slices.ts';
import type { Kind, Properties } from '../../emulators/kit/contract.ts';
import { startUpOf } from '../../emulators/kit/text-files.ts';
import { portsOf } from '../../emulators/recorded-node.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../events/fields.ts';
import type { TemplateFields } from '../../events/server-fields.ts';
import { toLab, withInitial } from '../../model/derive.ts';
import { LINK_IN_LAB } from '../../model/link.ts';
import { PROJECT_IN_LAB } from '../../model/project.ts';
import { endText, portText } from './ends.ts';
import { type Lab, type LabDrawing, type LabEnd, type LabLink, type LabNode, NODE_FIELDS } from './model.ts';
import { saidOf } from './start-up.ts';

/** Records of a lab, and lookups for what they refer to. */
export interface LabRecords {
  project: ProjectFields;
  nodes: readonly NodeFields[];
  links: readonly LinkFields[];
  drawings: readonly DrawingFields[];
  kinds: { get(name: string): Kind | undefined };
  /** undefined: unknown, or built in. */
  template(id: string): TemplateFields | undefined;
  /** Name of a compute; undefined: this server. */
  compute(id: string): string | undefined;
  /** Start-up text of a node; empty: none. */
  startUp(node: NodeFields): string;
}

/** Settings in a lab text with their defaults, which are left out. */
const DEFAULTS = { ...withInitial(PROJECT_IN_LAB, {}), default_compute: '' } satisfies Lab['settings'];

/** Lab for a text, without defaults of kinds and templates and without what the server assigned itself. */
export function* labOf(records: LabRecords): Steps<Lab> {
  const [nodes, links]: [LabNode[], LabLink[]] = [[], []];
  for (const node of records.nodes) {
    nodes.push(nodeOf(records, node));
    yield;
  }
  const known = { kinds: records.kinds, byId: byId(records) };
  for (const link of records.links) {
    links.push(linkOf(known, link));
    yield;
  }
  const drawings = records.drawings.map(drawingOf);
  return {
    name: records.project.name,
    settings: settingsOf(records.project),
    nodes,
    links,
    drawings,
    ...lessonsOf(records),
  };
}

type NodesById = ReadonlyMap<string, NodeFields>;
const byId = ({ nodes }: Pick<LabRecords, 'nodes'>): NodesById => new Map(nodes.map((node) => [node.node_id, node]));

type LessonRecords = Pick<LabRecords, 'nodes' | 'links' | 'kinds'> & {
  project: Pick<ProjectFields, 'checks' | 'stages' | 'weather'>;
};

/** Checks and weather with names in place of ids, and stages. */
export const lessonsOf = (records: LessonRecords): Pick<Lab, 'checks' | 'stages' | 'weather'> => {
  const { project, nodes, links } = records;
  const known = { kinds: records.kinds, byId: byId({ nodes }) };
  const node = (id: string): string => known.byId.get(id)?.name ?? id;
  const link = (id: LinkName): LinkName => {
    const found = links.find(({ link_id }) => link_id === id);
    if (found === undefined) return id;
    const [a, b] = linkOf(known, found).ends;
    return [endText(a), endText(b)];
  };
  const checks = project.checks?.map(({ check_id: _, ...check }) => renamed(check, { node, link }));
  const weather = project.weather?.map(({ weather_id: _, trace, ...entry }) => ({
    ...entry,
    ...(trace === undefined ? {} : { trace: { points: trace.points } }),
    ...(entry.links === undefined ? {} : { links: entry.links.map(link) }),
    ...(entry.crash === undefined ? {} : { crash: entry.crash.map(node) }),
  }));
  return {
    ...(weather === undefined || weather.length === 0 ? {} : { weather }),
    ...(checks === undefined || checks.length === 0 ? {} : { checks }),
    ...(project.stages === undefined || project.stages.length === 0 ? {} : { stages: project.stages }),
  };
};

const settingsOf = (project: ProjectFields): Lab['settings'] =>
  Object.fromEntries(
    Object.entries(DEFAULTS).flatMap(([key, usual]) => {
      const value = project[key as keyof typeof DEFAULTS];
      return value === undefined || isDeepStrictEqual(value, usual) ? [] : [[key, value]];
    }),
  );

/** Values of a node that has no settings of its own. */
const baseOf = (kind: Kind, node: NodeFields, template: TemplateFields | undefined): Partial<NodeFields> => {
  const settings = template?.settings ?? {};
  const shared = Object.entries(settings).filter(([key]) => Object.hasOwn(kind.properties.shape, key));
  const needed = kind.required.map((key): [string, unknown] => [key, node.properties[key]]);
  const fields = settings as Partial<NodeFields>;
  return {
    symbol: template?.symbol ?? kind.look.symbol,
    console_type: fields.console_type ?? kind.capabilities.console_types[0] ?? null,
    console_auto_start: fields.console_auto_start ?? false,
    port_name_format: fields.port_name_format ?? kind.look.port_name_format,
    port_segment_size: fields.port_segment_size ?? kind.look.port_segment_size,
    first_port_name: fields.first_port_name === '' ? null : (fields.first_port_name ?? null),
    custom_adapters: fields.custom_adapters ?? [],
    properties: completed(kind, node, { ...Object.fromEntries(needed), ...Object.fromEntries(shared) }),
    z: 1,
    locked: false,
  };
};

const completed = (kind: Kind, node: NodeFields, given: Properties): Properties => {
  try {
    return kind.complete(given, node);
  } catch {
    return {};
  }
};

const nodeOf = (records: LabRecords, node: NodeFields): LabNode => {
  const kind = records.kinds.get(node.kind);
  const template = node.template_id === null ? undefined : records.template(node.template_id);
  const compute = records.compute(node.compute_id);
  const base = kind === undefined ? {} : baseOf(kind, node, template);
  const fields = NODE_FIELDS.filter((key) => node[key] !== null && !isDeepStrictEqual(node[key], base[key]));
  const startUp = kind === undefined ? null : startUpOf(kind);
  return {
    name: node.name,
    ...(template === undefined ? { kind: node.kind } : { template: template.name }),
    ...(compute === undefined ? {} : { compute }),
    x: node.x,
    y: node.y,
    ...Object.fromEntries(fields.map((key) => [key, node[key]])),
    properties: kind === undefined ? { ...node.properties } : saidProperties(kind, node, template, base.properties),
    ...(startUp === null ? {} : saidOf(records.startUp(node), startUp)),
  };
};

const saidProperties = (
  kind: Kind,
  { properties }: NodeFields,
  template: TemplateFields | undefined,
  base: Properties = {},
): Properties => {
  // Required properties are left out only if the template has the same value.
  const needed = kind.required.filter(
    (key) => template === undefined || !isDeepStrictEqual(template.settings[key], properties[key]),
  );
  const isSaid = ([key, value]: [string, unknown]): boolean =>
    needed.includes(key) ||
    // A setting that existing tools do not have was given by somebody, and is not made of the node's id.
    ((!kind.unique.includes(key) || kind.own.includes(key)) &&
      !isDeepStrictEqual(value, base[key]) &&
      Object.hasOwn(kind.properties.shape, key) &&
      kind.properties.safeParse({ [key]: value }).success);
  return Object.fromEntries(Object.entries(properties).filter(isSaid));
};

const linkOf = ({ byId: nodes, kinds }: { byId: NodesById; kinds: LabRecords['kinds'] }, link: LinkFields): LabLink => {
  const ends = link.nodes.map(({ node_id, adapter_number, port_number }): LabEnd => {
    const node = nodes.get(node_id);
    const ports = node === undefined ? [] : portsOf(kinds, node);
    const port = ports.find((one) => one.adapter_number === adapter_number && one.port_number === port_number);
    const text = port === undefined ? `${adapter_number}/${port_number}` : portText(ports, port);
    return { node: node?.name ?? node_id, port: text };
  });
  return {
    ends: ends as [LabEnd, LabEnd],
    filters: link.filters,
    ...toLab(LINK_IN_LAB, link),
  };
};

const drawingOf = ({ svg, x, y, z, rotation, locked }: DrawingFields): LabDrawing => ({
  svg,
  x,
  y,
  z,
  rotation,
  ...(locked ? { locked } : {}),
});
