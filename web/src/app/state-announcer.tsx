import { type ReactElement, useEffect, useState } from 'react';
import { unreachableOf } from '../computes/computes.ts';
import { failureOf } from '../map/actions/failure.ts';
import { short } from '../map/flow/flow.ts';
import type { Node } from '../store/records.ts';
import { t } from '../words/words.ts';
import { useScope } from './lab-context.tsx';

/** More than these are counted, not named. */
const MOST_NAMES = 3;

type ShownState = Node['status'] | 'failed' | 'unreachable';
type Nodes = ReadonlyMap<string, Node>;

const WORDS: Readonly<Record<ShownState, () => string>> = {
  started: () => t('started'),
  suspended: () => t('suspended'),
  stopped: () => t('stopped'),
  failed: () => t('failed'),
  unreachable: () => t('unreachable'),
};

const shownStateOf = (node: Node): ShownState =>
  unreachableOf(node) === null ? (failureOf(node) === null ? node.status : 'failed') : 'unreachable';

/** Which nodes have come into another state, in a sentence for each state; empty where none has. */
export const sayStateChanges = (before: Nodes, now: Nodes): string => {
  const changed = new Map<ShownState, string[]>();
  for (const [id, node] of now) {
    const was = before.get(id);
    // Nodes come as stopped ones.
    if (was === node || (was === undefined ? 'stopped' : shownStateOf(was)) === shownStateOf(node)) continue;
    const names = changed.get(shownStateOf(node)) ?? [];
    changed.set(shownStateOf(node), [...names, short(node.name)]);
  }
  return [...changed]
    .map(([state, names]) => t('{who}: {state}.', { who: who(names), state: WORDS[state]() }))
    .join(' ');
};

const who = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? t('{count, plural, one {# node} other {# nodes}}', { count: names.length })
    : names.join(', ');

/** Nodes that start together are told together. */
const GATHER_MS = 400;

/** Tells those who do not see the map what becomes of its nodes. */
export const StateAnnouncer = (): ReactElement => {
  const { lab } = useScope();
  const [said, setSaid] = useState({ turn: 0, text: '' });
  useEffect(() => {
    // Null: the lab is being read, and what runs was not started now.
    let known = lab.state.get().isLoaded ? lab.state.get().records.nodes : null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      timer = null;
      const { nodes } = lab.state.get().records;
      const text = known === null ? '' : sayStateChanges(known, nodes);
      known = lab.state.get().isLoaded ? nodes : null;
      // The past stands still.
      if (text !== '' && lab.past.get() === null) setSaid(({ turn }) => ({ turn: turn + 1, text }));
    };
    const stop = lab.state.subscribe(() => {
      if (lab.state.get().records.nodes !== known) timer ??= setTimeout(tell, GATHER_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [lab]);
  return (
    <p className="visually-hidden" role="status" data-testid="voice">
      {/* The same words again are news as well. */}
      <span key={said.turn}>{said.text}</span>
    </p>
  );
};
