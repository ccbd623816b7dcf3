import { type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { goTo } from '../app/router.ts';
import { forkProject, nameOf } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import type { TimeLine } from './control/controller.ts';
import { sayMoment } from '../words/format.ts';

/** A new project that begins as this one was at the moment that is shown. */
export const ForkButton = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { lab } = useScope();
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : now.comparison.to));
  const project = useStore(lab.state, (now) => now.records.project);
  const [isAsking, setAsking] = useState(false);
  const fork = async (name: string): Promise<void> => {
    if (project === null) return;
    const at = cursor === null ? null : await timeLine.positionAt(cursor);
    goTo({ view: 'lab', projectId: await forkProject(lab.client, project, name, at ?? undefined) });
  };
  return (
    <>
      <Button icon="fork" onClick={() => setAsking(true)} title={t('A new project that begins as this moment')}>
        <span className="wide-only">{t('Fork from here')}</span>
      </Button>
      {isAsking && project !== null && (
        <NameDialog
          title={t('Fork from here')}
          text={
            cursor === null
              ? t('A new project that begins as this one is now. This one is not changed.')
              : t('A new project that begins as this one was at {time}. This one is not changed.', {
                  time: sayMoment(cursor),
                })
          }
          action={t('Fork')}
          name={t('{name} fork', { name: nameOf(project) })}
          onSubmit={fork}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
