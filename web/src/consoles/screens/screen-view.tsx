import { type ReactElement, useEffect, useRef } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import type { Screen } from './screen.ts';

/** The place where a screen stands at the moment. */
export const ScreenView = ({ screen }: { screen: Screen }): ReactElement => {
  const { workbench } = useScope();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = ref.current;
    place?.append(screen.element);
    screen.arrive(workbench.get().isQuiet);
    return () => {
      if (screen.element.parentElement === place) screen.element.remove();
    };
  }, [screen, workbench]);
  return <div ref={ref} className="screen-place" />;
};
