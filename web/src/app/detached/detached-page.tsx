import { type ReactElement, useEffect } from 'react';
import { useStore } from '../../store/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { ConnectionNote } from '../connection-note.tsx';
import { giveBack } from './detach.ts';
import { useScope } from '../lab-context.tsx';
import { LabProblem } from '../lab-problem.tsx';
import { DockSlot } from '../slots.tsx';

/** Panels in a window of their own. With the last of them it closes. */
export const DetachedPage = (): ReactElement => {
  const scope = useScope();
  const { lab, workbench } = scope;
  const { isGone, problem, isLoaded, connection } = useStore(lab.state);
  const name = useStore(lab.state, ({ records }) => records.project?.name ?? '');
  const isEmpty = useStore(workbench, ({ panels }) => panels.length === 0);
  useEffect(() => {
    document.title = name === '' ? 'Topolog' : `${name.slice(0, 80)} – Topolog`;
  }, [name]);
  useEffect(() => {
    if (isEmpty) window.close();
  }, [isEmpty]);
  if (isGone || (problem !== null && !isLoaded)) return <LabProblem isGone={isGone} problem={problem} />;
  return (
    <div className="lab-page detached">
      <header className="lab-header">
        <h1 className="lab-name" title={name.slice(0, 200)}>
          {name.slice(0, 200)}
        </h1>
        <span className="spring" />
        <ConnectionNote connection={connection} />
        <Button icon="back" onClick={() => giveBack(scope)}>
          {t('Back into the lab')}
        </Button>
      </header>
      <main className="lab-center">
        {isEmpty ? (
          <p className="center-note">{t('Nothing is open here. You can close this window.')}</p>
        ) : (
          <DockSlot />
        )}
      </main>
    </div>
  );
};
