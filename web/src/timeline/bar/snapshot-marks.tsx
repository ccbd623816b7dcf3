import { type ReactElement, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { restoreSnapshot } from '../../snapshots/snapshots.ts';
import { useStore } from '../../store/use-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import type { TimeLine } from '../control/controller.ts';
import { sayMoment } from '../../words/format.ts';
import type { Overview } from '../server.ts';
import { useMomentItems } from './bar-menu.tsx';

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
