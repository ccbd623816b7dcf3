import type { Point } from '../actions/free-place.ts';
import { useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { notify } from '../../store/notices.ts';
import { t } from '../../words/words.ts';
import { sizeOf } from '../flow/drawing-size.ts';
import type { MapEdge, MapNode } from '../flow/flow.ts';
import { safeSvg } from '../flow/safe-svg.ts';
import { makeDrawing } from './change-drawing.ts';

/** Pixels of the map that a picture takes at first. */
const WIDEST = 600;
/** A request has room for about so many characters. */
const ROOM = 900_000;
const QUALITY = 0.85;

const base64Of = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('unreadable', { cause: reader.error })));
    reader.readAsDataURL(bytes);
  });

const drawnAt = async (picture: ImageBitmap, scale: number): Promise<Blob> => {
  const [width, height] = [
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  ];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
};

/** As large as the request has room for. */
const dataOf = async (file: Blob, picture: ImageBitmap): Promise<string> => {
  let data = await base64Of(file);
  for (let scale = 1; data.length > ROOM && scale > 0.05; scale /= 1.5)
    data = await base64Of(await drawnAt(picture, scale));
  return data;
};

const isPicture = ({ type }: Blob): boolean => /^image\/(png|jpeg|gif|webp|svg\+xml)$/.test(type);

interface Made {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** A drawing of a picture's file; null: it cannot be read. An SVG is one that does nothing. */
const drawingOf = async (file: Blob): Promise<Made | null> => {
  if (file.type === 'image/svg+xml') {
    const svg = safeSvg(await file.text());
    return svg === null || svg.length > ROOM ? null : { svg, ...sizeOf(svg) };
  }
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const scale = Math.min(1, WIDEST / picture.width);
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const data = await dataOf(file, picture);
  if (data.length > ROOM) return null;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}"><image width="${width}" height="${height}" xlink:href="${data}"/></svg>`;
  return { svg, width, height };
};

/** Elements that take pasted content for themselves. */
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
