import type { MouseEvent, ReactElement } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { openMoments, openOther } from '../beside/open.ts';
import type { TimeLine } from '../control/controller.ts';
import { sayMoment } from '../../words/format.ts';
import type { TimeLineState } from '../time-line-state.ts';

export interface BarMenuAt {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Of the screen. */
  readonly at: { readonly x: number; readonly y: number };
}

/** The menu of what is under the pointer; asked for by a key, that of the moment that is shown. Null: there is nothing. */
export const menuAt = (
  event: Pick<MouseEvent, 'clientX' | 'clientY' | 'target' | 'preventDefault'>,
  { cursor, overview }: TimeLineState,
  under: number | null,
): BarMenuAt | null => {
  const isHandle = event.target instanceof Element && event.target.closest('.bar-handle.cursor') !== null;
  const time = (isHandle ? cursor : under) ?? overview?.last?.at;
  // Where the bar lies over other things, as in a dialog, a menu of the page would be behind them.
  if (time === undefined || (event.target instanceof Element && event.target.closest('dialog') !== null)) return null;
  event.preventDefault();
  return { time, at: { x: event.clientX, y: event.clientY } };
};

interface Props extends BarMenuAt {
  readonly timeLine: TimeLine;
  readonly onClose: () => void;
}

/** What can be done with a moment of the bar. */
export const BarMenu = ({ timeLine, time, at, onClose }: Props): ReactElement => (
  <Menu label={sayMoment(time)} at={at} items={useMomentItems(timeLine, time)} onClose={onClose} />
);

export const useMomentItems = (timeLine: TimeLine, time: number): MenuItem[] => {
  const scope = useScope();
  const { cursor, overview } = timeLine.state.get();
  const shown = cursor === null || cursor === time ? null : cursor;
  return [
    { text: t('Show this moment'), icon: 'history', onChoose: () => timeLine.goTo(time) },
    {
      text: t('Compare with now'),
      icon: 'compare',
      onChoose: () => timeLine.compare({ from: time, to: overview?.last?.at ?? time }),
    },
    {
      text: t('Side by side with now'),
      icon: 'split',
      startsGroup: true,
      onChoose: () => openMoments(scope, time, null),
    },
    ...(shown === null
      ? []
      : [
          {
            text: t('Side by side with the moment shown'),
            icon: 'split' as const,
            onChoose: () => openMoments(scope, Math.min(time, shown), Math.max(time, shown)),
          },
        ]),
    {
      text: t('Side by side with a fork or another project'),
      icon: 'fork',
      onChoose: () => void openOther(scope, time),
    },
  ];
};
