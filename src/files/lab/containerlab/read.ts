import { isScalar } from 'yaml';
import { invalid, type TopologError } from '../../../common/errors.ts';
import type { LabInput, LabReading } from '../model.ts';
import { MOST_PROBLEMS } from '../problems.ts';
import { type ReadDocument, readDocument } from '../yaml/document.ts';
import { filesOfNode, startUpFilesOf } from './files.ts';
import { checkedKeys, noteKeys } from './keys.ts';
import { type ClabNode, labOf, PREFIX } from './lab.ts';
import { isSystem, SYSTEMS_FILE } from './systems.ts';
import { type ClabMap, type ClabTopology, Findings, isMap, mapOf, sizeOf, textOf, type Value } from './values.ts';
import { noteVariables, withVariables } from './variables.ts';

/**
 * Reads topology files of containerlab (`*.clab.yml`; https://containerlab.dev/manual/topo-def-file), including those
 * that netlab writes for it. Refuses what is not possible here, all at once; what is not used is noted.
 */

export const readContainerlab = (given: LabInput): LabReading => {
  const findings = new Findings();
  const document = opened(given.text, findings);
  const { name, topology, nodes, file } = partsOf(document, findings);
  noteKeys('', '', file, findings);
  noteKeys('topology', 'topology: ', mapOf(file['topology']), findings);
  const all = nodesOf({ name, topology, nodes }, findings);
  for (const node of all) noteVariables(node.keys, node.name, findings);
  const { lab, places } = labOf({ name, prefix: prefixIn(document, file), file, nodes: all, given, findings });
  refuseAll(document, findings);
  const placeOf: LabReading['placeOf'] = ([what, at, ...more]) => {
    const place = what === 'links' && typeof at === 'number' ? places[at] : at;
    const path = [what, place].filter((key) => key !== undefined);
    return document.placeOf(['topology', ...path, ...more]);
  };
  return { lab, notes: findings.notes, placeOf };
};

/** Files that a topology needs beside it. */
export const filesNamedInContainerlab = (text: string): string[] => {
  try {
    const findings = new Findings();
    const all = nodesOf(partsOf(opened(text, findings), findings), findings);
    const systems = all.filter(({ kind }) => isSystem(kind));
    const ofSystems = systems.flatMap(({ keys }) => startUpFilesOf(keys));
    const ofNodes = all.flatMap(({ keys }) => filesOfNode(keys));
    return [...new Set([...ofNodes, ...ofSystems, ...(systems.length > 0 ? [SYSTEMS_FILE] : [])])];
  } catch {
    return [];
  }
};

/** An empty text is a prefix, and null is none. */
const prefixIn = ({ document }: ReadDocument, file: ClabMap): string => {
  const said = document.getIn(['prefix'], true);
  const isEmpty = isScalar(said) && said.value === '' && said.type !== 'PLAIN';
  return isEmpty ? '' : textOf(file['prefix']) || PREFIX;
};

const opened = (text: string, findings: Findings): ReadDocument => {
  const template = text.split('\n').findIndex((line) => line.includes('{{'));
  if (template >= 0)
    throw invalid(
      `line ${template + 1}: templates are not filled in here; give the text that containerlab would make of it`,
      {
        field: 'text',
        line: template + 1,
      },
    );
  const { text: replaced, unset } = withDefaults(text);
  for (const variable of unset) findings.note(`$${variable} is not set, and stays as it is written`);
  return readDocument(replaced, { textsOnly: true });
};

interface Parts {
  name: string;
  file: ClabMap;
  topology: ClabTopology;
  nodes: Record<string, ClabMap>;
}

const partsOf = (document: ReadDocument, findings: Findings): Parts => {
  const { value } = document;
  if (!isMap(value) || !isMap(value['topology']))
    throw document.problemAt([], 'must have a name and a topology with nodes, as containerlab has them');
  const file = checkedKeys('', [], value, findings);
  const name = textOf(file['name']);
  if (name === '') throw document.problemAt(['name'], 'is missing: the name of the lab');
  const topology = checkedKeys('topology', ['topology'], value['topology'], findings);
  if (!isMap(topology['nodes']))
    throw document.problemAt(['topology', 'nodes'], 'must be a map of nodes by their names');
  const node = (path: string[], given: Value | undefined): ClabMap =>
    checkedKeys('node', ['topology', ...path], given, findings);
  const nodes = (part: string): Record<string, ClabMap> =>
    Object.fromEntries(Object.entries(mapOf(topology[part])).map(([one, given]) => [one, node([part, one], given)]));
  return {
    name,
    file: { ...file, topology, mgmt: checkedKeys('mgmt', ['mgmt'], file['mgmt'], findings) },
    nodes: nodes('nodes'),
    topology: { defaults: node(['defaults'], topology['defaults']), kinds: nodes('kinds'), groups: nodes('groups') },
  };
};

/** Nodes with what they inherit. */
const nodesOf = ({ name: lab, topology, nodes }: Omit<Parts, 'file'>, findings: Findings): ClabNode[] => {
  const grow = (by: number): void => findings.grow(by);
  return Object.entries(nodes).map(([name, own]) => {
    const { kind, keys } = inherited(topology, own, grow);
    return { name, kind, keys: withVariables(keys, lab, name) };
  });
};

/** Throws one error for all refusals. */
const refuseAll = ({ problemAt }: ReadDocument, { refusals }: Findings): void => {
  const errors = refusals.slice(0, MOST_PROBLEMS).map(({ path, problem }): TopologError => problemAt(path, problem));
  if (errors.length === 0) return;
  const told = errors.map(({ details: { reason: _, ...rest } }) => rest);
  const more = refusals.length - errors.length;
  const sentences = errors.map(({ details }) => String(details['reason']));
  if (more > 0) sentences.push(`and ${more} more`);
  throw invalid(sentences.join('; '), { ...told[0], errors: told });
};

/**
 * Keys that a node inherits from its group, its kind and the defaults (containerlab, types/topology.go). Levels from the
 * least to the most specific: defaults, kind, group, node.
 */
interface Inherited {
  kind: string;
  keys: ClabMap;
}

/** Lists that are concatenated, the least specific first, without exact repeats. */
const JOINED = ['exec', 'env-files', 'devices', 'cap-add', 'security-opts'];
/** Lists that are merged by the path in the container; the most specific entry wins. */
const BY_PATH = ['binds', 'volumes'];
/** Maps that are merged. */
const MERGED = ['env', 'labels', 'sysctls', 'tmpfs'];
/** Keys that are not inherited. */
const OWN = ['mgmt-ipv4', 'mgmt-ipv6', 'mgmt_ipv4', 'mgmt_ipv6', 'aliases'];

/** `grow`: gets the size of what is inherited, beforehand. */
const inherited = (topology: ClabTopology, node: ClabMap, grow: (by: number) => void): Inherited => {
  const { defaults, kinds, groups } = topology;
  const groupOf = (name: string | undefined): ClabMap => (name === undefined ? {} : (groups[name] ?? {}));
  const early = groupOf(textIn(node, 'group') ?? textIn(defaults, 'group'));
  const kind = (
    textIn(node, 'kind') ??
    textIn(groupOf(textIn(node, 'group')), 'kind') ??
    textIn(early, 'kind') ??
    textIn(defaults, 'kind') ??
    ''
  ).toLowerCase();
  const ofKind = kinds[kind] ?? {};
  const group = groupOf(textIn(node, 'group') ?? textIn(ofKind, 'group') ?? textIn(defaults, 'group'));
  const levels = [defaults, ofKind, group, node];
  for (const level of levels) grow(sizeOf(level));
  return { kind, keys: merged([...levels.slice(0, -1).map((level) => without(level, OWN)), node]) };
};

const textIn = (map: ClabMap, key: string): string | undefined => {
  const value = map[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const without = (map: ClabMap, keys: readonly string[]): ClabMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));

const merged = (levels: readonly ClabMap[]): ClabMap => {
  const out: ClabMap = {};
  for (const level of levels)
    for (const [key, value] of Object.entries(level)) {
      if (value === '') continue;
      out[key] = joined(key, out[key], value);
    }
  return out;
};

const joined = (key: string, before: Value | undefined, value: Value): Value => {
  if (before === undefined) return value;
  if (Array.isArray(before) && Array.isArray(value)) {
    if (JOINED.includes(key)) return [...new Set([...before, ...value])];
    if (BY_PATH.includes(key)) return [...new Map([...before, ...value].map((one) => [pathOf(one), one])).values()];
  }
  return MERGED.includes(key) && isMap(before) && isMap(value) ? { ...before, ...value } : value;
};

/** Path in the container of `source:path[:options]`, or of a path alone. */
const pathOf = (bind: Value): string => {
  const parts = textOf(bind).split(':');
  return parts[1] ?? parts[0] ?? '';
};

/**
 * Expands `$name`, `${name}` and their forms with a default (`:-`, `-`, `:=`, `=`) or an alternative (`:+`, `+`), as
 * containerlab does in the whole text; `$$name` is a literal `$name`. All variables count as unset, as clients must
 * not see the server's environment.
 */
const withDefaults = (text: string): { text: string; unset: string[] } => {
  const unset = new Set<string>();
  const replaced = text.replace(VARIABLE, (whole, ...parts: (string | undefined)[]) => {
    const [braced, form, word, bare] = parts;
    if (whole === '$$') return '$';
    if (form !== undefined) return form.endsWith('+') ? '' : (word ?? '');
    unset.add(braced ?? bare ?? '');
    return whole;
  });
  return { text: replaced, unset: [...unset] };
};

const VARIABLE = /\$\$(?=[A-Za-z_{])|\$\{([A-Za-z_]\w*)(?:(:?[-=+])([^{}]*))?\}|\$([A-Za-z_]\w*)/g;
