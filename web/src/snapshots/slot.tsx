import { type ComponentProps, lazy, type ReactElement, Suspense } from 'react';

/** Loaded when it is asked for. */
const Snapshots = lazy(() => import('./snapshots-dialog.tsx'));

export const SnapshotsSlot = (props: ComponentProps<typeof Snapshots>): ReactElement => (
  <Suspense fallback={null}>
    <Snapshots {...props} />
  </Suspense>
);
