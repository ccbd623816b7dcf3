import { randomUUID } from 'node:crypto';
import { LENGTHS, MOST, MOST_ITEMS } from '../../common/bounds.ts';
import { conflict } from '../../common/errors.ts';
import { asOneLine } from '../../common/forms/one-line.ts';
import { atOnce, inSlices, type Steps } from '../../common/slices.ts';
import type { ProjectSettings } from '../../events/fields.ts';
import { readFields } from '../fields/field-table.ts';
import { derivedId, identities, type Identity, isUuid, renamed } from '../fields/identity.ts';
import { type Bag, isBag, listOf, parseJson, quoted, refused, without } from '../fields/json.ts';
import { NODE_DERIVED, NODE_FIELDS, unnamed } from '../fields/node-fields.ts';
import { HEADER_KEYS, SETTINGS_FIELDS } from '../fields/settings-fields.ts';
import { convertProject, FORM_OF_TODAY, NEWEST, REVISION } from './convert.ts';
import { readDrawings } from './drawings.ts';
import { readLinks } from './links.ts';
import type { OldKinds } from './old/nodes.ts';
import { convertOldProject } from './old/project.ts';
import type { ParsedNode, ParsedProject } from './parsed.ts';

/**
 * Reads a project file (`*.gns3`, JSON) of revision 1 to 10, or without one. Throws TopologError conflict for any
 * other file; broken nodes, links and drawings do not prevent the rest from being read
 * (docs/reference/project-files.md). Pure except for `newId`, which is called for missing and unusable ids.
 */
export const readProjectFile = (text: string, kinds: Kinds, newId: () => string = randomUUID): ParsedProject =>
  atOnce(reading(text, kinds, newId));

/** The same in slices of the event loop: files of large labs take a second. */
export const readLargeProjectFile = (text: string, kinds: Kinds): Promise<ParsedProject> =>
  inSlices(reading(text, kinds, randomUUID));

type Kinds = KindNames & OldKinds;

function* reading(text: string, kinds: Kinds, newId: () => string): Steps<ParsedProject> {
  const header = readHeader(yield* parseJson(text), text);
  const isOld = header.revision < FORM_OF_TODAY;
  const old = isOld ? yield* convertOldProject(header.file, header.project_id, kinds) : null;
  const current = convertProject(old?.project ?? header.file, Math.max(header.revision, FORM_OF_TODAY));
  const topology = readTopology(current.topology);
  const isCurrent = header.revision >= REVISION;
  const before = isCurrent ? readTopology(header.file.topology).nodes : null;
  const nodes = yield* readNodes(topology.nodes, before, kinds, newId);
  const links = yield* readLinks(topology.links, nodes.ids, isCurrent, newId);
  const drawings = readDrawings(topology.drawings, isCurrent, newId);
  const settings = readSettings(current);
  const kept = keptTopology(topology, { nodes: nodes.rejected, links: links.rejected, drawings: drawings.rejected });
  return {
    project_id: header.project_id,
    settings: { ...settings.values, name: asOneLine(header.name) },
    revision: header.revision,
    version: header.version,
    given: isCurrent ? without(header.file, ['topology']) : null,
    extra: { ...settings.extra, ...(Object.keys(kept).length === 0 ? {} : { topology: kept }) },
    nodes: nodes.nodes,
    links: links.links,
    drawings: drawings.drawings,
    computes: topology.computes,
    oldFiles: old?.files ?? new Map(),
    warnings: [
      ...renamed('the project', header.name),
      ...(old?.warnings ?? []),
      ...settings.warnings,
      ...nodes.warnings,
      ...links.warnings,
      ...drawings.warnings,
    ],
  };
}

interface Header {
  file: Bag;
  project_id: string;
  name: string;
  revision: number;
  version: string;
}

const readHeader = (file: unknown, text: string): Header => {
  if (!isBag(file) || file.type !== 'topology') throw refused('type must be "topology"');
  const version = typeof file.version === 'string' ? file.version : '';
  const revision = checkRevision(file, version);
  const { name } = file;
  // The first projects had no ids. Derived from the text, so that the same file gives the same project.
  const isUnnamed = revision < FORM_OF_TODAY && (file.project_id ?? null) === null;
  const project_id = isUnnamed ? derivedId('project', text) : file.project_id;
  if (!isUuid(project_id)) throw refused(`project_id must be a UUID, not ${quoted(project_id)}`);
  if (typeof name !== 'string' || name === '' || name.length > LENGTHS.name)
    throw refused(`name must be a text of 1 to ${LENGTHS.name} characters`);
  return { file, project_id, name, revision, version };
};

const READABLE = `revisions 1 to ${NEWEST}, and files of before there were numbers, are read`;

/** 0: a file of before revisions were numbered. */
const checkRevision = ({ revision, topology }: Bag, version: string): number => {
  const isNone = (revision ?? null) === null;
  const number = isNone ? 0 : revision;
  if (typeof number !== 'number' || !Number.isInteger(number) || (number < 1 && !isNone))
    throw refused(`revision must be a whole number from 1, not ${quoted(revision)}; ${READABLE}`);
  const by = version === '' ? '' : ` (version ${version})`;
  if (number > NEWEST)
    throw conflict(`The project file was made by a more recent version${by}: its revision is ${number}; ${READABLE}`);
  const later = isBag(topology) ? ['computes', 'drawings'].find((key) => key in topology) : undefined;
  if (number < FORM_OF_TODAY && later !== undefined)
    throw refused(
      `${isNone ? 'it has no revision' : `its revision is ${number}`}, but topology.${later}, which is of later ones; ${READABLE}`,
    );
  return number;
};

interface Topology {
  nodes: readonly unknown[];
  links: readonly unknown[];
  drawings: readonly unknown[];
  computes: unknown[];
  /** Unknown keys. */
  rest: Bag;
}

const readTopology = (given: unknown): Topology => {
  if (!isBag(given)) throw refused('topology must be an object with nodes, links, drawings and computes');
  return {
    nodes: listOf(given, 'nodes', MOST.node),
    links: listOf(given, 'links', MOST.link),
    drawings: listOf(given, 'drawings', MOST.drawing),
    computes: listOf(given, 'computes', MOST_ITEMS),
    rest: without(given, ['nodes', 'links', 'drawings', 'computes']),
  };
};

/** Topology for `extra`, to be written back. Empty lists are left out. */
const keptTopology = (topology: Topology, rejected: Record<string, unknown[]>): Bag => {
  const lists = Object.entries({ ...rejected, computes: topology.computes }).filter(([, list]) => list.length > 0);
  return { ...topology.rest, ...Object.fromEntries(lists) };
};

const readSettings = (file: Bag): { values: Partial<ProjectSettings>; extra: Bag; warnings: string[] } => {
  const { values, wrong, extra } = readFields(file, SETTINGS_FIELDS, ['name', ...HEADER_KEYS]);
  const found = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return {
    values: found,
    // An unreadable setting is replaced by its default, also when the file is written.
    extra: without(extra, Object.keys(SETTINGS_FIELDS)),
    warnings: wrong.map((sentence) => `Project setting ignored: ${sentence}`),
  };
};

interface KindNames {
  get(nameOrAlias: string): { name: string } | undefined;
}

interface ReadNodes {
  nodes: ParsedNode[];
  /** Elements that are not objects. */
  rejected: unknown[];
  /** Id in the file → id of the node, so that links find nodes whose id was replaced. */
  ids: ReadonlyMap<unknown, string>;
  /** Without problems of single nodes. */
  warnings: string[];
}

/** Kind of a node without a type. */
const NO_KIND = 'unknown';

/** `before`: the list before its conversion; null: the file has another revision than the one that is written. */
function* readNodes(
  list: readonly unknown[],
  before: readonly unknown[] | null,
  kinds: KindNames,
  newId: () => string,
): Steps<ReadNodes> {
  const identify = identities('node_id', newId);
  const ids = new Map<unknown, string>();
  const read: ParsedNode[] = [];
  const rejected: unknown[] = [];
  const warnings: string[] = [];
  for (const [index, raw] of list.entries()) {
    yield;
    if (!isBag(raw)) {
      rejected.push(raw);
      warnings.push(`Node ${index + 1} of the file was left out: it is ${quoted(raw)}, not an object`);
      continue;
    }
    const identity = identify(raw.node_id);
    if (typeof raw.node_id === 'string' && !ids.has(raw.node_id)) ids.set(raw.node_id, identity.id);
    const node = { ...readNode(raw, identity, kinds), given: before === null ? null : asGiven(raw, before[index]) };
    read.push(node);
    if (typeof raw.name === 'string' && node.name === asOneLine(raw.name))
      warnings.push(...renamed('a node', raw.name));
    if (identity.reason !== null && node.problem === null) warnings.push(`Node ${node.name}: ${identity.reason}`);
  }
  return { ...uniqueNames(read, warnings), rejected, ids };
}

/** Existing tools write null for no console, and for types that they no longer know. */
const asGiven = (raw: Bag, before: unknown): Bag =>
  isBag(before) && before.console_type === null ? { ...raw, console_type: null } : raw;

const readNode = (raw: Bag, identity: Identity, kinds: KindNames): Omit<ParsedNode, 'given'> => {
  const { values, wrong, extra } = readFields(raw, NODE_FIELDS, NODE_DERIVED);
  const type = readType(raw.node_type, kinds);
  const named = { ...values, name: values.name === '' ? unnamed(identity.id) : asOneLine(values.name) };
  const reasons = [
    ...(identity.duplicate && identity.reason !== null ? [identity.reason] : []),
    ...(type.wrong === null ? [] : [type.wrong]),
    ...wrong,
  ];
  return {
    ...named,
    node_id: identity.id,
    kind: type.kind,
    extra: { ...extra, ...type.extra },
    problem: reasons.length === 0 ? null : { code: 'conflict', message: `Node ${named.name}: ${reasons.join('; ')}` },
  };
};

const readType = (given: unknown, kinds: KindNames): { kind: string; wrong: string | null; extra: Bag } => {
  if (typeof given !== 'string' || given === '') {
    const absent = given === undefined || given === null;
    const wrong = absent ? 'node_type is missing' : `node_type must be a kind's name, not ${quoted(given)}`;
    return { kind: NO_KIND, wrong, extra: { node_type: given ?? null } };
  }
  const kind = kinds.get(given);
  if (kind !== undefined) return { kind: kind.name, wrong: null, extra: {} };
  return { kind: given, wrong: `node_type ${quoted(given)} is not a kind that this server knows`, extra: {} };
};

/** Names are unique in a project: the first node keeps its name, others get the first free number. */
const uniqueNames = (read: readonly ParsedNode[], found: readonly string[]): Pick<ReadNodes, 'nodes' | 'warnings'> => {
  const wanted = new Set(read.map((node) => node.name));
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const warnings = [...found];
  const nodes = read.map((node) => {
    if (!taken.has(node.name)) {
      taken.add(node.name);
      return node;
    }
    let number = numbers.get(node.name) ?? 1;
    while (taken.has(`${node.name}-${number}`) || wanted.has(`${node.name}-${number}`)) number += 1;
    numbers.set(node.name, number + 1);
    const name = `${node.name}-${number}`;
    taken.add(name);
    warnings.push(`Two nodes of the file are named ${node.name}; the later one is ${name} now`);
    return { ...node, name };
  });
  return { nodes, warnings };
};
