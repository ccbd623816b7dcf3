import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { notify } from '../../store/notices.ts';
import { t } from '../../words/words.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import { makeDrawing } from './change-drawing.ts';
import { drawingOf, isPicture } from './picture-file.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What has the keys for itself. */
const TYPING = 'input, textarea, select, [contenteditable], .xterm, [role=dialog], [role=menu]';

/** Puts a picture's file onto the map, its middle at a place of the screen. */
export const usePictures = (): ((file: Blob, at: Point) => Promise<void>) => {
  const { lab } = useScope();
  const canvas = useReactFlow<MapNode, MapEdge>();
  return async (file, at) => {
    const made = await drawingOf(file);
    if (made === null) {
      notify('error', t('This picture cannot be read, or is too large.'));
      return;
    }
    const { x, y } = canvas.screenToFlowPosition(at);
    await makeDrawing(lab, canvas, { svg: made.svg, x: x - made.width / 2, y: y - made.height / 2, z: 1 });
  };
};

export const middleOfMap = (): Point => {
  const box = document.querySelector('.react-flow')?.getBoundingClientRect();
  return box === undefined ? { x: 0, y: 0 } : { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

/** Pictures that are pasted, or dropped onto the map. */
export const usePastedPictures = (): void => {
  const { isReadOnly } = useView();
  const put = usePictures();
  useEffect(() => {
    if (isReadOnly) return undefined;
    const pictureIn = (data: DataTransfer | null): File | undefined => [...(data?.files ?? [])].find(isPicture);
    const paste = (event: ClipboardEvent): void => {
      const file = pictureIn(event.clipboardData);
      if (file === undefined || (event.target instanceof Element && event.target.closest(TYPING) !== null)) return;
      event.preventDefault();
      void put(file, middleOfMap());
    };
    const isOnMap = ({ target }: Event): boolean => target instanceof Element && target.closest('.map') !== null;
    const over = (event: DragEvent): void => {
      if (
        isOnMap(event) &&
        [...(event.dataTransfer?.items ?? [])].some(({ kind, type }) => kind === 'file' && /^image\//.test(type))
      )
        event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const file = pictureIn(event.dataTransfer);
      if (file === undefined || !isOnMap(event)) return;
      event.preventDefault();
      void put(file, { x: event.clientX, y: event.clientY });
    };
    addEventListener('paste', paste);
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('paste', paste);
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  });
};
