import { useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { pictureOf } from './safe-svg.ts';

/** Addresses of pictures by symbol, one for all nodes that have it, for as long as the page is there. */
const known = new Map<string, Promise<string | null>>();
const ready = new Map<string, string | null>();

const fetchSymbol = async (client: Client, symbol: string): Promise<string | null> => {
  const answer = await client.fetch(`/v2/symbols/${encodeURIComponent(symbol)}/raw`);
  if (!answer.ok) return null;
  const type = answer.headers.get('content-type') ?? '';
  return type.startsWith('image/svg') ? pictureOf(await answer.text()) : URL.createObjectURL(await answer.blob());
};

const load = (client: Client, symbol: string): Promise<string | null> => {
  const loading = fetchSymbol(client, symbol).catch(() => {
    // The server may answer again later.
    known.delete(symbol);
    return null;
  });
  void loading.then((url) => ready.set(symbol, url));
  return loading;
};

/** Address of a symbol's picture; null until it is there, and when there is none. */
export const useSymbol = (client: Client, symbol: string | null): string | null => {
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
