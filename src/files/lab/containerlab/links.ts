import { checkedKeys, noteKeys } from './keys.ts';
import { type ClabMap, type Findings, isMap, listOf, textOf, type Value } from './values.ts';

/** One end of a link: an interface of a node, or of the machine or its management network (`word`). */
export interface ClabEnd {
  node: string;
  interface: string;
  word?: string;
}

/** `b` null: an interface that is connected to nothing. */
export interface ClabLink {
  /** Index in the list of the text. */
  index: number;
  a: ClabEnd;
  b: ClabEnd | null;
}

interface Reading {
  /** Words that links may have in place of a node. */
  words: readonly string[];
  findings: Findings;
}

/** Types whose frames leave the lab in ways that do not exist here. */
const ELSEWHERE = ['macvlan', 'vxlan', 'vxlan-stitch'];

/** Links of containerlab, brief and typed (https://containerlab.dev/manual/topo-def-file, links). */
export const readLinks = (given: Value | undefined, words: readonly string[], findings: Findings): ClabLink[] => {
  const reading = { words, findings };
  const links = listOf(given).flatMap((link, index) => linkOf(reading, link, index) ?? []);
  const seen = new Set<string>();
  for (const { index, a, b } of links)
    for (const end of [a, b]) {
      const text = `${end?.node}:${end?.interface}`;
      if (end !== null && seen.has(text))
        findings.refuse(['topology', 'links', index], `has ${text}, which another link has`);
      seen.add(text);
    }
  return links;
};

const linkOf = (reading: Reading, given: Value, index: number): ClabLink | null => {
  const { findings } = reading;
  const path = ['topology', 'links', index];
  if (!isMap(given)) return refuse(findings, path, 'must be like endpoints: ["r1:eth1", "r2:eth1"]');
  const link = checkedKeys('link', path, given, findings);
  noteKeys('link', `link ${index + 1}: `, link, findings);
  if ('mtu' in link) findings.note(`link ${index + 1}: mtu ${textOf(link['mtu'])} is not set: links carry any frame`);
  const type = textOf(link['type']);
  if (ELSEWHERE.includes(type))
    return refuse(findings, [...path, 'type'], `${type} is not possible here: links are between nodes of the lab`);
  const only = link['endpoint'];
  if (type === 'dummy') {
    const a = endOf(reading, only, path);
    return a === null ? null : { index, a, b: null };
  }
  if (type === 'host' || type === 'mgmt-net') {
    const a = endOf(reading, only, path);
    const name = textOf(link['host-interface']);
    if (name === '') return refuse(findings, [...path, 'host-interface'], 'is missing: the name of the other end');
    return a === null ? null : { index, a, b: { node: type, interface: name, word: type } };
  }
  if (type !== '' && type !== 'veth' && type !== 'veth-stitch')
    return refuse(findings, [...path, 'type'], `${type} is no type of a link`);
  const ends = between(reading, link, path);
  return ends === null ? null : { index, ...ends };
};

const between = (reading: Reading, link: ClabMap, path: readonly PropertyKey[]): { a: ClabEnd; b: ClabEnd } | null => {
  const ends = listOf(link['endpoints']);
  if (ends.length !== 2) return refuse(reading.findings, [...path, 'endpoints'], 'must be two ends, each like r1:eth1');
  const [a, b] = ends.map((end) => endOf(reading, end, [...path, 'endpoints']));
  return a == null || b == null ? null : a.word === undefined ? { a, b } : { a: b, b: a };
};

const endOf = ({ words, findings }: Reading, end: Value | undefined, path: readonly PropertyKey[]): ClabEnd | null => {
  const keys = isMap(end) ? checkedKeys('end', path, end, findings) : null;
  const text = keys === null ? textOf(end) : `${textOf(keys['node'])}:${textOf(keys['interface'])}`;
  if (keys !== null) noteKeys('end', `${text}: `, keys, findings);
  const [, node = '', name = ''] = /^([^:]+):(\S+)$/.exec(text) ?? [];
  if (node === '')
    return refuse(findings, path, `has ${text === '' ? 'an end without a name' : text}, which must be like r1:eth1`);
  const word = node.toLowerCase();
  if (word === 'macvlan')
    return refuse(findings, path, `${text} is not possible here: links are between nodes of the lab`);
  return words.includes(word) ? { node: word, interface: name, word } : { node, interface: name };
};

const refuse = (findings: Findings, path: readonly PropertyKey[], problem: string): null => {
  findings.refuse(path, problem);
  return null;
};

/** Interfaces by name of node, in the order of the text. */
export const interfacesIn = (links: readonly ClabLink[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, Set<string>>();
  for (const { a, b } of links)
    for (const end of [a, b]) {
      if (end === null) continue;
      const of = found.get(end.node);
      if (of === undefined) found.set(end.node, new Set([end.interface]));
      else of.add(end.interface);
    }
  return new Map([...found].map(([node, names]) => [node, [...names]]));
};
