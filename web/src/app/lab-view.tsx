import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { LabMap } from '../map/lab-map.tsx';
import { createFrame } from '../store/frame.ts';
import { keepPanels } from '../consoles/dock/kept-panels.ts';
import { openLab } from '../store/lab.ts';
import { useStore } from '../store/use-store.ts';
import { createWorkbench, openBehind, openSheet, panelOf, type WorkbenchStore } from '../store/workbench.ts';
import { createTogether } from '../together/together.ts';
import { t } from '../words/words.ts';
import { seatOfWindows, takeBackPanels } from './detached/detach.ts';
import { DetachedPage } from './detached/detached-page.tsx';
import { LabContext, type LabScope, useScope } from './lab-context.tsx';
import { useLabCommands } from './lab-commands.ts';
import { LabHeader } from './lab-header.tsx';
import { LabProblem } from './lab-problem.tsx';
import { SideSlot } from './side-slot.tsx';
import { BesideSlot, DockSlot, TimeLineSlot } from './slots.tsx';
import { StateVoice } from './states/state-voice.tsx';
import { isNarrow, useIsNarrow } from './use-is-narrow.ts';

/** Frames that come within a turn of the screen are shown at once; in a hidden tab the screen does not turn. */
const schedule = (run: () => void): void => {
  if (document.hidden) setTimeout(run, 100);
  else requestAnimationFrame(run);
};

interface Props {
  readonly client: Client;
  readonly user: string | null;
  readonly projectId: string;
  /** Keys of the panels of a window of their own; null: it is the lab’s page. */
  readonly detached: readonly string[] | null;
}

/** A project’s page: the map, with the dock, the time line and sheets around it. */
const LabView = ({ client, user, projectId, detached }: Props): ReactElement | null => {
  const [scope, setScope] = useState<LabScope | null>(null);
  const keys = detached?.join('|') ?? null;
  useEffect(() => {
    performance.mark('topolog:lab:open');
    const seat = seatOfWindows();
    const lab = openLab(client, projectId, { schedule, name: user, seat: keys === null ? { seat } : { beside: seat } });
    const workbench = createWorkbench();
    const frame = createFrame(localStorage, isNarrow());
    const together = createTogether(lab);
    setScope({ lab, workbench, frame, together, isDetached: keys !== null });
    const panels = keys?.split('|').flatMap((key) => panelOf(key) ?? []) ?? [];
    workbench.update(openBehind(panels));
    const ends =
      keys === null
        ? [keepPanels(workbench, lab, localStorage, `${projectId} ${user ?? ''}`), takeBackPanels(projectId, workbench)]
        : [];
    return () => {
      for (const end of ends) end();
      together.close();
      lab.close();
    };
  }, [client, user, projectId, keys]);
  return scope === null ? null : (
    <LabContext value={scope}>{scope.isDetached ? <DetachedPage /> : <LabPage />}</LabContext>
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
  const { lab, workbench, frame } = useScope();
  const { isLoaded, isGone, problem } = useStore(lab.state);
  const isBesideWide = useStore(frame, ({ dock }) => dock === 'right');
  const isBeside = !useIsNarrow() && isBesideWide;
  const isLarge = useStore(frame, ({ isDockLarge }) => isDockLarge);
  const hasDock = useStore(workbench, ({ panels }) => panels.length > 0);
  const beside = useStore(workbench, (now) => now.beside);
  useLabCommands();
  if (isGone || (problem !== null && !isLoaded)) return <LabProblem isGone={isGone} problem={problem} />;
  return (
    <div className="lab-page" onKeyDownCapture={(event) => onPageKey(event, workbench)}>
      <LabHeader />
      <div className="lab-body">
        <main className={`lab-center${isBeside ? ' beside' : ''}`} aria-busy={!isLoaded}>
          <div className="lab-middle" inert={isLarge && hasDock}>
            {isLoaded ? <LabMap /> : <p className="center-note">{t('Reading the lab …')}</p>}
          </div>
          <DockSlot />
        </main>
        {isLoaded && <SideSlot />}
      </div>
      <TimeLineSlot />
      {beside !== null && <BesideSlot beside={beside} />}
      <StateVoice />
    </div>
  );
};
