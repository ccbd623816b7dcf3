import type { TimeLine } from './time-line-state.ts';
import { type ReactElement, useRef } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useForms } from '../inspector/edit/forms.ts';
import { useBorrowedFocus } from '../ui/borrowed-focus.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { ComparePane } from './panes/compare-pane.tsx';
import { EventsPane } from './panes/events-pane.tsx';
import { FilterPane } from './panes/filter-pane.tsx';

export type DrawerTab = 'events' | 'filter' | 'compare';

const titleOf = (tab: DrawerTab): string =>
  ({ events: t('What happened'), filter: t('Filter'), compare: t('What differs') })[tab];

interface Props {
  readonly timeLine: TimeLine;
  readonly tab: DrawerTab;
  readonly onTab: (tab: DrawerTab | null) => void;
}

/** Panes of the time line that tell it in words, over the bar. */
export const Drawer = ({ timeLine, tab, onTab }: Props): ReactElement => {
  const ref = useRef<HTMLElement>(null);
  useBorrowedFocus(ref);
  // Fields are told by the names that forms have for them.
  useForms(useScope().lab.client);
  return (
    <section
      ref={ref}
      className="time-line-drawer"
      aria-label={titleOf(tab)}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onTab(null);
      }}
    >
      <header className="drawer-head">
        <h2>{titleOf(tab)}</h2>
        <IconButton icon="close" label={t('Close {what}', { what: titleOf(tab) })} onClick={() => onTab(null)} />
      </header>
      {tab === 'events' && <EventsPane timeLine={timeLine} />}
      {tab === 'filter' && <FilterPane timeLine={timeLine} />}
      {tab === 'compare' && <ComparePane timeLine={timeLine} />}
    </section>
  );
};
