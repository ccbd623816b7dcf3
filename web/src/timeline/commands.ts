import { useEffect } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { type Command, offer } from '../store/commands.ts';
import { t } from '../words/words.ts';
import { openMoments, openOther } from './beside/open.ts';
import type { TimeLine } from './control/controller.ts';

/** Offers to the search what can be done with the past. */
export const useTimeLineCommands = (timeLine: TimeLine): void => {
  const scope = useScope();
  useEffect(() => {
    const moment = (): number | null => timeLine.state.get().cursor;
    const commands: readonly Command[] = [
      {
        id: 'beside moments',
        text: t('Two moments side by side'),
        icon: 'split',
        run: () => openMoments(scope, moment() ?? timeLine.state.get().overview?.first?.at ?? null, null),
      },
      {
        id: 'beside project',
        text: t('Side by side with a fork or another project'),
        icon: 'split',
        run: () => void openOther(scope, moment()),
      },
      { id: 'verify', text: t('Verify'), icon: 'lock', run: () => void timeLine.verify(true) },
    ];
    return offer(commands);
  }, [scope, timeLine]);
};
