import { unreachableOf } from '../../computes/records.ts';
import { failureOf } from '../../map/actions/failure.ts';
import { short } from '../../map/flow/flow.ts';
import type { Node } from '../../store/records.ts';
import { t } from '../../words/words.ts';

/** More than these are counted, not named. */
const MOST_NAMES = 3;

type Told = Node['status'] | 'failed' | 'unreachable';
type Nodes = ReadonlyMap<string, Node>;

const WORDS: Readonly<Record<Told, () => string>> = {
  started: () => t('started'),
  suspended: () => t('suspended'),
  stopped: () => t('stopped'),
  failed: () => t('failed'),
  unreachable: () => t('unreachable'),
};

const toldOf = (node: Node): Told =>
  unreachableOf(node) === null ? (failureOf(node) === null ? node.status : 'failed') : 'unreachable';

/** Which nodes have come into another state, in a sentence for each state; empty where none has. */
export const statesTold = (before: Nodes, now: Nodes): string => {
  const changed = new Map<Told, string[]>();
  for (const [id, node] of now) {
    const was = before.get(id);
    // Nodes come as stopped ones.
    if (was === node || (was === undefined ? 'stopped' : toldOf(was)) === toldOf(node)) continue;
    const names = changed.get(toldOf(node)) ?? [];
    changed.set(toldOf(node), [...names, short(node.name)]);
  }
  return [...changed]
    .map(([state, names]) => t('{who}: {state}.', { who: who(names), state: WORDS[state]() }))
    .join(' ');
};

const who = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? t('{count, plural, one {# node} other {# nodes}}', { count: names.length })
    : names.join(', ');
