import { type ComponentProps, lazy, type ReactElement, Suspense } from 'react';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { useScope } from './lab-context.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

/** Parts that are loaded when they are needed, each from its own folder. They read the scope of the project. */
const Dock = lazy(() => import('../consoles/dock/dock.tsx'));
const TimeLine = lazy(() => import('../timeline/time-line.tsx'));
const HistorySheet = lazy(() => import('../timeline/panes/history-sheet.tsx'));
const BesideDialog = lazy(() => import('../timeline/beside/beside-dialog.tsx'));
const WhySheet = lazy(() => import('../why/why-sheet.tsx'));
const Inspector = lazy(() => import('../inspector/inspector.tsx'));

export const DockSlot = (): ReactElement => (
  <Suspense fallback={null}>
    <Dock />
  </Suspense>
);

export const TimeLineSlot = (): ReactElement => (
  <Suspense
    fallback={
      <div className="time-line">
        <div className="time-line-strip" />
      </div>
    }
  >
    <TimeLine />
  </Suspense>
);

export const BesideSlot = (props: ComponentProps<typeof BesideDialog>): ReactElement => (
  <Suspense fallback={null}>
    <BesideDialog {...props} />
  </Suspense>
);

const HistorySlot = (props: { collection: 'node' | 'link' | 'drawing'; id: string }): ReactElement => (
  <Suspense fallback={null}>
    <HistorySheet {...props} />
  </Suspense>
);

const WhySlot = (props: ComponentProps<typeof WhySheet>): ReactElement => (
  <Suspense fallback={null}>
    <WhySheet {...props} />
  </Suspense>
);

const InspectorSlot = (props: ComponentProps<typeof Inspector>): ReactElement => (
  <Suspense fallback={<div className="inspector" />}>
    <Inspector {...props} />
  </Suspense>
);

/** The panel at the right of the map: a history, or the form of the selected objects. */
export const SideSlot = (): ReactElement | null => {
  const { workbench, frame } = useScope();
  const sheet = useStore(workbench, (now) => now.sheet);
  const selected = useStore(workbench, (now) => now.selected);
  const hasInspector = useStore(frame, (now) => now.hasInspector);
  const isNarrow = useIsNarrow();
  if (sheet?.kind === 'history') return <HistorySlot collection={sheet.collection} id={sheet.id} />;
  if (sheet?.kind === 'why') return <WhySlot from={sheet.from} to={sheet.to} />;
  if (sheet === null && (isNarrow || !hasInspector)) return null;
  const close = (): void => {
    if (sheet === null) frame.update((now) => ({ ...now, hasInspector: false }));
    else workbench.update(openSheet(null));
  };
  const ids = sheet?.kind === 'link' ? [sheet.linkId] : sheet?.kind === 'project' ? [] : selected;
  return <InspectorSlot ids={ids} isAsked={sheet !== null} onClose={close} />;
};
