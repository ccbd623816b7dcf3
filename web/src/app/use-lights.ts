import { useScope } from './lab-context.tsx';
import { lightsOn } from '../store/lights.ts';
import { useStore } from '../store/use-store.ts';

/** What is on a node or a link beside what it is, as classes. */
export const useLights = (id: string): string => {
  const { workbench } = useScope();
  return useStore(workbench, (now) => lightsOn(now, id));
};
