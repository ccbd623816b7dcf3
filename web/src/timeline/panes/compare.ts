import type { Mark as ChangeMark } from '../../store/lab.ts';
import type { Records } from '../../store/records.ts';
import type { Schemas } from 'topolog/client';
import { titleOf } from '../../words/titles.ts';
import { t, told } from '../../words/words.ts';
import { brief } from '../sentences/subject.ts';

export type ObjectDiff = Schemas['ObjectDiff'];

/** Two moments on one map: the later one, with what was removed since the earlier one, and what changed marked. */
export const overlay = (
  before: Records,
  after: Records,
  diffs: readonly ObjectDiff[],
): [Records, Map<string, ChangeMark>] => {
  const marks = new Map(
    diffs
      .filter(({ collection }) => collection === 'node' || collection === 'link' || collection === 'drawing')
      .map(({ id, change }) => [id, change]),
  );
  const withRemoved = <T>(old: ReadonlyMap<string, T>, now: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...[...old].filter(([id]) => marks.get(id) === 'removed' && !now.has(id)), ...now]);
  const records = {
    project: after.project ?? before.project,
    nodes: withRemoved(before.nodes, after.nodes),
    links: withRemoved(before.links, after.links),
    drawings: withRemoved(before.drawings, after.drawings),
  };
  return [records, marks];
};

export const countChanges = (diffs: readonly Pick<ObjectDiff, 'change'>[]): Record<ChangeMark, number> => {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { change } of diffs) counts[change] += 1;
  return counts;
};

/** Shapes beside the colours of changes. */
export const SIGNS: Readonly<Record<ChangeMark, string>> = { added: '+', removed: '−', changed: '≠' };

export const changeWord = (change: ChangeMark): string =>
  ({ added: t('added'), removed: t('removed'), changed: t('changed') })[change];

/** Word for the sort of an object. */
export const collectionWord = (collection: ObjectDiff['collection']): string =>
  ({
    project: t('project'),
    node: t('node'),
    link: t('link'),
    drawing: t('drawing'),
    snapshot: t('snapshot'),
  })[collection];

/** Name of an object in a list: links and drawings have no names of their own. */
export const nameOfDiff = (
  { collection, id, name }: Pick<ObjectDiff, 'collection' | 'id' | 'name'>,
  { nodes, links }: Records,
): string => {
  if (name !== null && name !== '') return brief(name);
  const ends = links.get(id)?.nodes.map(({ node_id }) => brief(nodes.get(node_id)?.name ?? t('a node'))) ?? [];
  return ends.length === 0 ? collectionWord(collection) : ends.join(' – ');
};

/** The difference of one field, in one line. Objects are told key by key, so that what is the same in them is left out. */
export const sayField = ({ field, from, to }: ObjectDiff['fields'][number]): string => {
  if (field === 'state') return `${titleOf('status')}: ${stateWord(from)} → ${stateWord(to)}`;
  if (!isObject(from) || !isObject(to)) return `${titleOf(field)}: ${said(from)} → ${said(to)}`;
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const differing = keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
  return differing.map((key) => `${titleOf(`${field}.${key}`)}: ${said(from[key])} → ${said(to[key])}`).join('; ');
};

/** As cards and nodes say it. */
const stateWord = (state: unknown): string => told(state === 'opened' ? 'open' : brief(state));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const said = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  return value === null || value === undefined || value === '' ? t('none') : brief(value);
};

/** The records after, with the objects of before where they say the same: what did not change is not drawn again. */
export const reconcile = (before: Records, after: Records): Records => {
  const same = <T>(old: ReadonlyMap<string, T>, now: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    let isSame = old.size === now.size;
    const kept = new Map<string, T>();
    for (const [id, record] of now) {
      const was = old.get(id);
      const isEqual = was !== undefined && JSON.stringify(was) === JSON.stringify(record);
      if (!isEqual) isSame = false;
      kept.set(id, isEqual ? was : record);
    }
    return isSame ? old : kept;
  };
  return {
    project: after.project,
    nodes: same(before.nodes, after.nodes),
    links: same(before.links, after.links),
    drawings: same(before.drawings, after.drawings),
  };
};
