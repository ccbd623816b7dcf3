import { safeSvg } from '../flow/safe-svg.ts';
import { sizeOf } from '../flow/drawing-size.ts';

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

export const isPicture = ({ type }: Blob): boolean => /^image\/(png|jpeg|gif|webp|svg\+xml)$/.test(type);

interface Made {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** A drawing of a picture's file; null: it cannot be read. An SVG is one that does nothing. */
export const drawingOf = async (file: Blob): Promise<Made | null> => {
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
