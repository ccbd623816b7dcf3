import { type ComponentProps, lazy, type ReactElement, Suspense } from 'react';

/** Dialogs about computes, loaded when they are asked for. */
const Computes = lazy(() => import('./dialogs/computes-dialog.tsx'));
const Move = lazy(() => import('./dialogs/move-dialog.tsx'));

export const ComputesSlot = (props: ComponentProps<typeof Computes>): ReactElement => (
  <Suspense fallback={null}>
    <Computes {...props} />
  </Suspense>
);

export const MoveSlot = (props: ComponentProps<typeof Move>): ReactElement => (
  <Suspense fallback={null}>
    <Move {...props} />
  </Suspense>
);
