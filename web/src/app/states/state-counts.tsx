import type { ReactElement } from 'react';
import type { Node } from '../../store/records.ts';
import { unreachableOf } from '../../computes/records.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useView } from '../lab-context.tsx';
import { t } from '../../words/words.ts';

const ICONS: Readonly<Record<Node['status'], IconName>> = { started: 'play', stopped: 'stop', suspended: 'pause' };

/** How many nodes are in which state. */
export const StateCounts = (): ReactElement => {
  const { records } = useView();
  const counts = { started: 0, suspended: 0, stopped: 0 };
  let unreachable = 0;
  for (const node of records.nodes.values()) {
    counts[node.status] += 1;
    if (unreachableOf(node) !== null) unreachable += 1;
  }
  return (
    <span className="state-counts" data-testid="counts">
      {(['started', 'suspended', 'stopped'] as const)
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <span key={state} className={`count ${state}`} title={`${counts[state]} ${t(state)}`}>
            <Icon name={ICONS[state]} />
            {counts[state]}
            <span className="visually-hidden"> {t(state)}</span>
          </span>
        ))}
      {unreachable > 0 && (
        <span className="count unreachable" title={t('{count} of them unreachable', { count: unreachable })}>
          <Icon name="warning" />
          {unreachable}
          <span className="visually-hidden"> {t('unreachable')}</span>
        </span>
      )}
    </span>
  );
};
