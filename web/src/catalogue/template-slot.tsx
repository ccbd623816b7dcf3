import { type ComponentProps, lazy, type ReactElement, Suspense } from 'react';

/** Loaded when it is asked for. */
const TemplateDialog = lazy(() => import('./template-dialog.tsx'));

export const TemplateSlot = (props: ComponentProps<typeof TemplateDialog>): ReactElement => (
  <Suspense fallback={null}>
    <TemplateDialog {...props} />
  </Suspense>
);
