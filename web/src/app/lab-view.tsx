import { type KeyboardEvent, type ReactElement, useEffect, useState } from 'react';
import { ApiError, type Client } from 'topolog/client';
import { keepPanels } from '../consoles/dock/kept-panels.ts';
import { LabMap } from '../map/lab-map.tsx';
import { createPageLayout } from '../store/page-layout.ts';
import { openLab } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { createWorkbench, openBehind, openSheet, panelOf, type WorkbenchStore } from '../store/workbench.ts';
import { createTogether } from '../together/together.ts';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { ConnectionNote } from './connection-note.tsx';
import { giveBack, seatOfWindows, takeBackPanels } from './detach.ts';
import { LabContext, type LabScope, useScope } from './lab-context.tsx';
import { LabHeader } from './lab-header.tsx';
import { useLabCommands } from './project-menu.tsx';
import { hashOf } from './router.ts';
import { BesideSlot, DockSlot, SideSlot, TimeLineSlot } from './slots.tsx';
import { StateAnnouncer } from './state-announcer.tsx';
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
    const frame = createPageLayout(localStorage, isNarrow());
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
      <StateAnnouncer />
    </div>
  );
};

/** Panels in a window of their own. With the last of them it closes. */
const DetachedPage = (): ReactElement => {
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

/** Instead of a lab that cannot be shown. */
const LabProblem = ({ isGone, problem }: { isGone: boolean; problem: unknown }): ReactElement => {
  const isMissing = problem instanceof ApiError && problem.status === 404;
  const text = isGone
    ? t('This project was deleted.')
    : isMissing
      ? t('There is no such project.')
      : sentenceOf(problem);
  return (
    <main className="center-note">
      <div role="alert">
        <h1>{text}</h1>
      </div>
      <p>
        <a href={hashOf({ view: 'projects' })}>{t('All projects')}</a>
      </p>
    </main>
  );
};
