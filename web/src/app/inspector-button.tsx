import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/words.ts';
import { useScope } from './lab-context.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

/** Shows the form of what is selected, or puts it away. */
export const InspectorButton = (): ReactElement => {
  const { workbench, frame } = useScope();
  const isNarrow = useIsNarrow();
  const isAsked = useStore(
    workbench,
    (now) => now.sheet !== null && now.sheet.kind !== 'history' && now.sheet.kind !== 'why',
  );
  const hasInspector = useStore(frame, (now) => now.hasInspector);
  const isShown = isAsked || (!isNarrow && hasInspector);
  const toggle = (): void => {
    workbench.update(openSheet(isNarrow && !isShown ? { kind: 'inspector' } : null));
    if (!isNarrow) frame.update((now) => ({ ...now, hasInspector: !isShown }));
  };
  return <IconButton icon="inspector" label={t('Inspector (Alt+Enter)')} aria-pressed={isShown} onClick={toggle} />;
};
