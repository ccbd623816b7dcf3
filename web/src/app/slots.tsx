import { type ComponentProps, lazy, Suspense, type ReactElement } from 'react';

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

export const HistorySlot = (props: { collection: 'node' | 'link' | 'drawing'; id: string }): ReactElement => (
  <Suspense fallback={null}>
    <HistorySheet {...props} />
  </Suspense>
);

export const WhySlot = (props: ComponentProps<typeof WhySheet>): ReactElement => (
  <Suspense fallback={null}>
    <WhySheet {...props} />
  </Suspense>
);

export const InspectorSlot = (props: ComponentProps<typeof Inspector>): ReactElement => (
  <Suspense fallback={<div className="inspector" />}>
    <Inspector {...props} />
  </Suspense>
);
