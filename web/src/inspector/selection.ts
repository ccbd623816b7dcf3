import type { Drawing, Link, Node, Records } from '../store/records.ts';
import { t } from '../words/words.ts';

export interface Selection {
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  readonly drawings: readonly Drawing[];
  /** Something is, but nothing of it is there. */
  readonly isGone: boolean;
}

export const selectionOf = (records: Records, ids: readonly string[]): Selection => {
  const pick = <T>(part: ReadonlyMap<string, T>): T[] => ids.flatMap((id) => part.get(id) ?? []);
  const [nodes, links, drawings] = [pick(records.nodes), pick(records.links), pick(records.drawings)];
  return { nodes, links, drawings, isGone: ids.length > 0 && nodes.length + links.length + drawings.length === 0 };
};

/** Names of the ends of a link, as they stand over its form. */
export const endsOf = ({ nodes }: Records, link: Link): readonly [string, string] => {
  const name = (index: number): string => {
    const id = link.nodes[index]?.node_id ?? '';
    return (nodes.get(id)?.name ?? t('a node')).slice(0, 60);
  };
  return [name(0), name(1)];
};

/** Names the records that the form changes; other selected objects are left out. */
export const titleOf = (records: Records, { nodes, links, drawings, isGone }: Selection): string => {
  const [node, link] = [nodes[0], links[0]];
  if (node !== undefined)
    return nodes.length === 1
      ? node.name.slice(0, 200)
      : t('{count, plural, one {# node} other {# nodes}}', { count: nodes.length });
  if (drawings.length > 0)
    return drawings.length === 1
      ? t('Drawing')
      : t('{count, plural, one {# drawing} other {# drawings}}', { count: drawings.length });
  if (link !== undefined)
    return links.length === 1
      ? endsOf(records, link).join(' – ')
      : t('{count, plural, one {# link} other {# links}}', { count: links.length });
  return isGone ? t('Nothing') : t('Project');
};
