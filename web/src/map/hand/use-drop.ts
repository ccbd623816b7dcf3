import { useReactFlow } from '@xyflow/react';
import { type DragEvent, useMemo } from 'react';
import type { Wanted } from '../palette/placing.ts';
import { TEMPLATE_TYPE } from '../palette/templates.ts';

export type AddTemplate = (templateId: string, wanted: Wanted) => void;

/** Templates that are dropped on the map. */
export const useDrop = (add: { readonly current: AddTemplate | null }) => {
  const canvas = useReactFlow();
  return useMemo(
    () => ({
      onDragOver: (event: DragEvent): void => {
        if (!event.dataTransfer.types.includes(TEMPLATE_TYPE)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop: (event: DragEvent): void => {
        const id = event.dataTransfer.getData(TEMPLATE_TYPE);
        if (id === '') return;
        event.preventDefault();
        add.current?.(id, { at: canvas.screenToFlowPosition({ x: event.clientX, y: event.clientY }) });
      },
    }),
    [canvas, add],
  );
};
