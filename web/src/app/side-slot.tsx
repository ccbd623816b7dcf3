import type { ReactElement } from 'react';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { useScope } from './lab-context.tsx';
import { HistorySlot, InspectorSlot, WhySlot } from './slots.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

/** What stands at the right of the map: a history, or the form of what is selected. */
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
