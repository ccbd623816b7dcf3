import type { ReactElement } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { RestoreButton } from '../undo/restore-dialog.tsx';
import { t } from '../words/words.ts';
import type { TimeLine } from './control/controller.ts';
import { sayMoment } from '../words/format.ts';

/** Makes the lab what it was at the moment that is shown. */
export const RestoreAll = ({ timeLine }: { timeLine: TimeLine }): ReactElement | null => {
  const { lab } = useScope();
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : null));
  const at = useStore(lab.past, (past) => past?.moment.at ?? null);
  if (cursor === null || typeof at !== 'number') return null;
  return (
    <RestoreButton
      label={t('Restore all …')}
      title={t('Restore the lab as it was at {moment}', { moment: sayMoment(cursor) })}
      wish={{ at }}
      onDone={() => timeLine.goTo(null)}
    />
  );
};
