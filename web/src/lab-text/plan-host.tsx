import { lazy, type ReactElement, Suspense } from 'react';
import { useStore } from '../store/use-store.ts';
import { offered } from './lab-text.ts';

const PlanDialog = lazy(() => import('./plan-dialog.tsx'));

/** Asks about a lab as a text that was brought; there is one of it. */
export const PlanHost = (): ReactElement | null => {
  const now = useStore(offered);
  return now === null ? null : (
    <Suspense fallback={null}>
      <PlanDialog key={now.lab.title} offer={now} onClose={() => offered.set(null)} />
    </Suspense>
  );
};
