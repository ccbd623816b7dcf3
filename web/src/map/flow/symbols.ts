import { useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { type Size, sizeOf } from './drawing-size.ts';
import { pictureOf } from './safe-svg.ts';

/** Where the picture is, and how large it is by itself. */
export interface SymbolPicture extends Size {
  readonly url: string;
}

/** Pictures by symbol, one for all nodes that have it, for as long as the page is there. */
const known = new Map<string, Promise<SymbolPicture | null>>();
const ready = new Map<string, SymbolPicture | null>();

const fetchSymbol = async (client: Client, symbol: string): Promise<SymbolPicture | null> => {
  const answer = await client.fetch(`/v2/symbols/${encodeURIComponent(symbol)}/raw`);
  if (!answer.ok) return null;
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('image/svg')) {
    const svg = await answer.text();
    const url = pictureOf(svg);
    return url === null ? null : { url, ...sizeOf(svg) };
  }
  const bytes = await answer.blob();
  const { width, height } = await createImageBitmap(bytes);
  return { url: URL.createObjectURL(bytes), width, height };
};

const load = async (client: Client, symbol: string): Promise<SymbolPicture | null> => {
  try {
    const picture = await fetchSymbol(client, symbol);
    ready.set(symbol, picture);
    return picture;
  } catch {
    // The server may answer again later: the next node that shows it asks again.
    known.delete(symbol);
    return null;
  }
};

/** A symbol's picture; null until it is there, and when there is none. */
export const useSymbolPicture = (client: Client, symbol: string | null): SymbolPicture | null => {
  const id = symbol ?? ':/symbols/computer.svg';
  const [, setCount] = useState(0);
  useEffect(() => {
    if (ready.has(id)) return undefined;
    let isWanted = true;
    const loading = known.get(id) ?? load(client, id);
    known.set(id, loading);
    void loading.then(() => {
      if (isWanted) setCount((count) => count + 1);
    });
    return () => {
      isWanted = false;
    };
  }, [client, id]);
  return ready.get(id) ?? null;
};

/** Its address only. */
export const useSymbol = (client: Client, symbol: string | null): string | null =>
  useSymbolPicture(client, symbol)?.url ?? null;

/** A symbol is as large as it fits into its node. */
export const drawnSize = ({ width, height }: Size, picture: SymbolPicture | null): Size => {
  if (picture === null) return { width, height };
  const scale = Math.min(width / picture.width, height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
};

export const placeIn = (node: Size, drawn: Size): { left: number; top: number } => ({
  left: (node.width - drawn.width) / 2,
  top: (node.height - drawn.height) / 2,
});
