import { type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { goTo } from '../app/router.ts';
import { forkProject, nameOf } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import type { TimeLine } from './controller.ts';
import { sayMoment } from './panes/words.ts';

/** A new project that begins as this one was at the moment that is shown. */
export const ForkButton = ({ timeLine }: { timeLine: TimeLine }): ReactElement => {
  const { lab } = useScope();
  const cursor = useStore(timeLine.state, (now) => (now.comparison === null ? now.cursor : now.comparison.to));
  const project = useStore(lab.state, (now) => now.records.project);
  const [isAsking, setAsking] = useState(false);
  const fork = async (name: string): Promise<void> => {
    if (project === null) return;
    const at = cursor === null ? null : timeLine.positionAt(cursor);
    goTo({ view: 'lab', projectId: await forkProject(lab.client, project, name, at ?? undefined) });
  };
  return (
    <>
      <Button icon="fork" onClick={() => setAsking(true)} title="A new project that begins as this moment">
        <span className="wide-only">Fork from here</span>
      </Button>
      {isAsking && project !== null && (
        <NameDialog
          title="Fork from here"
          text={`A new project that begins as this one ${cursor === null ? 'is now' : `was at ${sayMoment(cursor)}`}. This one is not changed.`}
          action="Fork"
          name={`${nameOf(project)} fork`}
          onSubmit={fork}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
