import { type MouseEvent, type ReactElement, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { restoreSnapshot } from '../../snapshots/snapshots.ts';
import { useStore } from '../../store/use-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { sayMoment } from '../../words/format.ts';
import { t } from '../../words/words.ts';
import { openMoments, openOther } from '../beside/open-beside.ts';
import type { Overview } from '../server.ts';
import type { TimeLine, TimeLineState } from '../time-line-state.ts';

export interface BarMenuAt {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Point of the screen. */
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

/** Actions for a moment of the bar. */
export const BarMenu = ({ timeLine, time, at, onClose }: Props): ReactElement => (
  <Menu label={sayMoment(time)} at={at} items={useMomentItems(timeLine, time)} onClose={onClose} />
);

const useMomentItems = (timeLine: TimeLine, time: number): MenuItem[] => {
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

type Snapshot = Overview['snapshots'][number];

/** Snapshots are marks of their own over the bar: pointed at they say what they are, pressed they offer to go back to them. */
export const SnapshotMarks = ({ timeLine, width }: { timeLine: TimeLine; width: number }): ReactElement => {
  const { overview, scale } = useStore(timeLine.state);
  const [menu, setMenu] = useState<{ snapshot: Snapshot; at: { x: number; y: number } } | null>(null);
  return (
    <>
      {(overview?.snapshots ?? []).map((snapshot) => {
        const label = t('Snapshot {name}, {moment}', { name: snapshot.name, moment: sayMoment(snapshot.at) });
        return (
          <button
            key={snapshot.id}
            type="button"
            className="snapshot-mark"
            style={{ left: (scale.toPlace(snapshot.at) / scale.length) * width }}
            aria-label={label}
            title={label}
            aria-haspopup="menu"
            onPointerDown={(event) => event.stopPropagation()}
            onClick={({ currentTarget }) => {
              const { left, bottom } = currentTarget.getBoundingClientRect();
              // A dialog would lie over the menu; there the moment is all that is wanted.
              if (currentTarget.closest('dialog') !== null) timeLine.goTo(snapshot.at);
              else setMenu({ snapshot, at: { x: left, y: bottom } });
            }}
          >
            <Icon name="camera" />
          </button>
        );
      })}
      {menu !== null && <SnapshotMenu timeLine={timeLine} {...menu} onClose={() => setMenu(null)} />}
    </>
  );
};

interface MenuProps {
  readonly timeLine: TimeLine;
  readonly snapshot: Snapshot;
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const SnapshotMenu = ({ timeLine, snapshot: { id, name, at: time }, at, onClose }: MenuProps): ReactElement => {
  const { lab } = useScope();
  const isOpen = useStore(lab.state, (now) => now.records.project?.status === 'opened');
  const restore: MenuItem = {
    text: t('Restore the snapshot {name} …', { name }),
    icon: 'undo',
    startsGroup: true,
    isDisabled: !isOpen,
    ...(isOpen ? {} : { note: t('The project is closed') }),
    onChoose: () =>
      void restoreSnapshot(lab, { snapshot_id: id, name }).then((worked) => {
        if (worked) timeLine.goTo(null);
      }),
  };
  return <Menu label={name} at={at} items={[...useMomentItems(timeLine, time), restore]} onClose={onClose} />;
};
