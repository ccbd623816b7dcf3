import type { ReactElement } from 'react';
import { useStore } from '../../store/use-store.ts';
import { t } from '../../words/words.ts';
import type { TimeLine } from '../control/controller.ts';
import { toggleKind } from './filter.ts';

/** What is looked for most: words, and everything but moves. */
export const FilterBar = ({ timeLine, total }: { timeLine: TimeLine; total: number }): ReactElement => {
  const filter = useStore(timeLine.state, (now) => now.filter);
  return (
    <div className="filter-bar">
      <input
        type="search"
        aria-label={t('Search the events')}
        placeholder={t('Search the events')}
        value={filter.text}
        onChange={(event) => timeLine.setFilter({ ...filter, text: event.target.value })}
      />
      <label>
        <input
          type="checkbox"
          checked={!filter.kinds.includes('move')}
          onChange={() => timeLine.setFilter(toggleKind(filter, 'move'))}
        />
        {t('Ignore moves')}
      </label>
      <span className="note" role="status">
        {t('{count, plural, one {# event} other {# events}}', { count: total })}
      </span>
    </div>
  );
};
