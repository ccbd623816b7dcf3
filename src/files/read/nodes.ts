import { readFields } from '../fields/field-table.ts';
import { asOneLine } from '../../common/forms/one-line.ts';
import { type Identity, identities, renamed } from '../fields/identity.ts';
import { type Bag, isBag, quoted } from '../fields/json.ts';
import { NODE_DERIVED, NODE_FIELDS, unnamed } from '../fields/node-fields.ts';
import type { ParsedNode } from './parsed.ts';
import type { Steps } from '../../common/slices.ts';

export interface KindNames {
  get(nameOrAlias: string): { name: string } | undefined;
}

export interface ReadNodes {
  nodes: ParsedNode[];
  /** Elements that are not objects. */
  rejected: unknown[];
  /** Id in the file → id of the node: an id that had to be replaced still leads links to its node. */
  ids: ReadonlyMap<unknown, string>;
  /** Without the nodes' own problems. */
  warnings: string[];
}

/** Kind of a node whose file does not even say one. */
const NO_KIND = 'unknown';

/** `before`: the list as it was before its conversion; null: the file has another revision than the one that is written. */
export function* readNodes(
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

/** Null is what existing tools take for no console, and what they know of no more. */
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

/** Names are unique in a project. The first keeps its name, others get the first free number. */
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
