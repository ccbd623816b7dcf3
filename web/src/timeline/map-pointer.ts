import { useEffect } from 'react';
import { useScope } from '../app/lab-context.tsx';

/** An object lights up on the map while something about it is shown. The map draws as ever; it only has a mark more. */
export const useMapPointer = (id: string | null): void => {
  const { workbench } = useScope();
  useEffect(() => {
    if (id === null) return undefined;
    // From far away the map is one picture, which has no elements.
    workbench.update((now) => ({ ...now, pointed: id }));
    const selector = `.react-flow__node[data-id="${CSS.escape(id)}"], .react-flow__edge[data-id="${CSS.escape(id)}"]`;
    const marked = [...document.querySelectorAll(selector)];
    for (const element of marked) element.setAttribute('data-pointed', '');
    return () => {
      for (const element of marked) element.removeAttribute('data-pointed');
      workbench.update((now) => ({ ...now, pointed: null }));
    };
  }, [id, workbench]);
};
