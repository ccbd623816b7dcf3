import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { TimeLine } from './control/controller.ts';
import type { DrawerTab } from './drawer.tsx';
import { ForkButton } from './fork-button.tsx';
import { isFiltered } from './panes/filter.ts';
import { RestoreAll } from './restore-all.tsx';
import { VerifyBadge } from './verify-badge.tsx';

interface Props {
  readonly timeLine: TimeLine;
  readonly tab: DrawerTab | null;
  readonly onTab: (tab: DrawerTab | null) => void;
}

/** What else can be done with the past: list, filter, compare, fork, verify. */
export const ViewTools = ({ timeLine, tab, onTab }: Props): ReactElement => {
  const { comparison, filter } = useStore(timeLine.state);
  const flip = (one: DrawerTab): void => onTab(tab === one ? null : one);
  const compare = (): void => {
    if (comparison !== null) {
      timeLine.compare(null);
      timeLine.goTo(null);
      if (tab === 'compare') onTab(null);
      return;
    }
    const { cursor, overview } = timeLine.state.get();
    if (overview?.first == null || overview.last == null) return;
    timeLine.compare({ from: cursor ?? overview.first.at, to: overview.last.at });
    onTab('compare');
  };
  return (
    <div className="time-line-group">
      {/* What changes its width comes first: the others stay where they are. */}
      <VerifyBadge timeLine={timeLine} />
      <RestoreAll timeLine={timeLine} />
      <Button icon="history" aria-pressed={tab === 'events'} onClick={() => flip('events')} title={t('What happened')}>
        <span className="wide-only">{t('Events')}</span>
      </Button>
      <Button icon="filter" aria-pressed={tab === 'filter'} onClick={() => flip('filter')} title={t('Filter')}>
        <span className="wide-only">{t('Filter')}</span>
        {isFiltered(filter) && <span className="dot" role="img" aria-label={t('is on')} />}
      </Button>
      <Button icon="compare" aria-pressed={comparison !== null} onClick={compare} title={t('Compare two moments')}>
        <span className="wide-only">{t('Compare')}</span>
      </Button>
      <ForkButton timeLine={timeLine} />
    </div>
  );
};
