import { type Document, isMap, isPair, isScalar, type Scalar, visit } from 'yaml';
import { renamedSentence } from '../../../common/forms/check.ts';
import { endOf, endText } from '../ends.ts';
import { rewritten } from './rewrite.ts';

/** The text with other names of nodes, wherever it names them; its comments and its order stay. */
export const renamedInText = (text: string, names: ReadonlyMap<string, string>): string => {
  if (names.size === 0) return text;
  return rewritten(text, (document) => rename(document, names));
};

const rename = (document: Document, names: ReadonlyMap<string, string>): void => {
  const node = (name: string): string => names.get(name) ?? name;
  const end = (given: string): string => {
    const { node: name, ...port } = endOf(given);
    return names.has(given) ? node(given) : names.has(name) ? endText({ ...port, node: node(name) }) : given;
  };
  const nodes = document.get('nodes');
  for (const { key, value } of isMap(nodes) ? nodes.items : []) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!isScalar(key) || !names.has(name)) continue;
    key.value = node(name);
    if (isMap(value)) value.delete('was');
  }
  /** Of a scalar: what it names, by the key that it is under. */
  const named = (key: string | null): ((given: string) => string) | null => {
    if (key === null || NODES.has(key)) return key === null ? (given) => renamedSentence(given, node) : node;
    return LINKS.has(key) ? end : null;
  };
  for (const part of ['links', 'checks', 'weather'])
    visit(document.get(part) as Scalar | null, {
      Scalar(place, scalar, path) {
        if (place === 'key' || typeof scalar.value !== 'string') return;
        const pair = path.findLast(isPair);
        const key = pair === undefined ? null : String((pair.key as Scalar).value);
        const change = part === 'links' && (key === null || key === 'ends') ? end : named(key);
        if (change !== null) scalar.value = change(scalar.value);
      },
    });
};

/** Keys of checks and weather under which nodes and links are named. */
const NODES = new Set(['from', 'to', 'node', 'crash']);
const LINKS = new Set(['link', 'links']);
