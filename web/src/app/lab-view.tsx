import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { LabMap } from '../map/lab-map.tsx';
import { createFrame } from '../store/frame.ts';
import { openLab } from '../store/lab.ts';
import { useStore } from '../store/use-store.ts';
import { createWorkbench, openSheet, type WorkbenchStore } from '../store/workbench.ts';
import { t } from '../words/words.ts';
import { LabContext, type LabScope, useScope } from './lab-context.tsx';
import { useLabCommands } from './lab-commands.ts';
import { LabHeader } from './lab-header.tsx';
import { LabProblem } from './lab-problem.tsx';
import { SideSlot } from './side-slot.tsx';
import { DockSlot, TimeLineSlot } from './slots.tsx';

/** Frames that come within a turn of the screen are shown at once; in a hidden tab the screen does not turn. */
const schedule = (run: () => void): void => {
  if (document.hidden) setTimeout(run, 100);
  else requestAnimationFrame(run);
};

interface Props {
  readonly client: Client;
  readonly user: string | null;
  readonly projectId: string;
}

/** A project’s page: the map, with the dock, the time line and sheets around it. */
const LabView = ({ client, user, projectId }: Props): ReactElement | null => {
  const [scope, setScope] = useState<LabScope | null>(null);
  useEffect(() => {
    performance.mark('topolog:lab:open');
    const lab = openLab(client, projectId, { schedule, name: user });
    setScope({ lab, workbench: createWorkbench(), frame: createFrame(localStorage) });
    return () => lab.close();
  }, [client, user, projectId]);
  return scope === null ? null : (
    <LabContext value={scope}>
      <LabPage />
    </LabContext>
  );
};
export default LabView;

/** Alt+Enter: the form of what is selected, as elsewhere. */
const onPageKey = (event: KeyboardEvent, workbench: WorkbenchStore): void => {
  if (event.key !== 'Enter' || !event.altKey) return;
  // A console keeps every key, and a dialog its own.
  if (event.target instanceof Element && event.target.closest('.xterm, dialog') !== null) return;
  event.preventDefault();
  event.stopPropagation();
  workbench.update(openSheet({ kind: 'inspector' }));
};

const LabPage = (): ReactElement => {
  const { lab, workbench } = useScope();
  const { isLoaded, isGone, problem } = useStore(lab.state);
  useLabCommands();
  if (isGone || (problem !== null && !isLoaded)) return <LabProblem isGone={isGone} problem={problem} />;
  return (
    <div className="lab-page" onKeyDownCapture={(event) => onPageKey(event, workbench)}>
      <LabHeader />
      <div className="lab-body">
        <div className="lab-center">
          <main className="lab-middle">
            {isLoaded ? <LabMap /> : <p className="center-note">{t('Reading the lab …')}</p>}
          </main>
          <DockSlot />
        </div>
        {isLoaded && <SideSlot />}
      </div>
      <TimeLineSlot />
    </div>
  );
};
