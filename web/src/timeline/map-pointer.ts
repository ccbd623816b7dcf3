import { useEffect } from 'react';

/** An object lights up on the map while something about it is shown. The map draws as ever; it only has a mark more. */
export const useMapPointer = (id: string | null): void => {
  useEffect(() => {
    if (id === null) return undefined;
    const selector = `.react-flow__node[data-id="${CSS.escape(id)}"], .react-flow__edge[data-id="${CSS.escape(id)}"]`;
    const marked = [...document.querySelectorAll(selector)];
    for (const element of marked) element.setAttribute('data-pointed', '');
    return () => {
      for (const element of marked) element.removeAttribute('data-pointed');
    };
  }, [id]);
};
