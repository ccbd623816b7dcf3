import { type ClabMap, type ClabTopology, isMap, sizeOf, textOf, type Value } from './values.ts';

/**
 * What a node gets of its group, its kind and the defaults (containerlab, types/topology.go). Levels from the least to the most specific:
 * defaults, kind, group, node.
 */
export interface Inherited {
  kind: string;
  keys: ClabMap;
}

/** Lists that are joined, the least specific first, exact repeats left out. */
const JOINED = ['exec', 'env-files', 'devices', 'cap-add', 'security-opts'];
/** Lists that are joined and have one entry for each path in the container, the most specific one. */
const BY_PATH = ['binds', 'volumes'];
/** Maps whose keys are joined. */
const MERGED = ['env', 'labels', 'sysctls', 'tmpfs'];
/** Of a node alone. */
const OWN = ['mgmt-ipv4', 'mgmt-ipv6', 'mgmt_ipv4', 'mgmt_ipv6', 'aliases'];

/** `grow`: told what is read for the node, before. */
export const inherited = (topology: ClabTopology, node: ClabMap, grow: (by: number) => void): Inherited => {
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

/** `source:path[:options]`, or a path alone. */
const pathOf = (bind: Value): string => {
  const parts = textOf(bind).split(':');
  return parts[1] ?? parts[0] ?? '';
};
